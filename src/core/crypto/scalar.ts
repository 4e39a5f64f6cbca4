import { compareBytes, copyBytes } from '../bytes/compare.ts';
import { readNumber } from '../bytes/hex.ts';

/** The order of the group. @see SEC 2 section 2.4.1 */
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const ORDER: Uint8Array = encodeScalar(N);
const HALF_ORDER: Uint8Array = encodeScalar(N >> 1n);

function encodeScalar(scalar: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, i) => Number((scalar >> BigInt(248 - 8 * i)) & 0xffn));
}

export function isBelowOrder(scalar: Uint8Array): boolean {
  return compareBytes(scalar, ORDER) < 0;
}

export function isSecretKey(bytes: Uint8Array): boolean {
  return bytes.length === 32 && isBelowOrder(bytes) && !isZero(bytes);
}

/** Tells whether `s` is in the upper half: valid, but non-standard. */
export function isHigh(scalar: Uint8Array): boolean {
  return compareBytes(scalar, HALF_ORDER) > 0;
}

export function isZero(scalar: Uint8Array): boolean {
  return scalar.every((byte) => byte === 0);
}

/** For public numbers only: its time depends on the bytes. */
export function negateScalar(scalar: Uint8Array): Uint8Array {
  return isZero(scalar) ? copyBytes(scalar) : subtract(ORDER, scalar);
}

/** Adds in time that does not depend on the scalars, which may be secret. */
export function addScalars(a: Uint8Array, b: Uint8Array): Uint8Array {
  const sum = new Uint8Array(32);
  const reduced = new Uint8Array(32);
  let carry = 0;
  for (let i = 31; i >= 0; i -= 1) {
    carry += (a[i] ?? 0) + (b[i] ?? 0);
    sum[i] = carry;
    carry >>= 8;
  }
  let borrow = 0;
  for (let i = 31; i >= 0; i -= 1) {
    const difference = (sum[i] ?? 0) - (ORDER[i] ?? 0) - borrow;
    reduced[i] = difference;
    borrow = (difference >> 8) & 1;
  }
  // All ones if the sum overflowed or is not below the order.
  const mask = -(carry | (borrow ^ 1)) & 0xff;
  return sum.map((byte, i) => (byte & ~mask) | ((reduced[i] ?? 0) & mask));
}

/** Computes a·b + c. */
export function multiplyAdd(a: Uint8Array, b: Uint8Array, c: Uint8Array): Uint8Array {
  return encodeScalar((readNumber(a) * readNumber(b) + readNumber(c)) % N);
}

export function reduceScalar(bytes: Uint8Array): Uint8Array {
  return isBelowOrder(bytes) ? copyBytes(bytes) : subtract(bytes, ORDER);
}

function subtract(from: Uint8Array, what: Uint8Array): Uint8Array {
  const result = new Uint8Array(32);
  let borrow = 0;
  for (let i = 31; i >= 0; i -= 1) {
    const difference = (from[i] ?? 0) - (what[i] ?? 0) - borrow;
    result[i] = difference;
    borrow = difference < 0 ? 1 : 0;
  }
  return result;
}
