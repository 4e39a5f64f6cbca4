import { formatBase64, parseBase64 } from '../../bytes/base64.ts';
import { bytesKey, equalBytes } from '../../bytes/compare.ts';
import { formatHex, parseHex } from '../../bytes/hex.ts';
import { BtcError } from '../../errors.ts';
import { decodePsbtBytes, PSBT_MAGIC, type PsbtDecodeOptions } from './decodePsbt.ts';
import { encodePsbt } from './encodePsbt.ts';
import type { Psbt } from './types.ts';

/** The magic bytes in base64 and in hex. */
const BASE64_START = 'cHNidP';
const HEX_START = '70736274ff';
/** The byte order mark that some editors write, read byte by byte. */
const UTF8_BOM = /^\u00ef\u00bb\u00bf/;

/**
 * Parses a PSBT in any form: bytes, base64 or hex, or the bytes of a text file that holds either. Ignores white space
 * in texts.
 * @throws `psbt/unrecognized` if it begins like none of them; `psbt/*`, `bytes/*`, `base64/invalid`, `hex/invalid`
 * @see BIP174 "Specification"
 * @example
 * ```ts
 * import { formatPsbt, parsePsbt } from 'countersign';
 *
 * const base64 = 'cHNidP8BAAoCAAAAAAAAAAAAAA==';
 * formatPsbt(parsePsbt(base64)) === base64; // true
 * ```
 */
export function parsePsbt(given: string | Uint8Array, options: PsbtDecodeOptions = {}): Psbt {
  if (typeof given === 'string') return decodePsbtBytes(bytesOf(given), options);
  const isBinary = equalBytes(given.subarray(0, PSBT_MAGIC.length), PSBT_MAGIC);
  // Base64 and hex are ASCII, where each byte is a character.
  return decodePsbtBytes(isBinary ? given : bytesOf(bytesKey(given).replace(UTF8_BOM, '')), options);
}

function bytesOf(text: string): Uint8Array {
  const digits = text.replace(/\s+/g, '');
  if (digits.startsWith(BASE64_START)) return parseBase64(digits);
  if (digits.slice(0, HEX_START.length).toLowerCase() === HEX_START) return parseHex(digits);
  throw new BtcError('psbt/unrecognized', {}, 'This is not a PSBT: it is neither binary, base64 nor hex of a PSBT');
}

/**
 * Formats a PSBT as base64, which wallets exchange as text, or as hex.
 *
 * @example
 * ```ts
 * import { formatPsbt, parsePsbt } from 'countersign';
 *
 * const psbt = parsePsbt('cHNidP8BADwCAAAAARERERERERERERERERERERERERERERERERERERERERERAAAAAAD/////AQAQAAAAAAAAAAAAAAAAAAA=');
 * formatPsbt(psbt, 'hex').slice(0, 10); // 70736274ff
 * ```
 */
export function formatPsbt(psbt: Psbt, encoding: 'base64' | 'hex' = 'base64'): string {
  return (encoding === 'hex' ? formatHex : formatBase64)(encodePsbt(psbt));
}
