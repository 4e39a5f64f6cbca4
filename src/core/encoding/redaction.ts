import { shortened } from '../errors.ts';
import { printable } from './printable.ts';
import {
  isHexLike,
  isLikeHash,
  isLong,
  isPublic,
  isShortHex,
  LEAST_JOINED,
  mayBeName,
  type TextKind,
} from './publicForms.ts';
import { hasKeyForm } from './writtenSecrets.ts';

const MASK = '...';

/** Letters and digits with accents, invisible joiners, and JSON's escapes for characters beyond ASCII. */
const TOKEN = /(?:[\p{L}\p{M}\p{N}\p{Cf}]|\\u(?!00[0-7])[0-9a-fA-F]{4})+/gu;
/** A literal of its own: Babel translates literals for engines without `\p`, and no text that makes a pattern. */
const DECIMAL_OR_TOKEN =
  /(?<![\p{L}\p{N}.])\d{1,20}\.\d{1,20}(?:e[+-]?\d{1,4})?(?![\p{L}\p{N}.])|(?:[\p{L}\p{M}\p{N}\p{Cf}]|\\u(?!00[0-7])[0-9a-fA-F]{4})+/giu;
/** White space in JSON and URLs, whose letters would join the next word. */
const ESCAPED_SPACE = /\\[bfnrt]|\\u00[01][0-9a-fA-F]|\\u0020|%[01][0-9a-fA-F]|%20/g;

/**
 * Masks what may be secret in a caller's text: three or more words in a row, which may be seed words in any language,
 * and every run of more than 15 letters and digits, unless it is public by its form and length, can be a name, or is
 * hex of fewer than 16 bytes and the only such run. That covers whole private keys in any format, and nearly all that are
 * mistyped, cut, spaced out or joined to other text: a short piece that looks like a name is shown. A part beside a masked run is masked, too, unless it is a word, a number or a part
 * of a descriptor.
 * @returns at most the first 1000 characters, or 100,000 of a script or transaction in hex
 */
export function withoutSecrets(text: string, kind?: TextKind): string {
  const isHex = kind === 'script' && isHexLike(text.slice(0, LONGEST_HEX));
  const start = text.slice(0, isHex ? LONGEST_HEX : LONGEST_TEXT);
  const isCut = start.length < text.length;
  // Hex inside another text is as likely a key, and what is not like a name may be a passphrase.
  const asksForName = kind === 'name' || (kind === 'hash' && isLong(text) && !isLikeHash(start));
  if (asksForName && !NAME.test(start)) return MASK;
  const isHidden = (token: string): boolean => isLong(token) && !isPublic(token, kind) && !mayBeName(token);
  // Two pieces of hex may be one key.
  const isOnlyPiece = (start.match(DECIMAL_OR_TOKEN) ?? []).filter(isHidden).length === 1;
  const masked = start.replace(DECIMAL_OR_TOKEN, (token, at: number) => {
    // The part of a token before a cut may look public when the whole is not.
    const isPart = isCut && at + token.length === start.length;
    // A mistyped hash stands alone; beside other text, it may be a key.
    const isMisplaced = kind === 'hash' && token !== text.trim();
    const isUnsafe = isPart || isMisplaced || (isHidden(token) && !(isOnlyPiece && isShortHex(token)));
    return isLong(token) && isUnsafe ? MASK : token;
  });
  const runs = kind === 'path' ? RUNS : [...RUNS, NESTED];
  const safe = withoutPieces(runs.reduce(withoutRuns, masked));
  return isCut && !safe.endsWith(MASK) ? safe + MASK : safe;
}

/** Three characters are too few for a passphrase. */
const NAME = /^(?:\w{0,40}|[\s\S]{0,3})$/;

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

/** Masks what has the form of a private key, and nothing else. */
export const withoutKeys = (text: string): string =>
  text.replace(/[0-9A-Za-z]+/g, (part) => (hasKeyForm(part) ? MASK : part));

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Run {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
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
  { joins: isNear, isSecret: ({ words, tokens, others }) => words >= 3 || (tokens > 1 && isLong(others)) },
  // File names, options and functions also join a few words with punctuation.
  {
    joins: (gap) => !/[()/]/.test(gap),
    isSecret: ({ words, tokens, all, others }) =>
      words >= LEAST_JOINED || (tokens > 1 && (isGroupedKey(all) || isGroupedKey(others))),
  },
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
  let end = 0;
  for (const { 0: match, index: start } of masksAndTokens(text)) {
    const isApart = text.slice(end, start).replace(/[\s\\]+/g, ' ').length > LONGEST_GAP;
    if (isApart || rows.length === 0) rows.push([]);
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
const NAME_OR_NUMBER = /^(?:\p{Lu}?\p{Ll}+\p{N}{0,3}|\p{Lu}+|\p{Lo}+|\p{N}{1,10}[hH]?)$/u;
const MARKS = /[\p{M}\p{Cf}]/gu;

/** Long tokens that are not masked are public, but for those that stand alone by their length. */
const isKnownPublic = (token: string): boolean => isLong(token) && !mayBeName(token) && !isShortHex(token);

/** Exempts names, numbers, fingerprints and checksums. */
function mayBePiece({ text: token, start, end }: Token, text: string): boolean {
  if (isLong(token)) return !isKnownPublic(token);
  if (token.length <= LONGEST_NAME || NAME_OR_NUMBER.test(token.replace(MARKS, ''))) return false;
  const [before, after = ''] = [text[start - 1], text[end]];
  return token.length !== CHECKSUM_SIZE || !(before === '#' || (before === '[' && /[/\]]/.test(after)));
}

/** The size of fingerprints, too. */
const CHECKSUM_SIZE = 8;

/** The digits of a number behind its point. */
const isFraction = (text: string): boolean => /^\d\.\d{1,20}e?$/i.test(text);

function findRuns(text: string, joins: Join): readonly Run[] {
  const spaced = text.replace(ESCAPED_SPACE, (match) => ' '.repeat(match.length));
  const runs: Token[][] = [];
  let last: Token | undefined;
  const isApart = (token: Token): boolean =>
    isKnownPublic(token.text) || (isLong(token.text) && isFraction(spaced.slice(token.start - 2, token.end)));
  for (const { 0: match, index: start } of spaced.matchAll(TOKEN)) {
    const token = { text: match, start, end: start + match.length };
    const run = runs.at(-1);
    // A public token belongs to no run; a fingerprint before a path begins one.
    const isOrigin =
      match.length === CHECKSUM_SIZE && /^\[[0-9a-fA-F]{8}\//.test(spaced.slice(start - 1, start + CHECKSUM_SIZE + 1));
    const isFirst = !last || isApart(last) || isApart(token) || isOrigin;
    if (run && last && !isFirst && joins(spaced.slice(last.end, start), last, token)) run.push(token);
    else if (!isApart(token)) runs.push([token]);
    last = token;
  }
  return runs.map(summarizeRun);
}

function summarizeRun(tokens: readonly Token[]): Run {
  const counts = tokens.map(({ text }) => wordsIn(text));
  return {
    start: tokens[0]?.start ?? 0,
    end: tokens.at(-1)?.end ?? 0,
    tokens: tokens.length,
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
