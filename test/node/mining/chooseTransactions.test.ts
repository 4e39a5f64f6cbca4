import { describe, expect, test } from 'vitest';
import type { GenerationName } from '../../../src/core/generations.ts';
import { settleOptions } from '../../../src/node/bitcoindOptions.ts';
import { chooseAncestors } from '../../../src/node/mining/chooseAncestors.ts';
import { chooseChunks } from '../../../src/node/mining/chooseChunks.ts';
import type { MiningRules } from '../../../src/node/mining/miningRules.ts';
import { createMempoolRules, createMiningRules } from '../../../src/node/nodeOptions.ts';
import type { NodeEvent } from '../../../src/node/state/events.ts';
import { spend } from '../../support/blocks.ts';
import { change } from '../../support/feeding.ts';
import { FUNDS, fund, openMature, outputOf, withInputs } from '../../support/funded.ts';
import { formatTxid, type Outpoint, type Transaction, txid } from '../../support/library.ts';

const { block, coins } = fund(new Array<string>(1100).fill('51'));
const rpc = openMature('core-32', {}, [block]);

interface Payment {
  readonly fee: bigint;
  /** Virtual bytes beside the 61 of a transaction with one input and one output. */
  readonly padding?: number;
  readonly locktime?: number;
  /** Of the same value. */
  readonly outputs?: number;
}

/** Spends coins, and pays to anyone. */
function pay(
  from: readonly (readonly [Outpoint, bigint])[],
  { fee, padding = 0, locktime = 0, outputs = 1 }: Payment,
): Transaction {
  const value = from.reduce((sum, [, each]) => sum + each, -fee);
  const outpoints = from.map(([outpoint]) => outpoint);
  const tx = withInputs(spend(outpoints, `51${'61'.repeat(padding)}`, value / BigInt(outputs)), { sequence: 0 });
  return { ...tx, locktime, outputs: Array.from({ length: outputs }, () => tx.outputs).flat() };
}

const single = (index: number, payment: Payment): Transaction =>
  pay(
    coins.slice(index, index + 1).map((coin) => [coin, FUNDS]),
    payment,
  );
const child = (parents: readonly Transaction[], payment: Payment, vout = 0): Transaction =>
  pay(
    parents.map((tx) => [outputOf(tx, vout), tx.outputs[vout]?.value ?? 0n]),
    payment,
  );

/** Of the least transaction, in weight units. */
const LEAST = 4 * 61;

/** Fills a block from a mempool of these transactions as a release does. @returns their numbers */
function filled(
  generation: GenerationName,
  txs: readonly Transaction[],
  more: Partial<MiningRules> = {},
  deltas: readonly bigint[] = [],
): readonly number[] {
  const prioritise = (sign: bigint): readonly NodeEvent[] =>
    deltas.map((delta, i) => ({
      ...{ type: 'prioritise', added: sign * delta, keepsZero: false },
      txid: txid(txs[i] ?? spend([])),
    }));
  change(rpc, ...prioritise(1n), ...txs.map((tx) => ({ type: 'transaction', tx }) as const));
  const options = settleOptions({}, generation);
  const rules = { ...createMiningRules(generation, options), ...more };
  const choose = rules.choosesChunks ? chooseChunks : chooseAncestors;
  const chosen = rpc.node.inCall(() => choose(rpc.node.chain, rules, createMempoolRules(generation, options)));
  change(rpc, ...txs.map((tx) => ({ type: 'drop', txid: txid(tx) }) as const), ...prioritise(-1n));
  const numbers = new Map(txs.map((tx, i) => [formatTxid(txid(tx)), i]));
  return chosen.map(({ entry }) => numbers.get(formatTxid(entry.id)) ?? -1);
}

/** Sorts by the bytes of the ids, which are shown backwards. */
const byId = (txs: readonly Transaction[]): readonly Transaction[] =>
  [...txs].sort((a, b) => Buffer.from(txid(a)).compare(Buffer.from(txid(b))));

const RELEASES = ['core-0.21', 'core-29', 'core-30', 'core-31', 'core-32'] as const;

describe.each(RELEASES)('a block of %s', (generation) => {
  const { choosesChunks, minFee, reservedWeight } = createMiningRules(generation, settleOptions({}, generation));
  /** A block with this much room, in weight units. */
  const withRoom = (weight: number): Partial<MiningRules> => ({ maxWeight: reservedWeight + weight });

  test('takes the highest fee rates first, with what is added to fees', () => {
    const dear = single(2, { fee: 10_000n, padding: 100 });
    const txs = [single(0, { fee: 5000n }), single(1, { fee: 9000n }), dear, single(3, { fee: 7000n })];
    expect(filled(generation, txs)).toEqual([1, 3, 0, 2]);
    expect(filled(generation, txs, {}, [5000n, -5000n, -9000n, 0n])).toEqual([0, 3, 1, 2]);
  });

  test('takes lower ids first among equals, and in chunks the smaller ones', () => {
    const equals = byId([0, 1, 2, 3, 4, 5].map((i) => single(i, { fee: 6100n })));
    expect(filled(generation, [...equals].reverse())).toEqual([5, 4, 3, 2, 1, 0]);
    const sizes = [0, 1, 2, 3].map((i) => single(i, { fee: 6100n + BigInt(100 * 25 * i), padding: 25 * i }));
    const order = choosesChunks ? sizes : byId(sizes);
    expect(filled(generation, sizes)).toEqual(order.map((tx) => sizes.indexOf(tx)));
  });

  test('lets a child pay for its parents, which come first', () => {
    const parents = [single(0, { fee: 100n }), single(1, { fee: 8000n })];
    const payer = child(parents, { fee: 30_000n });
    const other = single(2, { fee: 9900n });
    // Together 170 for a byte, the other one 162, the richer parent alone 131.
    const order = choosesChunks ? [...parents].reverse() : byId(parents);
    const places = order.map((tx) => parents.indexOf(tx));
    expect(filled(generation, [...parents, payer, other])).toEqual([...places, 2, 3]);
  });

  test('counts a parent that another child has paid for no more', () => {
    const parent = single(0, { fee: 100n, outputs: 2 });
    const children = [child([parent], { fee: 10_000n }), child([parent], { fee: 6000n }, 1)];
    // 90 and 60 for a byte. The children pay 77 and 46 with their parent, the second alone 98.
    const others = [single(1, { fee: 5500n }), single(2, { fee: 3660n })];
    expect(filled(generation, [parent, ...children, ...others])).toEqual([3, 0, 1, 2, 4]);
  });

  test('lets children pay for a parent together, in chunks', () => {
    const parent = single(0, { fee: 0n, outputs: 2 });
    const children = [0, 1].map((vout) => child([parent], { fee: 12_000n - BigInt(vout) }, vout));
    // 124 for a byte of the family, 91 for the first child with its parent.
    const other = single(1, { fee: 6500n });
    const txs = [other, parent, ...children];
    expect(filled(generation, txs)).toEqual(choosesChunks ? [1, 2, 3, 0] : [0, 1, 2, 3]);
  });

  test('has no room for what would fill it', () => {
    const txs = [single(0, { fee: 9000n }), single(1, { fee: 8000n })];
    expect(filled(generation, txs, withRoom(2 * LEAST))).toEqual([0]);
    expect(filled(generation, txs, withRoom(2 * LEAST + 1))).toEqual([0, 1]);
    expect(filled(generation, txs, withRoom(0))).toEqual([]);
    // What does not fit is left out; what comes after it may fit.
    const long = single(2, { fee: 80_000n, padding: 500 });
    expect(filled(generation, [...txs, long], withRoom(2 * LEAST + 1))).toEqual([0, 1]);
  });

  test('leaves out the rest of a cluster of which something did not fit, or only what depends on it', () => {
    const first = single(0, { fee: 9000n, outputs: 2 });
    const long = child([first], { fee: 50_000n, padding: 500 });
    const short = child([first], { fee: 3000n }, 1);
    const after = child([long], { fee: 2000n });
    const txs = [first, long, short, after];
    expect(filled(generation, txs)).toEqual([0, 1, 2, 3]);
    expect(filled(generation, txs, withRoom(4 * LEAST))).toEqual(choosesChunks ? [0] : [0, 2]);
  });

  test('has at most 80000 signatures, of which it keeps 400 for the coinbase', () => {
    const checking = (index: number, count: number): Transaction => {
      const tx = single(index, { fee: 500_000n });
      return {
        ...tx,
        outputs: tx.outputs.map((output) => ({ ...output, scriptPubKey: new Uint8Array(count).fill(0xac) })),
      };
    };
    expect(filled(generation, [checking(0, 9949), checking(1, 9950)])).toEqual([0, 1]);
    expect(filled(generation, [checking(0, 9950), checking(1, 9951)])).toEqual([0]);
  });

  test('takes only what is final, and pays enough', () => {
    const locked = single(0, { fee: 9000n, locktime: 103 });
    const over = single(1, { fee: 8000n, locktime: 102 });
    expect(filled(generation, [locked, child([locked], { fee: 20_000n }), over])).toEqual([2]);
    const least = minFee === 1 ? 1n : 61n;
    expect(filled(generation, [single(0, { fee: least }), single(1, { fee: least - 1n })])).toEqual([0]);
    const all = [single(0, { fee: 122n }), single(1, { fee: 121n })];
    expect(filled(generation, all, { minFee: 2000 })).toEqual([0]);
  });
});

test.each(['core-29', 'core-31'] as const)(
  'a block of %s takes no more after more than 1000 failures, if it is almost full',
  (generation) => {
    const [first, last] = [single(0, { fee: 9000n }), single(1, { fee: 100n })];
    const long = Array.from({ length: 1001 }, (_, i) => single(2 + i, { fee: 20_000n, padding: 300 }));
    const { fullEnough, reservedWeight } = createMiningRules(generation, settleOptions({}, generation));
    const withRoom = (weight: number): Partial<MiningRules> => ({ maxWeight: reservedWeight + weight });
    const room = withRoom(2 * LEAST + 1);
    expect(filled(generation, [first, last, ...long.slice(1)], room)).toEqual([0, 1]);
    expect(filled(generation, [first, last, ...long], room)).toEqual([0]);
    const longer = long.map((_, i) => single(2 + i, { fee: 50_000n, padding: fullEnough / 4 }));
    expect(filled(generation, [first, last, ...longer], withRoom(LEAST + fullEnough))).toEqual([0, 1]);
    expect(filled(generation, [first, last, ...longer], withRoom(LEAST + fullEnough - 1))).toEqual([0]);
  },
);
