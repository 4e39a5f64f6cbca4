import fc from 'fast-check';

// The field of secp256k1, in plain integers, to check the library's points.

/** The prime of the field. */
export const P = 2n ** 256n - 2n ** 32n - 977n;
export const ALL_ONES = 2n ** 256n - 1n;

export function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % P;
  for (let e = exponent; e > 0n; e >>= 1n) {
    if (e & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

export const rightSide = (x: bigint): bigint => (x * x * x + 7n) % P;
/** Euler's criterion: a^((p-1)/2) is 1 for squares, p-1 for the others. */
const isSquare = (a: bigint): boolean => power(a, (P - 1n) / 2n) === 1n;
export const liftable = (x: bigint): boolean => x < P && isSquare(rightSide(x));
/** Returns the square root of a square: p = 3 mod 4, so it is a^((p+1)/4). */
export const root = (a: bigint): bigint => power(a, (P + 1n) / 4n);

/** Returns the cube root of a, if it has one: p = 7 mod 9, so it is a^((p+2)/9). */
export function cubeRoot(a: bigint): bigint | undefined {
  const candidate = power(a, (P + 2n) / 9n);
  return power(candidate, 3n) === a ? candidate : undefined;
}

/** Encodes a hex prefix, followed by 32-byte numbers. */
export function bytesOf(prefix: string, ...numbers: bigint[]): Uint8Array {
  const hex = prefix + numbers.map((n) => n.toString(16).padStart(64, '0')).join('');
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

const anyNumber = fc.bigInt({ min: 0n, max: ALL_ONES });
/** Eleven 24-bit limbs, mostly extreme. */
const sparseNumber = fc
  .array(fc.oneof(fc.constantFrom(0n, 0n, 1n, 0x800000n, 0xffffffn, 0xffffffn), fc.bigInt(0n, 0xffffffn)), {
    minLength: 11,
    maxLength: 11,
  })
  .map((limbs) => limbs.reduce((sum, limb) => (sum << 24n) | limb, 0n) & ALL_ONES);
/** A few runs of equal bits. */
const runsNumber = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 120 }), fc.boolean()), { minLength: 1, maxLength: 12 })
  .map((runs) =>
    runs.reduce((sum, [length, isSet]) => (sum << BigInt(length)) | (isSet ? (1n << BigInt(length)) - 1n : 0n), 0n),
  )
  .map((n) => n & ALL_ONES);
export const hardNumber = fc.oneof(anyNumber, sparseNumber, runsNumber);
