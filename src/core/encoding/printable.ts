/**
 * Control characters, which begin terminal escapes, and what a reader does not see: marks that reverse the text, and blanks other
 * than the space.
 */
const UNPRINTABLE = /(?! )[\p{Cc}\p{Cf}\p{Zs}\u2028\u2029\u115f\u1160\u2800\u3164\uffa0]|\u034f|\u17b4|\u17b5/gu;
const PLAIN_LINES = /^[\n\x20-\x7e]*$/;

/** Makes a text safe to print within a line. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '?');
}

/** Quotes a text as JSON does, on one line, so that nothing in it can pass for what stands around it. */
export const quotedLine = (text: string): string => printableJson(JSON.stringify(text));

/** Keeps the line breaks between values. */
export function printableJson(json: string): string {
  if (PLAIN_LINES.test(json)) return json;
  return json.replace(UNPRINTABLE, (character) => (character === '\n' ? character : escaped(character)));
}

const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
