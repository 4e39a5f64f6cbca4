import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { manifest, root } from '../support/packedPackage.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const dist = join(root, 'dist');
const main = join(root, manifest.bin['countersign'] ?? '');
const folder = temporaryDirectory();
const list = join(folder, 'loaded.json');
const recorder = join(folder, 'recorder.cjs');

/** Notes the files and the modules of Node that a program requires, and writes them when it ends. */
writeFileSync(
  recorder,
  `const Module = require('node:module');
const names = new Set();
const load = Module._load;
Module._load = (name, ...given) => {
  names.add(Module._resolveFilename(name, ...given));
  return load(name, ...given);
};
process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify([...names])));`,
);

/** Runs the command line. @returns the chunks that it loads, such as `chunks/base`, and other modules */
function loadedBy(...args: readonly string[]): readonly string[] {
  const { stderr } = spawnSync(process.execPath, ['--require', recorder, main, ...args], { encoding: 'utf8' });
  expect(stderr).not.toContain('internal error');
  const names = JSON.parse(readFileSync(list, 'utf8')) as readonly string[];
  return names.map((name) => /\/dist\/(?<chunk>chunks\/.*)\.cjs$/.exec(name)?.groups?.['chunk'] ?? name);
}

const chunksOf = (names: readonly string[]): readonly string[] =>
  names.filter((name) => name.startsWith('chunks/') && !name.endsWith('runtime')).sort();

test('to start, the command line loads neither keys, PSBTs, methods nor stores', () => {
  expect(chunksOf(loadedBy('--unknown'))).toEqual(['chunks/base', 'chunks/start']);
});

test.each([
  ['decodescript', ['51'], ['infer']],
  ['decoderawtransaction', ['00'], ['infer']],
  ['decodepsbt', ['--file', join(root, 'vectors/demo.spend.psbt')], ['format', 'infer']],
  ['inspect', [join(root, 'vectors/demo.spend.psbt')], ['format', 'given', 'infer', 'inspect']],
  ['inspect', [join(root, 'vectors/demo.tx')], ['given', 'infer', 'inspect']],
])('%s loads no code that signs, no descriptors, and no wallets', (command, args, others) => {
  const names = loadedBy(command, ...args);
  const all = ['arithmetic', 'base', 'call', 'curve', 'json', 'start', ...others];
  expect(chunksOf(names)).toEqual(all.map((chunk) => `chunks/${chunk}`).sort());
  expect(names.filter((name) => /secp256k1|worker_threads|perf_hooks|crypto$/.test(name))).toEqual([]);
});

test.each([
  ['help', 'help', ['base', 'start']],
  ['--version', 'arithmetic', ['base', 'curve', 'start']],
])('%s loads no code of methods', (option, name, others) => {
  expect(chunksOf(loadedBy(option))).toEqual([name, ...others].map((chunk) => `chunks/${chunk}`).sort());
});

const IMPORT = /(?:^|[;}\s])(?:import|export)\s*(?:[^"'();]*?\bfrom\s*)?["'](?<name>[^"']+)["']/g;

/** Lists the files, and the modules of Node, that an ES module of the package imports at its top. */
function importedBy(file: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  const name = relative(dist, file);
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const { groups } of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const imported = groups?.['name'] ?? '';
    if (imported.startsWith('.')) importedBy(join(dirname(file), imported), seen);
    else seen.add(imported);
  }
  return seen;
}

test('the library loads neither wallets nor a module of Node', () => {
  const files = [...importedBy(join(dist, 'index.js'))];
  expect(files).toContain('chunks/sign.js');
  expect(files).not.toContain('chunks/node.js');
  expect(files.filter((name) => !name.endsWith('.js'))).toEqual([]);
});
