import { describe, expect, test } from 'vitest';
import { blockAfter, blocksAfter, GENESIS, spend } from '../support/blocks.ts';
import { openNode, submit } from '../support/feeding.ts';
import { createMemoryStore, type NodeRpc, type Transaction, txid } from '../support/library.ts';
import { MODERN, makeWorld } from '../support/walletWorld.ts';

const tip = (rpc: NodeRpc): unknown => rpc.call('getbestblockhash');

const long = blocksAfter(GENESIS, 5, 'aa');
const short = blocksAfter(long[1] ?? GENESIS, 2, 'bb');

describe('reconsiderblock', () => {
  test('makes the longest chain active again, from any of its blocks', () => {
    for (const at of [2, 3, 4]) {
      const rpc = openNode();
      submit(rpc, [...long, ...short]);
      rpc.call('invalidateblock', [long[2]?.hash ?? '']);
      expect(tip(rpc)).toBe(short[1]?.hash);
      expect(submit(rpc, long.slice(2))).toEqual(['duplicate-invalid', 'duplicate-invalid', 'duplicate-invalid']);
      expect(rpc.call('reconsiderblock', [long[at]?.hash ?? ''])).toBe(null);
      expect(tip(rpc)).toBe(long[4]?.hash);
      expect(submit(rpc, blocksAfter(long[4] ?? GENESIS, 1))).toEqual([null]);
    }
  });

  test('is replayed from the journal', () => {
    const store = createMemoryStore();
    const rpc = openNode(store);
    submit(rpc, [...long, ...short]);
    rpc.call('invalidateblock', [long[2]?.hash ?? '']);
    rpc.call('reconsiderblock', [long[2]?.hash ?? '']);
    expect(tip(openNode(store))).toBe(long[4]?.hash);
  });

  test('refuses an unknown block', () => {
    expect(() => openNode().call('reconsiderblock', ['11'.repeat(32)])).toThrow('Block not found');
    expect(() => openNode().call('reconsiderblock', ['11'])).toThrow(
      "blockhash must be of length 64 (not 2, for '11')",
    );
  });
});

describe('invalidateblock', () => {
  // Observed with Litecoin Core for a chain of transactions.
  test.each([
    [9, 9, 9],
    [10, 10, 10],
    [11, 10, 0],
    [13, 10, 0],
  ])('of %d blocks returns %d transactions to the mempool, or %d of a chain', (depth, apart, inLine) => {
    const { rpc, coins, base } = makeWorld(MODERN);
    const after = (txs: readonly Transaction[]): readonly string[] => {
      let last = base;
      return txs.map((tx) => {
        last = blockAfter(last, { txs: [tx] });
        rpc.call('submitblock', [last.hex]);
        return last.hash;
      });
    };
    const line = coins.slice(0, 1).map((coin) => spend([coin]));
    while (line.length < 13) line.push(spend([{ txid: txid(line.at(-1) ?? spend([])), vout: 0 }]));
    for (const [txs, count] of [
      [coins.slice(1, 14).map((coin) => spend([coin])), apart],
      [line, inLine],
    ] as const) {
      const hashes = after(txs);
      rpc.call('invalidateblock', [hashes[13 - depth] ?? '']);
      expect(rpc.call('getrawmempool')).toHaveLength(count);
      rpc.call('invalidateblock', [hashes[0] ?? '']);
      for (const txid of rpc.call('getrawmempool') as readonly string[]) rpc.call('droptransaction', [txid]);
    }
  });
});
