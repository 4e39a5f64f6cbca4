import { describe, expect, test } from 'vitest';
import { toJsonValue } from '../../../src/answers/json/jsonValue.ts';
import { stringifyJsonValue } from '../../../src/answers/json/stringify.ts';

describe('conversion of JavaScript values', () => {
  test.each([
    [undefined, 'null'],
    [null, 'null'],
    [-0, '0'],
    [1.5, '1.5'],
    [2n ** 64n, '184467440737.09551616'],
    [[undefined, 1], '[null,1]'],
    [{ a: undefined, b: [] }, '{"b":[]}'],
  ])('turns %s into %s', (value, text) => {
    expect(stringifyJsonValue(toJsonValue(value))).toBe(text);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, () => 1, Symbol('x')])('refuses %s', (value) => {
    expect(() => toJsonValue(value)).toThrow('must be something that JSON can express');
    expect(() => toJsonValue([{ a: value }])).toThrow('must be something that JSON can express');
  });
});
