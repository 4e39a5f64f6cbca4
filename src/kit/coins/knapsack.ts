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

/** Keeps the best of random choices: all groups if there is no better one. @see Bitcoin Core `ApproximateBestSubset` */
function approximate(
  groups: readonly CoinGroup[],
  target: bigint,
  { maxWeight, total }: Bounds,
  random: RandomBytes,
): readonly CoinGroup[] {
  let best: Draw = { amount: total, chosen: new Uint8Array(groups.length).fill(1) };
  const rounds = Math.min(MAX_ROUNDS, Math.ceil(MAX_DECISIONS / groups.length));
  for (let round = 0; round < rounds && best.amount !== target; round += 1) {
    const found = draw(groups, { target, maxWeight, below: best.amount }, random);
    if (found) best = found;
  }
  return groups.filter((_, index) => best.chosen[index] === 1);
}

interface Draw {
  readonly amount: bigint;
  /** 1 for each group that is chosen. */
  readonly chosen: Uint8Array;
}

/** Chooses groups at random, then others if these do not suffice; returns the least sum that does, if it is `below`. */
function draw(
  groups: readonly CoinGroup[],
  { target, maxWeight, below }: Pick<Bounds, 'target' | 'maxWeight'> & { readonly below: bigint },
  random: RandomBytes,
): Draw | undefined {
  const chosen = new Uint8Array(groups.length);
  const bits = random(Math.ceil(groups.length / 8));
  let [amount, weight, isReached] = [0n, 0, false];
  let best: Draw | undefined;
  const consider = (group: CoinGroup, index: number): void => {
    const [nextAmount, nextWeight] = [amount + group.amount, weight + group.weight];
    if (nextAmount >= target && nextWeight <= maxWeight) {
      isReached = true;
      if (nextAmount >= (best?.amount ?? below)) return;
      best = { amount: nextAmount, chosen: chosen.slice() };
      best.chosen[index] = 1;
      return;
    }
    [amount, weight, chosen[index]] = [nextAmount, nextWeight, 1];
  };
  for (const [index, group] of groups.entries()) {
    if (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) consider(group, index);
  }
  if (isReached) return best;
  for (const [index, group] of groups.entries()) if (chosen[index] === 0) consider(group, index);
  return best;
}
