const SHOWN_RANGES = 5;

/** Formats ranges: `inputs 0 to 3, 7`, and how many are not shown. */
export function indexesText(indexes: readonly number[], noun: 'input' | 'output' = 'input'): string {
  const ranges: [number, number][] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  const listed = ranges.slice(0, SHOWN_RANGES).map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  const hidden = ranges.slice(SHOWN_RANGES).reduce((sum, [from, to]) => sum + to - from + 1, 0);
  const more = hidden > 0 ? ` and ${hidden} more` : '';
  return `${indexes.length === 1 ? noun : `${noun}s`} ${listed.join(', ')}${more}`;
}
