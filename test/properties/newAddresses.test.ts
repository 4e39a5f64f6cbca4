import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockAfter, genesisOf, type MadeBlock } from '../support/blocks.ts';
import { campaign } from '../support/campaign.ts';
import { makeKeyWallet } from '../support/keyWallet.ts';
import {
  createMemoryStore,
  formatHex,
  type NodeRpc,
  networks,
  parseAddress,
  type RecordStore,
} from '../support/library.ts';
import { ask, LEGACY, MODERN, openWalletRpc, type WalletKind } from '../support/walletWorld.ts';

// New addresses as a state machine: whatever happens in between, no address is handed out twice.

type Step =
  | { readonly type: 'receive' | 'change'; readonly kind: string }
  | { readonly type: 'refill'; readonly size: number }
  /** Pays the address that is `ahead` of the last one of its side. */
  | { readonly type: 'pay'; readonly isChange: boolean; readonly ahead: number }
  | { readonly type: 'encrypt' | 'lock' | 'unlock' | 'reopen' | 'reload' };

const KEY_KINDS = ['legacy', 'p2sh-segwit', 'bech32'];
const AHEAD = 40;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constantFrom('receive', 'change'), kind: fc.constantFrom(...KEY_KINDS) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('refill' as const), size: fc.integer({ min: 990, max: 1020 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('pay' as const), isChange: fc.boolean(), ahead: fc.nat(AHEAD - 1) }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom('encrypt', 'lock', 'unlock', 'reopen', 'reload') }) },
) as fc.Arbitrary<Step>;

/** Lists the addresses that a fresh wallet hands out, so that a test can pay those that are yet to come. */
function foretell(kind: WalletKind): Readonly<Record<'receive' | 'change', readonly string[]>> {
  const rpc = openWalletRpc(kind);
  makeKeyWallet(rpc, kind);
  const list = (method: string, params: readonly unknown[]): readonly string[] =>
    Array.from({ length: 4 * AHEAD }, () => ask(rpc, method, params) as string);
  return { receive: list('getnewaddress', ['', 'bech32']), change: list('getrawchangeaddress', ['bech32']) };
}

/** The answers that a wallet which is opened again must give as before, while it is locked. */
function answersOf(rpc: NodeRpc, addresses: readonly string[]): unknown {
  ask(rpc, 'walletlock');
  const { keypoololdest: _, ...info } = ask(rpc, 'getwalletinfo') as Readonly<Record<string, unknown>>;
  return [info, ask(rpc, 'listunspent', [0]), ...addresses.map((address) => ask(rpc, 'getaddressinfo', [address]))];
}

/** A wallet under test, and what the test knows of it. */
interface Played {
  readonly store: RecordStore;
  readonly kind: WalletKind;
  readonly future: ReturnType<typeof foretell>;
  readonly handedOut: string[];
  rpc: NodeRpc;
  tip: MadeBlock;
}

/** Pays an address that may be yet to come. */
function pay(played: Played, { isChange, ahead }: Extract<Step, { type: 'pay' }>): void {
  const { rpc, kind, future, handedOut } = played;
  const list = future[isChange ? 'change' : 'receive'];
  const last = list.reduce((found, address, i) => (handedOut.includes(address) ? i : found), -1);
  const address = list[Math.min(last + 1 + ahead, list.length - 1)] ?? '';
  played.tip = blockAfter(played.tip, { script: formatHex(parseAddress(address, networks[kind.network])) });
  expect(ask(rpc, 'submitblock', [played.tip.hex])).toBeNull();
}

function reopen(played: Played): void {
  const before = answersOf(played.rpc, played.handedOut);
  played.rpc = openWalletRpc(played.kind, played.store);
  expect(answersOf(played.rpc, played.handedOut)).toEqual(before);
}

const CALLS: Readonly<Record<'encrypt' | 'lock' | 'unlock', readonly [string, readonly unknown[]]>> = {
  encrypt: ['encryptwallet', ['p']],
  lock: ['walletlock', []],
  unlock: ['walletpassphrase', ['p', 1000]],
};

function play(played: Played, each: Step): void {
  const { rpc, handedOut } = played;
  switch (each.type) {
    case 'receive':
      handedOut.push(ask(rpc, 'getnewaddress', ['x', each.kind]) as string);
      break;
    case 'change':
      handedOut.push(ask(rpc, 'getrawchangeaddress', [each.kind]) as string);
      break;
    case 'refill':
      ask(rpc, 'keypoolrefill', [each.size]);
      break;
    case 'pay':
      pay(played, each);
      break;
    case 'reload':
      ask(rpc, 'unloadwallet', ['w']);
      ask(rpc, 'loadwallet', ['w']);
      break;
    case 'reopen':
      reopen(played);
      break;
    default:
      ask(rpc, ...CALLS[each.type]);
  }
}

describe.each([
  ['0.21', LEGACY],
  ['31', MODERN],
] as const)('a wallet of %s', (_, kind) => {
  const future = foretell(kind);

  test('hands out no address twice, and is the same when opened again', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 16 }), (history) => {
        const store = createMemoryStore();
        const rpc = openWalletRpc(kind, store);
        makeKeyWallet(rpc, kind);
        const played: Played = { store, kind, future, handedOut: [], rpc, tip: genesisOf(kind.network) };
        for (const each of [...history, { type: 'reopen' } as const]) play(played, each);
        const { handedOut } = played;
        for (const address of handedOut) expect(typeof address).toBe('string');
        expect(new Set(handedOut).size).toBe(handedOut.length);
      }),
      campaign(8),
    );
  });
});
