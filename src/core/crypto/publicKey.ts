import { formatHex } from '../bytes/hex.ts';

/** The prime of the field: the points of secp256k1 are y² = x³ + 7 mod p. */
const P = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn;

/**
 * Tells whether Core accepts bytes as a fully valid public key (`CPubKey::IsFullyValid`).
 *
 * - `bytes`: any; a key is 33 (02 or 03, x) or 65 (04, or 06 if y is even, 07 if odd, x, y), x and y big-endian, < p
 *
 * Does not apply policy (hybrid keys pass, as in consensus) and does not return the point.
 * @returns true if the bytes encode a point of secp256k1
 * @see SEC 1 section 2.3.4
 */
export function isValidPublicKey(bytes: Uint8Array): boolean {
  const prefix = bytes[0];
  if (bytes.length === 33) return (prefix === 0x02 || prefix === 0x03) && isValidXOnlyPublicKey(bytes.subarray(1));
  if (bytes.length !== 65 || (prefix !== 0x04 && prefix !== 0x06 + ((bytes[64] ?? 0) & 1))) return false;
  const [x, y] = [readNumber(bytes.subarray(1, 33)), readNumber(bytes.subarray(33))];
  return x < P && y < P && (y * y) % P === cubePlus7(x);
}

/**
 * Tells whether bytes are an x-only public key, that is whether `lift_x` succeeds. Does not return the point.
 *
 * - `bytes`: any; a key is 32: x, big-endian and below p
 * @returns true if a point of secp256k1 has this x
 * @see BIP-340 "Specification"
 */
export function isValidXOnlyPublicKey(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false;
  const x = readNumber(bytes);
  return x < P && isSquare(cubePlus7(x));
}

const readNumber = (bytes: Uint8Array): bigint => BigInt(`0x${formatHex(bytes)}`);

const cubePlus7 = (x: bigint): bigint => (x * x * x + 7n) % P;

/**
 * Tells whether a number below p is a square mod p: whether its Jacobi symbol (a/p) is 1, which takes less time than a
 * square root. Time depends on the number, which is public.
 * @see Cohen, "A Course in Computational Algebraic Number Theory", algorithm 1.4.10
 */
function isSquare(number: bigint): boolean {
  let [a, n, isOne] = [number, P, true];
  while (a !== 0n) {
    while ((a & 1n) === 0n) {
      a >>= 1n;
      // (2/n) is -1 if n is 3 or 5 mod 8.
      if ((n & 7n) === 3n || (n & 7n) === 5n) isOne = !isOne;
    }
    // Reciprocity: (a/n) is -(n/a) if both are 3 mod 4, else (n/a).
    if ((a & 3n) === 3n && (n & 3n) === 3n) isOne = !isOne;
    [a, n] = [n % a, a];
  }
  return isOne && n === 1n;
}
