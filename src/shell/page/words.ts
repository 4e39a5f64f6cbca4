import {
  english,
  findLastWords,
  isChecksumRight,
  PHRASE_LENGTHS,
  splitWords,
  wholeWord,
} from '../../core/keys/seedWords.ts';
import { suggestWords } from '../../core/keys/wordSuggestions.ts';
import type { WordsView } from './protocol.ts';

const SUGGESTED = 8;
/** In characters. */
const LONGEST = 2000;

/** The last word counts as unfinished until white space follows. */
export function checkWords(text: string): WordsView {
  const typed = splitWords(text.slice(0, LONGEST));
  const last = typed.at(-1);
  const isTyping = last !== undefined && /[\p{L}\p{M}]$/u.test(text);
  const words = typed.map((word) => wholeWord(word, english));
  const wordList = new Set(english);
  const completions = isTyping ? english.filter((word) => word.startsWith(last)) : [];
  const mayGrow = isTyping && completions.length > 0;
  const unknown = words.flatMap((word, index) => {
    const isLast = index === words.length - 1;
    return wordList.has(word) || (isLast && mayGrow) ? [] : [index + 1];
  });
  const areAllKnown = words.every((word) => wordList.has(word));
  const isWhole = areAllKnown && PHRASE_LENGTHS.has(words.length);
  return {
    count: words.length,
    unknown,
    near: unknown
      .slice(0, SUGGESTED)
      .flatMap((position) => suggestWords(words[position - 1] ?? '').map((word) => ({ position, word }))),
    isChecksumRight: isWhole ? isChecksumRight(words, english) : undefined,
    completions: completions.slice(0, SUGGESTED),
    lastWords: areAllKnown && PHRASE_LENGTHS.has(words.length + 1) ? findLastWords(words, SUGGESTED) : [],
  };
}
