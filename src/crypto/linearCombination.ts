import { Point } from '@noble/secp256k1';
import { addPoints, type Coordinates, doublePoint, INFINITY, multiplyByLambda } from './coordinates.ts';

const { n: ORDER } = /* @__PURE__ */ Point.CURVE();

/** A point and what it is multiplied with, from 0 to below the order. */
type Term = readonly [point: Coordinates, scalar: bigint];

/**
 * Computes the sum of points times public numbers: its time depends on the numbers. All terms share 128 doublings, as λ
 * halves the length of the scalars. The multiples of the generator are computed once.
 * @see Straus, "Addition chains of vectors"
 */
export function linearCombination(terms: readonly Term[]): Coordinates {
  const rows = terms.flatMap(rowsOf);
  let sum = INFINITY;
  for (let i = DIGITS - 1; i >= 0; i -= 1) {
    if (sum.Z !== 0n) sum = doublePoint(sum);
    for (const { digits, multiples } of rows) {
      const digit = digits[i] ?? 0;
      if (digit !== 0) sum = addPoints(sum, multipleIn(multiples, digit));
    }
  }
  return sum;
}

/** Half a scalar in digits, with the odd multiples of its point. */
interface Row {
  readonly digits: Int8Array;
  readonly multiples: readonly Coordinates[];
}

function rowsOf([point, scalar]: Term): readonly Row[] {
  const isGenerator = point === Point.BASE;
  const [own, image] = isGenerator ? multiplesOfGenerator() : multiplesOf(point, 5);
  const [first, second] = halvesOf(scalar);
  const width = isGenerator ? 8 : 5;
  return [
    { digits: digitsOf(first, width), multiples: own },
    { digits: digitsOf(second, width), multiples: image },
  ];
}

function multipleIn(multiples: readonly Coordinates[], digit: number): Coordinates {
  const { X, Y, Z } = multiples[(Math.abs(digit) - 1) / 2] ?? INFINITY;
  return { X, Y: digit < 0 ? -Y : Y, Z };
}

/** The multiples of a point that digits of `width` bits choose from, and those of λ times the point. */
type Multiples = readonly [own: readonly Coordinates[], image: readonly Coordinates[]];

function multiplesOf(point: Coordinates, width: number): Multiples {
  const twice = doublePoint(point);
  const odd = [point];
  while (odd.length < 2 ** (width - 2)) odd.push(addPoints(odd[odd.length - 1] ?? point, twice));
  return [odd, odd.map(multiplyByLambda)];
}

let generator: Multiples | undefined;
function multiplesOfGenerator(): Multiples {
  generator ??= multiplesOf(Point.BASE, 8);
  return generator;
}

/** Bits of a digit in products of the generator alone. */
const WIDTH = 8;

/** Computes a public number times the generator without doublings: each digit chooses among multiples of its place. */
export function multiplyGenerator(scalar: bigint): Coordinates {
  places ??= multiplesOfPlaces();
  const [first, second] = halvesOf(scalar);
  return addPoints(sumOfPlaces(first, places), multiplyByLambda(sumOfPlaces(second, places)));
}

let places: readonly (readonly Coordinates[])[] | undefined;

/** For each power of 2^WIDTH, that times the generator, times 1 to half of 2^WIDTH. */
function multiplesOfPlaces(): readonly (readonly Coordinates[])[] {
  const found: Coordinates[][] = [];
  for (let power: Coordinates = Point.BASE; found.length * WIDTH < DIGITS; ) {
    const multiples = [power];
    while (multiples.length < 2 ** (WIDTH - 1))
      multiples.push(addPoints(multiples[multiples.length - 1] ?? power, power));
    found.push(multiples);
    power = doublePoint(multiples[multiples.length - 1] ?? power);
  }
  return found;
}

function sumOfPlaces(half: bigint, multiplesOf: readonly (readonly Coordinates[])[]): Coordinates {
  let sum = INFINITY;
  let rest = half < 0n ? -half : half;
  for (let at = 0; rest !== 0n; at += 1) {
    const bits = Number(BigInt.asUintN(WIDTH, rest));
    const digit = bits <= 2 ** (WIDTH - 1) ? bits : bits - 2 ** WIDTH;
    const { X, Y, Z } = multiplesOf[at]?.[Math.abs(digit) - 1] ?? INFINITY;
    if (digit !== 0) sum = addPoints(sum, { X, Y: digit < 0 !== half < 0n ? -Y : Y, Z });
    rest = (rest - BigInt(digit)) >> BigInt(WIDTH);
  }
  return sum;
}

/** A short basis, (A1, -B1) and (A2, A1), of the pairs (x, y) with x + y·λ = 0 modulo the order. */
const A1 = 0x3086d221a7d46bcde86c90e49284eb15n;
const B1 = 0xe4437ed6010e88286f547fa90abfe4c3n;
const A2 = 0x114ca50f7a8e2f3f657c1108d9d44cfd8n;

/**
 * Splits a scalar into two numbers of 129 bits at most, of either sign: k = first + second·λ modulo the order.
 * @see Gallant, Lambert, Vanstone, section 4
 */
function halvesOf(k: bigint): readonly [bigint, bigint] {
  const c1 = (A1 * k + ORDER / 2n) / ORDER;
  const c2 = (B1 * k + ORDER / 2n) / ORDER;
  return [k - c1 * A1 - c2 * A2, c1 * B1 - c2 * A1];
}

/** Enough for 129 bits and a carry. */
const DIGITS = 140;

/**
 * The width-w non-adjacent form of a number, its least digit first: of w digits in a row, one at most is not zero, and
 * that one is odd. `width` is 8 at most.
 */
function digitsOf(k: bigint, width: number): Int8Array {
  const digits = new Int8Array(DIGITS);
  const sign = k < 0n ? -1 : 1;
  let rest = k < 0n ? -k : k;
  for (let at = 0; rest !== 0n; ) {
    const low = Number(BigInt.asUintN(30, rest));
    const zeros = low === 0 ? 30 : 31 - Math.clz32(low & -low);
    if (zeros === 0) {
      const bits = low & (2 ** width - 1);
      const digit = bits < 2 ** (width - 1) ? bits : bits - 2 ** width;
      digits[at] = sign * digit;
      rest -= BigInt(digit);
    }
    const step = zeros === 0 ? width : zeros;
    rest >>= BigInt(step);
    at += step;
  }
  return digits;
}
