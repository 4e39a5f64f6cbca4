import { describe, expect, test } from 'vitest';
import { unlessError } from '../../../support/askRpc.ts';
import { blockAfter, blocksAfter, coinbaseOf, GENESIS, spend } from '../../../support/blocks.ts';
import { openNode, submit } from '../../../support/feeding.ts';
import { createMemoryStore, type DialectName, txid } from '../../../support/library.ts';

/** A node whose last block has two transactions; the second spends the first, and can never be spent itself. */
function openWorld(dialect: DialectName) {
  const rpc = openNode(createMemoryStore(), dialect);
  const blocks = blocksAfter(GENESIS, 149, 'aa');
  const [first] = blocks;
  const last = blocks.at(-1);
  if (!first || !last) throw new Error('no blocks');
  const parent = spend([{ txid: txid(coinbaseOf(first)), vout: 0 }], '51', 4_999_990_000n);
  const child = spend([{ txid: txid(parent), vout: 0 }], '6a', 4_999_960_000n);
  const block = blockAfter(last, { txs: [parent, child] });
  submit(rpc, [...blocks, block]);
  const ask = (...params: readonly unknown[]): unknown => unlessError(() => rpc.call('getblockstats', params as never));
  return { ask, block };
}

/** A transaction has 61 bytes, a coin 10, and 41 more as a node counts them. */
const STATS = {
  avgfee: 20_000,
  avgfeerate: 327,
  avgtxsize: 61,
  feerate_percentiles: [163, 163, 163, 491, 491],
  height: 150,
  ins: 2,
  maxfee: 30_000,
  maxfeerate: 491,
  maxtxsize: 61,
  medianfee: 20_000,
  mediantxsize: 61,
  minfee: 10_000,
  minfeerate: 163,
  mintxsize: 61,
  outs: 3,
  subsidy: 2_500_000_000,
  swtotal_size: 0,
  swtotal_weight: 0,
  swtxs: 0,
  total_out: 9_999_950_000,
  total_size: 122,
  total_weight: 488,
  totalfee: 40_000,
  txs: 3,
  utxo_increase: 1,
  utxo_size_inc: 51,
  utxo_increase_actual: 0,
  utxo_size_inc_actual: 0,
};

describe('getblockstats', () => {
  const { ask, block } = openWorld('core-31');

  test('shows all statistics of a block, by its height or hash', () => {
    const answer = ask(150);
    expect(answer).toMatchObject({ ...STATS, blockhash: block.hash });
    expect(Object.keys(answer as object)).toHaveLength(31);
    expect(ask(block.hash)).toEqual(answer);
  });

  test('shows the chosen ones, in the order of their names', () => {
    expect(Object.entries(ask(150, ['txs', 'avgfee', 'txs']) as object)).toEqual([
      ['avgfee', 20_000],
      ['txs', 3],
    ]);
    expect(ask(0, ['utxo_size_inc', 'utxo_size_inc_actual', 'utxo_increase_actual'])).toEqual({
      utxo_increase_actual: 0,
      utxo_size_inc: 117,
      utxo_size_inc_actual: 0,
    });
  });

  test.each([
    [[-1], '-8 Target block height -1 is negative'],
    [[151], '-8 Target block height 151 after current tip 150'],
    [[1.5], '-1 JSON integer out of range'],
    [['00'], "-8 hash_or_height must be of length 64 (not 2, for '00')"],
    [['11'.repeat(32)], '-5 Block not found'],
    [[1, ['fees']], "-8 Invalid selected statistic 'fees'"],
    [[1, [1]], '-3 JSON value of type number is not of expected type string'],
  ])('refuses %j', (params, said) => {
    expect(ask(...params)).toBe(said);
  });
});

test('release 32 counts a byte less for each coin', () => {
  expect(openWorld('core-32').ask(150, ['utxo_size_inc'])).toEqual({ utxo_size_inc: 50 });
});
