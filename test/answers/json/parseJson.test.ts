import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMember, type JsonValue } from '../../../src/answers/json/jsonValue.ts';
import { parseJson } from '../../../src/answers/json/parseJson.ts';
import { stringifyJsonValue } from '../../../src/answers/json/stringify.ts';
import { campaign } from '../../support/campaign.ts';

/** Converts a value to that of `JSON.parse`, which keeps the last of duplicate members, and numbers as doubles. */
function plain(value: JsonValue): unknown {
  switch (value.type) {
    case 'null':
      return null;
    case 'number':
      return Number(value.text);
    case 'array':
      return value.items.map(plain);
    case 'object':
      return Object.fromEntries(value.members.map(([name, member]) => [name, plain(member)]));
    default:
      return value.value;
  }
}

const LONE_SURROGATE = /\p{Surrogate}/u;
/** Tells whether any string in a value has a lone surrogate, which nodes refuse and `JSON.parse` does not. */
const hasLoneSurrogate = (value: unknown): boolean => {
  if (typeof value === 'string') return LONE_SURROGATE.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => LONE_SURROGATE.test(name) || hasLoneSurrogate(member));
};

/** Returns what `JSON.parse` reads, in an array that is empty if it refuses the text. */
function referenceParse(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

function expectAsReference(text: string): void {
  const wanted = referenceParse(text).filter((value) => !hasLoneSurrogate(value) && !LONE_SURROGATE.test(text));
  const parsed = parseJson(text);
  expect(parsed ? [plain(parsed)] : []).toEqual(wanted);
}

describe('parsing', () => {
  test('agrees with JSON.parse on good texts', () => {
    const layout = fc.constantFrom(undefined, 0, 1, '\t', '\r\n ');
    const strings = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('__proto__', '\u2028', '\u007f', ''),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        strings,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.constantFrom(null, true, false),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(strings, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, layout, (data, space) => expectAsReference(JSON.stringify(data, null, space))),
      campaign(2000),
    );
  });

  test('agrees with JSON.parse on texts of bits and pieces', () => {
    const visible =
      '{ } [ ] , : " "" "a" \\ \\u \\ud83d \\ude00 \\n \\x 0 1 - . 5 e E + null true nul / // /**/ \' NaN 0x1 😀';
    const piece = fc.constantFrom(
      ...visible.split(' '),
      ' ',
      '\t',
      '\n',
      '\u00a0',
      '\ufeff',
      '\u0000',
      '\u001f',
      '\u007f',
    );
    const text = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''));
    const quoted = text.map((inner) => `"${inner}"`);
    const listed = text.map((inner) => `[${inner}]`);
    const keyed = text.map((inner) => `{"a":${inner}}`);
    fc.assert(
      fc.property(fc.oneof(text, quoted, listed, keyed), (pieces) => expectAsReference(pieces)),
      campaign(20_000),
    );
  });

  test('agrees with JSON.parse on numbers', () => {
    const piece = fc.constantFrom('0', '1', '9', '00', '-', '+', '.', 'e', 'E', ' ', '12', '_', 'n');
    const text = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, (pieces) => expectAsReference(pieces)),
      campaign(20_000),
    );
  });

  test.each([
    ['an empty text', ''],
    ['white space', ' \n'],
    ['a byte order mark', '\ufeff{}'],
    ['a byte order mark at the end', '{}\ufeff'],
    ['a no-break space', '\u00a0{}'],
    ['a vertical tab', '\u000b1'],
    ['a form feed', '\f1'],
    ['a comma after the last item', '[1,]'],
    ['a comma after the last member', '{"a":1,}'],
    ['a comma before the first item', '[,1]'],
    ['two commas', '[1,,2]'],
    ['a comma alone', ','],
    ['no comma', '[1 2]'],
    ['no colon', '{"a" 1}'],
    ['no value', '{"a":}'],
    ['no name', '{:1}'],
    ['a bare name', '{a:1}'],
    ['a number for a name', '{1:1}'],
    ['single quotes', "['a']"],
    ['a comment', '[1/*x*/]'],
    ['a leading zero', '01'],
    ['a leading zero after a minus sign', '-01'],
    ['two zeros', '00'],
    ['a plus sign', '+1'],
    ['a minus sign alone', '-'],
    ['a point without digits after it', '1.'],
    ['a point without digits before it', '.5'],
    ['an exponent without digits', '1e'],
    ['an exponent with a sign only', '1e+'],
    ['a point in the exponent', '1e1.5'],
    ['hex', '0x10'],
    ['NaN', 'NaN'],
    ['Infinity', '-Infinity'],
    ['a word in another case', 'True'],
    ['a word cut off', 'nul'],
    ['a word with an extra letter', 'nulll'],
    ['two values', '1 1'],
    ['a value after an object', '{}{}'],
    ['an extra bracket', '[]]'],
    ['a missing bracket', '[[]'],
    ['the wrong bracket', '[}'],
    ['an unterminated string', '"a'],
    ['a string that ends in an escape', '"a\\'],
    ['a string that ends in an escaped quote', '"a\\"'],
    ['an unknown escape', '"\\a"'],
    ['an escape in upper case', '"\\U0041"'],
    ['a short escape', '"\\u004"'],
    ['a signed escape', '"\\u+041"'],
    ['a raw line break', '"a\nb"'],
    ['a raw tab', '"\t"'],
    ['a raw NUL', '"\u0000"'],
    ['the last raw control character', '"\u001f"'],
    ['a raw control character in a name', '{"\u0001":1}'],
    ['a high surrogate escape alone', '"\\ud83d"'],
    ['a low surrogate escape alone', '"\\ude00"'],
    ['two surrogate escapes in the wrong order', '"\\ude00\\ud83d"'],
    ['two high surrogate escapes', '"\\ud83d\\ud83d\\ude00"'],
    ['a surrogate escape before a letter', '"\\ud83dx"'],
    ['a surrogate escape in a name', '{"\\ud83d":1}'],
  ])('refuses %s', (_, text) => {
    expect(parseJson(text)).toBeUndefined();
  });

  test.each([
    [' \t\r\n1 \t\r\n', 1],
    ['"\\ud83d\\ude00"', '😀'],
    ['"😀"', '😀'],
    ['"\\uD83D\\uDE00\\uFFFF"', '😀\uffff'],
    ['"\\u0000\\u001f"', '\u0000\u001f'],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'],
    ['"\u007f\u2028\u2029"', '\u007f\u2028\u2029'],
    ['-0', -0],
    ['0e0', 0],
    ['-0.0E+00', -0],
    ['1e400', Number.POSITIVE_INFINITY],
    ['[ ]', []],
    ['{ }', {}],
    ['[{"a":[null,true,false]}]', [{ a: [null, true, false] }]],
    ['{"":""}', { '': '' }],
  ])('takes %j', (text, value) => {
    const parsed = parseJson(text);
    expect(parsed && plain(parsed)).toEqual(value);
  });

  test.each([
    ['arrays', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['objects', (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`],
    ['arrays around a number', (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`],
    [
      'both in turn',
      (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}${depth % 2 ? ' ' : ''}`,
    ],
  ])('takes 512 nested %s', (_, nested) => {
    expect(parseJson(nested(512))).toBeDefined();
  });

  test.each([
    ['arrays', `${'['.repeat(513)}${']'.repeat(513)}`],
    ['objects', `${'{"a":'.repeat(512)}{}${'}'.repeat(512)}`],
    ['arrays without end', '['.repeat(200_000)],
    ['objects without end', '{"a":'.repeat(200_000)],
  ])('refuses 513 nested %s', (_, text) => {
    expect(parseJson(text)).toBeUndefined();
  });

  // Work that grew with the square of these lengths would end in the general time-out.
  test('takes long texts, names and lists', () => {
    const text = 'x\\n'.repeat(200_000);
    expect(parseJson(`{"${text}":"${text}"}`)).toBeDefined();
    expect(parseJson(`[${'0,'.repeat(200_000)}0]`)).toBeDefined();
    expect(parseJson(' '.repeat(1_000_000))).toBeUndefined();
  });

  test.each(['1.50', '1e5', '1E+05', '-0', '0.10', '12345678901234567890', '1e400', '0.00000000'])(
    'keeps the number %s as written',
    (text) => {
      expect(parseJson(text)).toEqual({ type: 'number', text });
      const nested = parseJson(` [ ${text} , {"a" : ${text}} ] `);
      expect(nested && stringifyJsonValue(nested)).toBe(`[${text},{"a":${text}}]`);
    },
  );

  test('keeps duplicate members in order, and looks up the first', () => {
    const parsed = parseJson('{"b":1,"a":2,"b":3}');
    expect(parsed && stringifyJsonValue(parsed)).toBe('{"b":1,"a":2,"b":3}');
    expect(parsed?.type === 'object' && findMember(parsed.members, 'b')).toEqual({ type: 'number', text: '1' });
    expect(parsed?.type === 'object' ? findMember(parsed.members, 'toString') : parsed).toBeUndefined();
  });
});
