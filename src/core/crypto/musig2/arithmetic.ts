import { etc, Point } from '@noble/secp256k1';
import { isValidPublicKey } from '../publicKey.ts';

const ORDER = Point.CURVE().n;

export function bytesToNumber(bytes: Uint8Array): bigint {
  return etc.bytesToNumberBE(bytes);
}

export function mod(value: bigint): bigint {
  return etc.mod(value, ORDER);
}

export function scalarBytes(value: bigint): Uint8Array {
  return etc.numberToBytesBE(mod(value));
}

export function lengthBytes(length: number, size: number): Uint8Array {
  return etc.numberToBytesBE(BigInt(length)).slice(32 - size);
}

export function hasOddY(point: Uint8Array): boolean {
  return point[0] === 0x03;
}

/** Decodes 33 bytes. @see BIP327 "Notation", `cpoint` */
export function decodePoint(bytes: Uint8Array): Point | undefined {
  return bytes.length === 33 && isValidPublicKey(bytes) ? Point.fromBytes(bytes) : undefined;
}

/** Decodes 33 zeros as the point at infinity (`cpoint_ext`). */
export function decodePointOrInfinity(bytes: Uint8Array): Point | undefined {
  return bytes.length === 33 && bytes.every((byte) => byte === 0) ? Point.ZERO : decodePoint(bytes);
}

/** Encodes the point at infinity as 33 zeros (`cbytes_ext`). */
export function encodePointOrInfinity(point: Point): Uint8Array {
  return point.is0() ? new Uint8Array(33) : point.toBytes();
}

/** Multiplies the generator by a secret, on the library's path whose timing reveals the least of it. */
export function multiplySecret(scalar: bigint): Point {
  return Point.BASE.multiply(scalar);
}

type Term = readonly [point: Point, scalar: bigint];

const SCALAR_BITS = 256;
/** From here on, buckets are cheaper than tables. */
const MANY = 32;

/**
 * For public scalars only: its time depends on them.
 * @see Straus, "Addition chains of vectors"; Pippenger, "On the evaluation of powers and monomials"
 */
export function sumOfProducts(terms: readonly Term[]): Point {
  const width = terms.length < MANY ? 4 : 8;
  const addDigits = terms.length < MANY ? addFromTables(terms, width) : addFromBuckets(terms, width);
  let sum = Point.ZERO;
  for (let shift = SCALAR_BITS - width; shift >= 0; shift -= width) {
    for (let bit = 0; bit < width; bit += 1) sum = sum.double();
    sum = addDigits(sum, BigInt(shift));
  }
  return sum;
}

type AddDigits = (sum: Point, shift: bigint) => Point;

function addFromTables(terms: readonly Term[], width: number): AddDigits {
  const tables = terms.map(([point]) => {
    const multiples = [Point.ZERO];
    for (let i = 1; i < 2 ** width; i += 1) multiples.push(multiples[i - 1]?.add(point) ?? point);
    return multiples;
  });
  return (sum, shift) =>
    terms.reduce((total, [, scalar], i) => {
      const digit = digitAt(scalar, shift, width);
      return digit === 0 ? total : total.add(tables[i]?.[digit] ?? Point.ZERO);
    }, sum);
}

function addFromBuckets(terms: readonly Term[], width: number): AddDigits {
  return (sum, shift) => {
    const buckets = new Array<Point | undefined>(2 ** width).fill(undefined);
    for (const [point, scalar] of terms) {
      const digit = digitAt(scalar, shift, width);
      buckets[digit] = buckets[digit]?.add(point) ?? point;
    }
    let [running, total] = [Point.ZERO, sum];
    for (let digit = 2 ** width - 1; digit > 0; digit -= 1) {
      running = running.add(buckets[digit] ?? Point.ZERO);
      total = total.add(running);
    }
    return total;
  };
}

const digitAt = (scalar: bigint, shift: bigint, width: number): number =>
  Number((scalar >> shift) & BigInt(2 ** width - 1));

export function decodeNonce(
  nonce: Uint8Array,
  decode: (half: Uint8Array) => Point | undefined,
): readonly [Point, Point] | undefined {
  const first = decode(nonce.slice(0, 33));
  const second = decode(nonce.slice(33));
  return first && second && [first, second];
}
