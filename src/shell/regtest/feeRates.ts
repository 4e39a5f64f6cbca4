import type { FeeEstimate } from '../../node/chain/types.ts';
import { MAX_TARGET } from '../../node/methods/feeEstimates.ts';
import { assertFeeRate, invalidArgument } from './checkedArguments.ts';

/** Converts rates in satoshi per virtual byte. @throws `argument/invalid` */
export function toEstimates(rates: number | Readonly<Record<number, number>> = {}): readonly FeeEstimate[] {
  const byTarget = typeof rates === 'number' ? { 1: rates } : rates;
  return Object.entries(byTarget).map(([target, rate]) => {
    assertTarget(Number(target));
    assertFeeRate(rate);
    return { target: Number(target), rate: Math.round(rate * 1000) };
  });
}

function assertTarget(target: number): void {
  if (Number.isSafeInteger(target) && target >= 1 && target <= MAX_TARGET) return;
  throw invalidArgument('rates', `must have rates by target, 1 to ${MAX_TARGET} blocks, such as { 2: 20, 144: 1.5 }`);
}
