import { describe, expect, test } from 'vitest';
import { parseAmountArgument } from '../../src/answers/arguments/amountArgument.ts';
import { parseInt64 } from '../../src/answers/arguments/argumentValues.ts';
import { type JsonValue, toJsonValue } from '../../src/answers/json/jsonValue.ts';
import { parseJson } from '../../src/answers/json/parseJson.ts';
import { methodHelp } from '../../src/answers/method/help.ts';
import { method, type RpcMethod } from '../../src/answers/method/method.ts';
import { array, bool, number, optional, string, unread } from '../../src/answers/method/parameters.ts';
import { callMethod } from '../../src/answers/method/readParams.ts';
import { typed } from '../../src/answers/method/results.ts';
import { createRpc, type DialectName, methods, networks, RpcError, stringifyRpc } from '../support/library.ts';

/** A method made up for these tests, with enough parameters for gaps. */
const demo = method({
  name: 'demo',
  category: 'util',
  params: [
    unread(string('text', 'a text')),
    optional(unread(bool('flag', 'a flag'))),
    optional(unread(array('list', string('item', 'an item'), 'a list'))),
    optional(unread(number('count', 'a number'))),
  ],
  about: 'Shows nothing.',
  result: typed<{ readonly args: readonly (JsonValue | undefined)[] }>('the arguments'),
  examples: ['demo text'],
  run: ({ text, flag, list, count }) => ({ args: [text, flag, list, count] }),
});
/** The same method with optional parameters only, so that Core 31 accepts gaps. */
const loose: RpcMethod = { ...demo, params: demo.params.map((param) => ({ ...param, isOptional: true as const })) };

const json = (text: string): JsonValue => {
  const value = parseJson(text);
  if (!value) throw new Error(`invalid JSON: ${text}`);
  return value;
};

/** Returns the arguments as text, or the code and message of the error. */
function argsOf(called: RpcMethod, params: string, dialect: DialectName): string {
  try {
    const { args } = callMethod(called, json(params), createRpc({ dialect }).context) as ReturnType<typeof demo.run>;
    const read = args.filter((arg) => arg !== undefined);
    return `[${read.map((arg) => shown(arg)).join(',')}]`;
  } catch (error) {
    if (error instanceof RpcError) return `${error.code} ${error.message}`;
    throw error;
  }
}

const shown = (value: JsonValue = { type: 'null' }): string => {
  if (value.type === 'number') return value.text;
  if (value.type === 'array') return `[${value.items.map((item) => shown(item)).join(',')}]`;
  return value.type === 'string' || value.type === 'bool' ? JSON.stringify(value.value) : value.type;
};

const HELP = `-1 ${methodHelp(demo)}\n`;
const wrong = (...lines: readonly (readonly [position: number, name: string, got: string, want: string])[]): string => {
  const texts = lines.map(([position, name, got, want]) => {
    return `    "Position ${position} (${name})": "JSON value of type ${got} is not of expected type ${want}"`;
  });
  return `-3 Wrong type passed:\n{\n${texts.join(',\n')}\n}`;
};

/** The answers of both generations: `a` of Core 0.21, `b` of Core 31. */
type Row = readonly [what: string, params: string, a: string, b: string];

function testRows(rows: readonly Row[], called: RpcMethod = demo): void {
  test.each(rows)('%s: %s', (_, params, a, b) => {
    expect(argsOf(called, params, 'core-0.21')).toBe(a);
    expect(argsOf(called, params, 'litecoin-0.21')).toBe(a);
    expect(argsOf(called, params, 'core-32')).toBe(b);
    expect(argsOf(called, params, 'documented')).toBe(b);
  });
}

const same = (what: string, params: string, answer: string): Row => [what, params, answer, answer];

test('the help of a method is made of its declaration', () => {
  expect(methodHelp(demo)).toBe(`demo "text" ( flag ["item",...] count )

Shows nothing.

Arguments:
1. text     (string, required) a text
2. flag     (boolean, optional) a flag
3. list     (array of strings, optional) a list
4. count    (number, optional) a number

Result:
(object) the arguments

Examples:
> countersign demo text`);
});

describe('positional arguments', () => {
  testRows([
    same('one argument', '["x"]', '["x"]'),
    same('all arguments', '["x",true,[1],1.50]', '["x",true,[1],1.50]'),
    same('too few', '[]', HELP),
    same('null instead of a list', 'null', HELP),
    same('too many', '["x",true,[],1,2]', HELP),
    same('too many nulls', '[null,null,null,null,null]', HELP),
    same('too many, one of them of a wrong type', '[1,true,[],1,2]', HELP),
    ['null for an optional parameter', '["x",null]', '-3 Expected type bool, got null', '["x",null]'],
    [
      'null for a required parameter',
      '[null]',
      '-3 Expected type string, got null',
      wrong([1, 'text', 'null', 'string']),
    ],
    ['a wrong type', '["x","true"]', '-3 Expected type bool, got string', wrong([2, 'flag', 'string', 'bool'])],
    [
      'two wrong types',
      '[1,true,{}]',
      '-3 Expected type string, got number',
      wrong([1, 'text', 'number', 'string'], [3, 'list', 'object', 'array']),
    ],
    [
      'every wrong type',
      '[true,1,"",[]]',
      '-3 Expected type string, got bool',
      wrong(
        [1, 'text', 'bool', 'string'],
        [2, 'flag', 'number', 'bool'],
        [3, 'list', 'string', 'array'],
        [4, 'count', 'array', 'number'],
      ),
    ],
  ]);
});

describe('named arguments', () => {
  const UNKNOWN = '-8 Unknown named parameter';
  testRows([
    same('one argument', '{"text":"x"}', '["x"]'),
    same('all arguments, in another order', '{"count":1,"list":[],"flag":false,"text":"x"}', '["x",false,[],1]'),
    same('no arguments', '{}', HELP),
    ['a gap', '{"text":"x","count":1}', '-3 Expected type bool, got null', '["x",null,null,1]'],
    [
      'a gap at a required parameter',
      '{"flag":true}',
      '-3 Expected type string, got null',
      wrong([1, 'text', 'null', 'string']),
    ],
    ['a null after a gap', '{"text":"x","list":null}', '-3 Expected type bool, got null', '["x",null,null]'],
    same('an unknown name', '{"text":"x","nothing":1}', `${UNKNOWN} nothing`),
    same('an unknown name and nothing else', '{"nothing":1}', `${UNKNOWN} nothing`),
    same('a name in another case', '{"Text":"x"}', `${UNKNOWN} Text`),
    same('an empty name', '{"":"x"}', `${UNKNOWN} `),
    same('the name of an inherited property', '{"text":"x","toString":1}', `${UNKNOWN} toString`),
    same('the name __proto__', '{"text":"x","__proto__":1}', `${UNKNOWN} __proto__`),
    same('an unknown name before a wrong type', '{"text":1,"nothing":1}', `${UNKNOWN} nothing`),
    ['a name twice', '{"text":"x","text":"y"}', '["y"]', '-8 Parameter text specified multiple times'],
    [
      'a name twice with the same value',
      '{"text":"x","text":"x"}',
      '["x"]',
      '-8 Parameter text specified multiple times',
    ],
    [
      'a name thrice, wrong before right',
      '{"text":1,"text":null,"text":"x"}',
      '["x"]',
      '-8 Parameter text specified multiple times',
    ],
    [
      'an unknown name twice',
      '{"nothing":1,"nothing":2}',
      `${UNKNOWN} nothing`,
      '-8 Parameter nothing specified multiple times',
    ],
    [
      'a wrong type by name',
      '{"text":"x","flag":1}',
      '-3 Expected type bool, got number',
      wrong([2, 'flag', 'number', 'bool']),
    ],
  ]);

  testRows(
    [
      ['gaps at the beginning', '{"count":1}', '-3 Expected type string, got null', '[null,null,null,1]'],
      ['gaps in the middle', '{"text":"x","list":[]}', '-3 Expected type bool, got null', '["x",null,[]]'],
      same('no gaps at the end', '{"text":"x","flag":true}', '["x",true]'),
      same('no arguments', '{}', '[]'),
    ],
    loose,
  );
});

describe('the name `args`', () => {
  const UNKNOWN = '-8 Unknown named parameter args';
  const TWICE = (name: string): string => `-8 Parameter ${name} specified twice both as positional and named argument`;
  testRows([
    ['alone', '{"args":["x",true]}', UNKNOWN, '["x",true]'],
    ['empty', '{"args":[],"text":"x"}', UNKNOWN, '["x"]'],
    ['before names', '{"args":["x"],"flag":true}', UNKNOWN, '["x",true]'],
    ['before a gap', '{"args":["x"],"count":1}', UNKNOWN, '["x",null,null,1]'],
    ['after names', '{"count":1,"args":["x",true]}', UNKNOWN, '["x",true,null,1]'],
    ['with a name that it contains', '{"args":["x"],"text":"y"}', UNKNOWN, TWICE('text')],
    ['with a name that it contains as null', '{"args":[null],"text":"y"}', UNKNOWN, TWICE('text')],
    ['with two names that it contains', '{"args":["x",true,[]],"list":[],"flag":true}', UNKNOWN, TWICE('flag')],
    [
      'with a name that it contains before an unknown one',
      '{"args":["x"],"text":"y","nothing":1}',
      UNKNOWN,
      TWICE('text'),
    ],
    ['with too many arguments', '{"args":["x",true,[],1,2]}', UNKNOWN, HELP],
    ['with a wrong type', '{"args":[1]}', UNKNOWN, wrong([1, 'text', 'number', 'string'])],
    ['twice', '{"args":["x"],"args":["y"]}', UNKNOWN, '-8 Parameter args specified multiple times'],
  ]);

  test('does not hide an unknown name', () => {
    expect(argsOf(demo, '{"args":["x"],"nothing":1}', 'core-32')).toBe('-8 Unknown named parameter nothing');
  });

  // Bitcoin Core removes the member before it checks that it is an array (`transformNamedArguments`).
  test.each(['5', 'null', '"x"', '{}'])('is dropped by Core 31 if it is %s instead of an array', (value) => {
    expect(argsOf(demo, `{"text":"x","args":${value}}`, 'core-32')).toBe('["x"]');
    expect(argsOf(demo, `{"text":"x","args":${value}}`, 'core-0.21')).toBe(UNKNOWN);
  });
});

describe('the methods', () => {
  const call = (method: string, params: unknown, dialect: DialectName): string => {
    try {
      return stringifyRpc(createRpc({ dialect }).callJson(method, toJsonValue(params)));
    } catch (error) {
      if (error instanceof RpcError) return `${error.code} ${error.message}`;
      throw error;
    }
  };
  const TX = '02000000000000000000';

  test('name their parameters as nodes do', () => {
    const names = methods.map(({ name, params }) => [name, ...params.map((param) => param.name)]);
    expect(names).toContainEqual(['decodepsbt', 'psbt']);
    expect(names).toContainEqual(['decoderawtransaction', 'hexstring', 'iswitness']);
    expect(names).toContainEqual(['decodescript', 'hexstring']);
  });

  test.each([
    ['decodepsbt', 'decodepsbt "psbt"'],
    ['decoderawtransaction', 'decoderawtransaction "hexstring" ( iswitness )'],
    ['decodescript', 'decodescript "hexstring"'],
  ])('%s without arguments answers its help, with the first line of a node', (method, firstLine) => {
    for (const dialect of ['core-0.21', 'core-32'] as const) {
      for (const params of [[], null, ['', null, null], [null, null, null], {}]) {
        expect(call(method, params, dialect).split('\n')[0]).toBe(`-1 ${firstLine}`);
      }
    }
  });

  test('0.21 refuses null for `iswitness`, and Core 31 takes it for absent', () => {
    expect(call('decoderawtransaction', [TX, null], 'core-0.21')).toBe('-3 Expected type bool, got null');
    expect(call('decoderawtransaction', [TX, null], 'core-32')).toBe(call('decoderawtransaction', [TX], 'core-32'));
    expect(call('decoderawtransaction', { hexstring: TX, iswitness: null }, 'core-32')).toContain('"vin":[]');
  });

  test.each([null, 1, true, [], {}])('decodepsbt refuses %j for its type', (value) => {
    const got =
      value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    expect(call('decodepsbt', [value], 'core-0.21')).toBe(`-3 Expected type string, got ${got}`);
    expect(call('decodepsbt', [value], 'core-32')).toBe(wrong([1, 'psbt', got, 'string']));
  });

  test('Core 31 names both wrong types of a call', () => {
    expect(call('decoderawtransaction', [1, 'true'], 'core-32')).toBe(
      wrong([1, 'hexstring', 'number', 'string'], [2, 'iswitness', 'string', 'bool']),
    );
  });

  test.each(['Decodepsbt', 'decodepsbt ', '', 'toString', '__proto__', 'signrawtransactionwithwallet'])(
    'the method "%s" is not found',
    (method) => {
      expect(call(method, [1, 2, 3], 'core-32')).toBe('-32601 Method not found');
    },
  );

  test.each([
    ['empty', ''],
    ['odd', '0'],
    ['not hex', '0g'],
    ['with white space', ' 00'],
    ['with 0x', '0x00'],
    ['too short', '00'],
    ['followed by a byte', `${TX}00`],
    ['cut off', TX.slice(2)],
  ])('a transaction that is %s does not decode', (_, hex) => {
    for (const dialect of ['core-0.21', 'core-32', 'documented'] as const) {
      expect(call('decoderawtransaction', [hex], dialect)).toBe('-22 TX decode failed');
    }
  });

  test.each(['0', '0g', ' ', '0x51', '51 '])('decodescript refuses %j as hex', (hex) => {
    expect(call('decodescript', [hex], 'core-32')).toBe(`-8 argument must be hexadecimal string (not '${hex}')`);
  });

  test('values that JSON cannot express are refused as arguments', () => {
    expect(() => createRpc().call('decodescript' as string, [Symbol('x')])).toThrow(
      'must be something that JSON can express',
    );
    expect(() => createRpc().call('decodescript' as string, [Number.NaN])).toThrow(
      'must be something that JSON can express',
    );
    expect(() => createRpc().call('decodescript' as string, [() => '51'])).toThrow(
      'must be something that JSON can express',
    );
  });
});

test('zero is an amount in every notation', () => {
  for (const text of ['0', '-0', '-0.00000000', '0e-8', '-0e-8', '-0.0e-7', '-0e9']) {
    expect(parseAmountArgument({ type: 'number', text }, networks.regtest)).toBe(0n);
    expect(parseAmountArgument({ type: 'string', value: text }, networks.regtest)).toBe(0n);
  }
});

/** With an algorithm of quadratic time, these would take minutes. */
describe('numbers as long as a request', () => {
  const zeros = '0'.repeat(1_000_000);
  const amount = (text: string): unknown => parseAmountArgument({ type: 'number', text }, networks.regtest);

  test('are amounts if only zeros make them long', () => {
    expect(amount(`1.5${zeros}`)).toBe(150_000_000n);
    expect(amount(`1${zeros}e-1000000`)).toBe(100_000_000n);
  });

  test('are not amounts otherwise', () => {
    for (const text of [`0.${zeros}1`, `1${zeros}1`]) {
      expect(() => amount(text)).toThrow('Invalid amount');
    }
  });

  test('are not 64-bit integers', () => {
    expect(parseInt64({ text: '-9223372036854775808' })).toBe(-(2 ** 63));
    for (const text of [`1${zeros}`, `-1${zeros}`, '9223372036854775808', '10000000000000000000']) {
      expect(() => parseInt64({ text })).toThrow('JSON integer out of range');
    }
  });
});
