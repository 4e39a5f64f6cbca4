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

/** Breaks text at spaces, and a word longer than a line where the line ends. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    let rest = word;
    if (line !== '' && line.length + 1 + rest.length > width) {
      lines.push(line);
      line = '';
    }
    for (; rest.length > width; rest = rest.slice(width)) lines.push(rest.slice(0, width));
    line = line === '' ? rest : `${line} ${rest}`;
  }
  return [...lines, line];
}

/** Spaces an address out, so that a person can compare it. */
export const grouped = (address: string): string => address.replace(/.{4}(?=.)/g, '$& ');
