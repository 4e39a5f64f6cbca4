import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findPattern } from '../../../src/core/keys/randomness.ts';
import { wordsFromEntropy } from '../../../src/core/keys/seedWords.ts';
import { rounds } from '../../support/campaign.ts';
import { seed } from '../../support/seed.ts';

const SIZES = [16, 20, 24, 28, 32];

const rolled = (values: readonly number[]): string | undefined => findPattern({ values, base: 6, unit: 'rolls' });

function isRefused(bytes: ArrayLike<number>): boolean {
  try {
    wordsFromEntropy(Uint8Array.from(bytes));
    return false;
  } catch {
    return true;
  }
}

const draws = (base: number, count: number): fc.Arbitrary<number[]> =>
  fc.noBias(fc.array(fc.nat({ max: base - 1 }), { minLength: count, maxLength: count }));

/** Numbers from 0 to below `base`, all alike, much faster than fast-check's. */
function* honest(base: number): Generator<number, never> {
  let state = seed >>> 0 || 1;
  for (;;) {
    // xorshift32; the upper bits are used.
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    yield Math.floor((state / 2 ** 32) * base);
  }
}

/** Repeats, counts, or both: each value is the one `period` before and a step. */
const periodic = (first: readonly number[], step: number, base: number, count: number): number[] => {
  const values = [...first];
  while (values.length < count) values.push(((values.at(-first.length) ?? 0) + step) % base);
  return values.slice(0, count);
};

describe('what honest draws practically never show', () => {
  test.each([50, 99, 100, 300])('is not found in %i rolls of a fair die', (count) => {
    const die = honest(6);
    for (let i = 0; i < rounds(32_000); i += 1) {
      expect(rolled(Array.from({ length: count }, () => die.next().value))).toBeUndefined();
    }
  });

  test.each(SIZES)('is not found in %i random bytes', (size) => {
    const source = honest(256);
    for (let i = 0; i < rounds(16_000); i += 1) {
      expect(isRefused(Array.from({ length: size }, () => source.next().value))).toBe(false);
    }
  });

  test('is not found in ten thousand rolls of a die that is not fair', () => {
    const source = honest(24);
    // One face comes with a chance of 1 in 4 instead of 1 in 6, others with 1 in 8.
    const faces = [
      0,
      0,
      0,
      0,
      0,
      0,
      ...[1, 2].flatMap((face) => Array(5).fill(face)),
      ...[3, 4].flatMap((face) => Array(3).fill(face)),
      5,
      5,
    ] as number[];
    expect(rolled(Array.from({ length: 10_000 }, () => faces[source.next().value] ?? 0))).toBeUndefined();
  });

  test.each([
    [6, 50],
    [6, 99],
    [16, 32],
    [16, 64],
    [256, 16],
    [256, 32],
  ])('is rarer than one in a million by exact sums: %i values, %i draws', (base, count) => {
    const leastRefused = Array.from({ length: count }, (_, i) => i + 1).find(
      (most) =>
        findPattern({ values: spread(most, base, count), base, unit: 'draws' })?.includes('are the same') === true,
    );
    const choices = Array.from({ length: base }, (_, i) => i + 1);
    const fewest = choices.filter((kinds) => {
      const values = Array.from({ length: count }, (_, i) => i % kinds);
      return findPattern({ values, base, unit: 'draws' })?.startsWith('only') === true;
    });
    const most = base * tail(leastRefused ?? 0, count, base);
    const few = chanceOfKinds(Math.max(0, ...fewest), count, base);
    expect(most).toBeGreaterThan(0);
    expect(most + few).toBeLessThan(2e-7);
    // Neither is so careful that it finds nothing.
    expect(most).toBeGreaterThan(1e-11);
  });

  test('is found in rolls of one face, with too much of one, and without one', () => {
    const die = honest(6);
    const fair = Array.from({ length: 99 }, () => die.next().value);
    for (let face = 0; face < 6; face += 1) {
      expect(rolled(Array(99).fill(face))).toBe('99 of 99 rolls are the same');
      expect(rolled(Array(50).fill(face))).toBe('50 of 50 rolls are the same');
      expect(rolled(fair.map((roll, i) => (i < 45 ? face : roll)))).toMatch(/^\d\d of 99 rolls are the same$/);
      const without = fair.map((roll) => (roll === face ? (face + 1 + (die.next().value % 5)) % 6 : roll));
      expect(rolled(without)).toBe('only 5 of 6 values occur in 99 rolls');
    }
  });

  test('is found in rolls that repeat or count, with any period up to half, and with mistakes', () => {
    const cases = fc.record({
      first: fc.integer({ min: 1, max: 49 }).chain((period) => draws(6, period)),
      step: fc.nat({ max: 5 }),
    });
    const mistakes = fc.array(fc.tuple(fc.nat({ max: 98 }), fc.nat({ max: 5 })), { maxLength: 3 });
    fc.assert(
      fc.property(cases, mistakes, ({ first, step }, wrong) => {
        const values = periodic(first, step, 6, 99);
        for (const [at, roll] of wrong) values[at] = roll;
        expect(rolled(values)).toBeDefined();
      }),
    );
  });

  test('is found in rolls in blocks: all ones, then all twos', () => {
    expect(rolled(Array.from({ length: 99 }, (_, i) => Math.floor(i / 17)))).toBe(
      '93 of 99 rolls follow from the one 1 before',
    );
  });

  test.each(SIZES)('is found in %i bytes that repeat or count, and in few values', (size) => {
    const kinds = fc.oneof(
      fc
        .tuple(fc.integer({ min: 1, max: size / 2 }), fc.nat({ max: 255 }))
        .chain(([period, step]) => draws(256, period).map((first) => periodic(first, step, 256, size))),
      // Digits: an odd period is not one of bytes.
      fc.integer({ min: 1, max: size }).chain((period) =>
        draws(16, period).map((first) => {
          const digits = periodic(first, 0, 16, 2 * size);
          return Array.from({ length: size }, (_, i) => 16 * (digits[2 * i] ?? 0) + (digits[2 * i + 1] ?? 0));
        }),
      ),
      fc
        .tuple(fc.nat({ max: 255 }), fc.nat({ max: 255 }), fc.nat({ max: size - 1 }))
        .map(([value, other, at]) => Array.from({ length: size }, (_, i) => (i === at ? other : value))),
      // Flips of a coin, typed as digits.
      draws(2, 2 * size).map((flips) =>
        Array.from({ length: size }, (_, i) => 16 * (flips[2 * i] ?? 0) + (flips[2 * i + 1] ?? 0)),
      ),
    );
    fc.assert(fc.property(kinds, isRefused));
  });
});

/** So many of the first value, at irregular places, and the others in turn. */
function spread(most: number, base: number, count: number): number[] {
  const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => ((a * 7919) % 101) - ((b * 7919) % 101));
  const values = new Array<number>(count).fill(0);
  for (const [i, at] of order.entries()) values[at] = i < most ? 0 : 1 + (i % (base - 1));
  return values;
}

const logChoices = (all: number, some: number): number => {
  let sum = 0;
  for (let i = 0; i < some; i += 1) sum += Math.log((all - i) / (i + 1));
  return sum;
};

/** The chance that a value comes at least so often. */
function tail(least: number, count: number, base: number): number {
  let sum = 0;
  for (let times = least; times <= count; times += 1) {
    sum += Math.exp(logChoices(count, times) - times * Math.log(base) + (count - times) * Math.log(1 - 1 / base));
  }
  return sum;
}

/** The chance that at most so many values come. By inclusion and exclusion, in whole numbers. */
function chanceOfKinds(most: number, count: number, base: number): number {
  const choose = (all: bigint, some: bigint): bigint => {
    let product = 1n;
    for (let i = 0n; i < some; i += 1n) product = (product * (all - i)) / (i + 1n);
    return product;
  };
  let sum = 0n;
  for (let kinds = 1n; kinds <= BigInt(most); kinds += 1n) {
    let onto = 0n;
    for (let left = 0n; left <= kinds; left += 1n) {
      onto += (left % 2n === 0n ? 1n : -1n) * choose(kinds, left) * (kinds - left) ** BigInt(count);
    }
    sum += choose(BigInt(base), kinds) * onto;
  }
  return Number((sum * 10n ** 18n) / BigInt(base) ** BigInt(count)) / 1e18;
}
