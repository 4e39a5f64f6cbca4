import type { CoinGroup } from './coinGroups.ts';
import { type RandomBytes, shuffled } from './randomNumbers.ts';
import type { SelectionGoal } from './selectionGoal.ts';

type Choice = readonly CoinGroup[] | undefined;

/** Returns `undefined` if the groups do not reach the sum, or weigh too much. */
function takeUntil(groups: readonly CoinGroup[], sum: bigint, maxWeight: number): Choice {
  const taken: CoinGroup[] = [];
  let [amount, weight] = [0n, 0];
  for (const group of groups) {
    if (amount >= sum) break;
    taken.push(group);
    amount += group.amount;
    weight += group.weight;
    if (weight > maxWeight) return undefined;
  }
  return amount >= sum ? taken : undefined;
}

const worthwhile = (groups: readonly CoinGroup[]): readonly CoinGroup[] => groups.filter(({ amount }) => amount > 0n);

const withChange = (goal: SelectionGoal): bigint => goal.target + goal.changeFee + goal.wantedChange;

/** @see Bitcoin Core `SelectCoinsSRD` */
export function singleRandomDraw(groups: readonly CoinGroup[], goal: SelectionGoal, random: RandomBytes): Choice {
  return takeUntil(shuffled(worthwhile(groups), random), withChange(goal), goal.maxWeight - goal.changeWeight);
}

/** Takes the smallest group that suffices with change. @see Bitcoin Core `KnapsackSolver` */
export function lowestLarger(groups: readonly CoinGroup[], goal: SelectionGoal): Choice {
  const least = withChange(goal);
  let lowest: CoinGroup | undefined;
  for (const group of groups) {
    const fits = group.amount >= least && group.weight <= goal.maxWeight - goal.changeWeight;
    if (fits && (!lowest || group.amount < lowest.amount)) lowest = group;
  }
  return lowest && [lowest];
}

export function largestFirst(groups: readonly CoinGroup[], goal: SelectionGoal): Choice {
  const sorted = [...worthwhile(groups)].sort((a, b) => (a.amount < b.amount ? 1 : -1));
  const { target, maxWeight, changeWeight } = goal;
  return takeUntil(sorted, withChange(goal), maxWeight - changeWeight) ?? takeUntil(sorted, target, maxWeight);
}
