import { assertText } from '../bytes/assertText.ts';
import { assertKnownOptions, assertShape, type OptionNames } from '../bytes/knownOptions.ts';
import { BtcError } from '../errors.ts';
import { english, findFittingWords, PHRASE_LENGTHS, type SeedWordsOptions, wholeWord } from './seedWords.ts';
import { suggestWords } from './wordSuggestions.ts';

/** Options for completing a seed phrase. */
export interface CompletionOptions extends Pick<SeedWordsOptions, 'wordlist'> {
  /** Tells whether a phrase is the right one, for example by an address of its wallet. Default: all are. */
  readonly matches?: (words: readonly string[]) => boolean;
  /** How many phrases to list, from 1. */
  readonly most: number;
}

const OPTIONS: OptionNames<CompletionOptions> = { wordlist: true, matches: true, most: 'needed' };

/** A phrase whose checksum is right. */
export interface CompletedWords {
  readonly words: readonly string[];
  /** Of the word that was missing or unknown; 1-based. */
  readonly position: number;
}

/**
 * Lists the phrases that a phrase may be of which one word is unknown, is missing where a `?` stands, or is missing at an unknown place. One
 * candidate in 16 (of 12 words) to 256 (of 24) has a right checksum: 128 to 8 phrases for a known place, up to 24 times as
 * many for an unknown one, after at most 24 · 2048 checksums. The words near an unknown one come first, then those of the list in its
 * order. The result is secret; errors hold none of it.
 * @returns at most `most` phrases for which `matches`; empty if there is none
 * @throws `words/count`; `words/gaps` unless exactly one word is missing or unknown; `argument/invalid`
 * @see BIP39 "Generating the mnemonic"
 *
 * @example
 * ```ts
 * import { completeSeedWords } from 'countersign/keys';
 *
 * // Worthless: the whole world knows these words.
 * const words = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abuot';
 * const [first] = completeSeedWords(words, { most: 5 });
 * first?.words.at(-1); // about
 * ```
 */
export function completeSeedWords(text: string, options: CompletionOptions): readonly CompletedWords[] {
  assertText('words', text);
  assertKnownOptions(options, OPTIONS);
  const { wordlist = english, matches = () => true, most } = options;
  const isWhole = Array.isArray(wordlist) && wordlist.length === 2048;
  assertShape('wordlist', isWhole, 'a list of 2048 words');
  assertShape('matches', typeof matches === 'function', 'a function');
  assertShape('most', Number.isInteger(most) && most > 0, 'a whole number from 1');
  const found: CompletedWords[] = [];
  for (const completed of completions(text, wordlist)) {
    if (matches(completed.words)) found.push(completed);
    if (found.length === most) break;
  }
  return found;
}

function* completions(text: string, wordlist: readonly string[]): Generator<CompletedWords> {
  const typed = splitMarked(text).map((word) => wholeWord(word, wordlist));
  const unknown = typed.flatMap((word, at) => (wordlist.includes(word) ? [] : [at]));
  const isShort = PHRASE_LENGTHS.has(typed.length + 1);
  assertOneGap(typed.length, unknown.length + (isShort ? 1 : 0));
  const [at] = unknown;
  if (at !== undefined) {
    const words = [...typed.slice(0, at), ...typed.slice(at + 1)];
    yield* nearestFirst([...completeAt(words, at, wordlist)], suggestWords(typed[at] ?? '', wordlist));
    return;
  }
  for (let place = 0; place <= typed.length; place += 1) {
    for (const completed of completeAt(typed, place, wordlist)) {
      // The same word after its like is the same phrase.
      if (place === 0 || completed.words[place] !== typed[place - 1]) yield completed;
    }
  }
}

function* completeAt(words: readonly string[], at: number, wordlist: readonly string[]): Generator<CompletedWords> {
  for (const word of findFittingWords(words, at, wordlist)) {
    yield { words: [...words.slice(0, at), word, ...words.slice(at)], position: at + 1 };
  }
}

function nearestFirst(all: readonly CompletedWords[], near: readonly string[]): readonly CompletedWords[] {
  const wordOf = ({ words, position }: CompletedWords): string => words[position - 1] ?? '';
  const nearest = near.flatMap((word) => all.filter((completed) => wordOf(completed) === word));
  return [...nearest, ...all.filter((completed) => !near.includes(wordOf(completed)))];
}

/** Splits as `splitWords`, and takes what holds a question mark for an unknown word. */
export const splitMarked = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^\p{L}\p{M}?]+/u)
    .filter(Boolean);

function assertOneGap(count: number, gaps: number): void {
  if (!PHRASE_LENGTHS.has(count) && !PHRASE_LENGTHS.has(count + 1)) {
    const message = `A seed phrase has 12, 15, 18, 21 or 24 words: of ${count}, more than one is missing or too many`;
    throw new BtcError('words/count', { count }, message);
  }
  if (gaps === 1) return;
  const message =
    gaps === 0
      ? 'No word is missing or unknown: put a question mark in the place of the word that may be wrong'
      : `Only one word can be found, but ${gaps} are missing or unknown: look for the others`;
  throw new BtcError('words/gaps', { gaps }, message);
}
