import { readNumber } from '../bytes/hex.ts';

/** The prime of the field; the curve is y² = x³ + 7. */
const P = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn;

/** Accepts what Core's `CPubKey::IsFullyValid` accepts, hybrid keys included. @see SEC 1 section 2.3.4 */
export function isValidPublicKey(bytes: Uint8Array): boolean {
  const prefix = bytes[0];
  if (bytes.length === 33) return (prefix === 0x02 || prefix === 0x03) && isValidXOnlyPublicKey(bytes.subarray(1));
  if (bytes.length !== 65 || (prefix !== 0x04 && prefix !== 0x06 + ((bytes[64] ?? 0) & 1))) return false;
  const [x, y] = [readNumber(bytes.subarray(1, 33)), readNumber(bytes.subarray(33))];
  return x < P && y < P && (y * y) % P === cubePlus7(x);
}

/** Tells whether BIP340's `lift_x` succeeds. */
export function isValidXOnlyPublicKey(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false;
  const x = readNumber(bytes);
  return x < P && isSquare(cubePlus7(x));
}

const cubePlus7 = (x: bigint): bigint => (x * x * x + 7n) % P;

/**
 * Computes the Jacobi symbol (a/p), faster than a square root, in time that depends on the number, which is public.
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
