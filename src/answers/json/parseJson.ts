import { JSON_NULL, type JsonMember, type JsonValue } from './jsonValue.ts';

const MAX_DEPTH = 512;
/** More values than any request needs. Two bytes of text may be a value, which takes fifty times as much memory. */
const MAX_VALUES = 1_000_000;
const WHITE_SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const UNICODE_ESCAPE = /[0-9a-fA-F]{4}/y;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

interface JsonReader {
  readonly text: string;
  offset: number;
  values: number;
  readonly most: number;
}

/**
 * Parses JSON as a node does, keeping what doubles and objects would lose: digits, order and duplicate members. Refuses
 * unpaired surrogates and nesting deeper than 512; and, unlike a node, more than a million values, unless `most` allows
 * more.
 */
export function parseJson(text: string, most: number = MAX_VALUES): JsonValue | undefined {
  const reader: JsonReader = { text, offset: 0, values: 0, most };
  const value = readValue(reader, 1);
  skip(reader, WHITE_SPACE);
  return reader.offset === text.length ? value : undefined;
}

/** Consumes and returns what a sticky pattern matches at the reader's offset. */
function skip(reader: JsonReader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.offset;
  const [match] = pattern.exec(reader.text) ?? [];
  if (match !== undefined) reader.offset += match.length;
  return match;
}

/** Skips white space and consumes `expected`, if it follows. */
function take(reader: JsonReader, expected: string): boolean {
  skip(reader, WHITE_SPACE);
  const isNext = reader.text.startsWith(expected, reader.offset);
  if (isNext) reader.offset += expected.length;
  return isNext;
}

function readValue(reader: JsonReader, depth: number): JsonValue | undefined {
  reader.values += 1;
  if (reader.values > reader.most) return undefined;
  if (take(reader, '"')) {
    const value = readString(reader);
    return value === undefined ? undefined : { type: 'string', value };
  }
  if (take(reader, '{')) return depth > MAX_DEPTH ? undefined : readObject(reader, depth);
  if (take(reader, '[')) return depth > MAX_DEPTH ? undefined : readArray(reader, depth);
  if (take(reader, 'null')) return JSON_NULL;
  if (take(reader, 'true')) return { type: 'bool', value: true };
  if (take(reader, 'false')) return { type: 'bool', value: false };
  const text = skip(reader, NUMBER);
  return text === undefined ? undefined : { type: 'number', text };
}

function readArray(reader: JsonReader, depth: number): JsonValue | undefined {
  const items: JsonValue[] = [];
  if (take(reader, ']')) return { type: 'array', items };
  do {
    const item = readValue(reader, depth + 1);
    if (!item) return undefined;
    items.push(item);
  } while (take(reader, ','));
  return take(reader, ']') ? { type: 'array', items } : undefined;
}

function readObject(reader: JsonReader, depth: number): JsonValue | undefined {
  const members: JsonMember[] = [];
  if (take(reader, '}')) return { type: 'object', members };
  do {
    const name = take(reader, '"') ? readString(reader) : undefined;
    const value = name !== undefined && take(reader, ':') ? readValue(reader, depth + 1) : undefined;
    if (name === undefined || !value) return undefined;
    members.push([name, value]);
  } while (take(reader, ','));
  return take(reader, '}') ? { type: 'object', members } : undefined;
}

/** Begins after the opening quote. */
function readString(reader: JsonReader): string | undefined {
  let value = skip(reader, PLAIN_CHARACTERS) ?? '';
  while (reader.text[reader.offset] === '\\') {
    const character = readEscape(reader);
    if (character === undefined) return undefined;
    value += character + (skip(reader, PLAIN_CHARACTERS) ?? '');
  }
  if (reader.text[reader.offset] !== '"') return undefined;
  reader.offset += 1;
  return LONE_SURROGATE.test(value) ? undefined : value;
}

function readEscape(reader: JsonReader): string | undefined {
  const kind = reader.text[reader.offset + 1] ?? '';
  reader.offset += 2;
  if (kind !== 'u') return ESCAPES.get(kind);
  const digits = skip(reader, UNICODE_ESCAPE);
  return digits === undefined ? undefined : String.fromCharCode(Number.parseInt(digits, 16));
}
