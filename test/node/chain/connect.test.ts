import { describe, expect, test } from 'vitest';
import { blockAfter, blocksAfter, GENESIS, type MadeBlock, spend } from '../../support/blocks.ts';
import { change, openNode, submit } from '../../support/feeding.ts';
import {
  createMemoryStore,
  type NodeRpc,
  networks,
  parseHex,
  type RecordStore,
  type Transaction,
  txid,
} from '../../support/library.ts';
import { MODERN, makeWorld } from '../../support/walletWorld.ts';

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

/** Targets that take 2, 2^8 and 2^12 hashes. */
const [EASY, HARD, HARDER] = [0x207fffff, 0x2000ffff, 0x1f0fffff];

/** Opens a node of a chain whose blocks may have any target. */
function openFree(store: RecordStore = createMemoryStore()): NodeRpc {
  const { consensus: _, ...network } = networks.regtest;
  return openNode(store, 'core-32', { network });
}

/** Makes blocks with one target each, lowest first. */
function mined(parent: MadeBlock, targets: readonly number[], salt = ''): readonly MadeBlock[] {
  const blocks: MadeBlock[] = [];
  for (const bits of targets) blocks.push(blockAfter(blocks.at(-1) ?? parent, { bits, salt }));
  return blocks;
}

const tipAfter = (rpc: NodeRpc, blocks: readonly MadeBlock[]): unknown => {
  submit(rpc, blocks);
  return tip(rpc);
};

describe('the active chain', () => {
  const light = mined(GENESIS, [EASY, EASY, EASY, EASY]);
  const heavy = mined(GENESIS, [HARD, HARD], 'aa');

  test('is the one with the most work, not the longest', () => {
    const rpc = openFree();
    submit(rpc, light);
    expect(submit(rpc, heavy.slice(0, 1))).toEqual([null]);
    expect(rpc.call('getblockcount')).toBe(1);
    expect(submit(rpc, mined(light[3] ?? GENESIS, [EASY]))).toEqual(['inconclusive']);
    expect(tipAfter(rpc, heavy.slice(1))).toBe(heavy[1]?.hash);
  });

  test('is the same after a restart, which reads the work', () => {
    const store = createMemoryStore();
    submit(openFree(store), [...heavy, ...light]);
    const rpc = openFree(store);
    expect(tip(rpc)).toBe(heavy[1]?.hash);
    expect(submit(rpc, mined(light[3] ?? GENESIS, [HARD]))).toEqual(['inconclusive']);
    rpc.call('invalidateblock', [heavy[1]?.hash ?? '']);
    expect(rpc.call('getblockcount')).toBe(5);
    expect(tipAfter(openFree(store), mined(light[3] ?? GENESIS, [HARDER], 'bb'))).not.toBe(heavy[1]?.hash);
  });

  test('is the one whose last block came first, if both have the same work', () => {
    // Six easy blocks have the work of three twice as hard.
    const twice = 0x203fffff;
    const six = mined(GENESIS, [EASY, EASY, EASY, EASY, EASY, EASY]);
    const three = mined(GENESIS, [twice, twice, twice], 'aa');
    for (const [first, second] of [
      [six, three],
      [three, six],
    ] as const) {
      const rpc = openFree();
      submit(rpc, first);
      expect(tipAfter(rpc, second)).toBe(first.at(-1)?.hash);
      rpc.call('invalidateblock', [first[0]?.hash ?? '']);
      expect(tip(rpc)).toBe(second.at(-1)?.hash);
      rpc.call('reconsiderblock', [first[0]?.hash ?? '']);
      expect(tip(rpc)).toBe(first.at(-1)?.hash);
      expect(tipAfter(rpc, mined(second.at(-1) ?? GENESIS, [EASY]))).not.toBe(first.at(-1)?.hash);
    }
  });

  test('ends before a block that cannot be connected, if that is still the most work', () => {
    const missing = spend([{ txid: txid(spend([])), vout: 0 }]);
    const [fork] = light;
    const side = mined(fork ?? GENESIS, [EASY], 'cc');
    const bad = blockAfter(side[0] ?? GENESIS, { bits: HARD, txs: [missing] });
    const rpc = openFree();
    submit(rpc, light);
    expect(submit(rpc, [...side, bad])).toEqual(['inconclusive', expect.stringContaining('missing')]);
    expect(tip(rpc)).toBe(light[3]?.hash);
    // Now the good part of the branch has the most work.
    rpc.call('invalidateblock', [light[1]?.hash ?? '']);
    expect(tip(rpc)).toBe(side[0]?.hash);
    rpc.call('reconsiderblock', [bad.hash]);
    expect(tip(rpc)).toBe(side[0]?.hash);
    expect(submit(rpc, [bad])).toEqual(['duplicate-invalid']);
  });

  test('never goes through an invalid block, whose children are known by header only', () => {
    const rpc = openFree();
    submit(rpc, light);
    rpc.call('invalidateblock', [light[2]?.hash ?? '']);
    const headers = mined(light[3] ?? GENESIS, [HARD, HARD]).map(({ hex }) => parseHex(hex.slice(0, 160)));
    change(rpc, { type: 'headers', headers });
    expect(tip(rpc)).toBe(light[1]?.hash);
    rpc.call('reconsiderblock', [light[2]?.hash ?? '']);
    expect(rpc.call('getblockcount')).toBe(6);
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
      for (const txid of rpc.call('getrawmempool')) rpc.call('droptransaction', [txid]);
    }
  });
});
