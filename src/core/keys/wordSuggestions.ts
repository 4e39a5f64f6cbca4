import { assertText } from '../bytes/assertText.ts';
import { assertList } from '../bytes/knownOptions.ts';
import { editDistance } from '../encoding/editDistance.ts';
import { english } from './seedWords.ts';

const MOST = 5;
/** Shorter words have too many neighbors at two edits. */
const LEAST_LONG = 6;
/** Longer than every word of BIP39 with two letters too many. */
const LONGEST = 20;

/**
 * Suggests words of a list for letters that are none: those at one edit (a letter wrong, missing, too many, or two swapped), or if
 * there are none and the letters are at least six, at two. The result may be secret.
 *
 * - `wordlist`: default English
 *
 * @returns at most five words: nearest first, then those that begin alike
 * @throws `argument/invalid`
 *
 * @example
 * ```ts
 * import { suggestWords } from 'countersign/keys';
 *
 * suggestWords('abuot')[0]; // about
 * ```
 */
export function suggestWords(letters: string, wordlist: readonly string[] = english): readonly string[] {
  assertText('letters', letters);
  assertList('wordlist', wordlist);
  const typed = letters
    .slice(0, LONGEST + 1)
    .normalize('NFKD')
    .toLowerCase();
  if (typed.length > LONGEST) return [];
  const most = typed.length >= LEAST_LONG ? 2 : 1;
  const near = wordlist
    .filter((word) => Math.abs(word.length - typed.length) <= most)
    .map((word) => ({ word, distance: editDistance(typed, word), shared: sharedLetters(typed, word) }))
    .filter(({ distance }) => distance <= most);
  const nearest = near.some(({ distance }) => distance <= 1) ? near.filter(({ distance }) => distance <= 1) : near;
  return nearest
    .sort((a, b) => a.distance - b.distance || b.shared - a.shared)
    .slice(0, MOST)
    .map(({ word }) => word);
}

function sharedLetters(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
}
