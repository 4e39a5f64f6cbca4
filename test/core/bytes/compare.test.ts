import { describe, expect, test } from 'vitest';
import { compareBytes, concatBytes, equalBytes } from '../../support/library.ts';

describe('byte strings', () => {
  const of = (...bytes: readonly number[]): Uint8Array => Uint8Array.from(bytes);
  test.each([
    [of(), of(), 0],
    [of(), of(0), -1],
    [of(1), of(1, 0), -1],
    [of(2), of(1, 255), 1],
    [of(0x7f), of(0x80), -1],
    [of(255), of(0), 1],
    [of(1, 2), of(1, 2), 0],
  ])('%s and %s compare as %i', (a, b, sign) => {
    expect(Math.sign(compareBytes(a, b))).toBe(sign);
    expect(Math.sign(compareBytes(b, a))).toBe(0 - sign);
    expect(equalBytes(a, b)).toBe(sign === 0);
  });

  test('are joined into a new array', () => {
    const part = of(1, 2);
    const joined = concatBytes(part, of(), of(3));
    part.fill(9);
    expect([...joined]).toEqual([1, 2, 3]);
    expect([...concatBytes()]).toEqual([]);
  });
});
