/**
 * Is this a point of secp256k1, y² = x³ + 7 over the integers mod p = 2^256 - 2^32 - 977?
 *
 * Knowing that some y exists takes no square root: a residue a is a square mod the prime p exactly when its Jacobi
 * symbol (a/p) is 1. That symbol falls out of the binary GCD of a and p by four rules. Write (g/f) for the symbol over
 * |f|, f odd, f and g never both negative; residues mod 4 and mod 8 below are those of the signed numbers:
 *
 * 1. (g/f) depends on g mod f only, so (g/f) = ((g - f)/f).
 * 2. (2g/f) = (2/f)(g/f), and (2/f) is -1 exactly when f is 3 or 5 mod 8.
 * 3. Reciprocity: for odd g, (g/f) and (f/g) differ in sign exactly when f and g are both 3 mod 4.
 * 4. (-g/f) = (-1/f)(g/f), and for positive f, (-1/f) is -1 exactly when f is 3 mod 4.
 *
 * The residue 0 cannot occur: y = 0 would be a point of order two, and the group order is an odd prime. Time depends
 * on the input, which is public by name.
 */

/** Numbers are little-endian arrays of 24-bit limbs: sums of eleven limb products stay exact below 2^53. */
const LIMBS = 11;
const LIMB_BITS = 24;
const BASE = 2 ** LIMB_BITS;
const PER_BASE = 2 ** -LIMB_BITS;
/** Limb 10 starts at bit 240, so bit 256 of a number is bit 16 of that limb. */
const TOP_LIMB = LIMBS - 1;
const TOP_BASE = 2 ** 16;

/** More rounds than any input needs, see `isSquare`; random ones take 15 to 17. */
const MAX_ROUNDS = 192;

const P = Float64Array.of(
  0xfffc2f, 0xfffeff, 0xffffff, 0xffffff, 0xffffff, 0xffffff, 0xffffff, 0xffffff, 0xffffff, 0xffffff, 0xffff,
);

// Scratch, written before it is read in every call, and no call runs inside another. Allocating it per call would
// double the time of a check. The limb above the eleventh stays 0 and completes the blocks of four in `multiply`.
const x = new Float64Array(LIMBS + 1);
const y = new Float64Array(LIMBS + 1);
const cubePlus7 = new Float64Array(LIMBS + 1);
const columns = new Float64Array(2 * LIMBS + 2);
// The two numbers of the GCD: limbs at 1..11; index 0 stays 0, the limb below the lowest.
const lower = new Float64Array(LIMBS + 1);
const upper = new Float64Array(LIMBS + 1);
const matrix = new Float64Array(4);

/**
 * Tells whether bytes are a public key that the node accepts as fully valid (`CPubKey::IsFullyValid`).
 *
 * - `bytes`: any bytes; only 33 (02 or 03, then x) or 65 (04, 06 or 07, then x and y) can be a key, coordinates
 *   big-endian and below p; 06 and 07 are the hybrid form and also state the parity of y
 *
 * Does not apply policy: hybrid keys pass, as they do in consensus. Does not return the point.
 * @returns true if the bytes encode a point of secp256k1
 * @see SEC 1 section 2.3.4
 */
export function isValidPublicKey(bytes: Uint8Array): boolean {
  const prefix = bytes[0];
  if (bytes.length === 33) return (prefix === 0x02 || prefix === 0x03) && hasPointAt(bytes, 1);
  if (bytes.length !== 65) return false;
  const hybridPrefix = 0x06 + (byteAt(bytes, 64) & 1);
  return (prefix === 0x04 || prefix === hybridPrefix) && isPoint(bytes);
}

/**
 * Tells whether bytes are an x-only public key, that is whether BIP-340 `lift_x` succeeds.
 *
 * - `bytes`: any bytes; only 32 can be a key: x, big-endian and below p
 *
 * Does not return the point.
 * @returns true if x is the coordinate of a point of secp256k1
 * @see BIP-340 "Specification", `lift_x`
 */
export function isValidXOnlyPublicKey(bytes: Uint8Array): boolean {
  return bytes.length === 32 && hasPointAt(bytes, 0);
}

/** SEC 1 compressed form: x < p, and x³ + 7 is a square. */
function hasPointAt(bytes: Uint8Array, offset: number): boolean {
  load(bytes, offset, x);
  if (!isBelowP(x)) return false;
  computeCubePlus7();
  return isSquare(cubePlus7);
}

/** SEC 1 uncompressed form: x < p, y < p, and y² = x³ + 7. */
function isPoint(bytes: Uint8Array): boolean {
  load(bytes, 1, x);
  load(bytes, 33, y);
  if (!isBelowP(x) || !isBelowP(y)) return false;
  computeCubePlus7();
  multiply(y, y);
  reduce(y);
  return y.every((limb, i) => limb === cubePlus7[i]);
}

function byteAt(bytes: Uint8Array, i: number): number {
  return bytes[i] ?? 0;
}

function limbAt(limbs: Float64Array, i: number): number {
  return limbs[i] ?? 0;
}

/** Reads the 32 big-endian bytes at `offset`, three to a limb, two to the top limb. */
function load(bytes: Uint8Array, offset: number, out: Float64Array): void {
  let last = offset + 31;
  for (let i = 0; i < TOP_LIMB; i++, last -= 3) {
    out[i] = byteAt(bytes, last) | (byteAt(bytes, last - 1) << 8) | (byteAt(bytes, last - 2) << 16);
  }
  out[TOP_LIMB] = byteAt(bytes, last) | (byteAt(bytes, last - 1) << 8);
}

function isBelowP(a: Float64Array): boolean {
  for (let i = TOP_LIMB; i >= 0; i--) {
    if (limbAt(a, i) !== limbAt(P, i)) return limbAt(a, i) < limbAt(P, i);
  }
  return false;
}

function computeCubePlus7(): void {
  multiply(x, x);
  reduce(cubePlus7);
  multiply(cubePlus7, x);
  addToColumn(0, 7);
  reduce(cubePlus7);
}

function addToColumn(k: number, value: number): void {
  columns[k] = limbAt(columns, k) + value;
}

/** Leaves a·b in `columns`: column k is the sum of all a[i]·b[k - i], at most 11·2^48. Blocks of four limbs by four. */
function multiply(a: Float64Array, b: Float64Array): void {
  for (let k = 0; k < columns.length; k++) columns[k] = 0;
  for (let i = 0; i < LIMBS; i += 4) {
    const a0 = limbAt(a, i);
    const a1 = limbAt(a, i + 1);
    const a2 = limbAt(a, i + 2);
    const a3 = limbAt(a, i + 3);
    for (let j = 0; j < LIMBS; j += 4) {
      const b0 = limbAt(b, j);
      const b1 = limbAt(b, j + 1);
      const b2 = limbAt(b, j + 2);
      const b3 = limbAt(b, j + 3);
      addToColumn(i + j, a0 * b0);
      addToColumn(i + j + 1, a0 * b1 + a1 * b0);
      addToColumn(i + j + 2, a0 * b2 + a1 * b1 + a2 * b0);
      addToColumn(i + j + 3, a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0);
      addToColumn(i + j + 4, a1 * b3 + a2 * b2 + a3 * b1);
      addToColumn(i + j + 5, a2 * b3 + a3 * b2);
      addToColumn(i + j + 6, a3 * b3);
    }
  }
}

/**
 * Reduces `columns` to 0..p-1. Column 11 + k weighs 2^264 times column k, and 2^264 = 2^8·2^256 is 2^40 + 977·2^8 mod
 * p: 977·2^8 in limb k and 2^16 in limb k + 1. High columns are first cut to 28 bits so that all sums stay below 2^53.
 */
function reduce(out: Float64Array): void {
  let carry = 0;
  let highCarry = 0;
  let highBelow = 0;
  for (let k = 0; k < LIMBS; k++) {
    const column = limbAt(columns, LIMBS + k);
    const nextHighCarry = Math.floor(column * PER_BASE);
    const high = column - nextHighCarry * BASE + highCarry;
    const sum = limbAt(columns, k) + high * (977 * 2 ** 8) + highBelow * 2 ** 16 + carry;
    carry = Math.floor(sum * PER_BASE);
    out[k] = sum - carry * BASE;
    highCarry = nextHighCarry;
    highBelow = high;
  }
  // What is left weighs 2^264: put it on the top limb, then take away all multiples of 2^256 at once.
  out[TOP_LIMB] = limbAt(out, TOP_LIMB) + (carry + highBelow * 2 ** 16) * BASE;
  subtractP(out, Math.floor(limbAt(out, TOP_LIMB) / TOP_BASE));
  if (!isBelowP(out)) subtractP(out, 1);
}

/** Subtracts times·p, that is times·2^256, and adds times·(2^8·2^24 + 977). */
function subtractP(a: Float64Array, times: number): void {
  a[TOP_LIMB] = limbAt(a, TOP_LIMB) - times * TOP_BASE;
  a[1] = limbAt(a, 1) + times * 2 ** 8;
  let carry = times * 977;
  for (let k = 0; k < LIMBS; k++) {
    const sum = limbAt(a, k) + carry;
    carry = Math.floor(sum * PER_BASE);
    a[k] = sum - carry * BASE;
  }
}

/**
 * Tells whether the Jacobi symbol (a/p) is 1, for 0 <= a < 2^256. Each round halves `upper` 24 times.
 *
 * It ends: were every comparison in a round right, lower·upper would shrink by 2^24, since min·(max - min) < min·max.
 * Windows are off by less than 2^7 of their units and start from 2^29, so a comparison can only be wrong between
 * numbers that close; their difference then is that small, and either the product still shrinks by 2^22 or both numbers
 * end the round below 2^17 units, losing 12 bits. As max <= product <= max² there are at most 21 rounds of the second
 * kind with at most (2·bits before - bits after)/22 of the first between two of them: under 192 in all.
 */
function isSquare(a: Float64Array): boolean {
  for (let i = 0; i < LIMBS; i++) {
    lower[i + 1] = limbAt(P, i);
    upper[i + 1] = limbAt(a, i);
  }
  let top = LIMBS;
  let flips = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    while (top > 1 && limbAt(lower, top) === 0 && limbAt(upper, top) === 0) top--;
    // (g/1) = 1; and upper = 0 leaves the GCD in lower, which is 1 unless a = 0.
    if (top === 1 && (limbAt(lower, 1) === 1 || limbAt(upper, 1) === 0)) {
      return limbAt(lower, 1) === 1 && (flips & 2) === 0;
    }
    flips ^= halve24Times(top);
    flips ^= applyMatrix(top);
  }
  return false;
}

/**
 * Runs the binary GCD for 24 halvings of g on one machine word from either end: the low 32 bits of f and g, of which
 * each halving spoils the highest (8 remain; the rules read 3), and a 30-bit window on their top limbs, which only
 * decides which is larger. A wrong decision costs progress, not truth: f and g start non-negative, and whether (f, g)
 * becomes (f, g - f) or (g, f - g), they are never both negative, as rule 3 demands.
 *
 * Leaves in `matrix` the u, v, u', v' with 2^24·new f = u·f - v·g and 2^24·new g = v'·g - u'·f. Their sizes only add up
 * and double (the signs flip with each exchange), so u + v <= 2^24; as u·f = v·g mod 2^24, u follows from v.
 * @returns the sign changes of the symbol in bit 1; other bits are noise
 */
function halve24Times(top: number): number {
  const scale = (1 << (Math.clz32(limbAt(lower, top) | limbAt(upper, top)) - 2)) * PER_BASE;
  let fWindow = ((limbAt(lower, top) * BASE + limbAt(lower, top - 1)) * scale) | 0;
  let gWindow = ((limbAt(upper, top) * BASE + limbAt(upper, top - 1)) * scale) | 0;
  let f = (limbAt(lower, 1) + limbAt(lower, 2) * BASE) | 0;
  let g = (limbAt(upper, 1) + limbAt(upper, 2) * BASE) | 0;
  const ratio = Math.imul(g, inverse24(f));
  let v = 0;
  let vNext = 1;
  let sign = 0;
  let flips = 0;
  let left = LIMB_BITS;
  let zeros = trailingZeros(g);
  while (zeros < left) {
    left = (left - zeros) | 0;
    g >>= zeros;
    gWindow >>= zeros;
    v <<= zeros;
    flips ^= (f ^ (f >> 1)) & (zeros << 1); // rule 2: bits 1 and 2 of f differ for 3 and 5
    const difference = (g - f) | 0;
    const windowDifference = (gWindow - fWindow) | 0;
    const exchange = windowDifference >> 31; // all ones to exchange f and g, else 0; a branch would be mispredicted
    zeros = trailingZeros(difference);
    flips ^= f & g & exchange; // rule 3: bit 1 of both
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

/** The number of zero bits below the lowest one bit; 63 for 0. */
function trailingZeros(n: number): number {
  return Math.clz32(n & -n) ^ 31;
}

/** 1/f mod 2^24 for odd f, by Newton: f·f = 1 mod 8 gives 3 bits, and each step doubles them. */
function inverse24(f: number): number {
  let inverse = f;
  for (let bits = 3; bits < LIMB_BITS; bits *= 2) inverse = Math.imul(inverse, 2 - Math.imul(f, inverse));
  return inverse;
}

/**
 * Applies `matrix` to `lower` and `upper` and divides by 2^24, one limb. As u + v <= 2^24, neither outgrows the larger.
 * @returns the sign change of the symbol in bit 1; other bits are noise
 */
function applyMatrix(top: number): number {
  const u = limbAt(matrix, 0);
  const v = limbAt(matrix, 1);
  const uNext = limbAt(matrix, 2);
  const vNext = limbAt(matrix, 3);
  let lowerCarry = (u * limbAt(lower, 1) - v * limbAt(upper, 1)) * PER_BASE; // exact: the low limb of the sum is 0
  let upperCarry = (vNext * limbAt(upper, 1) - uNext * limbAt(lower, 1)) * PER_BASE;
  for (let i = 2; i <= top; i++) {
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
  if (lowerCarry < 0) negate(lower, top); // the symbol is over |f|
  if (upperCarry >= 0) return 0;
  negate(upper, top);
  return limbAt(lower, 1); // rule 4
}

/** Makes a number whose top limb is negative positive. */
function negate(a: Float64Array, top: number): void {
  let borrow = 0;
  for (let i = 1; i <= top; i++) {
    const sum = borrow - limbAt(a, i);
    borrow = Math.floor(sum * PER_BASE);
    a[i] = sum - borrow * BASE;
  }
}
