import { BtcError } from '../errors.ts';
import { assertBytes } from './assertBytes.ts';
import { assertText } from './assertText.ts';
import { copyBytes } from './compare.ts';

const DIGITS = '0123456789abcdef';
const NO_DIGIT = 16;
const CODES: Uint8Array = Uint8Array.from(DIGITS, (digit) => digit.charCodeAt(0));
const PAIRS: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const HIGHEST_DIGIT = 'f'.charCodeAt(0);
const VALUES: Uint8Array = Uint8Array.from({ length: HIGHEST_DIGIT + 1 }, (_, code) => {
  const value = DIGITS.indexOf(String.fromCharCode(code).toLowerCase());
  return value < 0 ? NO_DIGIT : value;
});
/**
 * Formats bytes as lower-case hex.
 *
 * @example
 * ```ts
 * import { formatHex } from 'countersign';
 *
 * formatHex(Uint8Array.of(0, 255)); // 00ff
 * ```
 */
export function formatHex(bytes: Uint8Array): string {
  assertBytes('bytes', bytes);
  return formatHexRange(bytes, 0, bytes.length);
}

export function formatHexRange(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  let next = start;
  for (; next + 8 <= end; next += 8) text += formatEight(bytes, next);
  for (; next < end; next += 1) text += PAIRS[bytes[next] ?? 0];
  return text;
}

/** Formats eight bytes in one call: joining pairs of digits costs the engine several times as much. */
function formatEight(bytes: Uint8Array, from: number): string {
  return String.fromCharCode(
    highDigit(bytes, from),
    lowDigit(bytes, from),
    highDigit(bytes, from + 1),
    lowDigit(bytes, from + 1),
    highDigit(bytes, from + 2),
    lowDigit(bytes, from + 2),
    highDigit(bytes, from + 3),
    lowDigit(bytes, from + 3),
    highDigit(bytes, from + 4),
    lowDigit(bytes, from + 4),
    highDigit(bytes, from + 5),
    lowDigit(bytes, from + 5),
    highDigit(bytes, from + 6),
    lowDigit(bytes, from + 6),
    highDigit(bytes, from + 7),
    lowDigit(bytes, from + 7),
  );
}

const highDigit = (bytes: Uint8Array, at: number): number => CODES[(bytes[at] ?? 0) >> 4] ?? 0;
const lowDigit = (bytes: Uint8Array, at: number): number => CODES[(bytes[at] ?? 0) & 15] ?? 0;

/** Formats bytes last byte first, as nodes show txids and block hashes. */
export function formatReversedHex(bytes: Uint8Array): string {
  assertBytes('bytes', bytes);
  return formatHex(copyBytes(bytes).reverse());
}

/**
 * Parses hex in either case, without white space or a `0x` prefix.
 * @throws `hex/invalid`
 *
 * @example
 * ```ts
 * import { parseHex } from 'countersign';
 *
 * parseHex('00ff').join(); // 0,255
 * ```
 */
export function parseHex(text: string): Uint8Array {
  assertText('hex text', text);
  if (text.length % 2 !== 0) {
    throw new BtcError(
      'hex/invalid',
      { offset: text.length, reason: 'odd-length' },
      'The hex text has an odd number of digits, and each byte takes two',
    );
  }
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i += 1) {
    const high = VALUES[text.charCodeAt(2 * i)] ?? NO_DIGIT;
    const low = VALUES[text.charCodeAt(2 * i + 1)] ?? NO_DIGIT;
    if ((high | low) >= NO_DIGIT) {
      const offset = 2 * i + (high === NO_DIGIT ? 0 : 1);
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

/** Tells whether Core accepts a text as hex: whole bytes, at least one. @see Core `IsHex` */
export function isHex(text: string): boolean {
  return text.length > 0 && text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text);
}

/** Reads a big-endian number of at least one byte. */
export const readNumber = (bytes: Uint8Array): bigint => BigInt(`0x${formatHex(bytes)}`);
