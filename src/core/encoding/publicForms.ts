import { equalBytes } from '../bytes/compare.ts';
import { sha256d } from '../crypto/hash.ts';
import { unlessRefused } from '../errors.ts';
import { addressPrefixes, silentPaymentPrefixes } from './addressPrefixes.ts';
import { parseBase58 } from './base58check.ts';
import { isMinikey, mayBeSeedDigits } from './writtenSecrets.ts';

/** The kind of text that a caller expects, which may be shown besides public keys. */
export type TextKind = 'address' | 'hash' | 'script' | 'path' | 'name';

/** Longer runs of letters and digits may be a piece of a key. */
const LONGEST_SHOWN = 15;

export const isLong = (text: string): boolean => text.length > LONGEST_SHOWN;

/**
 * Public keys in hex, and extended public keys of any prefix (SLIP132), even with a few characters missing or too many;
 * zeros, never a key.
 */
const PUBLIC_KEY =
  /^(?:0[23][0-9a-fA-F]{64,72}|0[467][0-9a-fA-F]{128}|[a-zA-Z](?:pub|tub)(?!.*(?:prv|tpv))(?=.*[A-Z])(?=.*[a-z])[0-9a-zA-Z]{99,109}|0+)$/;
/** Too short to hold a key. */
const DECIMAL = /^(?=.{1,26}$)\d{1,20}\.\d{1,20}(?:e[+-]?\d{1,4})?$/i;

const rows = Object.values(addressPrefixes);
const SEGWIT: ReadonlySet<string> = new Set(rows.map(({ hrp }) => hrp));
/** The symbols of a version, 2 bytes and a checksum. */
const LEAST_SYMBOLS = 11;
const OF_TWO_KEYS: ReadonlySet<string> = new Set([
  ...Object.values(silentPaymentPrefixes),
  ...rows.flatMap((row) => ('mwebHrp' in row ? row.mwebHrp : [])),
]);
/** A version, two public keys, and a checksum. */
const TWO_KEYS_SYMBOLS = 113;

/** Accepts a mistyped address, and one with too much data, up to the length of the longest: no secret has its prefix. */
function isBech32Address(token: string): boolean {
  const lower = token.toLowerCase();
  if (token !== lower && token !== token.toUpperCase()) return false;
  const [, hrp = '', { length } = ''] = /^([a-z]+)1([02-9ac-hj-np-z]+)$/.exec(lower) ?? [];
  if (OF_TWO_KEYS.has(hrp)) return length === TWO_KEYS_SYMBOLS;
  return SEGWIT.has(hrp) && length >= LEAST_SYMBOLS && length <= TWO_KEYS_SYMBOLS;
}

const BASE58_VERSIONS: ReadonlySet<number> = new Set(
  rows.flatMap(({ pubKeyHash, scriptHash, scriptHashAccepted }) => [pubKeyHash, scriptHash, ...scriptHashAccepted]),
);
/** A version, a hash and a checksum. */
const BASE58_SIZE = 25;

/** With `isAsked`, a mistyped address is one, too. */
function isBase58Address(token: string, isAsked: boolean): boolean {
  const bytes = unlessRefused(() => parseBase58(token, BASE58_SIZE));
  if (bytes?.length !== BASE58_SIZE || !BASE58_VERSIONS.has(bytes[0] ?? -1)) return false;
  return isAsked || equalBytes(sha256d(bytes.slice(0, -4)).slice(0, 4), bytes.slice(-4));
}

/** Begins like a scriptPubKey of a known template. */
const SCRIPT = /^(?:0x)?(?:00(?:14|20)|51(?:20|21)|5[23]21|76a9|a914|6a|210[23]|4104)[0-9a-fA-F]*$/;
/** Of 20 and 32 bytes, two more or fewer, as in a mistyped hash. */
const HASH_DIGITS: ReadonlySet<number> = new Set(
  [40, 64].flatMap((digits) => [-2, -1, 0, 1, 2].map((n) => digits + n)),
);
/** The digits of a 64-byte seed, and a few more. */
const LONGEST_SECRET = 136;

/** Tells whether a run of letters and digits is public wherever it stands, or where such a text was asked for. */
export function isPublic(token: string, kind: TextKind | undefined): boolean {
  if (PUBLIC_KEY.test(token)) return isUniform(token) || !isSeedDigits(token);
  if (DECIMAL.test(token) || isBech32Address(token)) return true;
  if (isBase58Address(token, kind === 'address')) return true;
  const { length } = token;
  if (kind === 'hash') return isUniform(token) || (isHexLike(token) && HASH_DIGITS.has(length) && !isSeedDigits(token));
  return (
    kind === 'script' && isHexLike(token) && (length > LONGEST_SECRET || (SCRIPT.test(token) && !isKeySized(length)))
  );
}

/** Allows three other characters for typing errors, or an `0x` prefix. */
export const isHexLike = (token: string): boolean => token.replace(/[0-9a-fA-F]/g, '').length <= 3;

/** One character, or one byte in hex, again and again. */
const isUniform = (text: string): boolean => text.slice(2) === text.slice(0, -2);

export const isLikeHash = (text: string): boolean => isHexLike(text) || isUniform(text);

/** About as long as 32 or 64 bytes. */
const isKeySized = (length: number): boolean =>
  (length >= 60 && length <= 67) || (length >= 120 && length <= LONGEST_SECRET);

/** Fewer than 16 bytes, which is less than a key, a seed or its entropy has. */
export const isShortHex = (token: string): boolean =>
  /^[0-9a-fA-F]{1,31}$/.test(token) && !(isLong(token) && isSeedDigits(token));

/** Allows other characters beside the digits, as `isHexLike` does. */
function isSeedDigits(token: string): boolean {
  const digits = token.replace(/\D/g, '');
  return token.length - digits.length <= 3 && mayBeSeedDigits(digits);
}

const LONGEST_NAME = 40;
const MOST_DIGITS = 2;
/** The letters of words without a vowel, as in `p2shAddress` and `getRPCName`. */
const MOST_ABBREVIATED = 4;
/** As many words in a row may be seed words. */
export const LEAST_JOINED = 6;
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
/** In one case, with digits, and without the letters that bech32 lacks. */
const LIKE_BECH32 = /^(?=\D*\d)(?:[02-9ac-hj-np-z]+|[02-9AC-HJ-NP-Z]+)$/;

/** No word has so many consonants in a row; `descriptorprocesspsbt` has six. */
const UNSPEAKABLE = /[b-df-hj-np-tv-xz]{7}/i;

/**
 * Tells whether a run of letters and digits can be a name, such as `reserveChangeKey`: at most two digits, and words with
 * vowels. A few short pieces of keys can, too; `redaction.test.ts` counts them.
 */
export function mayBeName(token: string): boolean {
  if (token.length > LONGEST_NAME || !/^[A-Za-z][A-Za-z0-9]*$/.test(token)) return false;
  if (token.replace(/\D/g, '').length > MOST_DIGITS || LIKE_BECH32.test(token)) return false;
  if (UNSPEAKABLE.test(token) || isMinikey(token)) return false;
  const words = token.match(WORD) ?? [];
  const abbreviated = words.filter((word) => !/[aeiouy]/i.test(word)).join('');
  return abbreviated.length <= MOST_ABBREVIATED && words.filter(({ length }) => length >= 3).length < LEAST_JOINED;
}

/**
 * Tells whether a script may be a key in truth: it has 16 to 33 bytes, as keys and the entropy of seed words, or 64 to
 * 68, as seeds, and does not begin like a known template.
 */
export function mayBeKeyInHex(hex: string): boolean {
  const size = hex.length / 2;
  const isLikeKey = (size >= 16 && size <= 33) || (size >= 64 && size <= 68);
  return isLikeKey && !(SCRIPT.test(hex) && (!isKeySized(hex.length) || isWholeScript(hex)));
}

const isWholeScript = (hex: string): boolean =>
  /^4104.{128}ac$/i.test(hex) || (/^6a/i.test(hex) && parseInt(hex.slice(2, 4), 16) === hex.length / 2 - 2);
