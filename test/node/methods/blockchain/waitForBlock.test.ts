import { describe, expect, test } from 'vitest';
import { blockAfter, blocksAfter, GENESIS } from '../../../support/blocks.ts';
import { openNode, submit } from '../../../support/feeding.ts';
import { createMemoryStore } from '../../../support/library.ts';

describe('the methods that wait for a block', () => {
  const rpc = openNode();
  const [block = GENESIS] = blocksAfter(GENESIS, 1);
  submit(rpc, [block]);
  const tip = { hash: block.hash, height: 1 };

  test('answer with the last block, without waiting', () => {
    expect(rpc.call('waitfornewblock')).toEqual(tip);
    expect(rpc.call('waitforblock', ['00'.repeat(32), 1])).toEqual(tip);
    expect(rpc.call('waitforblockheight', [5, 1])).toEqual(tip);
  });

  test('refuse a negative time', () => {
    expect(() => rpc.call('waitfornewblock', [-1])).toThrow('Negative timeout');
    expect(() => rpc.call('waitforblock', ['00'.repeat(32), -1])).toThrow('Negative timeout');
    expect(() => rpc.call('waitforblockheight', [5, -1])).toThrow('Negative timeout');
    expect(() => rpc.call('waitfornewblock', [1, 'x'])).toThrow('current_tip must be of length 64');
  });
});

describe('preciousblock', () => {
  test('prefers a block to another of the same work, and the last one preferred to all', () => {
    const rpc = openNode();
    const [first, second, third] = ['00', '01', '02'].map((salt) => blockAfter(GENESIS, { salt }));
    submit(rpc, [first ?? GENESIS, second ?? GENESIS, third ?? GENESIS]);
    const best = (): string => rpc.call('getbestblockhash');
    expect(best()).toBe(first?.hash);
    rpc.call('preciousblock', [second?.hash ?? '']);
    expect(best()).toBe(second?.hash);
    rpc.call('preciousblock', [third?.hash ?? '']);
    rpc.call('invalidateblock', [third?.hash ?? '']);
    expect(best()).toBe(second?.hash);
    submit(rpc, [blockAfter(first ?? GENESIS)]);
    expect(rpc.call('getblockcount')).toBe(2);
    rpc.call('preciousblock', [second?.hash ?? '']);
    expect(rpc.call('getblockcount')).toBe(2);
    expect(() => rpc.call('preciousblock', ['00'.repeat(32)])).toThrow('Block not found');
  });
});

describe('getchaintxstats', () => {
  const rpc = openNode(createMemoryStore(), 'core-31');
  const blocks = blocksAfter(GENESIS, 20);
  submit(rpc, blocks);

  test('counts the transactions of a window', () => {
    const stats = rpc.call('getchaintxstats');
    expect(stats).toMatchObject({
      txcount: 21,
      window_final_block_height: 20,
      window_block_count: 19,
      window_tx_count: 19,
    });
    expect(stats.txrate).toBeCloseTo(19 / (stats.window_interval ?? 0), 12);
    expect(rpc.call('getchaintxstats', [5, blocks[9]?.hash ?? ''])).toMatchObject({
      txcount: 11,
      window_final_block_hash: blocks[9]?.hash,
      window_tx_count: 5,
    });
    expect(Object.keys(rpc.call('getchaintxstats', [0]))).toEqual([
      'time',
      'txcount',
      'window_final_block_hash',
      'window_final_block_height',
      'window_block_count',
    ]);
  });

  test('refuses a window that the chain does not have', () => {
    const message = "Invalid block count: should be between 0 and the block's height - 1";
    for (const count of [-1, 20]) expect(() => rpc.call('getchaintxstats', [count])).toThrow(message);
    const side = blockAfter(GENESIS, { salt: '07' });
    submit(rpc, [side]);
    expect(() => rpc.call('getchaintxstats', [1, side.hash])).toThrow('Block is not in main chain');
  });
});

test('getblockfilter and getchainstates answer as a node without indexes and snapshots', () => {
  const rpc = openNode(createMemoryStore(), 'core-29');
  expect(() => rpc.call('getblockfilter', [GENESIS.hash])).toThrow('Index is not enabled for filtertype basic');
  expect(() => rpc.call('getblockfilter', [GENESIS.hash, 'extended'])).toThrow('Unknown filtertype');
  const [state, ...others] = rpc.call('getchainstates').chainstates;
  expect(others).toEqual([]);
  expect(state).toMatchObject({
    blocks: 0,
    bestblockhash: GENESIS.hash,
    coins_tip_cache_bytes: 461_373_440,
    validated: true,
  });
});
