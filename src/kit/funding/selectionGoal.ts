/** The sum to reach, in satoshi, and the limits of a selection. */
export interface SelectionGoal {
  /** Payments, and the fee of all but inputs and change. */
  readonly target: bigint;
  /** The fee of the change output, and of spending it later. */
  readonly costOfChange: bigint;
  /** The fee of the change output. */
  readonly changeFee: bigint;
  /** The least change worth creating: more than dust, and more than it costs to spend. */
  readonly leastChange: bigint;
  /** The change that selections with change aim for. */
  readonly wantedChange: bigint;
  /** The most weight that inputs may add, without change. */
  readonly maxWeight: number;
  readonly changeWeight: number;
}

/** Returns the change that a sum of amounts leaves, in satoshi; 0 if it is not worth creating. */
export function changeOf(amount: bigint, { target, changeFee, leastChange }: SelectionGoal): bigint {
  const change = amount - target - changeFee;
  return change < leastChange ? 0n : change;
}
