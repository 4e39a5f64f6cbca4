import { etc, Point } from '@noble/secp256k1';
import type { Ecc } from './ecc.ts';
import { createPoints, type PointArithmetic } from './points.ts';

/** The default arithmetic, in plain JavaScript. */
const noblePoints: PointArithmetic = /* @__PURE__ */ createPoints({
  multiply: (point, scalar) => Point.fromBytes(point).multiply(etc.bytesToNumberBE(scalar)).toBytes(),
  add: (points) => {
    const sum = points.reduce((total, point) => total.add(Point.fromBytes(point)), Point.ZERO);
    return sum.is0() ? undefined : sum.toBytes();
  },
});

/** Returns the arithmetic of a backend, or else the default. */
export const pointsOf = ({ points = noblePoints }: Ecc): PointArithmetic => points;
