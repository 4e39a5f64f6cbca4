import { parseBase64 } from '../../bytes/base64.ts';
import { bytesKey, equalBytes } from '../../bytes/compare.ts';
import { parseHex } from '../../bytes/hex.ts';
import { withoutUtf16 } from '../../bytes/utf8.ts';
import { parseJsonObject, stringInJson } from '../../encoding/stringInJson.ts';
import { unlessRefused } from '../../errors.ts';

/** "psbt" and 0xff. @see BIP174 */
export const PSBT_MAGIC: Uint8Array = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff);

const BASE64_START = 'cHNidP';
const HEX_START = '70736274ff';
/** The UTF-8 byte order mark as three characters. */
const UTF8_BOM = /^\u00ef\u00bb\u00bf/;

/** Of Core and this program, of LND, and of Core Lightning. */
const MEMBERS: readonly string[] = ['psbt', 'funded_psbt', 'signed_psbt'];

export interface WrittenPsbt {
  readonly bytes: Uint8Array;
  readonly encoding: 'binary' | 'base64' | 'hex' | 'json';
}

/** Finds a PSBT in any form that `parsePsbt` reads. */
export function findPsbt(content: string | Uint8Array): WrittenPsbt | undefined {
  if (typeof content !== 'string' && equalBytes(content.subarray(0, PSBT_MAGIC.length), PSBT_MAGIC)) {
    return { bytes: content, encoding: 'binary' };
  }
  const text = textIn(content);
  const inJson = psbtInJson(parseJsonObject(text));
  const written = findInText(inJson ?? text);
  return written && inJson !== undefined ? { ...written, encoding: 'json' } : written;
}

export const psbtInJson = (value: unknown): string | undefined => stringInJson(value, MEMBERS);

/** Returns one character per byte: base64 and hex are ASCII. */
const textIn = (content: string | Uint8Array): string =>
  typeof content === 'string' ? content : bytesKey(withoutUtf16(content)).replace(UTF8_BOM, '');

function findInText(text: string): WrittenPsbt | undefined {
  const digits = withoutQuotes(text);
  if (digits.startsWith(BASE64_START)) return { bytes: parseAnyBase64(digits), encoding: 'base64' };
  const isHex = digits.slice(0, HEX_START.length).toLowerCase() === HEX_START;
  return isHex ? { bytes: parseHex(digits), encoding: 'hex' } : undefined;
}

const withoutQuotes = (text: string): string => text.replace(/\s+/g, '').replace(/^(["'])(.*)\1$/, '$2');

function parseAnyBase64(text: string): Uint8Array {
  const digits = text.replace(/-/g, '+').replace(/_/g, '/');
  const padding = '='.repeat((4 - (digits.length % 4)) % 4);
  // The error must describe the text as given.
  return unlessRefused(() => parseBase64(digits + padding)) ?? parseBase64(digits);
}

/** Forms that are not read, each with its remedy. */
const UNREAD: readonly (readonly [start: RegExp, form: string])[] = [
  [/^0x70736274ff/i, 'hex with "0x" before it: leave out the "0x"'],
  [/^data:/i, 'a data: URI: give only what follows its comma'],
  [/^(?:\x1f\x8b|H4sI)/, 'compressed with gzip: decompress it first'],
  [/^Y0hOaWRQ/, 'base64 of base64: decode it once'],
  [/^(?:pset\xff|cHNldP|70736574ff)/, 'a PSET of Liquid (Elements), which is another format than PSBT'],
];

/** Longer than any of these beginnings with white space before it. */
const START = 100;

export function unreadForm(content: string | Uint8Array): string | undefined {
  const text = textIn(content);
  const start = (psbtInJson(parseJsonObject(text)) ?? text).slice(0, START).trimStart().replace(/^["']/, '');
  return UNREAD.find(([pattern]) => pattern.test(start))?.[1];
}
