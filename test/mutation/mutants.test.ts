import { expect, test } from 'vitest';
import survivors from './survivors.json' with { type: 'json' };

interface Mutant {
  readonly file: string;
  readonly name: string;
  readonly original: string;
  readonly replacement: string;
}

/** Makes mutants by the script, which has no types. */
async function mutantsOf(...folders: readonly string[]): Promise<{
  readonly sources: Readonly<Record<string, string>>;
  readonly mutants: readonly Mutant[];
}> {
  return (await import(new URL('mutants.mjs', import.meta.url).href)).mutantsOf(folders);
}

const nameOf = ({ file, name, original, replacement }: Mutant): string =>
  `${file} ${name}: ${original} -> ${replacement}`;

test('a folder is instrumented', async () => {
  // Some files of script begin with a comment, and import nothing.
  const { sources, mutants } = await mutantsOf('tx', 'script');
  expect(mutants.length).toBeGreaterThan(1000);
  expect(mutants.map(nameOf)).toContain('src/core/tx/check.ts checkTransaction: tx.inputs.length === 0 -> true');
  for (const source of Object.values(sources)) expect(source).not.toContain('function stry');
  expect(Object.values(sources).join('')).toContain('stryMutAct_9fa48("1")');
});

test('each reason is of a mutant that exists', async () => {
  const explained = survivors.flatMap(({ mutants }) => mutants);
  const folders = new Set(explained.map(({ file }) => file.split('/')[2] ?? ''));
  const known = new Set((await mutantsOf(...folders)).mutants.map(nameOf));
  expect(explained.map(nameOf).filter((name) => !known.has(name))).toEqual([]);
});
