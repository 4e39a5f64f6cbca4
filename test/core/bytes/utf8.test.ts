import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareUtf8, withoutUtf16 } from '../../../src/core/bytes/utf8.ts';

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

test('withoutUtf16 reads UTF-16 of either byte order, and leaves anything else as it is', () => {
  fc.assert(
    fc.property(withAnyCharacter, (text) => {
      const little = Buffer.from(`\ufeff${text}`, 'utf16le');
      for (const bytes of [little, Buffer.from(little).swap16()]) {
        expect(Buffer.from(withoutUtf16(bytes))).toEqual(Buffer.from(text));
      }
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      fc.pre(!(bytes.length % 2 === 0 && bytes[0] !== undefined && bytes[0] >= 0xfe));
      expect(withoutUtf16(bytes)).toBe(bytes);
    }),
  );
});
