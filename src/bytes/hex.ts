import { BtcError } from '../errors.ts';

const DIGITS = '0123456789abcdef';
/** Character codes of the two hex digits of each byte. */
const HIGH_DIGITS: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => DIGITS.charCodeAt(byte >> 4));
const LOW_DIGITS: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => DIGITS.charCodeAt(byte & 15));

/** Bytes per call of `String.fromCharCode`: few enough arguments for every engine. */
const CHUNK = 2048;

/**
 * Formats bytes as lower-case hex, in order. Builds the text in large pieces: joining it byte by byte costs the engine
 * several times as much, most of it garbage collection.
 *
 * @example
 * ```ts
 * import { formatHex } from 'countersign';
 *
 * formatHex(Uint8Array.of(0, 255)); // 00ff
 * ```
 */
export function formatHex(bytes: Uint8Array): string {
  return formatHexRange(bytes, 0, bytes.length);
}

/** Formats the bytes from `start` up to, but not including, `end`, without copying them first. */
export function formatHexRange(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= CHUNK) return chunkText(bytes, start, end);
  let text = '';
  for (let from = start; from < end; from += CHUNK) text += chunkText(bytes, from, Math.min(from + CHUNK, end));
  return text;
}

function chunkText(bytes: Uint8Array, from: number, to: number): string {
  const codes: number[] = [];
  for (let i = from; i < to; i += 1) {
    const byte = bytes[i] ?? 0;
    codes.push(HIGH_DIGITS[byte] ?? 0, LOW_DIGITS[byte] ?? 0);
  }
  return String.fromCharCode(...codes);
}

/** Formats bytes last byte first, as nodes and block explorers show txids and block hashes. */
export function formatReversedHex(bytes: Uint8Array): string {
  const codes: number[] = [];
  for (let i = bytes.length - 1; i >= 0; i -= 1) {
    const byte = bytes[i] ?? 0;
    codes.push(HIGH_DIGITS[byte] ?? 0, LOW_DIGITS[byte] ?? 0);
  }
  return String.fromCharCode(...codes);
}

/** Returns the value of a hex digit, given its character code; -1 for any other character. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/**
 * Parses hex in either case. Refuses white space and a `0x` prefix; an empty text gives no bytes.
 * @throws `hex/invalid` with the offset of the first bad character
 *
 * @example
 * ```ts
 * import { parseHex } from 'countersign';
 *
 * parseHex('00ff').join(); // 0,255
 * ```
 */
export function parseHex(text: string): Uint8Array {
  if (text.length % 2 !== 0) {
    throw new BtcError(
      'hex/invalid',
      { offset: text.length, reason: 'odd-length' },
      'The hex text has an odd number of digits, and each byte takes two',
    );
  }
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i += 1) {
    const high = digitOf(text.charCodeAt(2 * i));
    const low = digitOf(text.charCodeAt(2 * i + 1));
    if (high < 0 || low < 0) {
      const offset = 2 * i + (high < 0 ? 0 : 1);
      throw new BtcError(
        'hex/invalid',
        { offset, reason: 'character' },
        `Character ${offset + 1} of the hex text is not a hex digit`,
      );
    }
    bytes[i] = high * 16 + low;
  }
  return bytes;
}

/** Tells whether Core accepts `text` as hex: whole bytes, at least one. @see Bitcoin Core `IsHex` */
export function isHex(text: string): boolean {
  return text.length > 0 && text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text);
}
