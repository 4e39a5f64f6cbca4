import type { CoinGroup } from './coinGroups.ts';
import { type RandomBytes, shuffled } from './randomNumbers.ts';
import { type Attempt, CHANGE_LIMITS, type SelectionGoal } from './selectionGoal.ts';

/** Draws groups until they pay for the change too; the least valuable ones make room for others. @see Bitcoin Core `SelectCoinsSRD` */
export function singleRandomDraw(groups: readonly CoinGroup[], goal: SelectionGoal, random: RandomBytes): Attempt {
  const sum = goal.target + goal.changeFee + CHANGE_LIMITS.lower;
  const maxWeight = goal.maxWeight - goal.changeWeight;
  const drawn: CoinGroup[] = [];
  let [amount, weight, isTooHeavy] = [0n, 0, false];
  for (const group of shuffled(groups, random)) {
    insertByAmount(drawn, group);
    amount += group.amount;
    weight += group.weight;
    while (weight > maxWeight) {
      isTooHeavy = true;
      const least = drawn.pop();
      if (!least) break;
      amount -= least.amount;
      weight -= least.weight;
    }
    if (amount >= sum) return drawn;
  }
  return isTooHeavy ? 'too-heavy' : 'none';
}

/** Keeps the least valuable group last. */
function insertByAmount(groups: CoinGroup[], group: CoinGroup): void {
  let [from, to] = [0, groups.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = groups[middle];
    if (other && other.amount >= group.amount) from = middle + 1;
    else to = middle;
  }
  groups.splice(from, 0, group);
}
