const MAX_WIDTH = 120;

/** Indents later lines to the column where the first begins. */
export function wrapText(text: string, column: number, width: number = MAX_WIDTH): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || column + last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join(`\n${' '.repeat(column)}`);
}
