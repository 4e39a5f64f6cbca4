import { base58 } from '@scure/base';
import { concatBytes, equalBytes } from '../bytes/compare.ts';
import { sha256d } from '../crypto/hash.ts';
import { BtcError } from '../errors.ts';

const CHECKSUM_SIZE = 4;
/** The longest base58 text of `size` bytes: each digit carries log2(58) = 5.858 bits, leading zeros one digit. */
const digitsFor = (size: number): number => Math.ceil((size * 8) / 5.858);

export function formatBase58Check(payload: Uint8Array): string {
  return base58.encode(concatBytes(payload, sha256d(payload).slice(0, CHECKSUM_SIZE)));
}

/** Strips the white space of C's `isspace`. @see Core `DecodeBase58` */
function withoutSpace(text: string): string {
  const isSpace = (at: number): boolean => ' \t\n\v\f\r'.includes(text.charAt(at));
  let [start, end] = [0, text.length];
  while (start < end && isSpace(start)) start += 1;
  while (start < end && isSpace(end - 1)) end -= 1;
  return text.slice(start, end);
}

export function parseBase58(untrimmed: string, most: number): Uint8Array {
  const text = withoutSpace(untrimmed);
  const isReadable = text.length <= digitsFor(most) && /^[1-9A-HJ-NP-Za-km-z]*$/.test(text);
  const bytes = isReadable ? base58.decode(text) : undefined;
  if (bytes && bytes.length <= most) return bytes;
  throw new BtcError(
    'base58/invalid',
    { reason: 'character' },
    'The text is too long, or has a character that base58 lacks: check for typing errors',
  );
}

/**
 * Returns the payload of at most `most` bytes; a text too long for it is refused before it is decoded.
 * @throws `base58/invalid`
 */
export function parseBase58Check(text: string, most: number): Uint8Array {
  const bytes = parseBase58(text, most + CHECKSUM_SIZE);
  const payload = bytes.slice(0, -CHECKSUM_SIZE);
  const checksum = bytes.slice(-CHECKSUM_SIZE);
  if (bytes.length < CHECKSUM_SIZE || !equalBytes(checksum, sha256d(payload).slice(0, CHECKSUM_SIZE))) {
    throw new BtcError(
      'base58/invalid',
      { reason: 'checksum' },
      'The base58 checksum does not match: a character is wrong or missing',
    );
  }
  return payload;
}
