import { ODD_TEXTS } from '../support/oddTexts.ts';
import type { Source } from './source.ts';
import type { Json } from './target.ts';

// Changes to good inputs. Each makes one to four changes of kinds that parsers get wrong.

const EDGE_BYTES = [0, 1, 2, 0x4b, 0x4c, 0x4d, 0x4e, 0x50, 0x51, 0x60, 0x7f, 0x80, 0xfc, 0xfd, 0xfe, 0xff];
/** Sizes and numbers as they stand in the data: compact sizes, little-endian numbers. */
const EDGE_NUMBERS: readonly (readonly number[])[] = [
  [0xfd, 0, 0],
  [0xfd, 0xfd, 0],
  [0xfd, 0xff, 0xff],
  [0xfe, 0, 0, 1, 0],
  [0xfe, 0xff, 0xff, 0xff, 0xff],
  [0xff, 0, 0, 0, 0, 1, 0, 0, 0],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  [0, 0, 0, 0],
  [0xff, 0xff, 0xff, 0xff],
  [0xff, 0xff, 0xff, 0x7f],
  [0, 0, 0, 0x80],
  [0, 0, 0x40, 0],
  [0, 0x40, 0x07, 0x5a, 0xf0, 0x75, 0x07, 0],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
];

const spliced = (bytes: Uint8Array, start: number, end: number, insert: ArrayLike<number>): Uint8Array => {
  const result = new Uint8Array(bytes.length - (end - start) + insert.length);
  result.set(bytes.subarray(0, start));
  result.set(insert, start);
  result.set(bytes.subarray(end), start + insert.length);
  return result;
};

/** Returns a place for a piece, and its end at most `most` bytes after it. */
function pieceOf(source: Source, length: number, most: number): readonly [start: number, end: number] {
  const start = source.next(length + 1);
  return [start, Math.min(length, start + source.next(most))];
}

function changeBytes(source: Source, bytes: Uint8Array, others: readonly Uint8Array[]): Uint8Array {
  const [start, end] = pieceOf(source, bytes.length, source.once(4) ? 80 : 5);
  switch (source.next(9)) {
    case 0:
      return spliced(bytes, start, end, []);
    case 1:
      return spliced(bytes, start, start, bytes.subarray(start, end));
    case 2:
      return spliced(bytes, start, Math.min(bytes.length, start + 1), [source.pick(EDGE_BYTES)]);
    case 3:
      return spliced(bytes, start, Math.min(bytes.length, start + 1), [(bytes[start] ?? 0) ^ (1 << source.next(8))]);
    case 4: {
      const edge = source.pick(EDGE_NUMBERS);
      return spliced(bytes, start, source.once(2) ? start : Math.min(bytes.length, start + edge.length), edge);
    }
    case 5:
      return spliced(bytes, start, end, source.bytes(source.next(6)));
    case 6:
      return source.once(4) ? bytes.slice(0, start) : spliced(bytes, start, start, [(bytes[start] ?? 0) + 1]);
    case 7: {
      const other = source.pick(others);
      const [from, to] = pieceOf(source, other.length, 100);
      return spliced(bytes, start, end, other.subarray(from, to));
    }
    default: {
      const changed = bytes.slice();
      if (start < changed.length) changed[start] = ((changed[start] ?? 0) + (source.once(2) ? 1 : 255)) & 0xff;
      return changed;
    }
  }
}

/** The most bytes or characters of a changed input. */
const LARGEST = 20_000;

/** Changes bytes in one to four places; `others`: inputs to take pieces from. */
export function mutateBytes(source: Source, bytes: Uint8Array, others: readonly Uint8Array[]): Uint8Array {
  let changed = bytes;
  for (let i = source.next(4); i >= 0; i -= 1) changed = changeBytes(source, changed, others);
  return changed.length > LARGEST ? changed.slice(0, LARGEST) : changed;
}

const NUMBERS_IN_TEXT = /\d+/g;

/** Replaces one number of a text. */
function withOtherNumber(source: Source, text: string): string {
  const found = [...text.slice(0, 4000).matchAll(NUMBERS_IN_TEXT)];
  if (found.length === 0) return text + source.pick(ODD_TEXTS);
  const { 0: digits, index } = source.pick(found);
  const other = source.once(2)
    ? source.pick(['0', '-1', '2147483647', '2147483648', '4294967295', '65536', '256', '00', '1e9'])
    : `${Number(digits) + 1}`;
  return text.slice(0, index) + other + text.slice(index + digits.length);
}

function changeText(source: Source, text: string, others: readonly string[]): string {
  const [start, end] = pieceOf(source, text.length, source.once(4) ? 60 : 4);
  const [head, piece, tail] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  switch (source.next(10)) {
    case 0:
      return head + tail;
    case 1:
      return head + piece + piece + tail;
    case 2:
      return head + source.pick(ODD_TEXTS) + text.slice(start);
    case 3:
      return head + source.pick(ODD_TEXTS) + tail;
    case 4:
      return head + (source.once(2) ? piece.toUpperCase() : piece.toLowerCase()) + tail;
    case 5: {
      const other = source.pick(others);
      const [from, to] = pieceOf(source, other.length, 60);
      return head + other.slice(from, to) + tail;
    }
    case 6:
      return withOtherNumber(source, text);
    case 7:
      return head + String.fromCharCode((text.charCodeAt(start) || 48) ^ (1 << source.next(7))) + text.slice(start + 1);
    case 8:
      return source.once(3) ? head : head + (text[start + 1] ?? '') + (text[start] ?? '') + text.slice(start + 2);
    default:
      return head + String.fromCharCode(32 + source.next(95)) + text.slice(start + 1);
  }
}

/** Changes a text in one to four places. */
export function mutateText(source: Source, text: string, others: readonly string[]): string {
  let changed = text;
  for (let i = source.next(4); i >= 0; i -= 1) changed = changeText(source, changed, others);
  return changed.slice(0, LARGEST);
}

const ODD_VALUES: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 63),
  1e21,
  0.000_000_001,
  21_000_000,
  '',
  ' ',
  '0',
  '00',
  'ALL',
  '*',
  '\0',
  '\ud83d\ude00',
  [],
  {},
  [[]],
  [null],
  { __proto__x: 1 },
];

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Changes a list: adds, removes or repeats an element, or changes one. */
function changeList(source: Source, list: readonly Json[], others: readonly Json[]): Json {
  const at = source.next(list.length + 1);
  const item = list[at];
  if (item === undefined || source.once(6)) return [...list.slice(0, at), source.pick(others), ...list.slice(at)];
  if (source.once(8)) return list.filter((_, i) => i !== at);
  if (source.once(8)) return [...list, item];
  return list.map((old, i) => (i === at ? changeJson(source, old, others) : old));
}

/** Changes an object: adds or removes a member, or changes its value. */
function changeObject(source: Source, object: { readonly [name: string]: Json }, others: readonly Json[]): Json {
  const members = Object.entries(object);
  if (members.length === 0) return { [source.pick(['a', 'txid', 'desc'])]: source.pick(others) };
  const [name] = source.pick(members);
  if (source.once(8)) return Object.fromEntries(members.filter(([other]) => other !== name));
  if (source.once(12)) return { ...object, [mutateText(source, name, [name])]: source.pick(others) };
  return Object.fromEntries(
    members.map(([other, old]) => [other, other === name ? changeJson(source, old, others) : old]),
  );
}

/** Changes one place of a JSON value. */
function changeJson(source: Source, value: Json, others: readonly Json[]): Json {
  if (source.once(12)) return source.once(2) ? source.pick(others) : source.pick(ODD_VALUES);
  if (typeof value === 'string') return mutateText(source, value, [value, 'a0', '[]']);
  if (typeof value === 'number') return source.once(2) ? source.pick(ODD_VALUES) : value + source.next(3) - 1;
  if (typeof value !== 'object' || value === null) return source.pick(ODD_VALUES);
  return isList(value) ? changeList(source, value, others) : changeObject(source, value, others);
}

/** Changes a JSON value in one to three places. */
export function mutateJson(source: Source, value: Json, others: readonly Json[]): Json {
  let changed = value;
  for (let i = source.next(3); i >= 0; i -= 1) changed = changeJson(source, changed, others);
  return changed;
}
