import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAmount } from '../../../src/core/encoding/amount.ts';
import {
  addressGroups,
  amountGroups,
  clockText,
  rangesText,
  thousands,
  visibleParts,
} from '../../../src/shell/page/format.ts';

describe('texts of the page', () => {
  test('a text with all that could hide in it', () => {
    const shown = (text: string) =>
      visibleParts(text)
        .map((part) => (part.isHidden ? `[${part.text}]` : part.text))
        .join('');
    expect(shown('pay\u202e me\u00a0now \n  then\r\n')).toBe('pay[U+202E] me[U+00A0]now[·]\n[··]then[U+000D]\n');
    expect(shown('a b\nשלום 👍')).toBe('a b\nשלום 👍');
    expect(shown('\u3164\u200b\t')).toBe('[U+3164][U+200B][U+0009]');
    expect(shown('')).toBe('');
  });

  test('an amount in groups', () => {
    expect(amountGroups(43_345_000n)).toEqual(['0.43', '345', '000']);
    expect(amountGroups(123_456_789_012_345n)).toEqual(['1', '234', '567.89', '012', '345']);
    expect(amountGroups(-1n)).toEqual(['-0.00', '000', '001']);
  });

  test('the groups of an amount give the amount', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n), (sats) => {
        expect(amountGroups(sats).join('')).toBe(formatAmount(sats));
        expect(thousands(String(sats)).join('')).toBe(String(sats));
      }),
    );
  });

  test('the groups of an address give the address', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-z]{0,90}$/), (address) => {
        expect(addressGroups(address).join('')).toBe(address);
        expect(addressGroups(address).every(({ length }) => length <= 4)).toBe(true);
      }),
    );
  });

  test('numbers in ranges, cut to the first few', () => {
    expect(rangesText([])).toBe('');
    expect(rangesText([1, 2, 3, 7, 9, 10])).toBe('1–3, 7, 9–10');
    expect(rangesText([1, 3, 5, 7], 2)).toBe('1, 3 …');
  });

  test('seconds as a clock', () => {
    expect([0, 9, 60, 599, 1800].map(clockText)).toEqual(['0:00', '0:09', '1:00', '9:59', '30:00']);
  });
});
