import { describe, expect, test } from 'vitest';
import {
  type Codec,
  compactSize,
  encode,
  fixedBytes,
  i64le,
  u8,
  u32le,
  varBytes,
  vector,
} from '../../../src/core/bytes/codec.ts';
import { bytesKey } from '../../../src/core/bytes/compare.ts';
import { assertEnd, createReader } from '../../../src/core/bytes/reader.ts';
import { formatHex, parseHex } from '../../support/library.ts';
import { expectRefusal } from '../../support/refusal.ts';

/** Reads one value, which must take up all bytes. */
function decode<T>(codec: Codec<T>, bytes: Uint8Array): T {
  const reader = createReader(bytes);
  const value = codec.read(reader);
  assertEnd(reader);
  return value;
}

describe('CompactSize', () => {
  test.each([
    [0, '00'],
    [1, '01'],
    [0xfc, 'fc'],
    [0xfd, 'fdfd00'],
    [0xff, 'fdff00'],
    [0xffff, 'fdffff'],
    [0x1_0000, 'fe00000100'],
    [0x0200_0000, 'fe00000002'],
  ])('encodes %i as %s', (size, hex) => {
    expect(formatHex(encode(compactSize, size))).toBe(hex);
    expect(decode(compactSize, parseHex(hex))).toBe(size);
  });

  test.each([
    ['fd0000', 3],
    ['fdfc00', 3],
    ['fe00000000', 5],
    ['feffff0000', 5],
    ['ff0000000000000000', 9],
    ['ffffffffff00000000', 9],
  ])('refuses %s, which is not minimal', (hex, offset) => {
    expectRefusal(() => decode(compactSize, parseHex(hex)), 'bytes/size-not-minimal', { offset });
  });

  test.each([
    ['fe01000002', 5],
    ['feffffffff', 5],
    ['ff0000000001000000', 9],
    ['ff0000000000000080', 9],
    ['ffffffffffffffffff', 9],
  ])('refuses %s, which is too large', (hex, offset) => {
    expectRefusal(() => decode(compactSize, parseHex(hex)), 'bytes/size-too-large', { offset });
  });

  test.each([
    ['', 0],
    ['fd', 1],
    ['fd00', 1],
    ['fe000000', 1],
    ['ff', 1],
    ['ff000000000000', 5],
  ])('refuses %j, which is truncated', (hex, offset) => {
    expectRefusal(() => decode(compactSize, parseHex(hex)), 'bytes/end-of-data', { offset });
  });

  test.each([-1, 0.5, 2 ** 32, Number.NaN, Number.POSITIVE_INFINITY])('does not write %d', (size) => {
    expectRefusal(() => encode(compactSize, size), 'bytes/out-of-range', { what: 'size', value: String(size) });
  });

  test('writes sizes of up to 32 bits, although it reads none above 32 MiB', () => {
    expect(formatHex(encode(compactSize, 0xffff_ffff))).toBe('feffffffff');
  });
});

describe('integers', () => {
  const limits: readonly (readonly [string, Codec<number>, number, number, string, string])[] = [
    ['u8', u8, 0, 0xff, '00', 'ff'],
    ['u32', u32le, 0, 0xffff_ffff, '00000000', 'ffffffff'],
  ];
  test.each(limits)('%s refuses values outside its limits', (what, codec, least, most, leastHex, mostHex) => {
    expect(formatHex(encode(codec, least))).toBe(leastHex);
    expect(formatHex(encode(codec, most))).toBe(mostHex);
    expect(decode(codec, parseHex(leastHex))).toBe(least);
    expect(decode(codec, parseHex(mostHex))).toBe(most);
    for (const value of [least - 1, most + 1, 0.5, Number.NaN]) {
      expectRefusal(() => encode(codec, value), 'bytes/out-of-range', { what, value: String(value) });
    }
    expectRefusal(() => decode(codec, parseHex(mostHex.slice(2))), 'bytes/end-of-data', { offset: 0 });
    expectRefusal(() => decode(codec, parseHex(`${mostHex}aabb`)), 'bytes/trailing', {
      offset: mostHex.length / 2,
      extra: 2,
    });
  });

  test.each([
    [-(2n ** 63n), '0000000000000080'],
    [-1n, 'ffffffffffffffff'],
    [0n, '0000000000000000'],
    [2n ** 63n - 1n, 'ffffffffffffff7f'],
  ])('i64 encodes %s as %s', (value, hex) => {
    expect(formatHex(encode(i64le, value))).toBe(hex);
    expect(decode(i64le, parseHex(hex))).toBe(value);
  });

  test.each([2n ** 63n, -(2n ** 63n) - 1n, 2n ** 64n])('i64 refuses %s', (value) => {
    expectRefusal(() => encode(i64le, value), 'bytes/out-of-range', { what: 'i64', value: String(value) });
  });
});

describe('byte strings and lists', () => {
  test('fixedBytes refuses any other length', () => {
    expect(formatHex(encode(fixedBytes(2), parseHex('aabb')))).toBe('aabb');
    for (const hex of ['', 'aa', 'aabbcc']) {
      const data = { what: '2 bytes', value: `${hex.length / 2} bytes` };
      expectRefusal(() => encode(fixedBytes(2), parseHex(hex)), 'bytes/out-of-range', data);
    }
  });

  test('a length beyond the end of the data is refused at the offset after the length', () => {
    expectRefusal(() => decode(varBytes, parseHex('02aa')), 'bytes/end-of-data', { offset: 1 });
    expectRefusal(() => decode(varBytes, parseHex('fe00000002aa')), 'bytes/end-of-data', { offset: 5 });
  });

  test('a false count fails where the data ends', () => {
    expectRefusal(() => decode(vector(u8), parseHex('fe000000020102')), 'bytes/end-of-data', { offset: 7 });
    expectRefusal(() => decode(vector(varBytes), parseHex('03000000ff')), 'bytes/trailing', { offset: 4, extra: 1 });
  });

  test('a list of byte strings survives encoding and decoding', () => {
    const codec = vector(varBytes);
    const items = ['', 'aa', '00'.repeat(253)].map(parseHex);
    expect(formatHex(encode(codec, items)).slice(0, 16)).toBe('030001aafdfd0000');
    expect(decode(codec, encode(codec, items))).toEqual(items);
  });

  test('a decoded byte string is a copy', () => {
    const bytes = parseHex('02aabb');
    const value = decode(varBytes, bytes);
    bytes.fill(0);
    expect(formatHex(value)).toBe('aabb');
  });

  test('a subarray is read and written at its own offset', () => {
    const outer = parseHex('ff02aabbff');
    expect(formatHex(decode(varBytes, outer.subarray(1, 4)))).toBe('aabb');
    expect(formatHex(encode(varBytes, outer.subarray(2, 4)))).toBe('02aabb');
  });

  test('a writer grows as needed', () => {
    const large = new Uint8Array(100_000).fill(7);
    expect(encode(vector(varBytes), [large, large])).toHaveLength(1 + 2 * (5 + 100_000));
  });

  test('bytesKey differs exactly where the bytes differ', () => {
    const long = new Uint8Array(9000).fill(1);
    const other = long.slice();
    other[8999] = 2;
    expect(bytesKey(long)).toBe(bytesKey(long.slice()));
    expect(bytesKey(long)).not.toBe(bytesKey(other));
    expect(bytesKey(new Uint8Array(0))).toBe('');
    expect(new Set([[], [0], [0, 0], [1]].map((bytes) => bytesKey(Uint8Array.from(bytes)))).size).toBe(4);
  });
});
