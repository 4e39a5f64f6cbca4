import { formatReversedHex } from '../../core/bytes/hex.ts';

const MANTISSA = 0x007f_ffff;
const SIGN = 0x0080_0000;

/**
 * Returns `undefined` for a target that no block may have: negative, zero, or above 256 bits.
 * @see Bitcoin Core `arith_uint256::SetCompact`, `DeriveTarget`
 */
export function decodeCompact(bits: number): bigint | undefined {
  const size = bits >>> 24;
  const word = size <= 3 ? (bits & MANTISSA) >>> (8 * (3 - size)) : bits & MANTISSA;
  const isNegative = (bits & SIGN) !== 0;
  const exceeds = size > 34 || (word > 0xff && size > 33) || (word > 0xffff && size > 32);
  if (word === 0 || isNegative || exceeds) return undefined;
  return size <= 3 ? BigInt(word) : BigInt(word) << BigInt(8 * (size - 3));
}

/** Keeps the three highest bytes. @see Bitcoin Core `arith_uint256::GetCompact` */
export function encodeCompact(target: bigint): number {
  const size = target === 0n ? 0 : (target.toString(16).length + 1) >> 1;
  const word = Number(size <= 3 ? target << BigInt(8 * (3 - size)) : target >> BigInt(8 * (size - 3)));
  // The sign bit must stay clear.
  const hasSign = (word & SIGN) !== 0;
  return (((hasSign ? size + 1 : size) << 24) | (hasSign ? word >>> 8 : word)) >>> 0;
}

/** `powHash` is SHA256d or scrypt, in wire order. @see Bitcoin Core `CheckProofOfWork` */
export function hasProofOfWork(bits: number, powHash: Uint8Array, limit: bigint): boolean {
  const target = decodeCompact(bits);
  return target !== undefined && target <= limit && BigInt(`0x${formatReversedHex(powHash)}`) <= target;
}

const HASHES = 1n << 256n;

/** Returns the expected number of hashes. @see Bitcoin Core `GetBlockProof` */
export function blockProof(bits: number): bigint {
  const target = decodeCompact(bits);
  return target === undefined ? 0n : HASHES / (target + 1n);
}
