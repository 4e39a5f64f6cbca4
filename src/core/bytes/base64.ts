import { BtcError } from '../errors.ts';
import { assertBytes } from './assertBytes.ts';
import { assertText } from './assertText.ts';
import { bytesKey } from './compare.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PADDING = '=';
const DIGITS: Uint8Array = Uint8Array.from(ALPHABET, (digit) => digit.charCodeAt(0));

const SEXTETS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = ALPHABET.indexOf(String.fromCharCode(code));
  return value < 0 ? 64 : value;
});

const NO_SEXTET = 64;
const sextetAt = (text: string, offset: number): number => SEXTETS[text.charCodeAt(offset)] ?? NO_SEXTET;

/** Reads four characters as 24 bits; `shown` is their offset in the whole text, for errors. */
function groupAt(text: string, offset: number, textOffset = offset): number {
  const first = sextetAt(text, offset);
  const second = sextetAt(text, offset + 1);
  const third = sextetAt(text, offset + 2);
  const fourth = sextetAt(text, offset + 3);
  if ((first | second | third | fourth) < NO_SEXTET) return (first << 18) | (second << 12) | (third << 6) | fourth;
  const at = [first, second, third, fourth].indexOf(NO_SEXTET);
  const wrong = textOffset + at;
  throw new BtcError(
    'base64/invalid',
    { offset: wrong, reason: 'character' },
    `Character ${wrong + 1} of the base64 text is not a base64 digit: copy all of it again`,
  );
}

/**
 * Parses base64 as strictly as Core: with padding and zero in unused bits, without white space or the URL alphabet.
 * @throws `base64/invalid`
 * @see RFC 4648 section 4; Core `DecodeBase64`
 *
 * @example
 * ```ts
 * import { formatHex, parseBase64 } from 'countersign';
 *
 * formatHex(parseBase64('cHNidP8=')); // 70736274ff
 * ```
 */
export function parseBase64(text: string): Uint8Array {
  assertText('base64 text', text);
  if (text.length % 4 !== 0) {
    throw new BtcError(
      'base64/invalid',
      { offset: text.length, reason: 'length' },
      'The length of the base64 text is not a multiple of 4: copy all of it',
    );
  }
  const padding = text.endsWith('==') ? 2 : text.endsWith(PADDING) ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const whole = text.length - (padding > 0 ? 4 : 0);
  let to = 0;
  for (let from = 0; from < whole; from += 4) {
    const group = groupAt(text, from);
    bytes[to] = group >> 16;
    bytes[to + 1] = group >> 8;
    bytes[to + 2] = group;
    to += 3;
  }
  if (padding > 0) {
    // The bits that padding leaves unused must be zero.
    const group = groupAt(text.slice(whole, -padding) + 'A'.repeat(padding), 0, whole);
    bytes[to] = group >> 16;
    if (padding === 1) bytes[to + 1] = group >> 8;
    const spare = padding === 1 ? group & 0xff : group & 0xffff;
    if (spare !== 0) {
      throw new BtcError(
        'base64/invalid',
        { offset: whole, reason: 'padding-bits' },
        'The last digit of the base64 text is wrong: its unused bits are not zero',
      );
    }
  }
  return bytes;
}

/**
 * Formats bytes as standard base64 with padding.
 *
 * @example
 * ```ts
 * import { formatBase64, parseHex } from 'countersign';
 *
 * formatBase64(parseHex('70736274ff')); // cHNidP8=
 * ```
 */
export function formatBase64(bytes: Uint8Array): string {
  assertBytes('bytes', bytes);
  // Joining characters would cost a long text thirty times its size.
  const codes = new Uint8Array(4 * Math.ceil(bytes.length / 3));
  let to = 0;
  for (let from = 0; from < bytes.length; from += 3) {
    const group = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    codes[to] = DIGITS[group >> 18] ?? 0;
    codes[to + 1] = DIGITS[(group >> 12) & 63] ?? 0;
    codes[to + 2] = DIGITS[(group >> 6) & 63] ?? 0;
    codes[to + 3] = DIGITS[group & 63] ?? 0;
    to += 4;
  }
  const digits = bytesKey(codes);
  const padding = (3 - (bytes.length % 3)) % 3;
  return padding === 0 ? digits : digits.slice(0, -padding) + PADDING.repeat(padding);
}
