import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareUtf8 } from '../../src/bytes/utf8.ts';

const withAnyCharacter = fc.string({ unit: 'grapheme' });

test('compareUtf8 orders texts as their bytes', () => {
  fc.assert(
    fc.property(withAnyCharacter, withAnyCharacter, (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
  // By UTF-16 units, the first would come after the second.
  expect(compareUtf8('\uffff', '\u{10000}')).toBeLessThan(0);
  expect(compareUtf8('a', 'ab')).toBeLessThan(0);
  expect(compareUtf8('', '')).toBe(0);
});
