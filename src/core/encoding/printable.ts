/** Control characters, among them those that begin escapes of terminals, and invisible ones, some of which turn text around. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** Lines of ASCII, which need no search for others. */
const PLAIN_LINES = /^[\n\x20-\x7e]*$/;

/** Makes a text safe to print within a line: replaces each control, format or line-break character with `?`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '?');
}

/** Makes JSON safe to print: escapes the control and format characters of its strings, and keeps the line breaks between values. */
export function printableJson(json: string): string {
  if (PLAIN_LINES.test(json)) return json;
  return json.replace(UNPRINTABLE, (character) => (character === '\n' ? character : escaped(character)));
}

/** Escapes a character as JSON does, each UTF-16 unit by itself. */
const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
