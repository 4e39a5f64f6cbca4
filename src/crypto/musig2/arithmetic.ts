import { etc, Point } from '@noble/secp256k1';
import { pointOf, readPoint } from '../coordinates.ts';
import { linearCombination, multiplyGenerator } from '../linearCombination.ts';
import { isValidPublicKey } from '../publicKey.ts';

const { n: ORDER } = /* @__PURE__ */ Point.CURVE();

/** Big-endian bytes as a number. */
export function numberOf(bytes: Uint8Array): bigint {
  return etc.bytesToNumberBE(bytes);
}

/** A number modulo the order of the curve. */
export function mod(value: bigint): bigint {
  return etc.mod(value, ORDER);
}

/** A number modulo the order, in 32 big-endian bytes. */
export function scalarBytes(value: bigint): Uint8Array {
  return etc.numberToBytesBE(mod(value));
}

/** A length below 2^53 in `size` big-endian bytes, 8 at most. */
export function lengthBytes(length: number, size: number): Uint8Array {
  return etc.numberToBytesBE(BigInt(length)).slice(32 - size);
}

/** Whether the point of a key or nonce in 33 bytes has an odd y. */
export function hasOddY(point: Uint8Array): boolean {
  return point[0] === 0x03;
}

/** The point of 33 bytes, if there is one. @see BIP327 "Notation", `cpoint` */
export function decodePoint(bytes: Uint8Array): Point | undefined {
  return bytes.length === 33 && isValidPublicKey(bytes) ? readPoint(bytes) : undefined;
}

/** Like `decodePoint`, but 33 zeros are the point at infinity. @see BIP327 "Notation", `cpoint_ext` */
export function decodePointOrInfinity(bytes: Uint8Array): Point | undefined {
  return bytes.length === 33 && bytes.every((byte) => byte === 0) ? Point.ZERO : decodePoint(bytes);
}

/** 33 bytes, zeros for the point at infinity. @see BIP327 "Notation", `cbytes_ext` */
export function encodePointOrInfinity(point: Point): Uint8Array {
  return point.is0() ? new Uint8Array(33) : point.toBytes();
}

/** The generator times a secret number from 1 on: the library's path that depends least on the number. */
export function multiplySecret(scalar: bigint): Point {
  return Point.BASE.multiply(scalar);
}

/** The sum of points times public numbers, from 0 to below the order. Its time depends on the numbers. */
export function sumOfProducts(terms: Parameters<typeof linearCombination>[0]): Point {
  return pointOf(linearCombination(terms));
}

/** The generator times a public number, from 0 to below the order. Its time depends on the number. */
export function multiplyPublic(scalar: bigint): Point {
  return pointOf(multiplyGenerator(scalar));
}

/** The two halves of a nonce, if both are points by `decode`, and so 33 bytes each. */
export function decodeNonce(
  nonce: Uint8Array,
  decode: (half: Uint8Array) => Point | undefined,
): readonly [Point, Point] | undefined {
  const first = decode(nonce.slice(0, 33));
  const second = decode(nonce.slice(33));
  return first && second && [first, second];
}
