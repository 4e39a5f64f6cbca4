import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const FOLDER = new URL('../bench/', import.meta.url);
const IMPORT = /import \{([^}]*)\} from '\.\.\/dist\/([^']+)\.js'/g;
const INTERNAL = /import \{([^}]*)\} from '\.\/(internals)\.built\.mjs'/g;

/** Lists what the benchmarks import by a pattern: the file, the module and the name. */
function imports(pattern: RegExp): readonly (readonly [file: string, module: string, name: string])[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.mjs'))
    .flatMap((file) => {
      const text = readFileSync(new URL(file, FOLDER), 'utf8');
      return [...text.matchAll(pattern)].flatMap(([, names = '', module = '']) =>
        names
          .split(',')
          .map((name) => name.trim().replace(/ as .*$/, ''))
          .filter(Boolean)
          .map((name) => [file, module, name] as const),
      );
    });
}

/** Lists the imported names that the modules of a folder do not export. */
async function missing(found: ReturnType<typeof imports>, folder: URL): Promise<readonly string[]> {
  const rows = found.map(async ([file, module, name]) => {
    const exported = (await import(new URL(`${module}.ts`, folder).href)) as object;
    return name in exported ? [] : [`${file}: ${name} from ${module}`];
  });
  return (await Promise.all(rows)).flat();
}

test('the benchmarks import only names that their modules export', async () => {
  const found = imports(IMPORT);
  expect(found.length).toBeGreaterThan(50);
  expect(await missing(found, new URL('../src/', import.meta.url))).toEqual([]);
});

test('the benchmarks import only modules that the package exports, and bundle the rest themselves', async () => {
  const entries = JSON.stringify(manifest.exports);
  const inside = imports(IMPORT).filter(([, module]) => !entries.includes(`"./dist/${module}.js"`));
  expect(inside).toEqual([]);
  const found = imports(INTERNAL);
  expect(found.length).toBeGreaterThan(5);
  expect(await missing(found, FOLDER)).toEqual([]);
});

test('the README of the benchmarks has the line counts of the examples', () => {
  const table = execFileSync(process.execPath, [new URL('lines.mjs', FOLDER).pathname], { encoding: 'utf8' });
  expect(table).toMatch(/^\| P2WPKH, one signer \| \d+ \| \d+ \| \d+ \|$/m);
  expect(readFileSync(new URL('README.md', FOLDER), 'utf8')).toContain(table);
});
