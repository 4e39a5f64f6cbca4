import { describe, expect, test } from 'vitest';
import {
  compareBytes,
  concatBytes,
  equalBytes,
  formatBase64,
  formatHex,
  formatReversedHex,
  isHex,
  parseBase64,
  parseHex,
} from '../support/library.ts';
import { expectRefusal } from '../support/refusal.ts';

describe('hex', () => {
  test.each([
    ['', []],
    ['00', [0]],
    ['ff', [255]],
    ['FF', [255]],
    ['aBcD', [0xab, 0xcd]],
    ['0009', [0, 9]],
  ])('parses %j to %j', (text, bytes) => {
    expect([...parseHex(text)]).toEqual(bytes);
    expect(formatHex(Uint8Array.from(bytes))).toBe(text.toLowerCase());
    expect(isHex(text)).toBe(text !== '');
  });

  test.each([
    ['0', 1, 'odd-length'],
    ['000', 3, 'odd-length'],
    ['0g', 1, 'character'],
    ['g0', 0, 'character'],
    ['00 0', 2, 'character'],
    [' 0', 0, 'character'],
    ['0x', 1, 'character'],
    ['00\n0', 2, 'character'],
    ['@0', 0, 'character'],
    ['`0', 0, 'character'],
    ['0G', 1, 'character'],
    ['0:', 1, 'character'],
    ['0/', 1, 'character'],
    ['+1', 0, 'character'],
    ['-1', 0, 'character'],
    ['1e', 2, 'none'],
    ['0\u0130', 1, 'character'],
    ['0\u0430', 1, 'character'],
    ['\uff10\uff10', 0, 'character'],
    ['0\u0001', 1, 'character'],
    ['0\u0010', 1, 'character'],
    ['00\u0000\u0000', 2, 'character'],
  ])('checks %j up to offset %i: %s', (text, offset, reason) => {
    if (reason === 'none') expect(parseHex(text)).toHaveLength(1);
    else expectRefusal(() => parseHex(text), 'hex/invalid', { offset, reason });
    expect(isHex(text)).toBe(reason === 'none');
  });

  test.each([2047, 2048, 2049, 4096, 4097, 300_000])('formats and parses %i bytes', (size) => {
    const bytes = Uint8Array.from({ length: size }, (_, i) => i * 7);
    expect(formatHex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
    expect(equalBytes(parseHex(formatHex(bytes)), bytes)).toBe(true);
  });

  test('is reversed byte by byte', () => {
    expect(formatReversedHex(Uint8Array.of(1, 2, 0xff))).toBe('ff0201');
    expect(formatReversedHex(new Uint8Array(0))).toBe('');
  });

  test('of a subarray shows only its own bytes', () => {
    expect(formatHex(Uint8Array.of(1, 2, 3, 4).subarray(1, 3))).toBe('0203');
  });
});

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
