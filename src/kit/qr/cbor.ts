import { concatBytes } from '../../core/bytes/compare.ts';
import { createReader, type Reader, remaining } from '../../core/bytes/reader.ts';
import { decodeUtf8WithoutMark, encodeUtf8 } from '../../core/bytes/utf8.ts';

/** The values of CBOR that URs use. @see RFC 8949 */
export type Cbor =
  | { readonly type: 'uint'; readonly value: number }
  | { readonly type: 'bytes'; readonly value: Uint8Array }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'array'; readonly items: readonly Cbor[] }
  | { readonly type: 'map'; readonly entries: readonly (readonly [Cbor, Cbor])[] }
  | { readonly type: 'tag'; readonly tag: number; readonly content: Cbor }
  | { readonly type: 'boolean'; readonly value: boolean };

const MAJOR = { uint: 0, bytes: 2, text: 3, array: 4, map: 5, tag: 6, simple: 7 } as const;
const [FALSE, TRUE] = [20, 21] as const;
/** Deeper than descriptors nest; without a limit, a short text could exhaust the stack. */
const DEEPEST = 16;

const ARGUMENT_SIZES: Readonly<Record<number, number>> = { 24: 1, 25: 2, 26: 4, 27: 8 };

function head(major: number, argument: number): Uint8Array {
  const first = major << 5;
  if (argument < 24) return Uint8Array.of(first | argument);
  if (argument < 0x100) return Uint8Array.of(first | 24, argument);
  if (argument < 0x1_0000) return Uint8Array.of(first | 25, argument >> 8, argument & 0xff);
  const bytes = new Uint8Array(5);
  bytes[0] = first | 26;
  new DataView(bytes.buffer).setUint32(1, argument);
  return bytes;
}

/** Numbers must be below 2^32. */
export function encodeCbor(value: Cbor): Uint8Array {
  switch (value.type) {
    case 'uint':
      return head(MAJOR.uint, value.value);
    case 'bytes':
      return concatBytes(head(MAJOR.bytes, value.value.length), value.value);
    case 'text': {
      const bytes = encodeUtf8(value.value);
      return concatBytes(head(MAJOR.text, bytes.length), bytes);
    }
    case 'array':
      return concatBytes(head(MAJOR.array, value.items.length), ...value.items.map(encodeCbor));
    case 'map': {
      const entries = value.entries.flatMap(([key, member]) => [encodeCbor(key), encodeCbor(member)]);
      return concatBytes(head(MAJOR.map, value.entries.length), ...entries);
    }
    case 'tag':
      return concatBytes(head(MAJOR.tag, value.tag), encodeCbor(value.content));
    default:
      return head(MAJOR.simple, value.value ? TRUE : FALSE);
  }
}

/** More than a descriptor of 999 keys has; each value takes far more memory than its bytes. */
const MOST_VALUES = 100_000;

interface CborReader extends Reader {
  budget: number;
}

/** Returns `undefined` for damaged or further bytes, and for what URs do not use. */
export function decodeCbor(bytes: Uint8Array): Cbor | undefined {
  const reader = { ...createReader(bytes), budget: MOST_VALUES };
  const value = readValue(reader, DEEPEST);
  return remaining(reader) === 0 ? value : undefined;
}

function readArgument(reader: Reader, low: number): number | undefined {
  if (low < 24) return low;
  const size = ARGUMENT_SIZES[low];
  if (size === undefined || size > remaining(reader)) return undefined;
  let value = 0;
  for (let i = 0; i < size; i += 1) value = value * 0x100 + (reader.bytes[reader.offset++] ?? 0);
  return Number.isSafeInteger(value) ? value : undefined;
}

function readValue(reader: CborReader, depth: number): Cbor | undefined {
  if (remaining(reader) === 0 || depth === 0 || reader.budget === 0) return undefined;
  reader.budget -= 1;
  const first = reader.bytes[reader.offset++] ?? 0;
  const argument = readArgument(reader, first & 0x1f);
  if (argument === undefined) return undefined;
  switch (first >> 5) {
    case MAJOR.uint:
      return { type: 'uint', value: argument };
    case MAJOR.bytes: {
      const value = take(reader, argument);
      return value && { type: 'bytes', value };
    }
    case MAJOR.text: {
      const taken = take(reader, argument);
      const value = taken && decodeUtf8WithoutMark(taken);
      return value === undefined ? undefined : { type: 'text', value };
    }
    case MAJOR.array: {
      const items = readValues(reader, argument, depth);
      return items && { type: 'array', items };
    }
    case MAJOR.map: {
      const items = readValues(reader, 2 * argument, depth);
      return items && { type: 'map', entries: toPairs(items) };
    }
    case MAJOR.tag: {
      const content = readValue(reader, depth - 1);
      return content && { type: 'tag', tag: argument, content };
    }
    default:
      return first === ((MAJOR.simple << 5) | FALSE) || first === ((MAJOR.simple << 5) | TRUE)
        ? { type: 'boolean', value: argument === TRUE }
        : undefined;
  }
}

function take(reader: Reader, size: number): Uint8Array | undefined {
  if (size > remaining(reader)) return undefined;
  const start = reader.offset;
  reader.offset += size;
  return reader.bytes.slice(start, reader.offset);
}

/** Each value takes at least a byte, so a false count ends with the bytes. */
function readValues(reader: CborReader, count: number, depth: number): readonly Cbor[] | undefined {
  const values: Cbor[] = [];
  while (values.length < count) {
    const value = readValue(reader, depth - 1);
    if (!value) return undefined;
    values.push(value);
  }
  return values;
}

const toPairs = (items: readonly Cbor[]): (readonly [Cbor, Cbor])[] =>
  items.flatMap((key, i) => {
    const member = items[i + 1];
    return i % 2 === 0 && member ? [[key, member] as const] : [];
  });
