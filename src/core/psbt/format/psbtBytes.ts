import { parseBase64 } from '../../bytes/base64.ts';
import { bytesKey, equalBytes } from '../../bytes/compare.ts';
import { parseHex } from '../../bytes/hex.ts';
import { withoutUtf16 } from '../../bytes/utf8.ts';
import { stringInJson } from '../../encoding/stringInJson.ts';
import { unlessRefused } from '../../errors.ts';

/** "psbt" and 0xff. @see BIP174 */
export const PSBT_MAGIC: Uint8Array = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff);

/** The magic bytes in base64 and in hex. */
const BASE64_START = 'cHNidP';
const HEX_START = '70736274ff';
/** The byte order mark that some editors write, read byte by byte. */
const UTF8_BOM = /^\u00ef\u00bb\u00bf/;

/** Members of JSON that hold a PSBT: in answers of Core and of our commands, of LND, and of Core Lightning. */
const MEMBERS: readonly string[] = ['psbt', 'funded_psbt', 'signed_psbt'];

/** The bytes of a PSBT, and how they were written. */
export interface WrittenPsbt {
  readonly bytes: Uint8Array;
  readonly encoding: 'binary' | 'base64' | 'hex' | 'json';
}

/**
 * Finds a PSBT: binary, base64 or hex, in quotes or not, or JSON that holds it, each as bytes or text; `undefined`
 * for any other content.
 * @throws `base64/invalid`, `hex/invalid`
 */
export function findPsbt(given: string | Uint8Array): WrittenPsbt | undefined {
  if (typeof given !== 'string' && equalBytes(given.subarray(0, PSBT_MAGIC.length), PSBT_MAGIC)) {
    return { bytes: given, encoding: 'binary' };
  }
  const text = textIn(given);
  const inJson = psbtInJson(text);
  const found = findInText(inJson ?? text);
  return found && inJson !== undefined ? { ...found, encoding: 'json' } : found;
}

/** Returns the text that JSON holds where programs write a PSBT; `undefined` if the text is not such JSON. */
export const psbtInJson = (text: string): string | undefined => stringInJson(text, MEMBERS);

/** Returns a content as text; of bytes each as one character, as base64 and hex are ASCII. */
const textIn = (given: string | Uint8Array): string =>
  typeof given === 'string' ? given : bytesKey(withoutUtf16(given)).replace(UTF8_BOM, '');

function findInText(text: string): WrittenPsbt | undefined {
  const digits = withoutQuotes(text);
  if (digits.startsWith(BASE64_START)) return { bytes: parseAnyBase64(digits), encoding: 'base64' };
  const isHex = digits.slice(0, HEX_START.length).toLowerCase() === HEX_START;
  return isHex ? { bytes: parseHex(digits), encoding: 'hex' } : undefined;
}

/** Returns a text without white space, and without quotes around it. */
const withoutQuotes = (text: string): string => text.replace(/\s+/g, '').replace(/^(["'])(.*)\1$/, '$2');

/** Parses base64 also in the URL alphabet, and without its padding. @throws `base64/invalid` */
function parseAnyBase64(text: string): Uint8Array {
  const digits = text.replace(/-/g, '+').replace(/_/g, '/');
  const padding = '='.repeat((4 - (digits.length % 4)) % 4);
  // With other padding than that, characters are missing, which the error should say.
  return unlessRefused(() => parseBase64(digits + padding)) ?? parseBase64(digits);
}

/** Forms of a PSBT that are not read, by how they begin, and what to do. */
const UNREAD: readonly (readonly [start: RegExp, form: string])[] = [
  [/^0x70736274ff/i, 'hex with "0x" before it: leave out the "0x"'],
  [/^data:/i, 'a data: URI: give only what follows its comma'],
  [/^(?:\x1f\x8b|H4sI)/, 'compressed with gzip: decompress it first'],
  [/^Y0hOaWRQ/, 'base64 of base64: decode it once'],
  [/^(?:pset\xff|cHNldP|70736574ff)/, 'a PSET of Liquid (Elements), which is another format than PSBT'],
];

/** More characters than the longest start of a form, with white space before it. */
const START = 100;

/** Names the form of a PSBT that is not read, and says what to do; `undefined` for any other content. */
export function unreadForm(given: string | Uint8Array): string | undefined {
  const text = textIn(given);
  const start = (psbtInJson(text) ?? text).slice(0, START).trimStart().replace(/^["']/, '');
  return UNREAD.find(([pattern]) => pattern.test(start))?.[1];
}
