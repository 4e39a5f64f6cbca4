import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Scrypt } from '../../../../src/core/crypto/sealing.ts';
import { KINDS } from '../../../../src/node/store/kinds.ts';
import { availableSecrets, isLocked } from '../../../../src/node/wallet/keys/vault.ts';
import { blockAfter } from '../../../support/blocks.ts';
import { change } from '../../../support/feeding.ts';
import { createMemoryStore, type RecordStore, txid } from '../../../support/library.ts';
import { quickScrypt } from '../../../support/quickScrypt.ts';
import { contentOf, forge } from '../../../support/walletRecords.ts';
import {
  ask,
  hexOf,
  LEGACY,
  MODERN,
  makeWorld,
  NOW,
  openWalletRpc,
  payment,
  SECRETS,
  type WalletWorld,
} from '../../../support/walletWorld.ts';

/** Encrypted wallets: what the store keeps, how long keys stay in memory, and which errors callers get. */

const PASSPHRASE = 'a passphrase, äöü';
const LOCKED = { code: -13, message: 'Error: Please enter the wallet passphrase with walletpassphrase first.' };
const WRONG = { code: -14, message: 'Error: The wallet passphrase entered was incorrect.' };

const wallet = ({ rpc }: Pick<WalletWorld, 'rpc'>) => {
  const found = rpc.node.wallets.get('w');
  if (!found) throw new Error('no wallet');
  return found;
};

const secretsIn = (world: Pick<WalletWorld, 'rpc'>): readonly Uint8Array[] =>
  [...availableSecrets(wallet(world).vault)].map(([, secret]) => secret).sort(([a = 0], [b = 0]) => a - b);

/** Mines a payment to the wallet's first key, and returns an unsigned transaction that spends it, in hex. */
function spendable(world: WalletWorld): string {
  const [coin] = world.coins;
  const [script = ''] = world.scripts;
  if (!coin) throw new Error('no coin');
  const paid = payment(coin, [script, script]);
  world.rpc.call('submitblock', [blockAfter(world.base, { txs: [paid] }).hex]);
  return hexOf(payment({ txid: txid(paid), vout: 0 }, [script, script], 40_000n));
}

describe.each([
  ['0.21', LEGACY],
  ['31', MODERN],
])('an encrypted wallet of %s', (_, kind) => {
  const make = (clock: () => number = () => NOW) => {
    const store = createMemoryStore();
    const world = makeWorld(kind, { store, clock });
    const hex = spendable(world);
    const sign = (): unknown => ask(world.rpc, 'signrawtransactionwithwallet', [hex]);
    return { store, world, sign };
  };

  test.each<[string, Record<string, unknown>]>([
    ['cost', { N: 2 ** 20, p: 16 }],
    ['memory', { N: 2 ** 30 }],
    ['kind of cost', { N: '131072', r: null }],
    ['salt', { salt: '00'.repeat(1 << 20) }],
    ['nonce', { nonce: 'zz' }],
    ['box', { box: [] }],
  ])('with a hostile %s in its record answers -4 without trying the passphrase, and stays locked', (_what, changed) => {
    const { store, world } = make();
    ask(world.rpc, 'encryptwallet', [PASSPHRASE]);
    const { master } = wallet(world).vault;
    if (!master) throw new Error('not encrypted');
    const event = { type: 'passphrase', master: { ...master, ...changed } as typeof master } as const;
    change(world.rpc, { type: 'wallet', name: 'w', event });
    let attempts = 0;
    const scrypt: Scrypt = (...given) => {
      attempts += 1;
      return quickScrypt(...given);
    };
    const reopened = openWalletRpc(kind, store, undefined, { scrypt });
    const refusal = { code: -4, message: expect.stringContaining('encryption record of wallet "w"') };
    expect(ask(reopened, 'walletpassphrase', [PASSPHRASE, 60])).toMatchObject(refusal);
    expect(ask(reopened, 'walletpassphrasechange', [PASSPHRASE, 'another'])).toMatchObject(refusal);
    expect(attempts).toBe(0);
    expect(isLocked(wallet({ rpc: reopened }).vault)).toBe(true);
  });

  test.each<[string, (secret: object) => unknown]>([
    ['kind', () => null],
    ['list', () => []],
    ['number', () => 5],
    ['text', () => 'ab'],
    ['nonce', (secret) => ({ ...secret, nonce: '00' })],
    ['box', (secret) => ({ ...secret, box: '00'.repeat(47) })],
    ['large box', (secret) => ({ ...secret, box: '00'.repeat(1 << 20) })],
    ['kind of box', (secret) => ({ ...secret, box: { length: 96 } })],
  ])('with a hostile %s in its sealed private keys answers -4, and stays locked', (_what, change) => {
    const { store, world } = make();
    ask(world.rpc, 'encryptwallet', [PASSPHRASE]);
    const forged = forge(store, KINDS['private key'], (value) =>
      Buffer.from(JSON.stringify(change(JSON.parse(Buffer.from(value).toString('latin1')) as object))),
    );
    expect(forged).toBeGreaterThan(0);
    const message = 'Error: the encryption record of wallet "w" in wallets is damaged or forged';
    const reopened = openWalletRpc(kind, store, () => NOW, { walletDir: 'wallets' });
    const refusal = { code: -4, message: expect.stringContaining(message) };
    expect(ask(reopened, 'walletpassphrase', ['another', 60])).toEqual(WRONG);
    expect(ask(reopened, 'walletpassphrase', [PASSPHRASE, 60])).toMatchObject(refusal);
    const { vault } = wallet({ rpc: reopened });
    expect(isLocked(vault)).toBe(true);
    expect([...availableSecrets(vault)]).toEqual([]);
  });

  test('leaves no private key in the store', () => {
    const { store, world } = make();
    const texts = () => contentOf(store);
    const [hex = '', wif = ''] = SECRETS;
    expect(texts()).toContain(hex);
    ask(world.rpc, 'encryptwallet', [PASSPHRASE]);
    for (const secret of SECRETS) expect(texts()).not.toContain(secret);
    expect(texts()).not.toContain(PASSPHRASE);
    // A key imported later is sealed before it is written.
    ask(world.rpc, 'walletpassphrase', [PASSPHRASE, 60]);
    const before = texts().length;
    const [method, params] = kind === LEGACY ? (['importprivkey', [wif]] as const) : descriptorImport(world, wif);
    ask(world.rpc, method, params);
    expect(texts().length).toBeGreaterThanOrEqual(before);
    for (const secret of SECRETS) expect(texts()).not.toContain(secret);
  });

  test('signs only while unlocked', () => {
    const { world, sign } = make();
    expect(sign()).toMatchObject({ complete: true });
    ask(world.rpc, 'encryptwallet', [PASSPHRASE]);
    expect(sign()).toEqual(LOCKED);
    expect(ask(world.rpc, 'walletpassphrase', ['another', 60])).toEqual(WRONG);
    expect(ask(world.rpc, 'walletpassphrase', [`${PASSPHRASE} `, 60])).toEqual(WRONG);
    expect(sign()).toEqual(LOCKED);
    expect(ask(world.rpc, 'walletpassphrase', [PASSPHRASE, 60])).toBeNull();
    expect(sign()).toMatchObject({ complete: true });
    expect(ask(world.rpc, 'walletlock')).toBeNull();
    expect(sign()).toEqual(LOCKED);
  });

  test('locks itself when its timeout has passed, even under mock time', () => {
    let time = NOW + 0.7;
    const { world, sign } = make(() => time);
    ask(world.rpc, 'encryptwallet', [PASSPHRASE]);
    ask(world.rpc, 'walletpassphrase', [PASSPHRASE, 60]);
    time += 59.9;
    expect(sign()).toMatchObject({ complete: true });
    // Mock time does not extend the timeout.
    ask(world.rpc, 'setmocktime', [NOW - 1000]);
    time += 0.1;
    expect(sign()).toEqual(LOCKED);
  });

  test('overwrites its keys when locked', () => {
    const { world } = make();
    const open = secretsIn(world);
    expect(open.map(([first]) => first)).toEqual([1, 2]);
    ask(world.rpc, 'encryptwallet', [PASSPHRASE]);
    expect(open.flatMap((secret) => [...secret]).every((byte) => byte === 0)).toBe(true);
    ask(world.rpc, 'walletpassphrase', [PASSPHRASE, 60]);
    const again = secretsIn(world);
    expect(again).toHaveLength(2);
    ask(world.rpc, 'walletlock');
    expect(again.flatMap((secret) => [...secret]).every((byte) => byte === 0)).toBe(true);
    expect(secretsIn(world)).toEqual([]);
  });

  test('is locked after the node is opened anew, and can be unlocked', () => {
    const { store, world } = make();
    ask(world.rpc, 'encryptwallet', [PASSPHRASE]);
    ask(world.rpc, 'walletpassphrase', [PASSPHRASE, 60]);
    const again = { ...world, rpc: openWalletRpc(kind, store) };
    expect(secretsIn(again)).toEqual([]);
    expect(ask(again.rpc, 'walletpassphrase', [PASSPHRASE, 60])).toBeNull();
    expect(secretsIn(again).map(([first]) => first)).toEqual([1, 2]);
  });
});

describe.each([
  ['0.21', LEGACY],
  ['31', MODERN],
])('a new passphrase for a wallet of %s', (_, kind) => {
  const NEW = 'the next one';
  const EMPTY = `passphrase ${kind === MODERN ? 'cannot' : 'can not'} be empty`;
  const UNENCRYPTED = 'Error: running with an unencrypted wallet, but walletpassphrasechange was called.';
  const make = (store = createMemoryStore()) => {
    const rpc = openWalletRpc(kind, store);
    rpc.call('createwallet', ['w', false, true, PASSPHRASE]);
    const change = (...params: readonly unknown[]): unknown => ask(rpc, 'walletpassphrasechange', params);
    const isOpen = (): boolean => !isLocked(wallet({ rpc }).vault);
    const until = (): unknown => (ask(rpc, 'getwalletinfo') as { unlocked_until: number }).unlocked_until;
    return { rpc, store, change, isOpen, until };
  };

  test('unlocks it instead of the old one, also after a restart', () => {
    const { rpc, store, change } = make();
    expect(change(PASSPHRASE, NEW)).toBeNull();
    for (const opened of [rpc, openWalletRpc(kind, store)]) {
      expect(ask(opened, 'walletpassphrase', [PASSPHRASE, 60])).toEqual(WRONG);
      expect(ask(opened, 'walletpassphrase', [NEW, 60])).toBeNull();
    }
  });

  test('comes with a new salt and the current cost, and the store loses the old sealed master key', () => {
    const { rpc, store, change } = make();
    const { vault } = wallet({ rpc });
    const former = vault.master;
    if (!former) throw new Error('not encrypted');
    expect(change(PASSPHRASE, NEW)).toBeNull();
    expect(vault.master).toMatchObject({ kdf: 'scrypt', N: 2 ** 17, r: 8, p: 1 });
    for (const part of ['salt', 'nonce', 'box'] as const) {
      expect(vault.master?.[part]).not.toBe(former[part]);
      expect(contentOf(store)).not.toContain(former[part]);
    }
  });

  test('keeps the wallet locked or unlocked; a wrong old passphrase locks it', () => {
    const { rpc, change, isOpen, until } = make();
    expect(change(PASSPHRASE, NEW)).toBeNull();
    expect([isOpen(), until()]).toEqual([false, 0]);
    ask(rpc, 'walletpassphrase', [NEW, 60]);
    expect(change(NEW, PASSPHRASE)).toBeNull();
    expect([isOpen(), until()]).toEqual([true, NOW + 60]);
    expect(change(NEW, 'x')).toEqual(WRONG);
    // As in Core: `Lock()` runs first and does not reset the reported unlock time.
    expect([isOpen(), until()]).toEqual([false, NOW + 60]);
    ask(rpc, 'walletlock');
    expect(until()).toBe(0);
  });

  test('is refused with Core’s error texts and order of checks', () => {
    const { rpc, change } = make();
    expect(change('', 'x')).toEqual({ code: -8, message: EMPTY });
    expect(change('x', '')).toEqual({ code: -8, message: EMPTY });
    expect(change(PASSPHRASE)).toMatchObject({ code: -1 });
    const type = 'JSON value of type number is not of expected type string';
    const badType = (name: string): unknown =>
      kind === MODERN
        ? { code: -3, message: `Wrong type passed:\n{\n    "Position ${name}": "${type}"\n}` }
        : { code: -1, message: 'JSON value is not a string as expected' };
    expect(change(5, '')).toEqual(badType('1 (oldpassphrase)'));
    expect(change('', 5)).toEqual(badType('2 (newpassphrase)'));
    const nul = change('a\0b', 'x') as { message: string };
    expect(nul.message.includes('The old wallet passphrase entered is incorrect. It contains a null')).toBe(
      kind === MODERN,
    );
    rpc.call('createwallet', ['plain', false, true]);
    const ofPlain = (params: readonly unknown[]) => () => rpc.call('walletpassphrasechange' as string, params, 'plain');
    expect(ofPlain(['x', ''])).toThrow(expect.objectContaining({ code: -15, message: UNENCRYPTED }));
  });
});

describe.each([
  ['0.21', LEGACY],
  ['31', MODERN],
])('a wallet of %s created with a passphrase', (_, kind) => {
  test('is unlocked by that passphrase, even one with a null character', () => {
    const rpc = openWalletRpc(kind);
    const passphrase = 'before\0after';
    rpc.call('createwallet', ['w', false, true, passphrase]);
    expect(ask(rpc, 'walletpassphrase', [passphrase, 60])).toBeNull();
  });

  test('is created and encrypted in one write, which no crash can split', () => {
    const store = createMemoryStore();
    let writes = 0;
    const write: RecordStore['write'] = (changes) => {
      store.write(changes);
      writes += 1;
    };
    const rpc = openWalletRpc(kind, { ...store, write });
    expect(writes).toBe(1);
    rpc.call('createwallet', ['w', false, true, PASSPHRASE]);
    expect(writes).toBe(2);
    const again = openWalletRpc(kind, store);
    expect(ask(again, 'getwalletinfo')).toMatchObject({ unlocked_until: 0 });
    expect(ask(again, 'walletpassphrase', [PASSPHRASE, 60])).toBeNull();
  });
});

test('a wallet stays unlocked only until the earlier deadline of its two clocks', () => {
  let [wall, steady] = [NOW, 5];
  const rpc = openWalletRpc(MODERN, undefined, () => wall, { steadyClock: () => steady });
  rpc.call('createwallet', ['w', false, true, PASSPHRASE]);
  const isOpen = (): boolean => (ask(rpc, 'getwalletinfo') as { unlocked_until: number }).unlocked_until !== 0;
  const step = fc.record({
    // The wall clock may be set back or forward; the steady one may stop while the machine sleeps.
    wall: fc.constantFrom(-1e9, -3600, 0, 1, 9.9, 59.9, 60, 1e9),
    steady: fc.constantFrom(0, 0, 1, 9.9, 59.9, 60),
    mocktime: fc.constantFrom(undefined, 0, NOW - 1e6, NOW + 1e6),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
      ask(rpc, 'walletpassphrase', [PASSPHRASE, 60]);
      const begun = { wall, steady };
      let expected = true;
      expect(isOpen()).toBe(true);
      for (const { mocktime, ...moved } of steps) {
        wall += moved.wall;
        steady += moved.steady;
        if (mocktime !== undefined) ask(rpc, 'setmocktime', [mocktime]);
        expected &&= wall < begun.wall + 60 && steady < begun.steady + 60;
        expect(isOpen()).toBe(expected);
      }
    }),
    { numRuns: 15 },
  );
});

test('0.21 reads a passphrase up to its first null character, which may leave it empty', () => {
  const rpc = openWalletRpc(LEGACY);
  const warning = 'Empty string given as passphrase, wallet will not be encrypted.';
  expect(rpc.call('createwallet', ['w', false, true, '\0after'])).toEqual({ name: 'w', warning });
});

function descriptorImport({ rpc }: WalletWorld, wif: string): readonly ['importdescriptors', readonly unknown[]] {
  const { checksum } = rpc.call('getdescriptorinfo', [`pkh(${wif})`]) as { readonly checksum: string };
  return ['importdescriptors', [[{ desc: `pkh(${wif})#${checksum}`, timestamp: 'now' }]]];
}
