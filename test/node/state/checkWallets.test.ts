import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KINDS, kindName } from '../../../src/node/store/kinds.ts';
import { campaign } from '../../support/campaign.ts';
import { createMemoryStore, type NodeRpc, type RecordStore } from '../../support/library.ts';
import { refusalOf } from '../../support/refusal.ts';
import { begin, play, steps } from '../../support/walletHistory.ts';
import { ask, LEGACY, MODERN, makeWorld, openWalletRpc, type WalletKind } from '../../support/walletWorld.ts';

const WALLETS = [
  ['0.21', LEGACY, false],
  ['0.21 with avoid_reuse', LEGACY, true],
  ['31', MODERN, false],
  ['31 with avoid_reuse', MODERN, true],
] as const;

/** What follows from other records, or is named by them; the file counts all. */
const AGREEING: readonly string[] = [
  KINDS.owner,
  KINDS.counts,
  KINDS.block,
  KINDS.height,
  KINDS.wallet,
  KINDS['private key'],
  KINDS.descriptor,
  KINDS['descriptor by text'],
  KINDS['own script'],
  KINDS['hardened keys'],
  KINDS.seed,
  KINDS.transaction,
  KINDS.arrival,
  KINDS['transaction by height'],
  KINDS.payment,
  KINDS['unsettled transaction'],
  KINDS['transaction with coins'],
  KINDS['settled amounts'],
];

function copyOf(store: RecordStore): RecordStore {
  const copy = createMemoryStore();
  copy.write(store.list(''));
  return copy;
}

const check = (kind: WalletKind, store: RecordStore): NodeRpc => {
  const rpc = openWalletRpc(kind, store);
  rpc.checkWallets();
  return rpc;
};

describe.each(WALLETS)('the records of a wallet of %s', (_, kind, avoidsReuse) => {
  test('agree after any history', () => {
    fc.assert(
      fc.property(steps({ undo: 2, import: 1, settings: 3 }), (history) => {
        const store = createMemoryStore();
        const world = makeWorld(kind, { avoidsReuse, store });
        const played = begin(world);
        for (const step of history) play(world, played, step);
        ask(world.rpc, 'createwallet', ['keys']);
        ask(world.rpc, 'getnewaddress', ['', 'bech32'], 'keys');
        world.rpc.checkWallets();
        check(kind, copyOf(store));
      }),
      campaign(12),
    );
  });

  test('do not agree if one of them is gone', () => {
    const store = createMemoryStore();
    const world = makeWorld(kind, { avoidsReuse, store });
    const played = begin(world);
    play(world, played, { type: 'pay', coin: 0, to: [0, 1] });
    play(world, played, { type: 'mine', most: 1, miner: 0 });
    play(world, played, { type: 'pay', coin: 1, to: [1, 4] });
    ask(world.rpc, 'createwallet', ['keys']);
    const address = ask(world.rpc, 'getnewaddress', ['', 'bech32'], 'keys');
    ask(world.rpc, 'getaddressinfo', [address], 'keys');
    const before = check(kind, copyOf(store));
    expect(ask(before, 'listwallets')).toEqual(['w', 'keys']);
    const byKind = new Map([...store.list('')].map(([key]) => [key.slice(0, 5), key]));
    const sample = [...byKind.values()].filter((key) => AGREEING.includes(key[0] ?? ''));
    expect(sample.length).toBeGreaterThan(8);
    for (const key of sample) {
      const copy = copyOf(store);
      copy.write([[key, undefined]]);
      const refusal = refusalOf(() => check(kind, copy));
      expect([kindName(key[0] ?? ''), refusal.code]).toEqual([kindName(key[0] ?? ''), 'store/corrupt']);
      expect(refusal.message).toMatch(/: restore (the store|it) from a backup$/);
    }
  });
});
