import { laterPattern } from '../encoding/laterPattern.ts';

/** The fewest and the most words of a seed phrase, and one that was forgotten or repeated. */
const PHRASE = { least: 11, most: 25 } as const;
const LONGEST_WORD = 12;
const betweenWords = laterPattern('[^\\p{L}\\p{M}]+');
/** More characters than a numbered and quoted phrase has. */
const LONGEST_PHRASE = 1000;

/**
 * Tells whether a text is nothing but about as many words as a seed phrase has, perhaps numbered or quoted. Hex is not,
 * though the letters between its digits look like words.
 */
export function isPhrase(text: string): boolean {
  if (text.length > LONGEST_PHRASE || /[{}()/:=#]|^[0-9a-f]+$/i.test(text)) return false;
  const words = text.split(betweenWords()).filter(Boolean);
  return (
    words.length >= PHRASE.least && words.length <= PHRASE.most && words.every(({ length }) => length <= LONGEST_WORD)
  );
}

/** Tells whether a text is an extended private key, or one in wallet import format, and nothing else. */
export const isWrittenKey = (text: string): boolean =>
  /^(?:[A-Za-z](?:prv|tpv)[0-9A-Za-z]{100,110}|[0-9A-Za-z]{51,52})$/.test(text);
