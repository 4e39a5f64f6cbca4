/** Rounding of a fee with a fraction of a satoshi: up in Core 31, down in 0.21, but to at least 1. */
export type FeeRounding = 'up' | 'down';

/**
 * Computes a fee in satoshi.
 *
 * - `rate`: satoshi per 1000 virtual bytes, at least 0
 * - `vsize`: virtual bytes
 *
 * @see Bitcoin Core `CFeeRate::GetFee`
 */
export function feeFor(rate: bigint, vsize: number, rounding: FeeRounding): bigint {
  const thousandfold = rate * BigInt(vsize);
  if (rounding === 'up') return (thousandfold + 999n) / 1000n;
  const fee = thousandfold / 1000n;
  return fee === 0n && thousandfold > 0n ? 1n : fee;
}
