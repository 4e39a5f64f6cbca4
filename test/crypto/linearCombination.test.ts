import { Point } from '@noble/secp256k1';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pointOf, readPoint } from '../../src/crypto/coordinates.ts';
import { linearCombination, multiplyGenerator } from '../../src/crypto/linearCombination.ts';

const { n: ORDER } = Point.CURVE();
/** A cube root of one modulo the order: what the endomorphism multiplies with. */
const LAMBDA = 0x5363ad4cc05c30e0a5261c028812645a122e22ea20816678df02967c1b23bd72n;

const edges = [0n, 1n, 2n, 31n, 32n, 33n, 2n ** 127n, 2n ** 128n, 2n ** 129n - 1n, ORDER / 2n, LAMBDA, LAMBDA * LAMBDA];
/** Mostly random, often beside a number at which digits, halves or signs change. */
const anyScalar = fc.oneof(
  fc.bigInt({ min: 0n, max: ORDER - 1n }),
  fc
    .tuple(fc.constantFrom(...edges), fc.bigInt({ min: -2n, max: 2n }), fc.boolean())
    .map(([edge, offset, isNegative]) => (((isNegative ? -1n : 1n) * edge + offset) % ORDER) + ORDER)
    .map((scalar) => scalar % ORDER),
);
const times = (scalar: bigint, point = Point.BASE): Point => point.multiplyUnsafe(scalar);
/** Points that meet the generator, each other and infinity in the sums, as well as others. */
const anyPoint = fc.oneof(
  fc.constantFrom(Point.BASE, Point.BASE.negate(), Point.BASE.double(), Point.ZERO, times(LAMBDA)),
  anyScalar.map((scalar) => times(scalar)),
);

test('sums of products are those of the library', () => {
  const terms = fc.array(fc.tuple(anyPoint, anyScalar), { maxLength: 4 });
  fc.assert(
    fc.property(terms, (given) => {
      const expected = given.reduce((sum, [point, scalar]) => sum.add(times(scalar, point)), Point.ZERO);
      expect(pointOf(linearCombination(given)).equals(expected)).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test('multiples of the generator are those of the library', () => {
  fc.assert(
    fc.property(anyScalar, (scalar) => {
      expect(pointOf(multiplyGenerator(scalar)).equals(times(scalar))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('keys are read as the library reads them', () => {
  fc.assert(
    fc.property(anyScalar, fc.boolean(), (scalar, isCompressed) => {
      fc.pre(scalar !== 0n);
      const bytes = times(scalar).toBytes(isCompressed);
      expect(readPoint(bytes).toBytes(isCompressed)).toEqual(bytes);
      expect(readPoint(bytes).toAffine()).toEqual(Point.fromBytes(bytes).toAffine());
    }),
    { numRuns: 100 },
  );
});
