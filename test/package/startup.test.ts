import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { manifest, root } from '../support/packedPackage.ts';

const dist = join(root, 'dist');
const main = join(root, manifest.bin['countersign'] ?? '');

/** Writes the address of each module that is loaded. */
const recorder = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from 'node:fs';
export async function load(url, context, next) {
  writeSync(2, 'loads ' + url + '\\n');
  return next(url, context);
}`)}`;

/** Runs the command line. @returns the modules that it loads: its own by their names, such as `shared`, and others */
function loadedBy(...args: readonly string[]): readonly string[] {
  const flags = ['--no-warnings', '--experimental-loader', recorder];
  const { stderr } = spawnSync(process.execPath, [...flags, main, ...args], { encoding: 'utf8' });
  expect(stderr).not.toContain('internal error');
  const urls = Array.from(stderr.matchAll(/^loads (.*)$/gm), ([, url = '']) => url);
  expect(urls.length).toBeGreaterThan(2);
  return urls.map((url) => /\/dist\/cli\/(?<name>.*)\.js$/.exec(url)?.groups?.['name'] ?? url);
}

const SPEND = join(root, 'vectors/demo.spend.psbt');

test.each([
  ['help', ['help']],
  ['decodescript', ['decodescript', '51']],
  ['decoderawtransaction', ['decoderawtransaction', '00']],
  ['decodepsbt', ['decodepsbt', '--file', SPEND]],
  ['inspect', ['inspect', SPEND]],
])('%s loads neither wallets nor stores, servers, native code and threads', (_, args) => {
  const names = loadedBy(...args);
  expect(names).toContain('shared');
  expect(names.filter((name) => /registry|openRpc|openStore|serve|sync|src/.test(name))).toEqual([]);
  expect(names.filter((name) => /tiny-|bindings|worker_threads|perf_hooks|node:crypto/.test(name))).toEqual([]);
});

const IMPORT = /^(?:import|export)\s[^;]*?from ["'](?<name>[^"']+)["'];$/gm;

/** Lists the modules of the package that a module imports at its top, and those of Node and others. */
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
  expect(files).toContain('core/psbt/roles/signer.js');
  expect(files.filter((file) => /^node\//.test(file))).toEqual([]);
  expect(files.filter((file) => file.startsWith('node:'))).toEqual([]);
});
