import fc from 'fast-check';
import { expect, test } from 'vitest';
import { english } from '../../../src/core/keys/seedWords.ts';
import { suggestWords } from '../../../src/core/keys/wordSuggestions.ts';

test.each([
  ['abuot', ['about']],
  ['sossage', ['sausage', 'message']],
  ['ABANDN', ['abandon']],
  ['zooo', ['zoo']],
  ['about', ['about']],
  ['hieght', ['height']],
  ['qqqqqq', []],
  ['', []],
  ['a'.repeat(1e6), []],
])('for %.20s: %j', (letters, words) => {
  expect(suggestWords(letters)).toEqual(words);
});

test('the nearest come first, then those that begin alike, at most five', () => {
  expect(suggestWords('car')[0]).toBe('car');
  expect(suggestWords('bot')).toEqual(['boat', 'box', 'boy']);
  expect(suggestWords('eighx')).toEqual(['eight']);
  expect(suggestWords('right')[0]).toBe('right');
  for (const word of english.slice(0, 50)) expect(suggestWords(word).length).toBeLessThan(6);
});

test('an own list is read', () => {
  expect(suggestWords('abako', ['a\u0301baco', 'abeja', 'abako'])).toEqual(['abako']);
  expect(suggestWords('ábako', ['a\u0301baco', 'abeja'])).toEqual(['a\u0301baco']);
});

/** One edit of a word. */
const edits: readonly ((word: string, at: number, letter: string) => string)[] = [
  (word, at, letter) => word.slice(0, at) + letter + word.slice(at),
  (word, at, letter) => word.slice(0, at) + letter + word.slice(at + 1),
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at) =>
    word.slice(0, at) +
    word
      .slice(at, at + 2)
      .split('')
      .reverse()
      .join('') +
    word.slice(at + 2),
];

test('a word after one edit is suggested, unless five others are as near', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...english),
      fc.constantFrom(...edits),
      fc.nat(),
      fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
      (word, edit, at, letter) => {
        const found = suggestWords(edit(word, at % word.length, letter));
        expect(found.includes(word) || found.length === 5).toBe(true);
      },
    ),
  );
});
