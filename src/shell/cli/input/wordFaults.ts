import { splitMarked } from '../../../core/keys/seedCompletion.ts';
import { english, wholeWord } from '../../../core/keys/seedWords.ts';
import { suggestWords } from '../../../core/keys/wordSuggestions.ts';

/**
 * Says of each word that is missing (`?`) or not in the list its number, and which words are near it. Show it only to the person
 * whose words they are: never in an error.
 */
export function unknownWordLines(text: string): readonly string[] {
  return splitMarked(text).flatMap((typed, at) => {
    const word = wholeWord(typed, english);
    return english.includes(word) ? [] : [`word ${at + 1}: ${faultOfWord(word)}`];
  });
}

function faultOfWord(word: string): string {
  if (/^\?+$/.test(word)) return 'not given';
  const near = suggestWords(word);
  return `not in the list${near.length > 0 ? `; did you mean ${near.join(', ')}?` : ''}`;
}
