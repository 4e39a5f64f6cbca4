import { describe, expect, test } from 'vitest';
import { equalBytes, formatHex, formatReversedHex, isHex, parseHex } from '../../support/library.ts';
import { expectRefusal } from '../../support/refusal.ts';

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
