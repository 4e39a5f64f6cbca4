import { describe, expect, test } from 'vitest';
import { spendSize } from '../../../src/core/tx/spendSize.ts';
import { branchAndBound } from '../../../src/kit/coins/branchAndBound.ts';
import { coinGrinder } from '../../../src/kit/coins/coinGrinder.ts';
import { createGroup, type FundingCoin, formGroups } from '../../../src/kit/coins/coinGroups.ts';
import { type FundingRequest, fundPayment } from '../../../src/kit/coins/fundPayment.ts';
import { knapsack } from '../../../src/kit/coins/knapsack.ts';
import type { Attempt, SelectionGoal } from '../../../src/kit/coins/selectionGoal.ts';
import { singleRandomDraw } from '../../../src/kit/coins/singleRandomDraw.ts';

const SIZE = spendSize(new Uint8Array(0), [new Uint8Array(71), new Uint8Array(33)]);
const scriptOf = (index: number): Uint8Array => Uint8Array.of(0, 20, ...new Uint8Array(18), index >> 8, index & 255);
const CHANGE = scriptOf(0xffff);

const coinAt = (index: number, given: Partial<FundingCoin> = {}): FundingCoin => ({
  outpoint: { txid: new Uint8Array(32).fill(7) as FundingCoin['outpoint']['txid'], vout: index },
  value: 100_000n,
  scriptPubKey: scriptOf(index),
  size: SIZE,
  kind: 'bech32',
  depth: 10,
  isFromMe: false,
  ancestors: 0,
  relatives: 0,
  bumpFee: 0n,
  ...given,
});

const coinsOf = (count: number, given: Partial<FundingCoin> = {}): FundingCoin[] =>
  Array.from({ length: count }, (_, index) => coinAt(index, given));

function request(given: Partial<FundingRequest>): FundingRequest {
  return {
    recipients: [{ value: 50_000n, scriptPubKey: scriptOf(0xfffe), paysFee: false }],
    preset: [],
    available: [],
    change: { scriptPubKey: CHANGE, spendVsize: 68, position: 1 },
    ...{ feeRate: 1000n, rounding: 'up', dustRate: 3000n, discardRate: 10_000n, longTermRate: 10_000n },
    ...{ maxFee: 10_000_000n, groupsByScript: false, avoidsMixing: true, spendsUnsafe: false },
    ...{ spendsOwnUnconfirmed: true, ancestorLimit: 25, relativeLimit: 25, refusesLongChains: true },
    ...{ sumsUsableCoins: true, sharesSurplus: true },
    random: (size) => Uint8Array.from({ length: size }, (_, index) => (index * 89) & 0xff),
    ...given,
  };
}

const pay = (value: bigint, paysFee = false): FundingRequest['recipients'] => [
  { value, scriptPubKey: scriptOf(0xfffe), paysFee },
];
const faultOf = (given: Partial<FundingRequest>): string => {
  const result = fundPayment(request(given));
  return result.kind === 'refused' ? result.fault : 'none';
};
const countOf = (given: Partial<FundingRequest>): number => {
  const result = fundPayment(request(given));
  return result.kind === 'funded' ? result.coins.length : 0;
};

describe('the coins of an address', () => {
  const ofOneAddress = (count: number): FundingCoin[] => coinsOf(count, { scriptPubKey: scriptOf(1) });

  test('are spent by hundreds, a full group before the rest', () => {
    expect(countOf({ groupsByScript: true, available: ofOneAddress(101) })).toBe(100);
    const { all } = formGroups(ofOneAddress(201), true, { feeRate: 0n, longTermRate: 0n, recipientsPay: false });
    expect(all.map(({ coins, isPartial }) => [coins.length, isPartial])).toEqual([
      [100, false],
      [100, false],
      [1, true],
    ]);
  });

  test('are spent to the last if the full groups do not suffice', () => {
    expect(countOf({ groupsByScript: true, available: ofOneAddress(101), recipients: pay(10_005_000n) })).toBe(101);
  });
});

describe('unconfirmed coins', () => {
  const chained = (ancestors: number): FundingCoin[] =>
    coinsOf(1, { depth: 0, isFromMe: true, ancestors, relatives: ancestors });

  test('are spent below the limit of ancestors', () => {
    expect(faultOf({ available: chained(24) })).toBe('none');
    expect(faultOf({ available: chained(25) })).toBe('long-chain');
    expect(faultOf({ available: chained(25), refusesLongChains: false })).toBe('none');
  });

  test('count as a long chain only if they would suffice', () => {
    const available = [...chained(25), coinAt(7, { value: 20_000n })];
    expect(faultOf({ available, recipients: pay(110_000n) })).toBe('long-chain');
    expect(faultOf({ available, recipients: pay(110_000n), sumsUsableCoins: false })).toBe('insufficient');
  });

  test('with common ancestors pay for these once', () => {
    const available = coinsOf(2, { depth: 0, isFromMe: true, ancestors: 1, relatives: 1, bumpFee: 1000n });
    const recipients = pay(150_000n);
    const alone = fundPayment(request({ available, recipients }));
    const together = fundPayment(request({ available, recipients, combinedBumpFee: () => 1000n }));
    if (alone.kind !== 'funded' || together.kind !== 'funded') throw new Error('not funded');
    expect(alone.fee - together.fee).toBe(1000n);
  });
});

test('a weight limit without room says what it has no room for', () => {
  const available = coinsOf(3);
  // 10 bytes, the count and the output.
  expect(faultOf({ available, maxWeight: 4 * 65, recipients: [...pay(30_000n), ...pay(20_000n)] })).toBe(
    'no-room-for-inputs',
  );
  expect(faultOf({ available, maxWeight: 4 * 65 })).toBe('no-room-for-change');
  expect(faultOf({ available, maxWeight: 4 * 110 })).toBe('too-heavy');
  const preset = coinsOf(1, { value: 20_000n });
  expect(faultOf({ preset, available: [coinAt(9)], maxWeight: 4 * 175 })).toBe('combination-too-heavy');
});

test('a lack of the fee alone is told from a lack of funds', () => {
  const available = coinsOf(1, { value: 50_050n });
  expect(fundPayment(request({ available }))).toEqual({
    kind: 'refused',
    fault: 'fee-exceeds-balance',
    fixedFee: 42n,
  });
  expect(faultOf({ available, recipients: pay(50_051n) })).toBe('insufficient');
});

test('a payment without change needs no script for it', () => {
  const available = coinsOf(1, { value: 50_200n });
  expect(faultOf({ available, change: undefined })).toBe('none');
  expect(faultOf({ available: coinsOf(1), change: undefined })).toBe('change-script-missing');
});

describe('recipients that pay the fee', () => {
  const available = coinsOf(1, { value: 50_400n });

  test('pay for the change output too', () => {
    const result = fundPayment(request({ available: coinsOf(1), recipients: pay(50_000n, true) }));
    if (result.kind !== 'funded') throw new Error('not funded');
    expect(result.outputs.map(({ value }) => value)).toEqual([50_000n - result.fee, 50_000n]);
  });

  test('receive what a payment without change leaves', () => {
    const paid = (sharesSurplus: boolean): bigint | undefined => {
      const result = fundPayment(request({ available, recipients: pay(50_000n, true), sharesSurplus }));
      return result.kind === 'funded' ? result.outputs[0]?.value : undefined;
    };
    expect(paid(true)).toBe(50_400n - 110n);
    expect(paid(false)).toBe(50_000n);
  });
});

describe('the algorithms', () => {
  const terms = { feeRate: 0n, longTermRate: 0n, recipientsPay: false };
  const groups = [60_000n, 50_000n, 30_000n, 20_000n].map((value, index) =>
    createGroup([coinAt(index, { value })], terms),
  );
  const goal = (given: Partial<SelectionGoal>): SelectionGoal => ({
    ...{ target: 50_000n, costOfChange: 100n, changeFee: 0n, chargedChangeFee: 0n },
    ...{ leastChange: 500n, wantedChange: 20_000n, maxWeight: 4000, maxUnconfirmedWeight: 4000, changeWeight: 124 },
    ...given,
  });
  const values = (attempt: Attempt): unknown =>
    typeof attempt === 'string' ? attempt : attempt.map(({ amount }) => amount).sort((a, b) => (a < b ? 1 : -1));
  const zeros = (size: number): Uint8Array => new Uint8Array(size);

  test('branch and bound finds exact sums, and says when they weigh too much', () => {
    expect(values(branchAndBound(groups, goal({ target: 140_000n })))).toEqual([60_000n, 50_000n, 30_000n]);
    expect(branchAndBound(groups, goal({ target: 140_000n, maxWeight: 600 }))).toBe('too-heavy');
    expect(branchAndBound(groups, goal({ target: 141_000n }))).toBe('none');
  });

  test('the coin grinder finds the lightest sum, and of those the least', () => {
    expect(values(coinGrinder(groups, goal({ target: 55_000n })))).toEqual([60_000n, 20_000n]);
    expect(values(coinGrinder(groups, goal({ target: 30_000n })))).toEqual([50_000n]);
    expect(coinGrinder(groups, goal({ target: 55_000n, maxWeight: 400 }))).toBe('too-heavy');
    expect(coinGrinder(groups, goal({ target: 150_000n }))).toBe('none');
  });

  test('the knapsack takes an exact group, all smaller ones, or the next larger one', () => {
    expect(values(knapsack(groups, goal({ target: 30_000n }), zeros))).toEqual([30_000n]);
    expect(values(knapsack(groups, goal({ target: 160_000n }), zeros))).toEqual([60_000n, 50_000n, 30_000n, 20_000n]);
    expect(values(knapsack(groups, goal({ target: 5000n, wantedChange: 30_000n }), zeros))).toEqual([50_000n]);
    expect(knapsack(groups, goal({ target: 170_000n }), zeros)).toBe('none');
  });

  test('the random draw keeps the most valuable groups that fit', () => {
    const fits = goal({ target: 30_000n, maxWeight: 124 + 272 * 2 });
    expect(values(singleRandomDraw(groups, fits, zeros))).toEqual([60_000n, 50_000n]);
    expect(singleRandomDraw(groups, goal({ target: 80_000n, maxWeight: 124 + 272 * 2 }), zeros)).toBe('too-heavy');
    expect(singleRandomDraw(groups, goal({ target: 120_000n }), zeros)).toBe('none');
  });
});
