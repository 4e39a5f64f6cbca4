import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist as english } from '@scure/bip39/wordlists/english.js';
import { isBytes } from '../bytes/assertBytes.ts';
import { assertText } from '../bytes/assertText.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import { concealed } from '../crypto/concealed.ts';
import { sha256 } from '../crypto/hash.ts';
import { isSeedQr } from '../encoding/writtenSecrets.ts';
import { BtcError } from '../errors.ts';
import { electrumTypeOf } from './electrumVersion.ts';
import { findPattern } from './randomness.ts';

export { english };

/** Options for turning seed words into a seed. */
export interface SeedWordsOptions {
  /** Default none. A different passphrase opens a different wallet, without an error. */
  readonly passphrase?: string;
  /** Default English. */
  readonly wordlist?: readonly string[];
}

export const PHRASE_LENGTHS: ReadonlySet<number> = /* @__PURE__ */ new Set([12, 15, 18, 21, 24]);

/** @see SLIP-0039 "Format of the share mnemonic" */
const SHARE_LENGTHS: readonly number[] = [20, 33];
/** lnd's seeds use BIP39's word list. */
const AEZEED_LENGTH = 24;

/**
 * Parses seed words: anything but letters separates them, and the first four letters of each suffice. Also parses a
 * SeedQR. Errors name the position of a word, never the word.
 * @throws `words/count`, `words/unknown`, `words/checksum`, `words/electrum`, `argument/invalid`
 * @see BIP39 "Generating the mnemonic"
 */
export function parseSeedWords(text: string, { wordlist = english }: SeedWordsOptions = {}): readonly string[] {
  assertText('words', text);
  const words = isSeedQr(text)
    ? wordsOfSeedQr(text, wordlist)
    : splitWords(text).map((word) => wholeWord(word, wordlist));
  const unknown = words.flatMap((word, index) => (wordlist.includes(word) ? [] : [index + 1]));
  const isAllowed = PHRASE_LENGTHS.has(words.length);
  if (isAllowed && unknown.length === 0 && isChecksumRight(words, wordlist)) return words;
  if (unknown.length === 0 && electrumTypeOf(words) !== undefined) {
    const message =
      'The words look like a seed of Electrum, not of BIP39: give its master private key, which getmasterprivate() shows in the console of Electrum';
    throw new BtcError('words/electrum', {}, message);
  }
  const count = words.length;
  if (!isAllowed) {
    const areShares = count > 0 && SHARE_LENGTHS.some((length) => count % length === 0);
    const share = areShares
      ? '. SLIP39 shares do: restore them in Electrum, and give the master private key that getmasterprivate() shows'
      : '';
    throw new BtcError('words/count', { count }, `A seed phrase has 12, 15, 18, 21 or 24 words, not ${count}${share}`);
  }
  if (unknown.length > 0) throw unknownWords(unknown, words, wordlist);
  const lnd = count === AEZEED_LENGTH ? '. lnd seeds (aezeed) use the same words, but are not supported' : '';
  const message = `The checksum of the seed words does not match: check each word and their order${lnd}`;
  throw new BtcError('words/checksum', {}, message);
}

function unknownWords(unknown: readonly number[], words: readonly string[], wordlist: readonly string[]): BtcError {
  const [positions, subject] = [unknown.join(', '), unknown.length === 1 ? 'Word' : 'Words'];
  return new BtcError(
    'words/unknown',
    { positions },
    `${subject} ${positions}: ${unknownReason(unknown, words, wordlist)}`,
  );
}

function unknownReason(unknown: readonly number[], words: readonly string[], wordlist: readonly string[]): string {
  if (wordlist !== english) return 'not in the word list, check the spelling';
  if (unknown.length >= LEAST_OLD && OLD_LENGTHS.has(words.length) && words.every((word) => /^[a-z]+$/.test(word))) {
    return 'not in the English word list. A seed of Electrum before 2.0 has other words: export its keys there';
  }
  return unknown.length > words.length / 2
    ? 'not in the English word list, the only one built in'
    : 'not in the word list, check the spelling';
}

/** Of the 1626 words of these seeds, 765 are not in BIP39's list: of twelve, hardly ever fewer than three. */
const LEAST_OLD = 3;
const OLD_LENGTHS: ReadonlySet<number> = /* @__PURE__ */ new Set([12, 24]);

const wordsOfSeedQr = (text: string, wordlist: readonly string[]): readonly string[] =>
  (text.match(/\d{4}/g) ?? []).map((place) => wordlist[Number(place)] ?? '');

/** @see BIP39 "Wordlist" */
const TELLING_LETTERS = 4;

/** Returns the only word that begins with the letters, or else the letters. */
export function wholeWord(letters: string, wordlist: readonly string[]): string {
  if (wordlist.includes(letters) || letters.length < TELLING_LETTERS) return letters;
  const [word, other] = wordlist.filter((candidate) => candidate.startsWith(letters));
  return word !== undefined && other === undefined ? word : letters;
}

const ENTROPY_OPTIONS: OptionNames<Pick<SeedWordsOptions, 'wordlist'>> = { wordlist: true };

const ENTROPY_SIZES: readonly number[] = [16, 20, 24, 28, 32];

/**
 * Makes a seed phrase of 16, 20, 24, 28 or 32 secret, random bytes; the library has no randomness of its own. Refuses bytes with a
 * pattern, such as zeros: fewer than one in a million honest inputs has one.
 * @throws `argument/invalid`
 * @see BIP39 "Generating the mnemonic"
 *
 * @example
 * ```ts
 * import { accountFromWords, wordsFromEntropy } from 'countersign';
 *
 * const words = wordsFromEntropy(crypto.getRandomValues(new Uint8Array(32)));
 * accountFromWords(words).receive(0).address.slice(0, 4); // bc1q
 * ```
 */
export function wordsFromEntropy(entropy: Uint8Array, options: Pick<SeedWordsOptions, 'wordlist'> = {}): string {
  assertKnownOptions(options, ENTROPY_OPTIONS);
  const { wordlist = english } = options;
  const isSized = isBytes(entropy) && ENTROPY_SIZES.includes(entropy.length);
  const pattern = isSized ? patternInBytes(entropy) : undefined;
  const reason = isSized
    ? pattern && `it has a pattern, ${pattern}: take fresh random bytes`
    : 'it must be a Uint8Array of 16, 20, 24, 28 or 32 bytes';
  if (reason !== undefined) {
    throw new BtcError('argument/invalid', { argument: 'entropy', reason }, `The entropy is not valid: ${reason}`);
  }
  return wordsOfEntropy(entropy, wordlist);
}

/** Writes entropy as the seed words for which it stands. */
export const wordsOfEntropy = (entropy: Uint8Array, wordlist: readonly string[] = english): string =>
  entropyToMnemonic(entropy, [...wordlist]);

function patternInBytes(bytes: Uint8Array): string | undefined {
  const digits = [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
  return (
    findPattern({ values: digits, base: 16, unit: 'hex digits' }) ??
    findPattern({ values: bytes, base: 256, unit: 'bytes' })
  );
}

export function splitWords(text: string): readonly string[] {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter(Boolean);
}

const WORD_BITS = 11;

/** Expects words of the list, in a valid number. */
export function isChecksumRight(words: readonly string[], wordlist: readonly string[]): boolean {
  return hasChecksum(packWords(words, wordlist));
}

/** Packs the entropy and, in one more byte, the checksum. @see BIP39 "Generating the mnemonic" */
function packWords(words: readonly string[], wordlist: readonly string[]): Uint8Array {
  const packed = new Uint8Array((words.length * 4) / 3 + 1);
  for (const [at, word] of words.entries()) addWord(packed, at, wordlist.indexOf(word));
  return packed;
}

/** Sets the eleven bits of a word, which touch two or three bytes, where there are zeros. */
function addWord(packed: Uint8Array, at: number, index: number): void {
  const start = at * WORD_BITS;
  const bits = index << (24 - WORD_BITS - (start % 8));
  for (const byte of [0, 1, 2]) {
    const place = (start >> 3) + byte;
    if (place < packed.length) packed[place] = (packed[place] ?? 0) | ((bits >> (16 - 8 * byte)) & 0xff);
  }
}

/** The checksum has a bit for four bytes of entropy, from the highest. */
function hasChecksum(packed: Uint8Array): boolean {
  const size = packed.length - 1;
  const unused = 8 - size / 4;
  return ((sha256(packed.subarray(0, size))[0] ?? 0) >> unused) << unused === packed[size];
}

/** Finds the words of the list, in its order, that complete a phrase at a 0-based place with the right checksum. */
export function* findFittingWords(
  words: readonly string[],
  at: number,
  wordlist: readonly string[],
): Generator<string> {
  const [first = ''] = wordlist;
  // The first word has only zeros.
  const open = packWords([...words.slice(0, at), first, ...words.slice(at)], wordlist);
  for (const [index, word] of wordlist.entries()) {
    const packed = open.slice();
    addWord(packed, at, index);
    if (hasChecksum(packed)) yield word;
  }
}

/** Lists the first words of the list that complete a phrase at its end. */
export function findLastWords(
  words: readonly string[],
  most: number,
  wordlist: readonly string[] = english,
): readonly string[] {
  const found: string[] = [];
  for (const word of findFittingWords(words, words.length, wordlist)) {
    if (found.push(word) >= most) break;
  }
  return found;
}

/** Derives the 64 bytes for `masterKey`. @throws as `parseSeedWords` @see BIP39 "From mnemonic to seed" */
export function seedOfWords(text: string, options: SeedWordsOptions = {}): Uint8Array {
  const words = parseSeedWords(text, options);
  if (options.passphrase !== undefined) assertText('passphrase', options.passphrase);
  return concealed(mnemonicToSeedSync(words.join(' '), options.passphrase));
}
