import { BtcError, shortened } from '../errors.ts';
import { parseBase58Check } from './base58check.ts';
import { printable } from './printable.ts';
import { parseSegwitAddress } from './segwitAddress.ts';

/** The kind of text that a caller expects, which may be shown besides public keys. */
export type TextKind = 'address' | 'hash' | 'script' | 'path' | 'name';

const MASK = '...';

/** Letters and digits with accents, invisible joiners, and JSON's escapes for characters beyond ASCII. */
const TOKEN = /(?:[\p{L}\p{M}\p{N}\p{Cf}]|\\u(?!00[0-7])[0-9a-fA-F]{4})+/gu;
/** Too short to hold a key. */
const DECIMAL = /(?<![\p{L}\p{N}.])\d{1,20}\.\d{1,20}(?:e[+-]?\d{1,4})?(?![\p{L}\p{N}.])/iu;
/** A literal of its own: Babel translates literals for engines without `\p`, and no text that makes a pattern. */
const DECIMAL_OR_TOKEN =
  /(?<![\p{L}\p{N}.])\d{1,20}\.\d{1,20}(?:e[+-]?\d{1,4})?(?![\p{L}\p{N}.])|(?:[\p{L}\p{M}\p{N}\p{Cf}]|\\u(?!00[0-7])[0-9a-fA-F]{4})+/giu;
/** White space in JSON and URLs, whose letters would join the next word. */
const ESCAPED_SPACE = /\\[bfnrt]|\\u00[01][0-9a-fA-F]|\\u0020|%[01][0-9a-fA-F]|%20/g;

/** Longer tokens may be private keys, even mistyped or truncated. */
const LONGEST_SHOWN = 15;

/**
 * Masks what may be secret in a caller's text: three or more words in a row, which may be seed words in any language,
 * and every long run of letters and digits that is not recognizably public. That covers private keys in any format,
 * even mistyped, truncated, spaced out or joined to other text. A part beside a masked run is masked, too, unless it is
 * a word, a number or a part of a descriptor.
 * @returns at most the first 1000 characters, or 100,000 of a script or transaction in hex
 */
export function withoutSecrets(text: string, kind?: TextKind): string {
  const isHex = kind === 'script' && isHexLike(text.slice(0, LONGEST_HEX));
  const start = text.slice(0, isHex ? LONGEST_HEX : LONGEST_TEXT);
  const isCut = start.length < text.length;
  // Hex inside another text is as likely a key, and what is not like a name may be a passphrase.
  if (kind === 'hash' && isLong(text) && !isLikeHash(start)) return MASK;
  if (kind === 'name' && start.length > 3 && !/^\w*$/.test(start)) return MASK;
  const masked = start.replace(DECIMAL_OR_TOKEN, (token, at: number) => {
    // The part of a token before a cut may look public when the whole is not.
    const isPart = isCut && at + token.length === start.length;
    // A mistyped hash stands alone; beside other text, it may be a key.
    const isMisplaced = kind === 'hash' && token !== text.trim();
    return isLong(token) && (isPart || isMisplaced || !isPublic(token, kind)) ? MASK : token;
  });
  const runs = kind === 'path' ? RUNS : [...RUNS, NESTED];
  const safe = withoutPieces(runs.reduce(withoutRuns, masked));
  return isCut && !safe.endsWith(MASK) ? safe + MASK : safe;
}

/** Searching takes time and memory for each character. */
const LONGEST_TEXT = 1000;
const LONGEST_HEX = 100_000;

export function shownPath(path: string): string {
  return isPlainPath(path) ? path : printable(withoutSecrets(path, 'path'));
}

/** Recognizes paths too short, and of too few short names, for a secret. */
const isPlainPath = (path: string): boolean =>
  path.length < LEAST_GROUPED && path.split(/[-._/]/, LEAST_WORDS).length < LEAST_WORDS && PLAIN_PATH.test(path);

const PLAIN_PATH =
  /^\/?(?:[a-z][a-z0-9]{0,10}(?:[-._][a-z][a-z0-9]{0,10}){0,2}\/)*[a-z][a-z0-9]{0,10}(?:[-._][a-z][a-z0-9]{0,10}){0,2}$/i;

const LONGEST_QUOTE = 40;

const SPACES = /[\p{C}\p{Z}]+/gu;

export function quoted(text: string): string {
  const safeText = withoutSecrets(text).replace(SPACES, ' ');
  return `"${shortened(safeText, LONGEST_QUOTE)}"`;
}

/** Looks for nine or more words in a row, among the first 10,000 characters. */
export function seedWordsAdvice(text: string): string | undefined {
  const isLikely = findRuns(text.slice(0, LONGEST_SEARCHED), isNear).some(({ words }) => words >= LEAST_WORDS);
  return isLikely ? ADVICE : undefined;
}

const LEAST_WORDS = 9;

/** Many times the length of a phrase. */
const LONGEST_SEARCHED = 10_000;

const ADVICE =
  'these look like seed words, which are not taken here: sign PSBTs with them (countersign sign --seed-file, accountFromWords), or pass the extended private key derived from them in a descriptor, or keys in wallet import format';

export function mayHoldPrivateKey(text: string): boolean {
  return hasKeyForm(text) || seedWordsAdvice(text) !== undefined;
}

/** Tells whether a part has the form of a private key: an extended one, one of `sp()`, or in wallet import format. */
export const hasKeyForm = (text: string): boolean => PRIVATE_KEY.test(text);

/** Masks what has the form of a private key, and nothing else. */
export const withoutKeys = (text: string): string =>
  text.replace(/[0-9A-Za-z]+/g, (part) => (hasKeyForm(part) ? MASK : part));

const PRIVATE_KEY =
  /prv[0-9A-Za-z]{20}|sp(?:scan|spend)1[0-9a-z]{20}|SP(?:SCAN|SPEND)1[0-9A-Z]{20}|(?<![0-9A-Za-z])[0-9A-Za-z]{51,52}(?![0-9A-Za-z])/;

const isLong = (text: string): boolean => text.length > LONGEST_SHOWN;

/**
 * Public keys in hex and extended public keys of any prefix (SLIP132), even with a few characters missing or too many;
 * zeros, never a key.
 */
const PUBLIC_KEY =
  /^(?:0[23][0-9a-fA-F]{64,72}|0[467][0-9a-fA-F]{128}|[a-zA-Z]pub(?!.*prv|[0-9a-fA-F]*$)[0-9a-zA-Z]{99,109}|0+)$/;
/** However mistyped. The prefixes excluded begin secrets, such as those of BIP93 and BIP392. */
const BECH32 =
  /^(?!(?:ms|cl|nsec|t?s(?!p1|prt1)[a-z]*)1)(?!(?:MS|CL|NSEC|T?S(?!P1|PRT1)[A-Z]*)1)(?:[a-z]{2,8}1[02-9ac-hj-np-z]{6,}|[A-Z]{2,8}1[02-9AC-HJ-NP-Z]{6,})$/;
/** Begins like no private key, and is shorter. */
const BASE58_ADDRESS = /^[123mnMQ][0-9A-Za-z]{31,35}$/;
/** Begins like a scriptPubKey of a known template. */
const SCRIPT = /^(?:0x)?(?:00(?:14|20)|51(?:20|21)|5[23]21|76a9|a914|6a|210[23]|4104)[0-9a-fA-F]*$/;
const TXID_DIGITS = 64;
/** The digits of a 64-byte seed, and a few more. */
const LONGEST_SECRET = 136;

function isPublic(token: string, kind: TextKind | undefined): boolean {
  if (PUBLIC_KEY.test(token) || DECIMAL.test(token) || isAddress(token)) return true;
  const { length } = token;
  switch (kind) {
    case 'address':
      return !isHexLike(token) && (BECH32.test(token) || BASE58_ADDRESS.test(token));
    case 'hash':
      return isLikeHash(token) && (length <= TXID_DIGITS + 2 || isUniform(token));
    case 'script':
      return isHexLike(token) && (length > LONGEST_SECRET || (SCRIPT.test(token) && !isKeySized(length)));
    case 'path':
    case 'name':
    case undefined:
      return false;
  }
  return kind satisfies never;
}

/** Allows three other characters for typing errors, or an `0x` prefix. */
const isHexLike = (token: string): boolean => token.replace(/[0-9a-fA-F]/g, '').length <= 3;

const isUniform = (text: string): boolean => new Set(text).size === 1;

const isLikeHash = (text: string): boolean => isHexLike(text) || isUniform(text);

/** About as long as 32 or 64 bytes. */
const isKeySized = (length: number): boolean =>
  (length >= 60 && length <= 67) || (length >= 120 && length <= LONGEST_SECRET);

/** A version byte and 20 bytes, give or take one; private keys are longer. */
const ADDRESS_SIZES = { least: 20, most: 22 } as const;

/** Bech32 with another prefix may be a secret. */
const SEGWIT_PREFIX = /^(?:bc|tb|bcrt|ltc|tltc|rltc)(?=1)/i;

function isAddress(token: string): boolean {
  const [prefix] = SEGWIT_PREFIX.exec(token) ?? [];
  try {
    if (prefix !== undefined) return parseSegwitAddress(prefix.toLowerCase(), token).program.length > 0;
    return parseBase58Check(token, ADDRESS_SIZES.most).length >= ADDRESS_SIZES.least;
  } catch (error) {
    if (error instanceof BtcError) return false;
    throw error;
  }
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

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Run {
  readonly start: number;
  readonly end: number;
  readonly words: number;
  readonly foreign: number;
  readonly all: string;
  readonly others: string;
}

type Join = (gap: string, before: Token, after: Token) => boolean;

interface RunKind {
  readonly joins: Join;
  readonly isSecret: (run: Run) => boolean;
}

const RUNS: readonly RunKind[] = [
  { joins: isNear, isSecret: ({ words, others }) => words >= 3 || isLong(others) },
  // File names, options and functions also join a few words with punctuation.
  { joins: (gap) => !/[()/]/.test(gap), isSecret: ({ words, all }) => words >= 6 || isGroupedKey(all) },
  { joins: (gap) => !/[()]/.test(gap), isSecret: ({ words }) => words >= 12 },
];

/** Words written like a path, or like nested functions of a descriptor. */
const NESTED: RunKind = { joins: (gap) => /^[()/]+$/.test(gap), isSecret: ({ foreign }) => foreign >= 3 };

/** Functions whose names look like words. */
const FUNCTIONS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  'addr after and andor combo multi musig older pkh raw rawtr sortedmulti thresh unused wpkh wsh'.split(' '),
);

const NUMBER = /^\p{N}{1,2}$/u;
const SPACE = /[\s\p{Z}\p{Cc}]/u;

/** Accepts white space, commas or quotes, and short gaps beside the number of a list item. */
function isNear(gap: string, before: Token, after: Token): boolean {
  if (SPACE.test(gap)) return true;
  if (/[()/]/.test(gap)) return false;
  return /[,;"\u3001\uff0c]/.test(gap) || (gap.length <= 3 && (NUMBER.test(before.text) || NUMBER.test(after.text)));
}

/** Shorter than a private key, longer than identifiers written in groups, such as UUIDs. */
const LEAST_GROUPED = 40;
const isGroupedKey = (text: string): boolean =>
  text.length >= LEAST_GROUPED && /[0-9]/.test(text) && ((/[a-z]/.test(text) && /[A-Z]/.test(text)) || isHexLike(text));

const withoutRuns = (text: string, { joins, isSecret }: RunKind): string =>
  withMasks(text, findRuns(text, joins).filter(isSecret));

/** Between two pieces of a key that was broken. */
const LONGEST_GAP = 3;
/** Of script types and counts, such as `p2wpkh` and `2of3`. */
const LONGEST_NAME = 6;

/** Masks what may be a piece of a key beside a mask. */
function withoutPieces(text: string): string {
  if (!text.includes(MASK)) return text;
  const rows: Token[][] = [];
  let end = -Infinity;
  for (const { 0: match, index: start } of masksAndTokens(text)) {
    if (start - end > LONGEST_GAP) rows.push([]);
    end = start + match.length;
    rows.at(-1)?.push({ text: match, start, end });
  }
  const isMask = (token: Token): boolean => token.text === MASK;
  const hidden = rows.filter((row) => row.some(isMask)).flat();
  return withMasks(
    text,
    hidden.filter((token) => isMask(token) || mayBePiece(token, text)),
  );
}

function withMasks(text: string, parts: readonly Pick<Token, 'start' | 'end'>[]): string {
  let [masked, shownTo] = ['', 0];
  for (const { start, end } of parts) {
    masked += text.slice(shownTo, start) + MASK;
    shownTo = end;
  }
  return masked + text.slice(shownTo);
}

const masksAndTokens = (text: string): readonly RegExpExecArray[] =>
  [...text.matchAll(/\.\.\./g), ...text.matchAll(TOKEN)].sort((a, b) => a.index - b.index);

/** Words, names such as `hash160`, numbers, and the steps of a path. */
const NAME_OR_NUMBER = /^(?:\p{Lu}?\p{Ll}+\p{N}{0,3}|\p{Lu}+|\p{Lo}+|\p{N}+[hH]?)$/u;
const MARKS = /[\p{M}\p{Cf}]/gu;

/** Exempts names, numbers, fingerprints and checksums. */
function mayBePiece({ text: token, start, end }: Token, text: string): boolean {
  if (token.length <= LONGEST_NAME || isLong(token) || NAME_OR_NUMBER.test(token.replace(MARKS, ''))) return false;
  const [before, after = ''] = [text[start - 1], text[end]];
  return token.length !== CHECKSUM_SIZE || !(before === '#' || (before === '[' && /[/\]]/.test(after)));
}

/** The size of fingerprints, too. */
const CHECKSUM_SIZE = 8;

function findRuns(text: string, joins: Join): readonly Run[] {
  const spaced = text.replace(ESCAPED_SPACE, (match) => ' '.repeat(match.length));
  const runs: Token[][] = [];
  let last: Token | undefined;
  for (const { 0: match, index: start } of spaced.matchAll(TOKEN)) {
    const token = { text: match, start, end: start + match.length };
    const run = runs.at(-1);
    // A long token that is not masked is public, and belongs to no run; a fingerprint before a path begins one.
    const isOrigin =
      match.length === CHECKSUM_SIZE && /^\[[0-9a-fA-F]{8}\//.test(spaced.slice(start - 1, start + CHECKSUM_SIZE + 1));
    const isApart = !last || isLong(last.text) || isLong(match) || isOrigin;
    if (run && last && !isApart && joins(spaced.slice(last.end, start), last, token)) run.push(token);
    else if (!isLong(match)) runs.push([token]);
    last = token;
  }
  return runs.map(summarizeRun);
}

function summarizeRun(tokens: readonly Token[]): Run {
  const counts = tokens.map(({ text }) => wordsIn(text));
  return {
    start: tokens[0]?.start ?? 0,
    end: tokens.at(-1)?.end ?? 0,
    words: counts.reduce((sum, count) => sum + count, 0),
    foreign: counts.reduce((sum, count, i) => sum + (FUNCTIONS.has(tokens[i]?.text ?? '') ? 0 : count), 0),
    all: tokens.map(({ text }) => text).join(''),
    others: tokens.map(({ text }, i) => (counts[i] === 0 ? text : '')).join(''),
  };
}

/** Chinese seed words are single characters, without white space between them. */
const LEAST_UNSPACED = 9;

const NUMBER_OR_MARKS = /^\p{N}{1,2}|[\p{M}\p{Cf}]/gu;
const ONLY_LETTERS = /^\p{L}+$/u;
const ONLY_HAN = /^\p{Script=Han}+$/u;
const OTHER_LETTER = /\p{Lo}/u;

/**
 * Counts words of at least three letters, or fewer in syllabic or ideographic scripts. The number of a list item may
 * stand right before its word.
 */
function wordsIn(token: string): number {
  const letters = token.replace(NUMBER_OR_MARKS, '');
  if (!ONLY_LETTERS.test(letters)) return 0;
  if (letters.length >= LEAST_UNSPACED && ONLY_HAN.test(letters)) return letters.length;
  return letters.length >= 3 || OTHER_LETTER.test(letters) ? 1 : 0;
}
