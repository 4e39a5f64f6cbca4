import { parseInt32 } from '../../answers/arguments/argumentValues.ts';
import { quote } from '../../answers/json/stringify.ts';
import { invalidParameter } from '../../answers/method/errorCodes.ts';

/** The highest `conf_target`, in blocks. */
export const MAX_TARGET = 1008;
const MODES: readonly string[] = ['unset', 'economical', 'conservative'];

export function parseConfTarget(value: { readonly text: string }): number {
  const target = parseInt32(value);
  if (target >= 1 && target <= MAX_TARGET) return target;
  throw invalidParameter(`Invalid conf_target, must be between 1 and ${MAX_TARGET}`);
}

/** @see Bitcoin Core `FeeModeFromString` */
export function assertEstimateMode(mode: string): void {
  if (MODES.includes(mode.toLowerCase())) return;
  throw invalidParameter(`Invalid estimate_mode parameter, must be one of: ${MODES.map(quote).join(', ')}`);
}
