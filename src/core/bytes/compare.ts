import { assertBytes } from './assertBytes.ts';

/** Tells whether two byte strings are equal. Does not run in constant time: not for secrets. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

/** Orders byte strings like `std::vector<unsigned char>`: bytewise, a prefix first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Orders byte strings like `CScript`, a `prevector`: the shorter one first, then bytewise. */
export const compareBySize = (a: Uint8Array, b: Uint8Array): number => a.length - b.length || compareBytes(a, b);

/** Few enough arguments for every engine. */
const KEY_CHUNK = 4096;

/** Returns a string unique to the bytes, as a key of a `Set` or `Map`. Not for display. */
export function bytesKey(bytes: Uint8Array, start = 0, end: number = bytes.length): string {
  let key = '';
  for (let from = start; from < end; from += KEY_CHUNK) {
    const codes: ArrayLike<number> = bytes.subarray(from, Math.min(from + KEY_CHUNK, end));
    key += String.fromCharCode.apply(undefined, codes as number[]);
  }
  return key;
}

export function parseBytesKey(key: string): Uint8Array {
  const bytes = new Uint8Array(key.length);
  for (let i = 0; i < key.length; i += 1) bytes[i] = key.charCodeAt(i);
  return bytes;
}

/** Joins byte strings. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  for (const part of parts) assertBytes('bytes', part);
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Takes two arrays of the same length. */
export const xorBytes = (a: Uint8Array, b: Uint8Array): Uint8Array => a.map((byte, i) => byte ^ (b[i] ?? 0));

/** Copies into a plain array: `slice` of a Node `Buffer` would share its bytes. */
export const copyBytes = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);
