import { describe, expect, test } from 'vitest';
import { blocksAfter, GENESIS, type MadeBlock } from '../support/blocks.ts';
import { createMemoryStore, createNodeRpc, type NodeRpc } from '../support/library.ts';

const open = (store = createMemoryStore()): NodeRpc =>
  createNodeRpc({
    network: 'regtest',
    dialect: 'core-31',
    store,
    clock: () => 0,
    random: (size) => new Uint8Array(size),
  });
const feed = (rpc: NodeRpc, blocks: readonly MadeBlock[]): unknown[] =>
  blocks.map(({ hex }) => rpc.call('submitblock', [hex]));
const tip = (rpc: NodeRpc): unknown => rpc.call('getbestblockhash');

const long = blocksAfter(GENESIS, 5, 'aa');
const short = blocksAfter(long[1] ?? GENESIS, 2, 'bb');

describe('reconsiderblock', () => {
  test('makes the longest chain active again, from any of its blocks', () => {
    for (const at of [2, 3, 4]) {
      const rpc = open();
      feed(rpc, [...long, ...short]);
      rpc.call('invalidateblock', [long[2]?.hash]);
      expect(tip(rpc)).toBe(short[1]?.hash);
      expect(feed(rpc, long.slice(2))).toEqual(['duplicate-invalid', 'duplicate-invalid', 'duplicate-invalid']);
      expect(rpc.call('reconsiderblock', [long[at]?.hash])).toBe(null);
      expect(tip(rpc)).toBe(long[4]?.hash);
      expect(feed(rpc, blocksAfter(long[4] ?? GENESIS, 1))).toEqual([null]);
    }
  });

  test('is remembered by the journal', () => {
    const store = createMemoryStore();
    const rpc = open(store);
    feed(rpc, [...long, ...short]);
    rpc.call('invalidateblock', [long[2]?.hash]);
    rpc.call('reconsiderblock', [long[2]?.hash]);
    expect(tip(open(store))).toBe(long[4]?.hash);
  });

  test('does not know what nobody has fed', () => {
    expect(() => open().call('reconsiderblock', ['11'.repeat(32)])).toThrow('Block not found');
    expect(() => open().call('reconsiderblock', ['11'])).toThrow("blockhash must be of length 64 (not 2, for '11')");
  });
});
