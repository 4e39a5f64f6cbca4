import { describe, expect, test } from 'vitest';
import { underivable } from '../../../src/core/descriptors/deriveKey.ts';
import { openTables } from '../../../src/node/store/tables.ts';
import { normalize } from '../../../src/node/wallet/keys/descriptorKeys.ts';
import {
  createHardenedKeys,
  hasHardenedWildcard,
  publicKeysCodec,
} from '../../../src/node/wallet/keys/hardenedKeys.ts';
import { blockAfter, coinbaseOf, GENESIS, spend } from '../../support/blocks.ts';
import { importAll, openWallet, reload, xprvA, xprvB, xpubA, xpubB } from '../../support/descriptorWallet.ts';
import {
  createDeriver,
  createMemoryStore,
  descriptorChecksum,
  type NodeRpc,
  networks,
  nobleEcc,
  parseDescriptor,
  type RecordStore,
  txid,
} from '../../support/library.ts';
import { ask, hexOf, MODERN, openWalletRpc } from '../../support/walletWorld.ts';

const addressAt = (rpc: NodeRpc, desc: string, index: number): string => {
  const [address = ''] = rpc.call('deriveaddresses', [`${desc}#${descriptorChecksum(desc)}`, [index, index]]) as [
    string,
  ];
  return address;
};
const infoOf = (rpc: NodeRpc, address: string): unknown => ask(rpc, 'getaddressinfo', [address]);
const ownsAt = (rpc: NodeRpc, desc: string, indexes: readonly number[]): readonly boolean[] =>
  indexes.map((index) => (infoOf(rpc, addressAt(rpc, desc, index)) as { readonly ismine: boolean }).ismine);
const newAddress = (rpc: NodeRpc): unknown => ask(rpc, 'getnewaddress');

/** Restarts the node, which leaves an encrypted wallet locked. */
const restart = (store: RecordStore): NodeRpc => openWalletRpc(MODERN, store);

test('public keys take the place of hardened wildcards, also of MuSig2 participants', () => {
  const text = `tr(musig(${xprvA}/*h,${xprvB}/1h/*h),pk(${xprvB}/*))`;
  const whole = parseDescriptor(text, networks.regtest);
  const normalized = normalize(whole, nobleEcc);
  if (!normalized) throw new Error('no private keys');
  const store = createMemoryStore();
  const open = () => {
    const tables = openTables(store);
    return { tables, keys: createHardenedKeys(tables.table('H', publicKeysCodec, 2), nobleEcc) };
  };
  const { tables, keys } = open();
  expect(hasHardenedWildcard(normalized)).toBe(true);
  expect(keys.extend(7, { lowest: 0, end: 2 }, () => normalized)).toBe(false);
  expect(keys.extend(7, { lowest: 1, end: 3 }, () => whole)).toBe(true);
  expect(keys.extend(7, { lowest: 0, end: 4 }, () => whole)).toBe(true);
  tables.write();
  const { keys: restored } = open();
  expect([0, 1, 2, 3, 4].map((index) => restored.has(7, index))).toEqual([true, true, true, true, false]);
  expect(restored.has(6, 0)).toBe(false);
  const derive = createDeriver(whole, { ecc: nobleEcc });
  for (const index of [0, 1, 2, 3]) {
    const derived = restored.deriveAt(7, normalized, index);
    expect(derived.scriptPubKeys).toEqual(derive(index).scriptPubKeys);
    const origins = derive(index).keys.map(({ publicKey, origin }) => ({ publicKey, origin: origin.path.at(-1) }));
    expect(derived.keys.map(({ publicKey, origin }) => ({ publicKey, origin: origin.path.at(-1) }))).toEqual(origins);
  }
  expect(() => restored.deriveAt(7, normalized, 4)).toThrow(underivable());
});

describe('a descriptor with a hardened wildcard', () => {
  const desc = `wpkh(${xprvA}/0h/1/*h)`;

  test('needs its private key', () => {
    const rpc = openWallet();
    const text = `wpkh(${xpubA}/*h)`;
    const request = { desc: `${text}#${descriptorChecksum(text)}`, timestamp: 'now' };
    expect(ask(rpc, 'importdescriptors', [[request]])).toMatchObject([
      { success: false, error: { code: -4, message: expect.stringMatching(/^Cannot expand descriptor\./) } },
    ]);
  });

  test('is derived, handed out, and known after a restart', () => {
    const store = createMemoryStore();
    const rpc = openWallet({ store });
    importAll(rpc, { desc, active: true });
    expect(newAddress(rpc)).toBe(addressAt(rpc, desc, 0));
    const again = restart(store);
    expect(ownsAt(again, desc, [0, 999, 1000])).toEqual([true, true, false]);
    expect(newAddress(again)).toBe(addressAt(again, desc, 1));
    expect(infoOf(again, addressAt(again, desc, 7))).toEqual(infoOf(rpc, addressAt(rpc, desc, 7)));
  });

  test('is known to a locked wallet, which hands out what was derived', () => {
    const store = createMemoryStore();
    const rpc = openWallet({ store });
    importAll(rpc, { desc, active: true, range: [0, 999], next_index: 998 });
    ask(rpc, 'encryptwallet', ['pass']);
    for (const locked of [rpc, restart(store)])
      expect(ownsAt(locked, desc, [0, 1997, 1998])).toEqual([true, true, false]);
    const locked = restart(store);
    expect(newAddress(locked)).toBe(addressAt(locked, desc, 998));
    expect(ask(locked, 'listdescriptors')).toEqual(ask(restart(store), 'listdescriptors'));
    expect(ownsAt(locked, desc, [1998])).toEqual([false]);
    expect(ask(locked, 'walletpassphrase', ['pass', 1000])).toBeNull();
    expect(ownsAt(locked, desc, [1998, 1999])).toEqual([true, false]);
    expect(ownsAt(restart(store), desc, [1998, 1999])).toEqual([true, false]);
    reload(locked);
    expect(ownsAt(locked, desc, [1998, 1999])).toEqual([true, false]);
  });

  test('is used up while the wallet is locked, and has further indexes once it is unlocked', () => {
    const store = createMemoryStore();
    const rpc = openWallet({ store });
    importAll(rpc, { desc, active: true });
    ask(rpc, 'encryptwallet', ['pass']);
    for (let i = 0; i < 1000; i += 1) expect(newAddress(rpc)).toMatch(/^bcrt1/);
    const ranOut = { code: -12, message: 'Error: Keypool ran out, please call keypoolrefill first' };
    for (const locked of [rpc, restart(store)]) expect(newAddress(locked)).toEqual(ranOut);
    ask(rpc, 'walletpassphrase', ['pass', 1000]);
    expect(newAddress(rpc)).toBe(addressAt(rpc, desc, 1000));
  });

  test.each([
    ['of several keys', `wsh(multi(2,${xprvA}/*h,${xprvB}/1/*h))`],
    ['beside an unhardened one', `wsh(multi(2,${xprvA}/*h,${xprvB}/1/*))`],
    ['in a tree', `tr(${xprvA}/*h,pk(${xprvB}/*h))`],
  ])('signs: %s', (_, text) => {
    const store = createMemoryStore();
    const rpc = openWallet({ store });
    importAll(rpc, { desc: text, range: 3 });
    const { scriptPubKey } = infoOf(rpc, addressAt(rpc, text, 2)) as { readonly scriptPubKey: string };
    const block = blockAfter(GENESIS, { script: scriptPubKey });
    expect(ask(rpc, 'submitblock', [block.hex])).toBeNull();
    const unsigned = hexOf(spend([{ txid: txid(coinbaseOf(block)), vout: 0 }]));
    expect(ask(rpc, 'signrawtransactionwithwallet', [unsigned])).toMatchObject({ complete: true });
    const again = restart(store);
    expect(infoOf(again, addressAt(again, text, 2))).toMatchObject({ ismine: true, solvable: true });
    expect(ask(again, 'signrawtransactionwithwallet', [unsigned])).toMatchObject({ complete: true });
  });

  test('is shown with its wildcard, and with its private key on request', () => {
    const rpc = openWallet();
    importAll(rpc, { desc: `wpkh(${xprvB}/*')`, range: 1 });
    const listed = (isPrivate: boolean): readonly string[] => {
      const { descriptors } = ask(rpc, 'listdescriptors', [isPrivate]) as {
        readonly descriptors: readonly { readonly desc: string }[];
      };
      return descriptors.map(({ desc: text }) => text.split('#')[0] ?? '');
    };
    expect(listed(false)).toEqual([`wpkh(${xpubB}/*h)`]);
    expect(listed(true)).toEqual([`wpkh(${xprvB}/*')`]);
  });
});
