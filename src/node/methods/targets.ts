import { decodeCompact } from '../chain/proofOfWork.ts';

/** The target of difficulty 1. */
const UNIT_MANTISSA = 0xffff;
const UNIT_SIZE = 29;

/** @see Bitcoin Core `GetDifficulty` */
export function computeDifficulty(bits: number): number {
  const mantissa = bits & 0x00ff_ffff;
  if (mantissa === 0) return 0;
  const difficulty = (UNIT_MANTISSA / mantissa) * 256 ** (UNIT_SIZE - (bits >>> 24));
  // A node prints 16 digits.
  return Number(difficulty.toPrecision(16));
}

export const asHex32 = (number: number): string => (number >>> 0).toString(16).padStart(8, '0');

export const hex256 = (number: bigint): string => number.toString(16).padStart(64, '0');

export const targetDraft = (bits: number): { readonly bits: string; readonly target: string } => ({
  bits: asHex32(bits),
  target: hex256(decodeCompact(bits) ?? 0n),
});
