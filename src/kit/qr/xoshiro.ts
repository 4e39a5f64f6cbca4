import { sha256 } from '../../core/crypto/hash.ts';

const MASK = 0xffff_ffff_ffff_ffffn;
const TWO_TO_64 = 2 ** 64;

const rotated = (value: bigint, bits: bigint): bigint => ((value << bits) | (value >> (64n - bits))) & MASK;

/** Returns numbers from 0 (inclusive) to 1 (exclusive). */
export type Doubles = () => number;

/** @see BCR-2024-001 "Pseudorandom generator" */
export function xoshiro256(seed: Uint8Array): Doubles {
  const view = new DataView(sha256(seed).slice().buffer);
  let [a, b, c, d] = [0, 8, 16, 24].map((at) => view.getBigUint64(at)) as [bigint, bigint, bigint, bigint];
  return () => {
    const result = (rotated((b * 5n) & MASK, 7n) * 9n) & MASK;
    const shifted = (b << 17n) & MASK;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotated(d, 45n);
    return Number(result) / TWO_TO_64;
  };
}
