import type { CoinGroup } from './coinGroups.ts';

/** In satoshi and weight units. */
export interface SelectionGoal {
  /** Payments, and the fee of all but inputs and change. */
  readonly target: bigint;
  /** The fee of the change output, and of spending it later. */
  readonly costOfChange: bigint;
  readonly changeFee: bigint;
  /** What the change bears of its own fee: nothing if recipients do. */
  readonly chargedChangeFee: bigint;
  /** More than dust, and more than spending it costs. */
  readonly leastChange: bigint;
  /** The change to aim for. */
  readonly wantedChange: bigint;
  /** Of the inputs, if there is no change. */
  readonly maxWeight: number;
  /** Likewise, if some may be unconfirmed. */
  readonly maxUnconfirmedWeight: number;
  readonly changeWeight: number;
}

/** The groups that an algorithm chooses, or why it finds none. */
export type Attempt = readonly CoinGroup[] | 'none' | 'too-heavy';

/** Returns 0 if the change is not worth creating. @see Bitcoin Core `SelectionResult::GetChange` */
export function computeChange(amount: bigint, { target, chargedChangeFee, leastChange }: SelectionGoal): bigint {
  const change = amount - target - chargedChangeFee;
  return change < leastChange ? 0n : change;
}

/** @see Bitcoin Core `CHANGE_LOWER`, `CHANGE_UPPER` */
export const CHANGE_LIMITS = { lower: 50_000n, upper: 1_000_000n };

/** The largest first and, of equal ones, those that waste least. @see Bitcoin Core `descending` */
export function compareByAmount(a: CoinGroup, b: CoinGroup): number {
  if (a.amount !== b.amount) return a.amount < b.amount ? 1 : -1;
  return a.waste === b.waste ? 0 : a.waste < b.waste ? -1 : 1;
}

export const totalAmount = (groups: readonly CoinGroup[]): bigint =>
  groups.reduce((sum, { amount }) => sum + amount, 0n);

export const totalWeight = (groups: readonly CoinGroup[]): number =>
  groups.reduce((sum, { weight }) => sum + weight, 0);
