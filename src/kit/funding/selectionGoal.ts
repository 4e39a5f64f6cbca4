/** In satoshi and weight units. */
export interface SelectionGoal {
  /** Payments, and the fee of all but inputs and change. */
  readonly target: bigint;
  /** The fee of the change output, and of spending it later. */
  readonly costOfChange: bigint;
  readonly changeFee: bigint;
  /** More than dust, and more than spending it costs. */
  readonly leastChange: bigint;
  /** The change to aim for. */
  readonly wantedChange: bigint;
  /** Of the inputs, if there is no change. */
  readonly maxWeight: number;
  readonly changeWeight: number;
}

/** Returns 0 if the change is not worth creating. */
export function computeChange(amount: bigint, { target, changeFee, leastChange }: SelectionGoal): bigint {
  const change = amount - target - changeFee;
  return change < leastChange ? 0n : change;
}
