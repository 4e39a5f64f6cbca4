import type { BtcError } from '../../core/errors.ts';
import type { FeeEstimate } from '../../node/chain/types.ts';
import { MAX_TARGET } from '../../node/methods/feeEstimates.ts';
import { assertFeeRate, invalidArgument } from './checkedArguments.ts';

/** Converts rates in satoshi per virtual byte. @throws `argument/invalid` */
export function toEstimates(rates: number | Readonly<Record<number, number>> = {}): readonly FeeEstimate[] {
  const byTarget = typeof rates === 'number' ? { 1: rates } : rates;
  if (typeof byTarget !== 'object' || byTarget === null || Array.isArray(byTarget)) throw wrongRates();
  return Object.entries(byTarget).map(([target, rate]) => {
    assertTarget(Number(target));
    assertFeeRate(rate);
    return { target: Number(target), rate: Math.round(rate * 1000) };
  });
}

function assertTarget(target: number): void {
  if (Number.isSafeInteger(target) && target >= 1 && target <= MAX_TARGET) return;
  throw wrongRates();
}

const wrongRates = (): BtcError =>
  invalidArgument(
    'rates',
    `must be a rate, or rates by target, 1 to ${MAX_TARGET} blocks, such as { 2: 20, 144: 1.5 }`,
  );
