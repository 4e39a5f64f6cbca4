import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { manifest, root } from '../support/packedPackage.ts';

const dist = join(root, 'dist');
const IMPORT = /(?:^|[;}\s])(?:import|export)\s*(?:[^"'();]*?\bfrom\s*)?["'](?<name>[^"']+)["']/g;

/** Lists the files, and the modules of Node, that a file of the package loads, without those that it imports later. */
function loadedBy(file: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  const name = relative(dist, file);
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const { groups } of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const imported = groups?.['name'] ?? '';
    if (imported.startsWith('.')) loadedBy(join(dirname(file), imported), seen);
    else seen.add(imported);
  }
  return seen;
}

const loaded = (file: string): readonly string[] => [...loadedBy(join(dist, file))].sort();
const chunk = (name: string): string => `chunks/${name}.js`;

test('to start, the command line loads neither keys, PSBTs, methods nor stores', () => {
  const files = loaded(relative('dist', manifest.bin['countersign'] ?? '')).filter((name) => name.endsWith('.js'));
  expect(files).toEqual([chunk('base'), chunk('start'), 'cli/main.js'].sort());
});

test.each(['call', 'inspect'])('a command that only decodes (%s) loads no code that signs, and no wallets', (name) => {
  const files = loaded(chunk(name));
  expect(files).toEqual(expect.arrayContaining([chunk('base'), chunk('decode')]));
  for (const other of ['sign', 'node', 'openStore', 'serve', 'sync', 'threads', 'worker']) {
    expect(files).not.toContain(chunk(other));
  }
  for (const other of ['tiny-secp256k1', 'secp256k1/bindings.js', 'worker_threads']) expect(files).not.toContain(other);
});

test.each([
  ['help', 'help', ['base', 'start']],
  ['--version', 'arithmetic', ['base', 'curve', 'start']],
])('%s loads no code of methods', (_, name, others) => {
  const files = loaded(chunk(name)).filter((file) => file.endsWith('.js'));
  expect(files).toEqual([name, ...others].map(chunk).sort());
});

test('the library loads neither wallets nor a module of Node', () => {
  const files = loaded('index.js');
  expect(files).toContain(chunk('sign'));
  expect(files).not.toContain(chunk('node'));
  expect(files.filter((name) => !name.endsWith('.js'))).toEqual([]);
});
