import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../src/answers/json/parseJson.ts';
import { quote } from '../../../src/answers/json/stringify.ts';
import { campaign } from '../../support/campaign.ts';
import { decodeRawTransaction, stringifyRpc } from '../../support/library.ts';

describe('printing', () => {
  test.each([
    ['"', '\\"'],
    ['\\', '\\\\'],
    ['/', '/'],
    ['\b\t\n\f\r', '\\b\\t\\n\\f\\r'],
    ['\u0000\u0001\u000b\u001f', '\\u0000\\u0001\\u000b\\u001f'],
    ['\u007f', '\\u007f'],
    ['\u0080\u00ff\u2028\ufeff😀', '\u0080\u00ff\u2028\ufeff😀'],
    ["'<>&", "'<>&"],
  ])('quotes %j as nodes do', (text, escaped) => {
    expect(quote(text)).toBe(`"${escaped}"`);
    expect(stringifyRpc({ [text]: text })).toBe(`{"${escaped}":"${escaped}"}`);
  });

  test('a quoted text reads back as itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(quote(text))).toBe(text);
        expect(parseJson(quote(text))).toEqual({ type: 'string', value: text });
      }),
      campaign(1000),
    );
  });

  test.each<[string, unknown]>([
    ['{}', {}],
    ['[]', []],
    ['[[],{}]', [[], {}]],
    ['null', null],
    ['{"b":null}', { a: undefined, b: null }],
    ['[1,-1,1.5,2]', [1, -1, 1.5, 2n]],
    ['{"b":1,"a":2}', { b: 1, a: 2 }],
  ])('puts %s on one line without white space', (text, value) => {
    expect(stringifyRpc(value)).toBe(text);
  });

  test.each<[string, unknown]>([
    ['{\n}', {}],
    ['[\n]', []],
    ['{\n  "a": [\n  ]\n}', { a: [] }],
    ['{\n  "a": {\n  }\n}', { a: {} }],
    ['[\n  1,\n  [\n    2\n  ]\n]', [1, [2]]],
    ['{\n  "a": "x",\n  "b": [\n    {\n      "c": null\n    }\n  ]\n}', { a: 'x', b: [{ c: null }] }],
    ['"x"', 'x'],
  ])('indents %j as bitcoin-cli does', (text, value) => {
    expect(stringifyRpc(value, { indent: 2 })).toBe(text);
  });

  test('indentation changes only white space, even in lists too long to be joined at once', () => {
    const long = { list: Array.from({ length: 100 }, (_, i) => ({ i, texts: ['a b', 'c,d'], none: [] })) };
    for (const indent of [0, 1, 2, 4]) expect(JSON.parse(stringifyRpc(long, { indent }))).toEqual(long);
    expect(stringifyRpc(long, { indent: 4 })).toBe(
      JSON.stringify(long, null, 4).replaceAll(/^( *)(.*)\[\](,?)$/gm, '$1$2[\n$1]$3'),
    );
  });

  const withOutput = (sats: bigint): string => {
    const wire = Buffer.alloc(8);
    wire.writeBigInt64LE(sats);
    return `0200000001${'11'.repeat(32)}0000000000ffffffff01${wire.toString('hex')}0000000000`;
  };
  test.each([
    [-(2n ** 63n), '-92233720368.54775808'],
    [2n ** 63n - 1n, '92233720368.54775807'],
    [-1n, '-0.00000001'],
    [0n, '0.00000000'],
    [10_000_000n, '0.10000000'],
    [2_100_000_000_000_001n, '21000000.00000001'],
    [6_710_886_400_000_001n, '67108864.00000001'],
    [8_400_000_000_000_001n, '84000000.00000001'],
    [9_007_199_254_740_993n, '90071992.54740993'],
    [9_223_372_036_854_775_806n, '92233720368.54775806'],
  ])('prints an output of %s satoshi as %s', (sats, text) => {
    const answer = decodeRawTransaction([withOutput(sats), false]);
    expect(stringifyRpc(answer)).toContain(`"value":${text},"n":0`);
    expect(stringifyRpc(answer, { indent: 2 })).toContain(`"value": ${text},`);
  });

  test('prints an amount that the caller changed or copied as another number', () => {
    const output = { ...decodeRawTransaction([withOutput(1000n), false]).vout[0] };
    expect(stringifyRpc(output)).toContain('"value":0.00001,"n":0');
    const answer = decodeRawTransaction([withOutput(1000n), false]);
    expect(stringifyRpc(answer.vout[0])).toContain('"value":0.00001000,"n":0');
    Object.assign(answer.vout[0] ?? {}, { value: 0.5 });
    expect(stringifyRpc(answer)).toContain('"value":0.5,"n":0');
  });

  test.each([
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['undefined', undefined],
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
  ])('refuses %s', (_, value) => {
    expect(() => stringifyRpc(value)).toThrow('must be something that JSON can express');
    expect(() => stringifyRpc([value])).toThrow('must be something that JSON can express');
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'refuses %s as an amount, too',
    (value) => {
      expect(() => stringifyRpc({ other: value })).toThrow('must be something that JSON can express');
      expect(() => stringifyRpc({ fee: value })).toThrow('must be something that JSON can express');
    },
  );
});
