import type { CoinGroup } from './coinGroups.ts';
import type { Attempt, SelectionGoal } from './selectionGoal.ts';

/** @see Bitcoin Core `TOTAL_TRIES` */
const MAX_STEPS = 100_000;

/** The groups before `next` are decided. */
interface Search {
  readonly pool: readonly CoinGroup[];
  /** The sum of the amounts from each index on. */
  readonly rest: readonly bigint[];
  /** The least weight from each index on. */
  readonly lightest: readonly number[];
  readonly sum: bigint;
  readonly chosen: number[];
  next: number;
  amount: bigint;
  weight: number;
  /** Its weight is the limit until a choice is found. */
  best: { readonly weight: number; readonly amount: bigint; readonly chosen: readonly number[] | undefined };
  isTooHeavy: boolean;
}

/** Searches, depth first, for the lightest groups that pay for the change too. @see Bitcoin Core `CoinGrinder` */
export function coinGrinder(groups: readonly CoinGroup[], goal: SelectionGoal): Attempt {
  const search = begin(groups, goal);
  const { pool, rest, sum, chosen } = search;
  if ((rest[0] ?? 0n) < sum) return 'none';
  const limit = search.best.weight;
  for (let step = 0; step < MAX_STEPS && search.next < pool.length; step += 1) {
    add(search, search.next, 1);
    chosen.push(search.next);
    search.next += 1;
    const move = judge(search, limit);
    const isLast = search.next === pool.length;
    if (move === 'cut' || isLast) removeLast(search);
    if (move !== 'explore' || isLast) shift(search);
  }
  const { best, isTooHeavy } = search;
  if (best.chosen) return best.chosen.flatMap((index) => pool[index] ?? []);
  return isTooHeavy ? 'too-heavy' : 'none';
}

function begin(groups: readonly CoinGroup[], goal: SelectionGoal): Search {
  const pool = [...groups].sort((a, b) => (a.amount === b.amount ? a.weight - b.weight : a.amount < b.amount ? 1 : -1));
  const rest = [0n];
  const lightest = [Number.POSITIVE_INFINITY];
  for (const { amount, weight } of [...pool].reverse()) {
    rest.push((rest.at(-1) ?? 0n) + amount);
    lightest.push(Math.min(lightest.at(-1) ?? weight, weight));
  }
  return {
    pool,
    rest: rest.reverse(),
    lightest: lightest.reverse(),
    sum: goal.target + goal.changeFee + goal.wantedChange,
    chosen: [],
    next: 0,
    amount: 0n,
    weight: 0,
    best: { weight: goal.maxWeight - goal.changeWeight, amount: 0n, chosen: undefined },
    isTooHeavy: false,
  };
}

/** Decides what follows: one more group, another in place of the last, or another in place of the last two. */
function judge(search: Search, limit: number): 'explore' | 'shift' | 'cut' {
  const { pool, rest, lightest, sum, next, amount, weight, best } = search;
  const last = pool[next - 1];
  if (!last || amount + (rest[next] ?? 0n) < sum) return 'cut';
  const leastWeight = lightest[next] ?? 0;
  const leave = last.weight <= leastWeight ? 'cut' : 'shift';
  if (weight > best.weight) {
    search.isTooHeavy ||= weight > limit;
    return leave;
  }
  if (amount >= sum) {
    if (!best.chosen || weight < best.weight || amount < best.amount) {
      search.best = { weight, amount, chosen: [...search.chosen] };
    }
    return 'shift';
  }
  const missing = Number((sum - amount + last.amount - 1n) / last.amount);
  return best.chosen && weight + leastWeight * missing > best.weight ? leave : 'explore';
}

/** Skips groups that are no better than the one just omitted. */
function shift(search: Search): void {
  const { pool } = search;
  for (;;) {
    const omitted = removeLast(search);
    if (omitted === undefined) break;
    search.next = omitted + 1;
    while (pool[search.next]?.amount === pool[omitted]?.amount) search.next += 1;
    if (search.next < pool.length) return;
  }
  search.next = pool.length;
}

function removeLast(search: Search): number | undefined {
  const index = search.chosen.pop();
  if (index !== undefined) add(search, index, -1);
  return index;
}

function add(search: Search, index: number, sign: 1 | -1): void {
  const { amount, weight } = search.pool[index] ?? { amount: 0n, weight: 0 };
  search.amount += BigInt(sign) * amount;
  search.weight += sign * weight;
}
