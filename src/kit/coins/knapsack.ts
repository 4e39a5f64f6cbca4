import type { CoinGroup } from './coinGroups.ts';
import type { RandomBytes } from './randomNumbers.ts';
import { type Attempt, compareByAmount, type SelectionGoal, totalAmount, totalWeight } from './selectionGoal.ts';

/** Seeks a sum close to the target, or to the target with the wanted change. @see Bitcoin Core `KnapsackSolver` */
export function knapsack(groups: readonly CoinGroup[], goal: SelectionGoal, random: RandomBytes): Attempt {
  const { target } = goal;
  const sum = target + goal.changeFee + goal.wantedChange;
  const maxWeight = goal.maxWeight - goal.changeWeight;
  const fitting = groups.filter(({ weight }) => weight <= maxWeight);
  const exact = fitting.find(({ amount }) => amount === target);
  if (exact) return [exact];
  const smaller = fitting.filter(({ amount }) => amount < sum).sort(compareByAmount);
  const larger = smallest(fitting.filter(({ amount }) => amount >= sum));
  const none: Attempt = fitting.length < groups.length ? 'too-heavy' : 'none';
  const total = totalAmount(smaller);
  if (total < target) return larger ? [larger] : none;
  if (total === target && totalWeight(smaller) <= maxWeight) return smaller;
  const found = closestSum(smaller, { target, sum, maxWeight, total }, random);
  const amount = totalAmount(found);
  const misses = amount !== target && amount < sum;
  if (larger && (misses || larger.amount <= amount)) return [larger];
  if (totalWeight(found) <= maxWeight) return found;
  return larger ? [larger] : 'too-heavy';
}

function smallest(groups: readonly CoinGroup[]): CoinGroup | undefined {
  let least: CoinGroup | undefined;
  for (const group of groups) if (!least || group.amount < least.amount) least = group;
  return least;
}

interface Bounds {
  readonly target: bigint;
  /** The target with the wanted change. */
  readonly sum: bigint;
  readonly maxWeight: number;
  readonly total: bigint;
}

function closestSum(groups: readonly CoinGroup[], bounds: Bounds, random: RandomBytes): readonly CoinGroup[] {
  const exact = approximate(groups, bounds.target, bounds, random);
  if (totalAmount(exact) === bounds.target || bounds.total < bounds.sum) return exact;
  return approximate(groups, bounds.sum, bounds, random);
}

const MAX_ROUNDS = 1000;
/** Decisions about a group: they bound the work for large wallets. */
const MAX_DECISIONS = 1_000_000;

/**
 * Keeps the best of random choices: all groups if there is no better one. It adds numbers, since it adds so many: 2^53 satoshi
 * are more than Bitcoin or Litecoin will have.
 * @see Bitcoin Core `ApproximateBestSubset`
 */
function approximate(
  groups: readonly CoinGroup[],
  target: bigint,
  { maxWeight, total }: Bounds,
  random: RandomBytes,
): readonly CoinGroup[] {
  const terms: Terms = {
    amounts: Float64Array.from(groups, ({ amount }) => Number(amount)),
    weights: Float64Array.from(groups, ({ weight }) => weight),
    target: Number(target),
    maxWeight,
  };
  let best: Draw = { amount: Number(total), chosen: new Uint8Array(groups.length).fill(1) };
  const rounds = Math.min(MAX_ROUNDS, Math.ceil(MAX_DECISIONS / groups.length));
  for (let round = 0; round < rounds && best.amount !== terms.target; round += 1) {
    best = draw(terms, best, random(Math.ceil(groups.length / 8)));
  }
  return groups.filter((_, index) => best.chosen[index] === 1);
}

/** The groups by index, and what is wanted of those that are chosen. */
interface Terms {
  readonly amounts: Float64Array;
  readonly weights: Float64Array;
  readonly target: number;
  readonly maxWeight: number;
}

interface Draw {
  readonly amount: number;
  /** 1 for each group that is chosen. */
  readonly chosen: Uint8Array;
}

/** Chooses groups at random, then others if these do not suffice; returns the least sum that does, if it is below the best. */
function draw({ amounts, weights, target, maxWeight }: Terms, before: Draw, bits: Uint8Array): Draw {
  const chosen = new Uint8Array(amounts.length);
  let best = before;
  let [amount, weight, isReached] = [0, 0, false];
  const consider = (index: number): void => {
    const nextAmount = amount + (amounts[index] ?? 0);
    const nextWeight = weight + (weights[index] ?? 0);
    if (nextAmount < target || nextWeight > maxWeight) {
      amount = nextAmount;
      weight = nextWeight;
      chosen[index] = 1;
      return;
    }
    isReached = true;
    if (nextAmount >= best.amount) return;
    best = { amount: nextAmount, chosen: chosen.slice() };
    best.chosen[index] = 1;
  };
  for (let index = 0; index < amounts.length; index += 1) {
    if (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) consider(index);
  }
  if (isReached) return best;
  for (let index = 0; index < amounts.length; index += 1) if (chosen[index] === 0) consider(index);
  return best;
}
