/**
 * Points of secp256k1: y² = x³ + 7 over the integers mod p = 2^256 - 2^32 - 977.
 * Telling whether some y exists takes no square root: a is a square mod the prime p exactly when its Jacobi symbol (a/p)
 * is 1, and the binary GCD of a and p yields that by four rules. Let (g/f) be the symbol over |f|, f odd, f and g never
 * both negative; residues mod 4 and 8 are those of the signed numbers:
 * 1. (g/f) = ((g - f)/f), as it depends only on g mod f.
 * 2. (2g/f) = (2/f)(g/f), and (2/f) is -1 exactly when f is 3 or 5 mod 8.
 * 3. Reciprocity: for odd g, (g/f) and (f/g) differ exactly when f and g are both 3 mod 4.
 * 4. (-g/f) = (-1/f)(g/f), and for positive f, (-1/f) is -1 exactly when f is 3 mod 4.
 * a = 0 does not occur: y = 0 would be a point of order two, and the group order is an odd prime. Time depends on
 * the input, which is public.
 */

/** Numbers are little-endian arrays of 24-bit limbs: sums of eleven products of limbs are exact, below 2^53. */
const LIMBS = 11;
const TOP = LIMBS - 1; // holds bits 240..255, so 2^256 is 2^16 of this limb
const BASE = 2 ** 24;
const PER_BASE = 2 ** -24;
const P = new Float64Array([
  0xfffc2f, 0xfffeff, 0xffffff, 0xffffff, 0xffffff, 0xffffff, 0xffffff, 0xffffff, 0xffffff, 0xffffff, 0xffff,
]);

// Scratch: written before it is read in every call, and no call runs inside another. Allocating it in each call more
// than doubles the time of a check.
const x = new Float64Array(LIMBS + 1); // a twelfth limb, 0 but for passing carries
const y = new Float64Array(LIMBS + 1);
const lower = new Float64Array(LIMBS + 1);
const upper = new Float64Array(LIMBS + 1);
const columns = new Float64Array(2 * LIMBS + 2);
const matrix = new Float64Array(4);

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
  if (bytes.length === 33) return (prefix === 0x02 || prefix === 0x03) && computeCubePlus7(bytes, 1) && isSquare();
  return bytes.length === 65 && (prefix === 0x04 || prefix === 0x06 + ((bytes[64] ?? 0) & 1)) && isPoint(bytes);
}

/**
 * Tells whether bytes are an x-only public key, that is whether `lift_x` succeeds. Does not return the point.
 *
 * - `bytes`: any; a key is 32: x, big-endian and below p
 * @returns true if a point of secp256k1 has this x
 * @see BIP-340 "Specification"
 */
export function isValidXOnlyPublicKey(bytes: Uint8Array): boolean {
  return bytes.length === 32 && computeCubePlus7(bytes, 0) && isSquare();
}

/** SEC 1 uncompressed form: x < p, y < p, and y² = x³ + 7. */
function isPoint(bytes: Uint8Array): boolean {
  if (!computeCubePlus7(bytes, 1) || !load(bytes, 33, y)) return false;
  multiply(y, y);
  reduceInto(y);
  return y.every((limb, i) => limb === upper[i]);
}

/** Sets `upper` to x³ + 7 mod p for the x at `offset`; returns false if that x is not below p. */
function computeCubePlus7(bytes: Uint8Array, offset: number): boolean {
  if (!load(bytes, offset, x)) return false;
  multiply(x, x);
  reduceInto(upper);
  multiply(upper, x);
  addToColumn(0, 7);
  reduceInto(upper);
  return true;
}

/** Reads 32 big-endian bytes, three to a limb, two to the top limb. Returns true if the number is below p. */
function load(bytes: Uint8Array, offset: number, out: Float64Array): boolean {
  for (let i = 0, last = offset + 31; i <= TOP; i++, last -= 3) {
    out[i] = (bytes[last] ?? 0) | ((bytes[last - 1] ?? 0) << 8) | (i < TOP ? (bytes[last - 2] ?? 0) << 16 : 0);
  }
  return isBelowP(out);
}

function isBelowP(a: Float64Array): boolean {
  let i = TOP;
  while (i > 0 && limbAt(a, i) === limbAt(P, i)) i--;
  return limbAt(a, i) < limbAt(P, i);
}

function limbAt(limbs: Float64Array, i: number): number {
  return limbs[i] ?? 0;
}

function addToColumn(k: number, value: number): void {
  columns[k] = limbAt(columns, k) + value;
}

/** Leaves a·b in `columns`: column k is the sum of all a[i]·b[k - i], at most 11·2^48. Works in blocks of 3 by 3. */
function multiply(a: Float64Array, b: Float64Array): void {
  for (let k = 0; k < columns.length; k++) columns[k] = 0;
  for (let i = 0; i < LIMBS; i += 3) {
    const a0 = limbAt(a, i);
    const a1 = limbAt(a, i + 1);
    const a2 = limbAt(a, i + 2);
    for (let j = 0; j < LIMBS; j += 3) {
      const b0 = limbAt(b, j);
      const b1 = limbAt(b, j + 1);
      const b2 = limbAt(b, j + 2);
      addToColumn(i + j, a0 * b0);
      addToColumn(i + j + 1, a0 * b1 + a1 * b0);
      addToColumn(i + j + 2, a0 * b2 + a1 * b1 + a2 * b0);
      addToColumn(i + j + 3, a1 * b2 + a2 * b1);
      addToColumn(i + j + 4, a2 * b2);
    }
  }
}

/**
 * Reduces `columns` to 0..p-1. Column 11 + k weighs 2^264 times column k, and 2^264 = 2^8·2^256 = 2^40 + 977·2^8 mod p:
 * 977·2^8 in column k and 2^16 in column k + 1. A high column is first split in two, so that all sums stay below 2^53.
 */
function reduceInto(out: Float64Array): void {
  for (let k = TOP; k >= 0; k--) {
    const carry = Math.floor(limbAt(columns, LIMBS + k) * PER_BASE);
    const low = limbAt(columns, LIMBS + k) - carry * BASE;
    addToColumn(k, low * (977 * 2 ** 8));
    addToColumn(k + 1, low * 2 ** 16 + carry * (977 * 2 ** 8));
    addToColumn(k + 2, carry * 2 ** 16);
  }
  for (let k = 0; k < LIMBS; k++) out[k] = limbAt(columns, k);
  propagateCarries(out, 1);
  let times = limbAt(out, LIMBS) * 2 ** 8 + Math.floor(limbAt(out, TOP) * 2 ** -16);
  do {
    out[TOP] = limbAt(out, TOP) - times * 2 ** 16; // p = 2^256 - 2^8·2^24 - 977
    out[1] = limbAt(out, 1) + times * 2 ** 8;
    out[0] = limbAt(out, 0) + times * 977;
    propagateCarries(out, 1);
    times = 1;
  } while (!isBelowP(out));
}

/** Brings the limbs of a, or with `sign` -1 those of -a, back to 0..2^24-1; the twelfth takes the rest. */
function propagateCarries(a: Float64Array, sign: 1 | -1): void {
  let carry = 0;
  for (let i = 0; i < LIMBS; i++) {
    const sum = sign * limbAt(a, i) + carry;
    carry = Math.floor(sum * PER_BASE);
    a[i] = sum - carry * BASE;
  }
  a[LIMBS] = sign * limbAt(a, LIMBS) + carry;
}

/**
 * Tells whether the Jacobi symbol (upper/p) is 1, in rounds of 24 halvings of `upper`; random numbers take 15 to 17.
 * It ends: a round shrinks lower·upper by 2^24, as min·(max - min) < min·max, unless it compares wrongly. Windows start
 * from 2^29, off by under 2^7, so only numbers that close are compared wrongly; such a round still shrinks the product
 * by 2^22, or ends with both below 2^17, 12 bits shorter. As max <= product <= max², there are at most 21 rounds of the
 * last kind and at most (2·bits before - bits after)/22 others between two of them: under 192 in all.
 */
function isSquare(): boolean {
  for (let i = 0; i < LIMBS; i++) lower[i] = limbAt(P, i);
  let top = TOP;
  let flips = 0;
  for (let round = 0; round < 192; round++) {
    while (top > 1 && limbAt(lower, top) === 0 && limbAt(upper, top) === 0) top--;
    if (limbAt(lower, 0) === 1 && limbAt(lower, 1) === 0 && top === 1) return (flips & 2) === 0; // (g/1) = 1
    flips ^= halve24Times(top) ^ applyMatrix(top);
  }
  return false; // p divides upper
}

/**
 * Runs the binary GCD for 24 halvings of g on one word from either end: the low 32 bits of f and g, of which each
 * halving spoils the highest (8 remain, the rules read 3), and a 30-bit window on the tops, used only to tell which is
 * larger. A wrong comparison costs time, not correctness: from f, g >= 0 on, whether (f, g) becomes (f, g - f) or
 * (g, f - g), they are never both negative. Returns in bit 1 whether the symbol changes sign; other bits are noise.
 * Sets `matrix` to u, v, u', v' with 2^24·new f = u·f - v·g and 2^24·new g = v'·g - u'·f. An exchange flips all signs,
 * else sizes only add up and double: u + v <= 2^24. As u·f = v·g mod 2^24, v is enough to track.
 */
function halve24Times(top: number): number {
  const scale = (1 << (Math.clz32(limbAt(lower, top) | limbAt(upper, top)) - 2)) * PER_BASE;
  let fWindow = ((limbAt(lower, top) * BASE + limbAt(lower, top - 1)) * scale) | 0;
  let gWindow = ((limbAt(upper, top) * BASE + limbAt(upper, top - 1)) * scale) | 0;
  let f = (limbAt(lower, 0) + limbAt(lower, 1) * BASE) | 0;
  let g = (limbAt(upper, 0) + limbAt(upper, 1) * BASE) | 0;
  let inverse = f; // 1/f mod 2^24, by Newton: f·f = 1 mod 8 gives 3 bits, each step doubles them
  for (let bits = 3; bits < 24; bits *= 2) inverse = Math.imul(inverse, 2 - Math.imul(f, inverse));
  const ratio = Math.imul(g, inverse);
  let v = 0;
  let vNext = 1;
  let sign = 0;
  let flips = 0;
  let left = 24;
  let zeros = Math.clz32(g & -g) ^ 31; // trailing zeros; 63 if g = 0
  while (zeros < left) {
    left = (left - zeros) | 0;
    g >>= zeros;
    gWindow >>= zeros;
    v <<= zeros;
    const difference = (g - f) | 0;
    const windowDifference = (gWindow - fWindow) | 0;
    const exchange = windowDifference >> 31; // all ones or 0: a branch would be mispredicted half the time
    flips ^= ((f ^ (f >> 1)) & (zeros << 1)) ^ (f & g & exchange); // rules 2 (3 and 5: bits 1 and 2 differ) and 3
    zeros = Math.clz32(difference & -difference) ^ 31;
    sign ^= exchange;
    f = (f + (difference & exchange)) | 0;
    g = ((difference ^ exchange) - exchange) | 0; // rule 1
    fWindow = (fWindow + (windowDifference & exchange)) | 0;
    gWindow = ((windowDifference ^ exchange) - exchange) | 0;
    const vDifference = (vNext - v) & exchange;
    vNext = (vNext + v) | 0;
    v = (v + vDifference) | 0;
  }
  v <<= left;
  const unit = 1 + 2 * sign;
  matrix[0] = unit * (v === 0 ? BASE : Math.imul(v, ratio) & (BASE - 1));
  matrix[1] = unit * v;
  matrix[2] = unit * (Math.imul(vNext, ratio) & (BASE - 1));
  matrix[3] = unit * vNext;
  return flips ^ ((f ^ (f >> 1)) & (left << 1));
}

/** Applies `matrix` and divides by 2^24, one limb. As u + v <= 2^24, neither number outgrows the larger. */
function applyMatrix(top: number): number {
  const u = limbAt(matrix, 0);
  const v = limbAt(matrix, 1);
  const uNext = limbAt(matrix, 2);
  const vNext = limbAt(matrix, 3);
  let lowerCarry = (u * limbAt(lower, 0) - v * limbAt(upper, 0)) * PER_BASE; // exact
  let upperCarry = (vNext * limbAt(upper, 0) - uNext * limbAt(lower, 0)) * PER_BASE;
  for (let i = 1; i <= top; i++) {
    const f = limbAt(lower, i);
    const g = limbAt(upper, i);
    const lowerSum = u * f - v * g + lowerCarry;
    const upperSum = vNext * g - uNext * f + upperCarry;
    lowerCarry = Math.floor(lowerSum * PER_BASE);
    upperCarry = Math.floor(upperSum * PER_BASE);
    lower[i - 1] = lowerSum - lowerCarry * BASE;
    upper[i - 1] = upperSum - upperCarry * BASE;
  }
  lower[top] = lowerCarry;
  upper[top] = upperCarry;
  if (lowerCarry < 0) propagateCarries(lower, -1); // the symbol is over |f|
  if (upperCarry < 0) propagateCarries(upper, -1);
  return upperCarry < 0 ? limbAt(lower, 0) : 0; // rule 4
}
