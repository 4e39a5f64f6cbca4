import { describe, expect, test } from 'vitest';
import { blockAfter, blocksAfter, coinbaseOf, GENESIS, spend } from '../../../support/blocks.ts';
import { submit } from '../../../support/feeding.ts';
import {
  createMemoryStore,
  createNodeRpc,
  encodeTransaction,
  formatHex,
  formatTxid,
  type NodeRpc,
  txid,
} from '../../../support/library.ts';

const store = createMemoryStore();
const open = (): NodeRpc =>
  createNodeRpc({
    skipsMempoolPolicy: true,
    network: 'regtest',
    dialect: 'core-32',
    store,
    clock: () => 1_700_100_000,
    random: (size) => new Uint8Array(size),
  });

const BLOCKS = blocksAfter(GENESIS, 101);
const [first = GENESIS] = BLOCKS;
const parent = spend([{ txid: txid(coinbaseOf(first)), vout: 0 }], '51', 4_999_990_000n);
const child = spend([{ txid: txid(parent), vout: 0 }], '51', 4_999_900_000n);
const idOf = (tx: typeof parent): string => formatTxid(txid(tx));

describe('an entry of the mempool', () => {
  test('remembers when it came, how it came and what it pays, also when the node is opened anew', () => {
    const rpc = open();
    submit(rpc, BLOCKS);
    rpc.call('setmocktime', [1_700_100_500]);
    for (const tx of [parent, child]) rpc.call('sendrawtransaction', [formatHex(encodeTransaction(tx))]);
    const entry = rpc.call('getmempoolentry', [idOf(child)]);
    expect(entry).toMatchObject({ time: 1_700_100_500, height: 101, ancestorcount: 2, depends: [idOf(parent)] });
    expect(entry.fees).toEqual({ base: 0.0009, modified: 0.0009, ancestor: 0.001, descendant: 0.0009, chunk: 0.001 });
    const info = rpc.call('getmempoolinfo');
    expect(info).toMatchObject({ size: 2, total_fee: 0.001, unbroadcastcount: 2 });

    const anew = open();
    expect(anew.call('getmempoolentry', [idOf(child)])).toEqual(entry);
    expect(anew.call('getmempoolinfo')).toEqual(info);
    expect(anew.call('getrawmempool', [true])).toEqual(rpc.call('getrawmempool', [true]));
  });

  test('does not count as sent once a block gave it back', () => {
    const rpc = open();
    rpc.call('droptransaction', [idOf(parent)]);
    expect(rpc.call('getmempoolinfo')).toMatchObject({ size: 0, bytes: 0, total_fee: 0, unbroadcastcount: 0 });
    const block = blockAfter(BLOCKS.at(-1) ?? GENESIS, { txs: [parent] });
    submit(rpc, [block]);
    rpc.call('invalidateblock', [block.hash]);
    expect(rpc.call('getmempoolentry', [idOf(parent)])).toMatchObject({ unbroadcast: false, height: 101 });
    rpc.call('sendrawtransaction', [formatHex(encodeTransaction(parent))]);
    expect(rpc.call('getmempoolentry', [idOf(parent)]).unbroadcast).toBe(false);
  });
});
