import { Point } from '@noble/secp256k1';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isValidPublicKey, isValidXOnlyPublicKey } from '../../src/crypto/publicKey.ts';
import { rounds } from '../support/campaign.ts';

const P = 2n ** 256n - 2n ** 32n - 977n;
const G_X = 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n;
const G_Y = 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n;
const ALL_ONES = 2n ** 256n - 1n;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % P;
  for (let e = exponent; e > 0n; e >>= 1n) {
    if (e & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

const rightSide = (x: bigint): bigint => (x * x * x + 7n) % P;
/** Euler's criterion: a^((p-1)/2) is 1 for squares, p-1 for the others. */
const isSquare = (a: bigint): boolean => power(a, (P - 1n) / 2n) === 1n;
const liftable = (x: bigint): boolean => x < P && isSquare(rightSide(x));
/** Returns the square root of a square: p = 3 mod 4, so it is a^((p+1)/4). */
const root = (a: bigint): bigint => power(a, (P + 1n) / 4n);

/** Encodes a hex prefix, followed by 32-byte numbers. */
function bytesOf(prefix: string, ...numbers: bigint[]): Uint8Array {
  const hex = prefix + numbers.map((n) => n.toString(16).padStart(64, '0')).join('');
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Tells whether the checks of the three encodings of an x all agree with Euler's criterion. */
function agreesWithEuler(x: bigint): boolean {
  const expected = liftable(x);
  return (
    isValidXOnlyPublicKey(bytesOf('', x)) === expected &&
    isValidPublicKey(bytesOf('02', x)) === expected &&
    isValidPublicKey(bytesOf('03', x)) === expected
  );
}

function nobleAccepts(bytes: Uint8Array): boolean {
  try {
    Point.fromBytes(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Numbers below 2^256 that cause long carries, zero limbs or many halvings. */
function structuredNumbers(): bigint[] {
  const numbers: bigint[] = [];
  for (let n = 0n; n < 400n; n++) numbers.push(n, P - 1n - n, 2n ** 256n - 1n - n, (P - 1n) / 2n - n, P / (n + 2n));
  for (let k = 0n; k < 256n; k++) {
    const power2 = 1n << k;
    numbers.push(power2 - 1n, power2, power2 + 1n, P - power2, P - power2 + 1n, P - power2 - 1n, ALL_ONES - power2);
    numbers.push(P >> k, (P >> k) << k, P & (power2 - 1n), ((P >> k) << k) ^ (power2 >> 1n), 3n * power2, 19n * power2);
  }
  for (let k = 0n; k < 240n; k += 24n) {
    for (const limb of [1n, 2n, 3n, 0x7fffffn, 0x800000n, 0xfffffen, 0xffffffn]) {
      numbers.push(limb << k, ALL_ONES ^ (limb << k), (limb << k) | 1n, (limb << 232n) | (limb << k));
    }
  }
  return numbers.map((n) => n & ALL_ONES);
}

const anyNumber = fc.bigInt({ min: 0n, max: ALL_ONES });
/** Eleven 24-bit limbs, mostly extreme. */
const sparseNumber = fc
  .array(fc.oneof(fc.constantFrom(0n, 0n, 1n, 0x800000n, 0xffffffn, 0xffffffn), fc.bigInt(0n, 0xffffffn)), {
    minLength: 11,
    maxLength: 11,
  })
  .map((limbs) => limbs.reduce((sum, limb) => (sum << 24n) | limb, 0n) & ALL_ONES);
/** A few runs of equal bits. */
const runsNumber = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 120 }), fc.boolean()), { minLength: 1, maxLength: 12 })
  .map((runs) =>
    runs.reduce((sum, [length, isSet]) => (sum << BigInt(length)) | (isSet ? (1n << BigInt(length)) - 1n : 0n), 0n),
  )
  .map((n) => n & ALL_ONES);
const hardNumber = fc.oneof(anyNumber, sparseNumber, runsNumber);

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

/** Returns the cube root of a, if it has one: p = 7 mod 9, so it is a^((p+2)/9). */
function cubeRoot(a: bigint): bigint | undefined {
  const candidate = power(a, (P + 2n) / 9n);
  return power(candidate, 3n) === a ? candidate : undefined;
}

describe('checks agree with Euler’s criterion for', () => {
  const numbers = structuredNumbers();

  test('structured x', () => {
    expect(numbers.length).toBeGreaterThan(5000);
    expect(numbers.filter((x) => !agreesWithEuler(x))).toEqual([]);
  });

  test('x chosen so that x³ + 7 is structured', () => {
    const xs = numbers.map((residue) => cubeRoot((residue + P - 7n) % P)).filter((x) => x !== undefined);
    expect(xs.length).toBeGreaterThan(1000);
    expect(xs.filter((x) => !agreesWithEuler(x))).toEqual([]);
  });

  test('x chosen so that x² is small mod p, just above p before the last reduction', () => {
    const xs = Array.from({ length: 1000 }, (_, n) => BigInt(n) * 4_000_037n).flatMap((a) => [root(a), P - root(a)]);
    expect(xs.filter((x) => !agreesWithEuler(x % P))).toEqual([]);
  });

  test('generated x, and x with a generated x³ + 7', () => {
    fc.assert(
      fc.property(hardNumber, (n) => {
        const x = cubeRoot((n + P - 7n) % P);
        return agreesWithEuler(n) && (x === undefined || agreesWithEuler(x));
      }),
      { numRuns: rounds(5000) },
    );
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
      { numRuns: rounds(2000) },
    );
  });
});

describe('checks agree with @noble/secp256k1 for', () => {
  const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });

  test('random compressed keys', () => {
    let valid = 0;
    const both = (x: Uint8Array, prefix: number): boolean => {
      const key = Uint8Array.of(prefix, ...x);
      if (isValidPublicKey(key)) valid++;
      return isValidPublicKey(key) === nobleAccepts(key) && isValidXOnlyPublicKey(x) === nobleAccepts(key);
    };
    fc.assert(fc.property(bytes32, fc.constantFrom(2, 3), both), { numRuns: rounds(5000) });
    expect(valid).toBeGreaterThan(rounds(2000));
    expect(valid).toBeLessThan(rounds(3000));
  });

  test('multiples of the generator, in every encoding, and with one byte changed', () => {
    const scalar = fc.bigInt({ min: 1n, max: 2n ** 250n });
    fc.assert(
      fc.property(scalar, fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 255 }), (k, at, change) => {
        const point = Point.BASE.multiply(k);
        const full = point.toBytes(false);
        const hybrid = Uint8Array.of(6 + (Number(point.y & 1n) & 1), ...full.subarray(1));
        const wrongHybrid = Uint8Array.of(7 - (Number(point.y & 1n) & 1), ...full.subarray(1));
        const damaged = full.map((byte, i) => (i === at ? byte ^ change : byte));
        expect(isValidPublicKey(point.toBytes(true))).toBe(true);
        expect(isValidXOnlyPublicKey(full.subarray(1, 33))).toBe(true);
        expect(isValidPublicKey(full)).toBe(true);
        expect(isValidPublicKey(hybrid)).toBe(true);
        expect(isValidPublicKey(wrongHybrid)).toBe(false);
        expect(isValidPublicKey(damaged)).toBe(nobleAccepts(damaged));
      }),
      { numRuns: rounds(1000) },
    );
  });
});

test('isValidPublicKey does not depend on earlier calls', () => {
  const keys = [bytesOf('02', G_X), bytesOf('02', 0n), bytesOf('04', G_X, G_Y), bytesOf('04', G_X, G_X)];
  const more = [bytesOf('03', P), bytesOf('03', P - 1n), bytesOf('02', 1n), bytesOf('06', G_X, P - G_Y)];
  const all = [...keys, ...more];
  const alone = all.map((key) => isValidPublicKey(key));
  expect(alone).toEqual([true, false, true, false, false, false, true, false]);
  for (const before of all) {
    for (const [i, key] of all.entries()) {
      isValidPublicKey(before);
      expect(isValidPublicKey(key)).toBe(alone[i]);
    }
  }
});
