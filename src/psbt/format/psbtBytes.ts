import { parseBase64 } from '../../bytes/base64.ts';
import { bytesKey, equalBytes } from '../../bytes/compare.ts';
import { parseHex } from '../../bytes/hex.ts';

/** "psbt" and 0xff. @see BIP174 */
export const PSBT_MAGIC: Uint8Array = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff);

/** The magic bytes in base64 and in hex. */
const BASE64_START = 'cHNidP';
const HEX_START = '70736274ff';
/** The byte order mark that some editors write, read byte by byte. */
const UTF8_BOM = /^\u00ef\u00bb\u00bf/;

/**
 * Finds the bytes of a PSBT in any form; `undefined` if it begins like none of them.
 * @throws `base64/invalid`, `hex/invalid`
 */
export function psbtBytes(given: string | Uint8Array): Uint8Array | undefined {
  if (typeof given === 'string') return bytesOf(given);
  const isBinary = equalBytes(given.subarray(0, PSBT_MAGIC.length), PSBT_MAGIC);
  // Base64 and hex are ASCII, where each byte is a character.
  return isBinary ? given : bytesOf(bytesKey(given).replace(UTF8_BOM, ''));
}

function bytesOf(text: string): Uint8Array | undefined {
  const digits = text.replace(/\s+/g, '');
  if (digits.startsWith(BASE64_START)) return parseBase64(digits);
  return digits.slice(0, HEX_START.length).toLowerCase() === HEX_START ? parseHex(digits) : undefined;
}
