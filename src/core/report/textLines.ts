const STYLES = { bold: '1', red: '31', yellow: '33', green: '32' } as const;
export type TextStyle = keyof typeof STYLES;

/** The narrowest usual terminal. */
const COLUMNS = 80;
const LEAST = 20;

export interface Paragraph {
  /** Stands before the first line, and indents the others. */
  readonly start: string;
  readonly text: string;
  readonly style?: TextStyle | undefined;
  readonly startStyle?: TextStyle;
}

export function formatParagraphs(paragraphs: readonly Paragraph[], hasColours: boolean): readonly string[] {
  const paint = (style: TextStyle | undefined, text: string): string =>
    hasColours && style && text !== '' ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text;
  return paragraphs.flatMap(({ start, text, style, startStyle }) =>
    wrap(text, Math.max(LEAST, COLUMNS - start.length)).map((line, i) =>
      i === 0 ? `${paint(startStyle, start)}${paint(style, line)}` : `${' '.repeat(start.length)}${paint(style, line)}`,
    ),
  );
}

/** The columns that a character takes at most: terminals show many beyond ASCII twice as wide. */
const columns = (text: string): number => [...text].reduce((sum, character) => sum + (character > '\u007e' ? 2 : 1), 0);

/** Breaks text at spaces, and a word longer than a line where the line ends. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const pieces = columns(word) > width ? piecesOf(word, width) : [word];
    for (const [i, piece] of pieces.entries()) {
      if (line !== '' && (i > 0 || columns(line) + 1 + columns(piece) > width)) {
        lines.push(line);
        line = '';
      }
      line = line === '' ? piece : `${line} ${piece}`;
    }
  }
  return [...lines, line];
}

/** Cuts a word into pieces that fit, between characters. */
function piecesOf(word: string, width: number): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const character of word) {
    const needed = columns(character);
    if (used + needed > width) {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += character;
    used += needed;
  }
  return [...pieces, piece];
}

/** Spaces an address out, so that a person can compare it. */
export const grouped = (address: string): string => address.replace(/.{4}(?=.)/g, '$& ');
