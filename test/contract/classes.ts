import { readFileSync } from 'node:fs';

/** Reads the names of classes from the table of docs/safety.md. */
export function classHeadings(rows: readonly number[]): readonly { readonly class: number; readonly title: string }[] {
  const safety = readFileSync(new URL('../../docs/safety.md', import.meta.url), 'utf8').replace(
    /^## A contract.*/ms,
    '',
  );
  const titles = new Map(
    [...safety.matchAll(/^\| (\d+) \| ([^|]+) \|/gm)].map(([, row, title = '']) => [Number(row), title] as const),
  );
  const known = [...new Set(rows)].sort((a, b) => a - b);
  return known.map((row) => ({ class: row, title: row === 0 ? 'Must be signed' : (titles.get(row) ?? '') }));
}
