import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FOLDER = new URL('../bench/', import.meta.url);
const IMPORT = /import \{([^}]*)\} from '\.\.\/dist\/([^']+)\.js'/g;

/** Lists what the benchmarks import from the built library: the file, the module and the name. */
function imports(): readonly (readonly [file: string, module: string, name: string])[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.mjs'))
    .flatMap((file) => {
      const text = readFileSync(new URL(file, FOLDER), 'utf8');
      return [...text.matchAll(IMPORT)].flatMap(([, names = '', module = '']) =>
        names
          .split(',')
          .map((name) => name.trim().replace(/ as .*$/, ''))
          .filter(Boolean)
          .map((name) => [file, module, name] as const),
      );
    });
}

test('the benchmarks import only names that their modules export', async () => {
  const found = imports();
  expect(found.length).toBeGreaterThan(50);
  const missing: string[] = [];
  for (const [file, module, name] of found) {
    const exported = (await import(new URL(`../src/${module}.ts`, import.meta.url).href)) as object;
    if (!(name in exported)) missing.push(`${file}: ${name} from ${module}`);
  }
  expect(missing).toEqual([]);
});
