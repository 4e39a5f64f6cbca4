import { BtcError, type ErrorData } from '../errors.ts';
import { isSecretKey } from './scalar.ts';

/** Computes with points of 33 bytes, for silent payments. All backends give the same results. */
export interface PointArithmetic {
  /**
   * Multiplies a point by a scalar, which may be secret.
   * @returns `undefined` if the bytes are not a point, or the scalar is 0 or not below the order
   */
  readonly multiply: (point: Uint8Array, scalar: Uint8Array) => Uint8Array | undefined;
  /** Adds points. @returns `undefined` if one of them is not a point, or the sum is infinity */
  readonly add: (points: readonly Uint8Array[]) => Uint8Array | undefined;
}

const isCompressed = (point: Uint8Array): boolean => point.length === 33;

/** Makes the arithmetic of a backend whose functions may throw for infinity and for bytes that are not a point. */
export const createPoints = ({ multiply, add }: PointArithmetic): PointArithmetic => ({
  multiply: (point, scalar) =>
    isCompressed(point) && isSecretKey(scalar) ? unlessThrown(() => multiply(point, scalar)) : undefined,
  add: (points) => (points.length > 0 && points.every(isCompressed) ? unlessThrown(() => add(points)) : undefined),
});

/** Returns `undefined` where a library throws. */
export function unlessThrown<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}

/** @throws `ecc/point` */
export function pointOr(what: ErrorData['ecc/point']['what'], point: Uint8Array | undefined): Uint8Array {
  if (point) return point;
  throw new BtcError('ecc/point', { what }, `The ${what} is not a point of the curve`);
}
