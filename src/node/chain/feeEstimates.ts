import type { Chain } from './chainState.ts';
import type { FeeEstimate } from './types.ts';

/** Sets what estimators answer; an empty list returns to no answer. */
export function setEstimates({ estimates }: Chain, given: readonly FeeEstimate[]): void {
  if (given.length === 0) estimates.delete('');
  else
    estimates.set(
      '',
      [...given].sort((a, b) => b.target - a.target),
    );
}

/** Returns the estimate of the longest target that is not above `target`, or else of the shortest. */
export function estimateFor({ estimates }: Chain, target: number): FeeEstimate | undefined {
  const all = estimates.get('') ?? [];
  return all.find((each) => each.target <= target) ?? all.at(-1);
}
