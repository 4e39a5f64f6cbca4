import type { CoinGroup } from './coinGroups.ts';
import { type Attempt, compareByAmount, type SelectionGoal } from './selectionGoal.ts';

/** @see Bitcoin Core `TOTAL_TRIES` */
const MAX_STEPS = 100_000;

/** The groups before `next` are decided. */
interface Search {
  readonly pool: readonly CoinGroup[];
  /** The sum of the amounts from each index on. */
  readonly rest: readonly bigint[];
  readonly chosen: number[];
  next: number;
  amount: bigint;
  waste: bigint;
  weight: number;
  best: { readonly waste: bigint; readonly chosen: readonly number[] } | undefined;
  /** True if a choice exceeded the weight. */
  isTooHeavy: boolean;
}

/**
 * Searches, depth first, for the groups that waste least without change.
 * @see Mark Erhardt, "An Evaluation of Coin Selection Strategies"; Bitcoin Core `SelectCoinsBnB`
 */
export function branchAndBound(groups: readonly CoinGroup[], goal: SelectionGoal): Attempt {
  const search = begin(groups);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const canImprove = !isHopeless(search, goal);
    const isMet = canImprove && search.amount >= goal.target;
    if (isMet) keepIfBest(search, goal);
    if (canImprove && !isMet) include(search);
    else if (!omitLast(search)) break;
  }
  const { best, isTooHeavy } = search;
  if (best) return best.chosen.flatMap((index) => search.pool[index] ?? []);
  return isTooHeavy ? 'too-heavy' : 'none';
}

function begin(groups: readonly CoinGroup[]): Search {
  const pool = [...groups].sort(compareByAmount);
  const rest = [0n];
  for (const { amount } of [...pool].reverse()) rest.push((rest.at(-1) ?? 0n) + amount);
  rest.reverse();
  return { pool, rest, chosen: [], next: 0, amount: 0n, waste: 0n, weight: 0, best: undefined, isTooHeavy: false };
}

function isHopeless(search: Search, goal: SelectionGoal): boolean {
  const { pool, rest, next, amount, waste, best } = search;
  if (amount > goal.target + goal.costOfChange || amount + (rest[next] ?? 0n) < goal.target) return true;
  // While the fee rate exceeds the long-term rate, more coins only waste more.
  if ((pool[0]?.waste ?? 0n) > 0n && best !== undefined && waste > best.waste) return true;
  if (search.weight <= goal.maxWeight) return false;
  search.isTooHeavy = true;
  return true;
}

function keepIfBest(search: Search, { target }: SelectionGoal): void {
  const waste = search.waste + search.amount - target;
  if (!search.best || waste <= search.best.waste) search.best = { waste, chosen: [...search.chosen] };
}

/** Skips groups that equal one just omitted: their sums are the same. */
function include(search: Search): void {
  const { pool, chosen } = search;
  const last = chosen.at(-1) ?? -1;
  const omitted = search.next - 1 > last ? pool[search.next - 1] : undefined;
  const group = pool[search.next];
  if (!group) return;
  search.next += 1;
  if (omitted && omitted.amount === group.amount && omitted.waste === group.waste) return;
  chosen.push(search.next - 1);
  add(search, group, 1n);
}

function omitLast(search: Search): boolean {
  const index = search.chosen.pop();
  const group = index === undefined ? undefined : search.pool[index];
  if (index === undefined || !group) return false;
  add(search, group, -1n);
  search.next = index + 1;
  return true;
}

function add(search: Search, { amount, waste, weight }: CoinGroup, sign: 1n | -1n): void {
  search.amount += sign * amount;
  search.waste += sign * waste;
  search.weight += Number(sign) * weight;
}
