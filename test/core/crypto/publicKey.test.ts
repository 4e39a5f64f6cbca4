import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isValidPublicKey, isValidXOnlyPublicKey } from '../../../src/core/crypto/publicKey.ts';
import { campaign } from '../../support/campaign.ts';
import { ALL_ONES, bytesOf, cubeRoot, hardNumber, liftable, P, power, rightSide, root } from '../../support/field.ts';

const G_X = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n;
const G_Y = 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n;

describe('lengths and prefixes', () => {
  test('only 33 or 65 bytes can be a key, only 32 an x-only key', () => {
    const long = bytesOf('02', G_X, G_Y, G_X);
    for (let length = 0; length <= long.length; length++) {
      expect(isValidPublicKey(long.subarray(0, length)), `${length} bytes`).toBe(length === 33);
      expect(isValidXOnlyPublicKey(long.subarray(1, 1 + length)), `${length} bytes`).toBe(length === 32);
    }
  });

  test('33 bytes need the prefix 02 or 03; 65 bytes 04, or 06 for the even y of the generator', () => {
    for (let prefix = 0; prefix < 256; prefix++) {
      const hex = prefix.toString(16).padStart(2, '0');
      expect(isValidPublicKey(bytesOf(hex, G_X)), hex).toBe(prefix === 2 || prefix === 3);
      expect(isValidPublicKey(bytesOf(hex, G_X, G_Y)), hex).toBe(prefix === 4 || prefix === 6);
      expect(isValidPublicKey(bytesOf(hex, G_X, P - G_Y)), hex).toBe(prefix === 4 || prefix === 7);
    }
  });

  test('a view into a larger buffer is read at its own offset and left unchanged', () => {
    const buffer = bytesOf('ffff02', G_X, G_X);
    const before = Uint8Array.from(buffer);
    expect(isValidPublicKey(buffer.subarray(2, 35))).toBe(true);
    expect(isValidXOnlyPublicKey(buffer.subarray(3, 35))).toBe(true);
    expect(buffer).toEqual(before);
  });
});

describe('edge coordinates', () => {
  // BIP-340 test vectors 5, x not on the curve, and 14, x = p + 1.
  test.each([
    ['0', 0n, false], // 7 is not a square
    ['1', 1n, true],
    ['5', 5n, false],
    ['p - 1', P - 1n, false], // 6 is not a square: 2 is, 3 is not
    ['p', P, false],
    ['p + 1', P + 1n, false], // 1 mod p would be a point
    ['2^256 - 1', ALL_ONES, false],
    ['BIP-340 vector 5', 0xeefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34n, false],
    ['BIP-340 vector 14', 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30n, false],
  ])('x = %s is checked right', (_, x, expected) => {
    expect(isValidXOnlyPublicKey(bytesOf('', x))).toBe(expected);
    expect(isValidPublicKey(bytesOf('02', x))).toBe(expected);
    expect(isValidPublicKey(bytesOf('03', x))).toBe(expected);
    expect(liftable(x)).toBe(expected);
  });

  test('x and y that satisfy the equation only after reduction mod p are refused', () => {
    const y1 = root(8n);
    expect(isValidPublicKey(bytesOf('04', 1n, y1))).toBe(true);
    expect(isValidPublicKey(bytesOf('04', P + 1n, y1))).toBe(false);
    // a point with a small y, so that y + p still fits in 32 bytes
    const x = [1n, 2n, 3n, 4n].map((y) => cubeRoot((y * y + P - 7n) % P)).find((r) => r !== undefined);
    const y = [1n, 2n, 3n, 4n].find((n) => x !== undefined && (n * n) % P === rightSide(x));
    if (x === undefined || y === undefined) throw new Error('no point with a small y');
    expect(isValidPublicKey(bytesOf('04', x, y))).toBe(true);
    expect(isValidPublicKey(bytesOf('04', x, y + P))).toBe(false);
    expect(isValidPublicKey(bytesOf('04', x, P - y))).toBe(true);
  });

  test('x and y whose y² and x³ + 7 differ in any one bit are refused', () => {
    let cubes = 0;
    for (let bit = 0n; bit < 255n; bit++) {
      for (const y of [G_X, G_Y, P - G_X, G_X ^ G_Y].map((n) => power(n, bit + 1n))) {
        const x = cubeRoot((y * y + 2n * P - (1n << bit) - 7n) % P);
        if (x === undefined) continue;
        cubes++;
        expect(isValidPublicKey(bytesOf('04', x, y)), `bit ${bit}`).toBe(false);
      }
    }
    expect(cubes).toBeGreaterThan(200);
  });

  test('no x has x³ = -7, so the residue 0 cannot occur', () => {
    expect(power(P - 7n, (P - 1n) / 3n)).not.toBe(1n);
  });
});

test('points with a generated x and a y that is right, off by one bit, or unrelated', () => {
  const bit = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(hardNumber, hardNumber, bit, fc.constantFrom(4, 6, 7), (x, other, flip, prefix) => {
      const right = root(rightSide(x));
      for (const y of [right, (P - right) % P, right ^ (1n << BigInt(flip)), other]) {
        const onCurve = x < P && y < P && (y * y) % P === rightSide(x);
        const expected = onCurve && (prefix === 4 || BigInt(prefix & 1) === (y & 1n));
        if (isValidPublicKey(bytesOf(`0${prefix}`, x, y)) !== expected) return false;
      }
      return true;
    }),
    campaign(2000),
  );
});
