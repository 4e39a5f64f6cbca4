import { assertShape } from '../../core/bytes/knownOptions.ts';

/** Core 29 rounds up, 0.21 down, but to at least 1 satoshi. */
export type FeeRounding = 'up' | 'down';

/** Returns satoshi. `rate`: satoshi per 1000 virtual bytes. @see Bitcoin Core `CFeeRate::GetFee` */
export function feeFor(rate: bigint, vsize: number, rounding: FeeRounding): bigint {
  const thousandfold = rate * BigInt(vsize);
  if (rounding === 'up') return (thousandfold + 999n) / 1000n;
  const fee = thousandfold / 1000n;
  return fee === 0n && thousandfold > 0n ? 1n : fee;
}

const MOST_RATE = 1_000_000_000;

/** @throws `argument/invalid` */
export const assertFeeRate = (name: string, rate: number): void =>
  assertShape(
    name,
    typeof rate === 'number' && rate > 0 && rate <= MOST_RATE,
    'a number of satoshi per virtual byte, above 0',
  );

/** Returns satoshi, rounded up. `rate`: satoshi per virtual byte. */
export const ratedFee = (vsize: number, rate: number): bigint => BigInt(Math.ceil(vsize * rate));
