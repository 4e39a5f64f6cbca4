import { describe, expect, test } from 'vitest';
import { blockAfter, coinbaseOf, GENESIS, spend } from '../../support/blocks.ts';
import { importAll, openWallet, reload, xprvA, xprvB, xpubA, xpubB } from '../../support/descriptorWallet.ts';
import {
  createMemoryStore,
  descriptorChecksum,
  formatHex,
  formatWif,
  hash160,
  type NodeRpc,
  networks,
  nobleEcc,
  type Outpoint,
  txid,
} from '../../support/library.ts';
import { contentOf } from '../../support/walletRecords.ts';
import { ask, hexOf, MODERN, openWalletRpc } from '../../support/walletWorld.ts';

const wifOf = (number: number): string =>
  formatWif({ secretKey: new Uint8Array(32).fill(number), isCompressed: true }, networks.regtest);
const publicKeyOf = (number: number): Uint8Array => nobleEcc.publicKey(new Uint8Array(32).fill(number), true);

const isMine = (rpc: NodeRpc, address: string): unknown =>
  (ask(rpc, 'getaddressinfo', [address]) as { readonly ismine: boolean }).ismine;

const infoOf = (rpc: NodeRpc): unknown => ask(rpc, 'getwalletinfo');

describe('a range that begins above 0', () => {
  const desc = `wpkh(${xprvA}/*)`;
  const addressesOf = (rpc: NodeRpc, indexes: readonly number[]): readonly string[] =>
    indexes.flatMap((i) => {
      const text = `wpkh(${xpubA}/*)`;
      return rpc.call('deriveaddresses', [`${text}#${descriptorChecksum(text)}`, [i, i]]) as [string];
    });
  const owned = (rpc: NodeRpc, indexes: readonly number[]): readonly unknown[] =>
    addressesOf(rpc, indexes).map((address) => isMine(rpc, address));

  test.each([false, true])('includes the indexes below it until the wallet is reloaded (active: %s)', (active) => {
    const store = createMemoryStore();
    const rpc = openWallet({ store });
    importAll(rpc, { desc, range: [100, 103], active });
    const indexes = [0, 99, 100, 1099, 1100];
    expect(owned(rpc, indexes)).toEqual([true, true, true, true, false]);
    expect(owned(openWalletRpc(MODERN, store), indexes)).toEqual([true, true, true, true, false]);
    reload(rpc);
    expect(owned(rpc, indexes)).toEqual([false, false, true, true, false]);
    expect(owned(openWalletRpc(MODERN, store), indexes)).toEqual([false, false, true, true, false]);
    importAll(rpc, { desc, range: [50, 1099], active });
    expect(owned(rpc, indexes)).toEqual([true, true, true, true, false]);
  });

  test('is topped up from the index that equals its length after a reload', () => {
    const rpc = openWallet();
    importAll(rpc, { desc, range: [3000, 3003], active: true });
    reload(rpc);
    expect(owned(rpc, [999, 1000, 2999, 3000, 3999, 4000])).toEqual([false, true, true, true, true, false]);
    reload(rpc);
    const idle = openWallet();
    importAll(idle, { desc, range: [3000, 3003] });
    reload(idle);
    expect(owned(idle, [999, 1000, 2999, 3000])).toEqual([false, false, false, true]);
  });

  test('is topped up on unlocking if the wallet was loaded while locked', () => {
    const store = createMemoryStore();
    const rpc = openWallet({ store });
    importAll(rpc, { desc, range: [3000, 3003], active: true });
    ask(rpc, 'encryptwallet', ['pass']);
    reload(rpc);
    const indexes = [999, 1000, 2999, 3000, 3999, 4000];
    expect(owned(rpc, indexes)).toEqual([false, false, false, true, true, false]);
    const listed = (): unknown => [infoOf(rpc), ask(rpc, 'listdescriptors')];
    const before = listed();
    expect(ask(rpc, 'walletpassphrase', ['pass', 0])).toBeNull();
    const records = contentOf(store);
    expect(ask(rpc, 'walletpassphrase', ['pass', 0])).toBeNull();
    expect(contentOf(store)).toBe(records);
    expect(owned(rpc, indexes)).toEqual([false, true, true, true, true, false]);
    expect(listed()).toEqual(before);
    expect(owned(openWalletRpc(MODERN, store), indexes)).toEqual([false, true, true, true, true, false]);
  });

  test('excludes the indexes below it if deriving them would take too long', () => {
    const rpc = openWallet();
    importAll(rpc, { desc, range: [10_001, 10_002] });
    expect(owned(rpc, [0, 10_000, 10_001])).toEqual([false, false, true]);
  });
});

/**
 * Submits a block for each script, in hex, whose coinbase pays it.
 * @returns the outpoints, in the order of the scripts
 */
function fund(rpc: NodeRpc, scripts: readonly string[]): readonly Outpoint[] {
  let tip = GENESIS;
  return scripts.map((script) => {
    tip = blockAfter(tip, { script });
    expect(ask(rpc, 'submitblock', [tip.hex])).toBeNull();
    return { txid: txid(coinbaseOf(tip)), vout: 0 };
  });
}

test('listunspent tells of a descriptor as it is now: loaded again, then imported again', () => {
  const rpc = openWallet();
  const number = [1, 2, 3, 4, 5, 6, 7, 8].find((n) => publicKeyOf(n)[0] === 3) ?? 0;
  const desc = `tr(${wifOf(number)})`;
  const [odd, even] = [3, 2].map((sign) =>
    formatHex(hash160(Uint8Array.of(sign, ...publicKeyOf(number).subarray(1))).subarray(0, 4)),
  );
  importAll(rpc, { desc });
  const [address] = rpc.call('deriveaddresses', [`${desc}#${descriptorChecksum(desc)}`]) as [string];
  const { scriptPubKey } = ask(rpc, 'getaddressinfo', [address]) as { readonly scriptPubKey: string };
  fund(rpc, [scriptPubKey]);
  const shown = (): readonly unknown[] => {
    const immature = [0, 999, [], true, { include_immature_coinbase: true }] as const;
    const [listed] = rpc.call('listunspent', immature, 'w') as readonly { readonly desc?: string }[];
    const { desc: told } = ask(rpc, 'getaddressinfo', [address]) as { readonly desc: string };
    return [listed?.desc, told].map((text) => text?.slice(4, 12));
  };
  expect(shown()).toEqual([odd, odd]);
  reload(rpc);
  expect(shown()).toEqual([even, even]);
  importAll(rpc, { desc });
  expect(shown()).toEqual([odd, odd]);
});

describe('private keys belong to the descriptor they were imported with', () => {
  const multi = (first: string, second: string): string => `wsh(multi(2,${first},${second}))`;
  const textsOf = (rpc: NodeRpc): readonly string[] =>
    (
      ask(rpc, 'listdescriptors', [true]) as { readonly descriptors: readonly { readonly desc: string }[] }
    ).descriptors.map(({ desc }) => desc.split('#')[0] ?? '');
  const scriptOf = (rpc: NodeRpc, desc: string): string => {
    const [address] = rpc.call('deriveaddresses', [`${desc}#${descriptorChecksum(desc)}`]) as [string];
    return (ask(rpc, 'getaddressinfo', [address]) as { readonly scriptPubKey: string }).scriptPubKey;
  };

  test('listdescriptors and signrawtransactionwithwallet do not use the keys of other descriptors', () => {
    const rpc = openWallet();
    importAll(rpc, { desc: `wpkh(${xprvA}/0/*)`, range: 1 }, { desc: multi(xpubA, xprvB) });
    expect([...textsOf(rpc)].sort()).toEqual([`wpkh(${xprvA}/0/*)`, multi(xpubA, xprvB)].sort());
    const coins = fund(rpc, [scriptOf(rpc, multi(xpubA, xpubB))]);
    const unsigned = hexOf(spend(coins));
    expect(ask(rpc, 'signrawtransactionwithwallet', [unsigned])).toMatchObject({ complete: false });
    importAll(rpc, { desc: multi(xprvA, xpubB) });
    expect(textsOf(rpc)).toContain(multi(xprvA, xprvB));
    expect(ask(rpc, 'signrawtransactionwithwallet', [unsigned])).toMatchObject({ complete: true });
  });

  test('each descriptor whose coin is spent signs in turn, so that one completes the signatures of another', () => {
    const rpc = openWallet();
    const [first, second] = [3, 4].map((i) => formatHex(publicKeyOf(i)));
    importAll(rpc, { desc: `multi(2,${wifOf(3)},${second})` }, { desc: `pkh(${wifOf(4)})` });
    const bare = `5221${first}21${second}52ae`;
    const [multisig, single] = fund(rpc, [bare, `76a914${formatHex(hash160(publicKeyOf(4)))}88ac`]);
    if (!multisig || !single) throw new Error('no coins');
    expect(ask(rpc, 'signrawtransactionwithwallet', [hexOf(spend([multisig]))])).toMatchObject({ complete: false });
    expect(ask(rpc, 'signrawtransactionwithwallet', [hexOf(spend([multisig, single]))])).toMatchObject({
      complete: true,
    });
  });

  test('an x-only key keeps its private key when the private key of another key is imported', () => {
    const rpc = openWallet();
    const odd = [5, 6, 7, 8, 9, 10].filter((i) => publicKeyOf(i)[0] === 3);
    const [first = 0, second = 0] = odd;
    const shown = (number: number): string => formatHex(publicKeyOf(number).slice(1));
    importAll(rpc, { desc: `tr(${wifOf(first)},pk(${shown(second)}))` });
    importAll(rpc, { desc: `tr(${shown(first)},pk(${wifOf(second)}))` });
    expect(textsOf(rpc)).toEqual([`tr(${wifOf(first)},pk(${wifOf(second)}))`]);
    const coins = fund(rpc, [scriptOf(rpc, `tr(${shown(first)},pk(${shown(second)}))`)]);
    expect(ask(rpc, 'signrawtransactionwithwallet', [hexOf(spend(coins))])).toMatchObject({ complete: true });
  });

  test('descriptors that differ only in their hardened markers are the same', () => {
    const rpc = openWallet();
    importAll(rpc, { desc: `wpkh(${xprvA}/0h/*)`, range: 9 }, { desc: `wpkh(${xprvA}/0'/*)`, range: 2000 });
    expect(textsOf(rpc)).toEqual([`wpkh(${xprvA}/0'/*)`]);
  });
});
