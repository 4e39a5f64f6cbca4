import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonValue, memberOf, toJsonValue } from '../../src/rpc/json/jsonValue.ts';
import { parseJson } from '../../src/rpc/json/parseJson.ts';
import { quote, stringifyJsonValue } from '../../src/rpc/json/stringify.ts';
import { answerText, createRpc, type DialectName, decodeRawTransaction, stringifyRpc } from '../support/library.ts';

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
      { numRuns: 2000 },
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
      { numRuns: 20_000 },
    );
  });

  test('agrees with JSON.parse on numbers', () => {
    const piece = fc.constantFrom('0', '1', '9', '00', '-', '+', '.', 'e', 'E', ' ', '12', '_', 'n');
    const text = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, (pieces) => expectAsReference(pieces)),
      { numRuns: 20_000 },
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
  ])('refuses 513 nested %s', { timeout: 2000 }, (_, text) => {
    expect(parseJson(text)).toBeUndefined();
  });

  test('takes long texts, names and lists', { timeout: 2000 }, () => {
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
    expect(parsed?.type === 'object' && memberOf(parsed.members, 'b')).toEqual({ type: 'number', text: '1' });
    expect(parsed?.type === 'object' ? memberOf(parsed.members, 'toString') : parsed).toBeUndefined();
  });
});

describe('conversion of JavaScript values', () => {
  test.each([
    [undefined, 'null'],
    [null, 'null'],
    [-0, '0'],
    [1.5, '1.5'],
    [2n ** 64n, '18446744073709551616'],
    [[undefined, 1], '[null,1]'],
    [{ a: undefined, b: [] }, '{"b":[]}'],
  ])('turns %s into %s', (value, text) => {
    expect(stringifyJsonValue(toJsonValue(value))).toBe(text);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, () => 1, Symbol('x')])('refuses %s', (value) => {
    expect(() => toJsonValue(value)).toThrow(TypeError);
    expect(() => toJsonValue([{ a: value }])).toThrow(TypeError);
  });
});

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
      { numRuns: 1000 },
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

  test.each(['amount', 'value', 'fee'])('prints the member %s with eight decimals', (member) => {
    const print = (value: unknown): string => stringifyRpc({ [member]: value }).slice(member.length + 4, -1);
    expect([0, 0.1, 1, -0.00000001, 20999999.9769, 1e-8, 67108863.99999999].map(print)).toEqual([
      '0.00000000',
      '0.10000000',
      '1.00000000',
      '-0.00000001',
      '20999999.97690000',
      '0.00000001',
      '67108863.99999999',
    ]);
    expect([-0, -4e-9, 4e-9].map(print)).toEqual(['0.00000000', '0.00000000', '0.00000000']);
    expect(print('ab')).toBe('"ab"');
    expect(print([0.1])).toBe('[0.1]');
    expect(stringifyRpc({ other: 0.1, a: { [member]: 1 } })).toBe(`{"other":0.1,"a":{"${member}":1.00000000}}`);
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
    [2_100_000_000_000_001n, '21000000.00000001'],
    [6_710_886_400_000_001n, '67108864.00000001'],
    [8_400_000_000_000_001n, '84000000.00000001'],
    [9_007_199_254_740_993n, '90071992.54740993'],
    [9_223_372_036_854_775_806n, '92233720368.54775806'],
  ])('prints an output of %s satoshi as %s', (sats, text) => {
    const answer = decodeRawTransaction(withOutput(sats), false);
    expect(stringifyRpc(answer)).toContain(`"value":${text},"n":0`);
    expect(stringifyRpc(answer, { indent: 2 })).toContain(`"value": ${text},`);
  });

  test.each([
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['undefined', undefined],
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
  ])('refuses %s', (_, value) => {
    expect(() => stringifyRpc(value)).toThrow(TypeError);
    expect(() => stringifyRpc([value])).toThrow(TypeError);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'refuses %s as an amount, too',
    (value) => {
      expect(() => stringifyRpc({ other: value })).toThrow(TypeError);
      expect(() => stringifyRpc({ fee: value })).toThrow(TypeError);
    },
  );
});

describe('envelopes', () => {
  const rpcs = {
    'core-0.21': createRpc({ dialect: 'core-0.21' }),
    'core-31': createRpc({ dialect: 'core-31' }),
    documented: createRpc({ dialect: 'documented' }),
  } as const;
  const reply = (text: string, dialect: keyof typeof rpcs): string => answerText(rpcs[dialect], text);
  const result = (dialect: DialectName): string => stringifyRpc(createRpc({ dialect }).call('decodescript', ['6a']));
  const A_RESULT = result('core-0.21');
  const B_RESULT = result('core-31');
  const CALL = '"method":"decodescript","params":["6a"]';
  const a = (id: string): string => `{"result":${A_RESULT},"error":null,"id":${id}}`;
  const b = (id: string): string => `{"result":${B_RESULT},"error":null,"id":${id}}`;
  const b2 = (id: string): string => `{"jsonrpc":"2.0","result":${B_RESULT},"id":${id}}`;
  const error = (code: number, message: string): string =>
    `"error":{"code":${code},"message":${JSON.stringify(message)}}`;
  const bad = (code: number, message: string, id = 'null'): string =>
    `{"result":null,${error(code, message)},"id":${id}}`;
  const bad2 = (code: number, message: string, id: string): string =>
    `{"jsonrpc":"2.0",${error(code, message)},"id":${id}}`;
  const withoutId = (text: string): string => text.replace(/,"id":null}$/, '}');

  type Row = readonly [what: string, request: string, a: string, b: string];
  const same = (what: string, request: string, answer: string): Row => [what, request, answer, answer];
  const testRows = (rows: readonly Row[]): void => {
    test.each(rows)('%s', (_, request, wantedA, wantedB) => {
      expect(reply(request, 'core-0.21')).toBe(wantedA);
      expect(reply(request, 'core-31')).toBe(wantedB);
    });
  };

  describe('of invalid requests', () => {
    testRows([
      same('an empty text', '', bad(-32700, 'Parse error')),
      same('invalid JSON', '{"id":1,', bad(-32700, 'Parse error')),
      same('a byte order mark', `\ufeff{"id":1,${CALL}}`, bad(-32700, 'Parse error')),
      same('a string', '"decodescript"', bad(-32700, 'Top-level object parse error')),
      same('a number', '1', bad(-32700, 'Top-level object parse error')),
      same('null', 'null', bad(-32700, 'Top-level object parse error')),
      ['an empty object', '{}', bad(-32600, 'Missing method'), withoutId(bad(-32600, 'Missing method'))],
    ]);
  });

  describe('of requests', () => {
    const UNSUPPORTED = bad(-32600, 'JSON-RPC version not supported', '1');
    const NO_TEXT = bad(-32600, 'jsonrpc field must be a string', '1');
    const withVersion = (version: string): string => `{"jsonrpc":${version},"id":1,${CALL}}`;
    testRows([
      ['without version', `{"id":1,${CALL}}`, a('1'), b('1')],
      ['of version 1.0', withVersion('"1.0"'), a('1'), b('1')],
      ['of version 2.0', withVersion('"2.0"'), a('1'), b2('1')],
      ['of version 1.1', withVersion('"1.1"'), a('1'), UNSUPPORTED],
      ['of version 2', withVersion('"2"'), a('1'), UNSUPPORTED],
      ['of an empty version', withVersion('""'), a('1'), UNSUPPORTED],
      ['whose version is a number', withVersion('2.0'), a('1'), NO_TEXT],
      ['whose version is a list', withVersion('["2.0"]'), a('1'), NO_TEXT],
      ['whose version is null', withVersion('null'), a('1'), b('1')],
      ['whose second version is 2.0', `{"jsonrpc":"1.0","jsonrpc":"2.0","id":1,${CALL}}`, a('1'), b('1')],
      ['whose version comes last', `{"id":1,${CALL},"jsonrpc":"2.0"}`, a('1'), b2('1')],
      ['with other members', `{"id":1,${CALL},"more":{"id":2}}`, a('1'), b('1')],
      ['with white space', ` {\n"id" : 1 ,${CALL}\t}\r\n`, a('1'), b('1')],
      [
        'with a version and a bad method',
        '{"jsonrpc":"3","id":1,"method":5}',
        bad(-32600, 'Method must be a string', '1'),
        UNSUPPORTED,
      ],
    ]);
  });

  describe('with ids', () => {
    const echoed = [
      '1.50',
      '1e5',
      '-0',
      '12345678901234567890',
      'null',
      'true',
      '"a\\u0007\\n😀"',
      '[]',
      '{"b":[1.0],"a":{}}',
      '{"a":1,"a":2}',
    ];
    testRows([
      ...echoed.flatMap((id): Row[] => [
        [`${id}`, `{"id":${id},${CALL}}`, a(id), b(id)],
        [`${id} of version 2`, `{"jsonrpc":"2.0","id":${id},${CALL}}`, a(id), b2(id)],
      ]),
      ['with white space in it', `{"id":[ 1 , {"a" : 2} ],${CALL}}`, a('[1,{"a":2}]'), b('[1,{"a":2}]')],
      ['written with escapes', `{"id":"\\u0041\\/\\ud83d\\ude00",${CALL}}`, a('"A/😀"'), b('"A/😀"')],
      ['given twice', `{"id":1,"id":2,${CALL}}`, a('1'), b('1')],
      ['that are absent', `{${CALL}}`, a('null'), `{"result":${B_RESULT},"error":null}`],
      [
        'that are absent, and an error',
        '{"method":"x"}',
        bad(-32601, 'Method not found'),
        withoutId(bad(-32601, 'Method not found')),
      ],
    ]);
  });

  describe('with methods and parameters', () => {
    const missing = bad(-32600, 'Missing method', '1');
    const noText = bad(-32600, 'Method must be a string', '1');
    const scalar = bad(-32600, 'Params must be an array or object', '1');
    testRows([
      same('no method', '{"id":1}', missing),
      same('method null', '{"id":1,"method":null}', missing),
      same('method number', '{"id":1,"method":1}', noText),
      same('method list', '{"id":1,"method":["decodescript"]}', noText),
      same('unknown method', '{"id":1,"method":"x"}', bad(-32601, 'Method not found', '1')),
      same('unknown method and bad parameters', '{"id":1,"method":"x","params":1}', scalar),
      same('parameters number', '{"id":1,"method":"decodescript","params":1}', scalar),
      same('parameters text', '{"id":1,"method":"decodescript","params":"6a"}', scalar),
      same('parameters false', '{"id":1,"method":"decodescript","params":false}', scalar),
      ['first of two methods', `{"id":1,${CALL},"method":"x"}`, a('1'), b('1')],
      ['first of two parameter lists', `{"id":1,${CALL},"params":["51"]}`, a('1'), b('1')],
      ['parameters by name', '{"id":1,"method":"decodescript","params":{"hexstring":"6a"}}', a('1'), b('1')],
      ['no method, version 2', '{"jsonrpc":"2.0","id":1}', missing, bad2(-32600, 'Missing method', '1')],
      [
        'method number, version 2',
        '{"jsonrpc":"2.0","id":1,"method":1}',
        noText,
        bad2(-32600, 'Method must be a string', '1'),
      ],
      [
        'unknown method, version 2',
        '{"jsonrpc":"2.0","id":1,"method":"x"}',
        bad(-32601, 'Method not found', '1'),
        bad2(-32601, 'Method not found', '1'),
      ],
      [
        'bad parameters, version 2',
        '{"jsonrpc":"2.0","id":1,"method":"x","params":1}',
        scalar,
        bad2(-32600, 'Params must be an array or object', '1'),
      ],
      [
        'a refused argument',
        '{"id":1,"method":"decoderawtransaction","params":["zz"]}',
        bad(-22, 'TX decode failed', '1'),
        bad(-22, 'TX decode failed', '1'),
      ],
      [
        'an argument with quotes',
        '{"id":1,"method":"decodescript","params":["\\"\\n"]}',
        bad(-8, "argument must be hexadecimal string (not '\"\n')", '1'),
        bad(-8, "argument must be hexadecimal string (not '\"\n')", '1'),
      ],
    ]);

    test.each(['core-0.21', 'core-31'] as const)(
      'null or absent parameters count as an empty list, to %s',
      (dialect) => {
        const absent = reply('{"id":1,"method":"decodescript"}', dialect);
        expect(absent).toContain('"error":{"code":-1,"message":"decodescript \\"hexstring\\"\\n');
        expect(reply('{"id":1,"method":"decodescript","params":null}', dialect)).toBe(absent);
        expect(reply('{"id":1,"method":"decodescript","params":[]}', dialect)).toBe(absent);
      },
    );
  });

  describe('in batches', () => {
    const NO_OBJECT = bad(-32600, 'Invalid Request object');
    const PLAIN = `{"id":1,${CALL}}`;
    const V2 = `{"jsonrpc":"2.0","id":2,${CALL}}`;
    const NOTIFICATION = `{"jsonrpc":"2.0",${CALL}}`;
    const WRONG = '{"id":"e","method":"x"}';
    const LOST = bad(-32601, 'Method not found', '"e"');
    testRows([
      same('without requests', '[]', '[]'),
      same('with white space only', ' [ \n] ', '[]'),
      ['of one request', `[${PLAIN}]`, `[${a('1')}]`, `[${b('1')}]`],
      [
        'of both versions, in order',
        `[${V2},${PLAIN},${V2}]`,
        `[${a('2')},${a('1')},${a('2')}]`,
        `[${b2('2')},${b('1')},${b2('2')}]`,
      ],
      [
        'of good and bad requests',
        `[${WRONG},${PLAIN},${WRONG}]`,
        `[${LOST},${a('1')},${LOST}]`,
        `[${LOST},${b('1')},${LOST}]`,
      ],
      [
        'of values that are not objects',
        '[1,null,"x",[],true]',
        `[${Array(5).fill(NO_OBJECT).join()}]`,
        `[${Array(5).fill(NO_OBJECT).join()}]`,
      ],
      ['of a batch', `[[${PLAIN}]]`, `[${NO_OBJECT}]`, `[${NO_OBJECT}]`],
      ['with a notification', `[${NOTIFICATION},${PLAIN}]`, `[${a('null')},${a('1')}]`, `[${b('1')}]`],
      [
        'with a notification that fails',
        `[{"jsonrpc":"2.0","method":"x"},${PLAIN}]`,
        `[${bad(-32601, 'Method not found')},${a('1')}]`,
        `[${b('1')}]`,
      ],
      [
        'with a version 2 request whose id is null',
        `[{"jsonrpc":"2.0","id":null,${CALL}}]`,
        `[${a('null')}]`,
        `[${b2('null')}]`,
      ],
      ['with a version 1 request without id', `[{${CALL}}]`, `[${a('null')}]`, `[{"result":${B_RESULT},"error":null}]`],
      same('that is cut off', `[${PLAIN}`, bad(-32700, 'Parse error')),
      same('with an extra comma', `[${PLAIN},]`, bad(-32700, 'Parse error')),
    ]);
  });

  describe('of notifications', () => {
    const NOTIFICATION = `{"jsonrpc":"2.0",${CALL}}`;
    // Over HTTP, a node answers these with status 204 and no body. `batch` promises one line of output per input line.
    test('a lone notification is answered nevertheless, without id', () => {
      expect(reply(NOTIFICATION, 'core-31')).toBe(`{"jsonrpc":"2.0","result":${B_RESULT}}`);
      expect(reply('{"jsonrpc":"2.0","method":"x"}', 'core-31')).toBe(
        `{"jsonrpc":"2.0",${error(-32601, 'Method not found')}}`,
      );
    });

    test('a batch of notifications only is answered with an empty array', () => {
      expect(reply(`[${NOTIFICATION},${NOTIFICATION}]`, 'core-31')).toBe('[]');
    });

    test('0.21 takes a notification for a request', () => {
      expect(reply(NOTIFICATION, 'core-0.21')).toBe(a('null'));
    });
  });

  test('the documented dialect has the envelopes of Core 31', () => {
    const requests = ['{}', `{"jsonrpc":"2.0","id":1,${CALL}}`, `{${CALL}}`, '{"jsonrpc":"1.1","id":1}', '[1]', 'x'];
    for (const request of requests) expect(reply(request, 'documented')).toBe(reply(request, 'core-31'));
  });

  test('answerText never throws', () => {
    const member = fc.tuple(fc.constantFrom('id', 'method', 'params', 'jsonrpc', 'x'), fc.jsonValue({ maxDepth: 2 }));
    const request = fc.array(member, { maxLength: 5 }).map((members) => {
      return `{${members.map(([name, value]) => `"${name}":${JSON.stringify(value)}`).join()}}`;
    });
    const text = fc.oneof(
      request,
      fc.array(request, { maxLength: 3 }).map((all) => `[${all.join()}]`),
      fc.json(),
      fc.string(),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('core-0.21', 'core-31'), (request, dialect) => {
        const answer = reply(request, dialect);
        expect(answer).not.toContain('-32603');
        expect(() => JSON.parse(answer)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});
