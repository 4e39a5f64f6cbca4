import { etc, Point } from '@noble/secp256k1';
import { bytesKey, concatBytes } from '../bytes/compare.ts';
import type { Ecc } from './ecc.ts';
import { createPoints, type PointArithmetic } from './points.ts';

const [EVEN, ODD] = [0x02, 0x03];

/** Finds the point with an x and an even y. Throws for an x that no point has. */
export const liftX = (x: Uint8Array): Point => Point.fromBytes(concatBytes(Uint8Array.of(EVEN), x));

/**
 * Keeps recent points by x, with an even y: deriving children tweaks one key many times, scanning adds to one spend key, and
 * each x takes a square root.
 */
function keepPoints(size: number): { lift: (x: Uint8Array) => Point; keep: (point: Point) => Uint8Array } {
  const pointsByX = new Map<string, Point>();
  const add = (x: Uint8Array, point: Point): void => {
    if (pointsByX.size >= size) pointsByX.clear();
    pointsByX.set(bytesKey(x), point);
  };
  return {
    lift: (x) => {
      const kept = pointsByX.get(bytesKey(x));
      if (kept) return kept;
      const point = liftX(x);
      add(x, point);
      return point;
    },
    keep: (point) => {
      const affine = Point.fromAffine(point.toAffine());
      const bytes = affine.toBytes();
      add(bytes.subarray(1), bytes[0] === ODD ? affine.negate() : affine);
      return bytes;
    },
  };
}

/** Public points only. */
const points = /* @__PURE__ */ keepPoints(64);

/** Like `liftX`, without a square root for a recent point. */
export const liftKept = (x: Uint8Array): Point => points.lift(x);

/** Encodes a point in 33 bytes, and keeps it. */
export const keepPoint = (point: Point): Uint8Array => points.keep(point);

/** Decodes 33 bytes. */
function decodePoint(bytes: Uint8Array): Point {
  if (bytes[0] !== EVEN && bytes[0] !== ODD) return Point.fromBytes(bytes);
  const even = points.lift(bytes.subarray(1));
  return bytes[0] === ODD ? even.negate() : even;
}

/** The default arithmetic, in plain JavaScript. */
const noblePoints: PointArithmetic = /* @__PURE__ */ createPoints({
  multiply: (point, scalar) => Point.fromBytes(point).multiply(etc.bytesToNumberBE(scalar)).toBytes(),
  add: (summands) => {
    const sum = summands.reduce((total, point) => total.add(decodePoint(point)), Point.ZERO);
    return sum.is0() ? undefined : points.keep(sum);
  },
});

/**
 * Adds a point to each of many, with one inversion for all sums, which would take longer than the additions.
 * @returns a function of the point, 33 bytes, that gives the x of each sum, 32 bytes; `undefined` for infinity
 */
export function createSums(
  summands: readonly Uint8Array[],
): (point: Uint8Array) => readonly (Uint8Array | undefined)[] {
  const { p: field } = Point.CURVE();
  const decoded = summands.map((point) => Point.fromBytes(point));
  return (point) => {
    const added = decodePoint(point);
    const sums = decoded.map((each) => each.add(added));
    // Montgomery's trick: the inverse of the product of all Z, times those of the others.
    const before: bigint[] = [];
    let product = 1n;
    for (const { Z } of sums) {
      before.push(product);
      if (Z !== 0n) product = etc.mod(product * Z, field);
    }
    let inverse = etc.invert(product, field);
    const found: (Uint8Array | undefined)[] = [];
    for (const [i, { X, Z }] of [...sums.entries()].reverse()) {
      if (Z === 0n) continue;
      found[i] = etc.numberToBytesBE(etc.mod(X * etc.mod(inverse * (before[i] ?? 1n), field), field));
      inverse = etc.mod(inverse * Z, field);
    }
    return found;
  };
}

/** Returns the arithmetic of a backend, or else the default. */
export const pointsOf = ({ points: given = noblePoints }: Ecc): PointArithmetic => given;
