import { Point } from '@noble/secp256k1';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isValidPublicKey, isValidXOnlyPublicKey } from '../../src/core/crypto/publicKey.ts';
import { campaign, rounds } from '../support/campaign.ts';
import { ALL_ONES, bytesOf, cubeRoot, hardNumber, liftable, P } from '../support/field.ts';

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

  test('generated x, and x with a generated x³ + 7', () => {
    fc.assert(
      fc.property(hardNumber, (n) => {
        const x = cubeRoot((n + P - 7n) % P);
        return agreesWithEuler(n) && (x === undefined || agreesWithEuler(x));
      }),
      campaign(5000),
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
    fc.assert(fc.property(bytes32, fc.constantFrom(2, 3), both), campaign(100_000));
    expect(valid).toBeGreaterThan(rounds(45_000));
    expect(valid).toBeLessThan(rounds(55_000));
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
      campaign(1000),
    );
  });
});
