import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allMethods } from '../src/node/registry.ts';

/** The page that says of every method of a node whether it is here. */
const page = readFileSync(new URL('../docs/methods.md', import.meta.url), 'utf8');
const lines = page.split('\n');
const namesIn = (text: string): readonly string[] => [...text.matchAll(/`([a-z0-9.]+)`/g)].map(([, name = '']) => name);

const here = lines.filter((line) => line.startsWith('Here: ')).flatMap(namesIn);
const rows = lines.filter((line) => line.startsWith('| `')).map((line) => line.split(' | '));
const absent = rows.flatMap(([names = '']) => namesIn(names));

test('the page of methods lists those of the program, each once', () => {
  const known = allMethods().map(({ name }) => name);
  expect([...here].sort()).toEqual([...known].sort());
  expect(new Set([...here, ...absent]).size).toBe(here.length + absent.length);
});

test('the page of methods names the dialect of each method that not all nodes have', () => {
  for (const { name, since, until } of allMethods()) {
    const marked = new RegExp(`\`${name}\`(?: \\((?<when>[^)]+)\\))?`).exec(page)?.groups?.['when'];
    const when = [since && `since ${since}`, until && `until ${until}`].filter(Boolean).join(', ');
    expect([name, marked ?? '']).toEqual([name, when.replaceAll('core-', '')]);
  }
});

test('the page of methods gives a reason for each that is absent', () => {
  expect(absent.length).toBeGreaterThan(15);
  for (const [names, reason = ''] of rows)
    expect([names, reason]).toEqual([names, expect.stringMatching(/^[a-z`].{9,}/)]);
});
