import { describe, expect, test } from 'vitest';
import { encodeMempoolFile } from '../../../src/node/mempool/mempoolFile.ts';
import { blockAfter, blocksAfter, coinbaseOf, GENESIS, spend } from '../../support/blocks.ts';
import { submit } from '../../support/feeding.ts';
import { createNodeRpc, encodeTransaction, formatHex, formatTxid, type NodeRpc, txid } from '../../support/library.ts';

const NOW = 1_700_100_000;
const BLOCKS = blocksAfter(GENESIS, 101);
const script = `${'61'.repeat(20)}51`;
const [first = GENESIS] = BLOCKS;
const parent = spend([{ txid: txid(coinbaseOf(first)), vout: 0 }], script, 4_999_990_000n);
const child = spend([{ txid: txid(parent), vout: 0 }], script, 4_999_900_000n);
const ids = [parent, child].map((tx) => formatTxid(txid(tx)));

const files = new Map<string, Uint8Array>();
function open(now = NOW): NodeRpc {
  const rpc = createNodeRpc({
    acceptnonstdtxn: true,
    network: 'regtest',
    dialect: 'core-31',
    walletDir: '/wallets',
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
  const rpc = open(1_700_050_000);
  for (const tx of [parent, child]) rpc.call('sendrawtransaction', [formatHex(encodeTransaction(tx))]);
  const saved = rpc.call('savemempool');
  const path = (saved as { readonly filename: string }).filename;

  test('lies among the backups, and hides its data', () => {
    expect(path).toBe('/wallets/backups/mempool.dat');
    const hex = formatHex(files.get(path) ?? new Uint8Array());
    expect(hex.slice(0, 34)).toBe(`020000000000000008${'a5'.repeat(8)}`);
    expect(hex).not.toContain(formatHex(encodeTransaction(parent)));
  });

  test('is imported, with or without the times and what was sent', () => {
    const now = open();
    expect(now.call('importmempool', [path])).toEqual({});
    expect(now.call('getmempoolentry', [ids[1] ?? ''])).toMatchObject({ time: NOW, unbroadcast: false });
    const then = open();
    then.call('importmempool', { filepath: path, use_current_time: false, apply_unbroadcast_set: true });
    expect(then.call('getmempoolentry', [ids[1] ?? ''])).toMatchObject({ time: 1_700_050_000, unbroadcast: true });
    expect(then.call('getrawmempool', [true])).toEqual(rpc.call('getrawmempool', [true]));
  });

  test('leaves out what is too old, and what the mempool refuses', () => {
    const pool = [parent, child].map((tx) => ({ tx, id: txid(tx), time: NOW - 336 * 3600, isUnbroadcast: true }));
    files.set('old', encodeMempoolFile(pool, new Uint8Array(8)));
    const old = open();
    old.call('importmempool', ['old', { use_current_time: false }]);
    expect(old.call('getrawmempool')).toEqual([]);
    files.set('child', encodeMempoolFile(pool.slice(1), new Uint8Array(8)));
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
