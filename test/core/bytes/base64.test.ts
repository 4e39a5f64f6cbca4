import { describe, expect, test } from 'vitest';
import { formatBase64, formatHex, parseBase64, parseHex } from '../../support/library.ts';
import { expectRefusal } from '../../support/refusal.ts';

describe('base64', () => {
  test.each([
    ['', ''],
    ['66', 'Zg=='],
    ['666f', 'Zm8='],
    ['666f6f', 'Zm9v'],
    ['666f6f62', 'Zm9vYg=='],
    ['666f6f6261', 'Zm9vYmE='],
    ['666f6f626172', 'Zm9vYmFy'],
    ['00', 'AA=='],
    ['ffff', '//8='],
    ['fbefbe', '++++'],
  ])('of %s is %s (RFC 4648 section 10 and others)', (hex, text) => {
    expect(formatBase64(parseHex(hex))).toBe(text);
    expect(formatHex(parseBase64(text))).toBe(hex);
  });

  test.each([
    ['Z', 1, 'length'],
    ['Zg', 2, 'length'],
    ['Zg=', 3, 'length'],
    ['Zm9vY', 5, 'length'],
    ['Zg==\n', 5, 'length'],
    ['Zh==', 0, 'padding-bits'],
    ['Zv==', 0, 'padding-bits'],
    ['Zm9=', 0, 'padding-bits'],
    ['Zm9vZh==', 4, 'padding-bits'],
    ['====', 0, 'character'],
    ['Z===', 1, 'character'],
    ['=AAA', 0, 'character'],
    ['A=AA', 1, 'character'],
    ['AA=A', 2, 'character'],
    ['Zg==Zg==', 2, 'character'],
    ['Zm8=Zm9v', 3, 'character'],
    ['AAA-', 3, 'character'],
    ['AAA_', 3, 'character'],
    ['AA A', 2, 'character'],
    ['AA\nA', 2, 'character'],
    ['AAA\u0000', 3, 'character'],
    ['AAA\u00c1', 3, 'character'],
    ['AAA\u0141', 3, 'character'],
    ['AAAA\uff21AAA', 4, 'character'],
    ['!A==', 0, 'character'],
    ['A!==', 1, 'character'],
    ['AA!=', 2, 'character'],
  ])('refuses %j at offset %i for its %s', (text, offset, reason) => {
    expectRefusal(() => parseBase64(text), 'base64/invalid', { offset, reason });
  });
});
