import { entropyToMnemonic, mnemonicToEntropy, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist as english } from '@scure/bip39/wordlists/english.js';
import { concealed } from '../crypto/concealed.ts';
import { assertText } from '../encoding/assertText.ts';
import { BtcError } from '../errors.ts';

/** The 2048 English words, in order. */
export { english };

export interface SeedWordsOptions {
  /** Default none. A different passphrase opens a different wallet, without an error. */
  readonly passphrase?: string;
  /** The 2048 words of the language. Default English. */
  readonly wordlist?: readonly string[];
}

/** The numbers of words that a seed phrase may have. */
export const PHRASE_LENGTHS: ReadonlySet<number> = /* @__PURE__ */ new Set([12, 15, 18, 21, 24]);

/**
 * Parses a seed phrase of 12, 15, 18, 21 or 24 words, in any case, with or without the numbers of a list, quotes, commas
 * or hyphens: anything but letters separates words. Errors name the position of a word, never the word.
 * @returns the words in lower case
 * @throws `words/count`, `words/unknown`, `words/checksum`, `argument/invalid`
 * @see BIP39 "Generating the mnemonic"
 */
export function parseSeedWords(text: string, { wordlist = english }: SeedWordsOptions = {}): readonly string[] {
  assertText('words', text);
  const words = splitWords(text);
  const count = words.length;
  if (!PHRASE_LENGTHS.has(count)) {
    throw new BtcError('words/count', { count }, `A seed phrase has 12, 15, 18, 21 or 24 words, not ${count}`);
  }
  const positions = words.flatMap((word, index) => (wordlist.includes(word) ? [] : [index + 1]));
  if (positions.length > 0) {
    const [place, subject] = [positions.join(', '), positions.length === 1 ? 'Word' : 'Words'];
    throw new BtcError(
      'words/unknown',
      { positions: place },
      `${subject} ${place}: not in the word list, check the spelling`,
    );
  }
  if (!isChecksumRight(words, wordlist)) {
    throw new BtcError(
      'words/checksum',
      {},
      'The checksum of the seed words does not match: check each word and their order',
    );
  }
  return words;
}

/** Splits a text into its words in lower case: anything but letters separates them. */
export function splitWords(text: string): readonly string[] {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter(Boolean);
}

/** Tells whether words of a list, of a right number, have the right checksum. @see BIP39 */
export function isChecksumRight(words: readonly string[], wordlist: readonly string[]): boolean {
  try {
    mnemonicToEntropy(words.join(' '), [...wordlist]);
    return true;
  } catch {
    // The library's error may quote the words.
    return false;
  }
}

/**
 * Lists the first words, in the order of the list, that make the checksum of a phrase right as its last word.
 *
 * - `words`: of the list, one fewer than a phrase has
 * - `most`: the number of words to list; a phrase of 12 words has 128, one of 24 words 8
 *
 * @see BIP39
 */
export function lastWordsOf(
  words: readonly string[],
  most: number,
  wordlist: readonly string[] = english,
): readonly string[] {
  const bits = words.map((word) => wordlist.indexOf(word).toString(2).padStart(11, '0')).join('');
  const size = ((words.length + 1) * 32) / 3;
  const open = size - bits.length;
  return Array.from({ length: Math.min(most, 2 ** open) }, (_, i) => {
    const all = bits + i.toString(2).padStart(open, '0');
    const entropy = Array.from({ length: size / 8 }, (_byte, at) => Number.parseInt(all.slice(8 * at, 8 * at + 8), 2));
    return (
      entropyToMnemonic(Uint8Array.from(entropy), [...wordlist])
        .split(' ')
        .at(-1) ?? ''
    );
  });
}

/**
 * Derives the 64-byte seed of a seed phrase, from which `masterKey` derives the master key.
 * @throws as `parseSeedWords`
 * @see BIP39 "From mnemonic to seed"
 */
export function seedOfWords(text: string, options: SeedWordsOptions = {}): Uint8Array {
  const words = parseSeedWords(text, options);
  if (options.passphrase !== undefined) assertText('passphrase', options.passphrase);
  return concealed(mnemonicToSeedSync(words.join(' '), options.passphrase));
}
