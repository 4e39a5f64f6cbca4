import { BtcError } from '../errors.ts';
import { parseBase58Check } from './base58check.ts';

/**
 * Names what a text was wanted for, and with it what may be shown of it besides public keys: addresses, block hashes and
 * transaction ids, or scripts in hex.
 */
export type Wanted = 'address' | 'hash' | 'script';

const MASK = '...';

/** Letters, digits, accents and what joins them unseen; JSON's escapes for letters beyond ASCII; escapes for white space. */
const TOKEN = /(?:[\p{L}\p{M}\p{N}\p{Cf}]|\\u(?!00[0-7])[0-9a-fA-F]{4})+/gu;
/** Escapes of JSON and URLs for white space, whose letters would pass for a part of the next word. */
const ESCAPED_SPACE = /\\[bfnrt]|\\u00[01][0-9a-fA-F]|\\u0020|%[01][0-9a-fA-F]|%20/g;

/** Longer tokens may be private keys, also mistyped or cut: no word or name that texts have to show is as long. */
const LONGEST_SHOWN = 16;

/**
 * Shows a text that a caller gave as error texts, logs and hints may hold it: with `...` in place of whatever may be secret.
 * Secret are three or more words in a row, which may be seed words of any language, and all longer runs of letters and
 * digits that do not show themselves to be public: private keys in any format, whole, mistyped, cut, spaced out or joined
 * to other text, and 32 or 64 bytes in hex.
 *
 * - `wanted`: what should have stood there; only public and extended public keys are shown without it
 */
export function withoutSecrets(text: string, wanted?: Wanted): string {
  const shown = text.replace(TOKEN, (token) => (isLong(token) && !isPublic(token, wanted) ? MASK : token));
  return RUNS.reduce(withoutRuns, shown);
}

/** Says what to do with a text that looks like a seed phrase (nine words in a row or more); `undefined` for any other. */
export function seedWordsAdvice(text: string): string | undefined {
  const isLikely = runsOf(text, isNear).some(({ words }) => words >= 9);
  return isLikely ? ADVICE : undefined;
}

const ADVICE =
  'these look like seed words, which are not read: give the extended private key that they stand for, in a descriptor, or keys in wallet import format';
/** Whether a text holds an extended private key, what is as long as one in wallet import format, or seed words. */
export function mayHoldPrivateKey(text: string): boolean {
  return PRIVATE_KEY.test(text) || seedWordsAdvice(text) !== undefined;
}

const PRIVATE_KEY = /prv[0-9A-Za-z]{20}|(?<![0-9A-Za-z])[0-9A-Za-z]{51,52}(?![0-9A-Za-z])/;

const isLong = (token: string): boolean => token.length > LONGEST_SHOWN;

/** Public keys in hex, also with digits too many, and extended public keys of all prefixes (SLIP132). Zero is no key. */
const PUBLIC_KEY = /^(?:0[23][0-9a-fA-F]{64,72}|0[467][0-9a-fA-F]{128}|[a-zA-Z]pub(?!.*prv)[0-9a-zA-Z]{0,112}|0+)$/;
const BECH32 = /^(?:[a-z]{2,8}1[02-9ac-hj-np-z]{6,}|[A-Z]{2,8}1[02-9AC-HJ-NP-Z]{6,})$/;
/** Begins as no private key does, and is shorter than one: an address in base58, as mistyped as it may be. */
const BASE58_ADDRESS = /^[123mnMQ][0-9A-Za-z]{25,35}$/;
/** Begins as the scripts of the known templates do. */
const SCRIPT = /^(?:0x)?(?:00(?:14|20)|51(?:20|21)|5[23]21|76a9|a914|6a|210[23]|4104)[0-9a-fA-F]*$/;
const TXID_DIGITS = 64;
/** The digits of a seed of 64 bytes, with some to spare. */
const LONGEST_SECRET = 136;

function isPublic(token: string, wanted: Wanted | undefined): boolean {
  if (PUBLIC_KEY.test(token)) return true;
  const { length } = token;
  switch (wanted) {
    case 'address':
      return !isHexLike(token) && (BECH32.test(token) || BASE58_ADDRESS.test(token) || isBase58Address(token));
    case 'hash':
      return (isHexLike(token) && length <= TXID_DIGITS + 2) || new Set(token).size === 1;
    case 'script':
      return isHexLike(token) && (length > LONGEST_SECRET || (SCRIPT.test(token) && !isKeySized(length)));
    case undefined:
      return false;
  }
  return wanted satisfies never;
}

/** Whether at most three characters are no digits of hex: some are mistyped, or `0x` stands before the others. */
const isHexLike = (token: string): boolean => token.replace(/[0-9a-fA-F]/g, '').length <= 3;

/** The digits of 32 bytes in hex, a few more or fewer. */
const isKeySized = (length: number): boolean => length >= 60 && length <= 67;

/** A prefix and 20 bytes, one more or one less; private keys take more. */
const ADDRESS_SIZES = { least: 20, most: 22 } as const;

/** Whether the checksum holds: of any network. */
function isBase58Address(token: string): boolean {
  try {
    return parseBase58Check(token, ADDRESS_SIZES.most).length >= ADDRESS_SIZES.least;
  } catch (error) {
    if (error instanceof BtcError) return false;
    throw error;
  }
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Tokens that stand close together. */
interface Run {
  readonly start: number;
  readonly end: number;
  /** How many of them are words. */
  readonly words: number;
  /** All of them, and those that are no words, without what lies between. */
  readonly all: string;
  readonly others: string;
}

/** Whether the token that comes after a gap belongs to the run before it. */
type Join = (gap: string, before: Token, after: Token) => boolean;

/** Ways to write words or groups of characters in a row, and how much of a row may be secret. */
const RUNS: readonly { readonly joins: Join; readonly isSecret: (run: Run) => boolean }[] = [
  { joins: isNear, isSecret: ({ words, others }) => words >= 3 || isLongText(others) },
  // Names of files, options and functions have some words between signs, too.
  { joins: (gap) => !/[()/]/.test(gap), isSecret: ({ words, all }) => words >= 6 || isGroupedKey(all) },
  { joins: (gap) => !/[()]/.test(gap), isSecret: ({ words }) => words >= 12 },
];

const NUMBER = /^\p{N}{1,2}$/u;

/** White space, commas, quotes, or the number of a word in a list. */
function isNear(gap: string, before: Token, after: Token): boolean {
  if (/[\s\p{Z}\p{Cc}]/u.test(gap)) return true;
  if (/[()/]/.test(gap)) return false;
  return /[,;"\u3001\uff0c]/.test(gap) || (gap.length <= 3 && (NUMBER.test(before.text) || NUMBER.test(after.text)));
}

const isLongText = (text: string): boolean => text.length > LONGEST_SHOWN;

/** Shorter than a private key, longer than the identifiers that are written in groups. */
const LEAST_GROUPED = 40;
const isGroupedKey = (text: string): boolean =>
  text.length >= LEAST_GROUPED && /[0-9]/.test(text) && (/[a-z].*[A-Z]|[A-Z].*[a-z]/.test(text) || isHexLike(text));

function withoutRuns(text: string, { joins, isSecret }: (typeof RUNS)[number]): string {
  let [shown, shownTo] = ['', 0];
  for (const run of runsOf(text, joins)) {
    if (!isSecret(run)) continue;
    shown += text.slice(shownTo, run.start) + MASK;
    shownTo = run.end;
  }
  return shown + text.slice(shownTo);
}

function runsOf(text: string, joins: Join): readonly Run[] {
  const spaced = text.replace(ESCAPED_SPACE, (found) => ' '.repeat(found.length));
  const runs: Token[][] = [];
  let last: Token | undefined;
  for (const { 0: found, index: start } of spaced.matchAll(TOKEN)) {
    const token = { text: found, start, end: start + found.length };
    const run = runs.at(-1);
    // A long token that is still shown is public: it belongs to no run.
    const isApart = !last || isLong(last.text) || isLong(found);
    if (run && last && !isApart && joins(spaced.slice(last.end, start), last, token)) run.push(token);
    else if (!isLong(found)) runs.push([token]);
    last = token;
  }
  return runs.map(runOf);
}

function runOf(tokens: readonly Token[]): Run {
  const counts = tokens.map(({ text }) => wordsIn(text));
  return {
    start: tokens[0]?.start ?? 0,
    end: tokens.at(-1)?.end ?? 0,
    words: counts.reduce((sum, count) => sum + count, 0),
    all: tokens.map(({ text }) => text).join(''),
    others: tokens.map(({ text }, i) => (counts[i] === 0 ? text : '')).join(''),
  };
}

/** Chinese seed words are of one character each, and need no white space between them. */
const LEAST_UNSPACED = 9;

/** Seed words have three letters or more, or fewer of scripts that write syllables. */
function wordsIn(token: string): number {
  const letters = token.replace(/[\p{M}\p{Cf}]/gu, '');
  if (!/^\p{L}+$/u.test(letters)) return 0;
  if (letters.length >= LEAST_UNSPACED && /^\p{Script=Han}+$/u.test(letters)) return letters.length;
  return letters.length >= 3 || /\p{Lo}/u.test(letters) ? 1 : 0;
}
