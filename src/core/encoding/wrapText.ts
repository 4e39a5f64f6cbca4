const MAX_WIDTH = 120;

/** Indents later lines to the column where the first begins. */
export function wrapText(text: string, column: number): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || column + last.length + 1 + word.length > MAX_WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join(`\n${' '.repeat(column)}`);
}
