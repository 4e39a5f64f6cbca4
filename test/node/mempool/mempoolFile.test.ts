import { describe, expect, test } from 'vitest';
import { parseTxKey, txKey } from '../../../src/core/tx/txid.ts';
import type { TxKey } from '../../../src/core/tx/types.ts';
import {
  type DumpedTransaction,
  encodeMempoolFile,
  type MempoolContent,
  readMempoolFile,
} from '../../../src/node/mempool/mempoolFile.ts';
import { blockAfter, blocksAfter, coinbaseOf, GENESIS, spend } from '../../support/blocks.ts';
import { submit } from '../../support/feeding.ts';
import {
  createNodeRpc,
  type DialectName,
  encodeTransaction,
  formatHex,
  formatTxid,
  type NodeRpc,
  parseHex,
  txid,
} from '../../support/library.ts';

const NOW = 1_700_100_000;
const BLOCKS = blocksAfter(GENESIS, 101);
const script = `${'61'.repeat(20)}51`;
const [first = GENESIS] = BLOCKS;
const parent = spend([{ txid: txid(coinbaseOf(first)), vout: 0 }], script, 4_999_990_000n);
const child = spend([{ txid: txid(parent), vout: 0 }], script, 4_999_900_000n);
const ids = [parent, child].map((tx) => formatTxid(txid(tx)));

const fileOf = (
  transactions: MempoolContent['transactions'],
  feeDeltas: MempoolContent['feeDeltas'] = [],
): Uint8Array => encodeMempoolFile({ transactions, feeDeltas }, new Uint8Array(8));

const files = new Map<string, Uint8Array>();
function open(now = NOW, walletDir = '/wallets', dialect: DialectName = 'core-31'): NodeRpc {
  const rpc = createNodeRpc({
    acceptnonstdtxn: true,
    network: 'regtest',
    dialect,
    walletDir,
    clock: () => now,
    random: (size) => new Uint8Array(size).fill(0xa5),
    backupFiles: {
      write: () => 'is never written',
      replace: (path, content) => {
        files.set(path, content);
        return undefined;
      },
      read: (path) => files.get(path) ?? 'missing',
    },
  });
  submit(rpc, BLOCKS);
  return rpc;
}

describe('the file of the mempool', () => {
  const rpc = open(1_700_060_000);
  for (const tx of [parent, child]) rpc.call('sendrawtransaction', [formatHex(encodeTransaction(tx))]);
  const saved = rpc.call('savemempool');
  const path = (saved as { readonly filename: string }).filename;

  test('lies among the backups, and hides its data', () => {
    expect(path).toBe('/wallets/backups/mempool.dat');
    const hex = formatHex(files.get(path) ?? new Uint8Array());
    expect(hex.slice(0, 34)).toBe(`020000000000000008${'a5'.repeat(8)}`);
    expect(hex).not.toContain(formatHex(encodeTransaction(parent)));
  });

  test('is one that 0.21 reads, if it answers as 0.21', () => {
    const old = open(1_700_060_000, '/old', 'core-0.21');
    // As large as 0.21 demands.
    const tx = spend(
      parent.inputs.map(({ outpoint }) => outpoint),
      `${'61'.repeat(40)}51`,
      4_999_990_000n,
    );
    old.call('sendrawtransaction', [formatHex(encodeTransaction(tx))]);
    expect(old.call('savemempool')).toBeNull();
    const hex = formatHex(files.get('/old/backups/mempool.dat') ?? new Uint8Array());
    expect(hex).toMatch(/^01000000000000000100000000000000/);
    expect(hex).toContain(formatHex(encodeTransaction(tx)));
  });

  test('is imported, with or without the times and what was sent', () => {
    const now = open();
    expect(now.call('importmempool', [path])).toEqual({});
    expect(now.call('getmempoolentry', [ids[1] ?? ''])).toMatchObject({ time: NOW, unbroadcast: false });
    const then = open();
    then.call('importmempool', { filepath: path, use_current_time: false, apply_unbroadcast_set: true });
    expect(then.call('getmempoolentry', [ids[1] ?? ''])).toMatchObject({ time: 1_700_060_000, unbroadcast: true });
    expect(then.call('getrawmempool', [true])).toEqual(rpc.call('getrawmempool', [true]));
  });

  test('leaves out what is too old, and what the mempool refuses', () => {
    const pool = [parent, child].map((tx) => ({
      tx,
      key: txKey(txid(tx)),
      time: NOW - 336 * 3600,
      isUnbroadcast: true,
    }));
    files.set('old', fileOf(pool));
    const old = open();
    old.call('importmempool', ['old', { use_current_time: false }]);
    expect(old.call('getrawmempool')).toEqual([]);
    files.set('child', fileOf(pool.slice(1)));
    old.call('importmempool', ['child']);
    expect(old.call('getrawmempool')).toEqual([]);
  });

  test('is refused if it is missing or broken', () => {
    const whole = files.get(path) ?? new Uint8Array();
    const anew = open();
    for (const bytes of [
      new Uint8Array(),
      whole.slice(0, 60),
      whole.slice(0, -1),

      Uint8Array.of(3, ...whole.slice(1)),
    ]) {
      files.set('broken', bytes);
      expect(() => anew.call('importmempool', ['broken'])).toThrow(
        'Unable to import mempool file, see debug.log for details.',
      );
    }
    expect(() => anew.call('importmempool', ['none'])).toThrow('Unable to import mempool file');
    // What stands before the fault is imported, as by a node.
    expect(anew.call('getrawmempool')).toHaveLength(2);
    files.set('longer', Uint8Array.of(...whole, 0));
    expect(open().call('importmempool', ['longer'])).toEqual({});
  });

  test('waits until the chain is there, and needs access to files', () => {
    expect(() => open(NOW + 10 * 86_400).call('importmempool', [path])).toThrow('Can only import the mempool after');
    const bare = createNodeRpc({
      network: 'regtest',
      dialect: 'core-31',
      clock: () => NOW,
      random: (n) => new Uint8Array(n),
    });
    expect(() => bare.call('savemempool')).toThrow('Unable to dump mempool to disk');
    submit(bare, [blockAfter(GENESIS)]);
    expect(() => bare.call('importmempool', [path])).toThrow();
  });
});

describe('what prioritisetransaction adds to fees', () => {
  const free = spend([{ txid: txid(coinbaseOf(BLOCKS[1] ?? GENESIS)), vout: 0 }], script, 5_000_000_000n);
  const [freeId, ...absent] = [formatTxid(txid(free)), 'aa'.repeat(32), '0b'.repeat(32)];
  const rpc = open(NOW, '/others');
  rpc.call('prioritisetransaction', [freeId, 0, 20_000]);
  for (const tx of [free, parent]) rpc.call('sendrawtransaction', [formatHex(encodeTransaction(tx))]);
  for (const id of absent) rpc.call('prioritisetransaction', [id, 0, -7]);
  rpc.call('savemempool');
  const content = files.get('/others/backups/mempool.dat') ?? new Uint8Array();
  files.set('deltas', content);
  const deltasOf = (node: NodeRpc): unknown => node.call('getprioritisedtransactions');
  const lone = { fee_delta: -7, in_mempool: false };
  const others = Object.fromEntries(absent.map((id) => [id, lone]));
  const apply = { apply_fee_delta_priority: true };

  test('is imported if the caller says so, before the mempool judges the fee', () => {
    const without = open();
    without.call('importmempool', ['deltas']);
    expect(without.call('getrawmempool')).toEqual([ids[0]]);
    expect(deltasOf(without)).toEqual({});
    const node = open();
    node.call('importmempool', ['deltas', apply]);
    expect(new Set(node.call('getrawmempool'))).toEqual(new Set([freeId, ids[0]]));
    const pooled = { fee_delta: 20_000, in_mempool: true, modified_fee: 20_000 };
    expect(deltasOf(node)).toEqual({ ...others, [freeId]: pooled });
  });

  test('is added to what is there, also where the file or the mempool has the transaction no more', () => {
    const node = open();
    for (const id of [freeId, absent[0] ?? '']) node.call('prioritisetransaction', [id, 0, 7]);
    node.call('importmempool', ['deltas', apply]);
    node.call('importmempool', ['deltas', apply]);
    const pooled = { fee_delta: 40_007, in_mempool: true, modified_fee: 40_007 };
    const [first = '', second = ''] = absent;
    const twice = { [first]: { ...lone, fee_delta: -7 }, [second]: { ...lone, fee_delta: -14 } };
    expect(deltasOf(node)).toEqual({ ...twice, [freeId]: pooled });
    const entry = { tx: free, key: txKey(txid(free)), time: NOW - 336 * 3600, feeDelta: 5n, isUnbroadcast: true };
    files.set('old', fileOf([entry]));
    const late = open();
    late.call('importmempool', ['old', { ...apply, use_current_time: false }]);
    expect(deltasOf(late)).toEqual({ [freeId]: { fee_delta: 5, in_mempool: false } });
  });

  test('is imported from a file that ends before the list of what was sent, but not from within the list', () => {
    // Two transactions were sent: their number and txids stand at the end.
    files.set('cut', content.slice(0, -65));
    files.set('shorter', content.slice(0, -66));
    for (const [name, rest] of [
      ['cut', others],
      ['shorter', {}],
    ] as const) {
      const node = open();
      expect(() => node.call('importmempool', [name, apply])).toThrow('Unable to import mempool file');
      expect(deltasOf(node)).toMatchObject({ [freeId]: { fee_delta: 20_000 }, ...rest });
      expect(Object.keys(deltasOf(node) as object)).toHaveLength(1 + Object.keys(rest).length);
    }
  });

  test('of two entries for one transaction is the first', () => {
    const [id = ''] = absent;
    // No transactions, two deltas, nothing sent.
    const entries = ['05', '06'].map((delta) => `${id}${delta}${'00'.repeat(7)}`).join('');
    files.set('twice', parseHex(`01${'00'.repeat(7)}${'00'.repeat(8)}02${entries}00`));
    const node = open();
    node.call('importmempool', ['twice', apply]);
    expect(deltasOf(node)).toEqual({ [id]: { fee_delta: 5, in_mempool: false } });
  });
});

/** The mempool.dat of litecoind 0.21.2.1 -regtest after `prioritisetransaction` of a wallet's payment and three unknown txids. */
const LITECOIND =
  '0100000000000000010000000000000002000000000101c874ae197c373a7c0f2580e57b415c8f716b8241b10f7315994fa4e914' +
  '140ef60000000000feffffff02ecd90f2401000000160014b72a4762a40eeea2fb5353a03466ed749743507700e1f50500000000' +
  '1600145cd52d7b9d96e01cc0b55be46dba0b5159dd3caf02473044022063785b4b3d60e8c5d13257c768592a3881b5234f43fb7c' +
  '399c7175b2bef1265e0220436e2f41067276ff78ac71e0d8cff8840ab66e716af74660637f3351447566a50121037d91dff26cf4' +
  '52b9b9b61722c985f4538b1aa2a7e6bb2630d4df473c86fcc92b65000000bd93086b00000000204e000000000000030b0b0b0b0b' +
  '0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0bf9ffffffffffffffaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' +
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaf9ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff' +
  'ffff01005ed0b20000000001bb9caa6d95b402254109c9329c7474b55c3d7773d380b3613e8a4ac551f3b2f0';

test('the file of litecoind is read, and written alike', () => {
  const file = parseHex(LITECOIND);
  const transactions: DumpedTransaction[] = [];
  const feeDeltas: [TxKey, bigint][] = [];
  const sent = new Set<TxKey>();
  readMempoolFile(file, {
    transaction: (dumped) => transactions.push(dumped),
    feeDeltas: (deltas) => feeDeltas.push(...deltas),
    unbroadcast: (keys) => {
      for (const key of keys) sent.add(key);
    },
  });
  expect(transactions.map(({ time, feeDelta }) => [time, feeDelta])).toEqual([[1_795_724_221, 20_000n]]);
  expect(feeDeltas.map(([key, delta]) => [formatTxid(parseTxKey(key)), delta])).toEqual([
    ['0b'.repeat(32), -7n],
    ['aa'.repeat(32), -7n],
    [`01${'ff'.repeat(31)}`, 3_000_000_000n],
  ]);
  const entries = transactions.map((dumped) => {
    const key = txKey(txid(dumped.tx));
    return { ...dumped, key, isUnbroadcast: sent.has(key) };
  });
  const own = entries.map(({ key, feeDelta }) => [key, feeDelta] as const);
  const content = { transactions: entries, feeDeltas: [...own, ...feeDeltas.reverse()] };
  expect(formatHex(encodeMempoolFile(content, undefined))).toBe(LITECOIND);
  // Under a key of zeros, only the version and the key differ.
  expect(formatHex(encodeMempoolFile(content, new Uint8Array(8)).slice(17))).toBe(formatHex(file.slice(8)));
});
