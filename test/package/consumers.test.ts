import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { txid } from '../../examples/singleKey.ts';
import {
  copyExamples,
  entryPoints,
  packTarball,
  projectWith,
  root,
  SPEND,
  WATCH,
  writeInto,
} from '../support/packedPackage.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const tarball = packTarball(temporaryDirectory());
const esm = projectWith(tarball, 'module');
const commonJs = projectWith(tarball, 'commonjs');

const PRINT = 'console.log(JSON.stringify(txid));';

const names = entryPoints.map(({ name }) => name);

function run(project: string, name: string, text: string): unknown {
  const file = writeInto(project, name, text);
  return JSON.parse(execFileSync(process.execPath, [file], { cwd: project, encoding: 'utf8' }));
}

describe('Node', () => {
  test('imports and requires every entry point, with the names that src exports', async () => {
    const wanted: Record<string, readonly string[]> = {};
    for (const { name, source } of entryPoints) {
      wanted[name] = Object.keys((await import(source)) as object).sort();
    }
    expect(names.length).toBeGreaterThanOrEqual(20);
    const list = JSON.stringify(names);
    const imported = run(
      esm,
      'names.js',
      `const rows = await Promise.all(${list}.map(async (name) => [name, Object.keys(await import(name)).sort()]));
       console.log(JSON.stringify(Object.fromEntries(rows)));`,
    );
    expect(imported).toEqual(wanted);
    const required = run(
      commonJs,
      'names.js',
      `console.log(JSON.stringify(Object.fromEntries(${list}.map((name) => [name, Object.keys(require(name)).sort()]))));`,
    );
    expect(required).toEqual(wanted);
  });

  test('signs the same when it is imported and required', () => {
    expect(
      run(esm, 'spend.js', `import { accountFromWords, buildPsbt, signWith } from 'countersign';${SPEND}${PRINT}`),
    ).toBe(txid);
    expect(
      run(
        commonJs,
        'spend.js',
        `const { accountFromWords, buildPsbt, signWith } = require('countersign');${SPEND}${PRINT}`,
      ),
    ).toBe(txid);
  });

  test('keeps a wallet in a directory the same when it is imported, required and bundled', async () => {
    const watcher = () =>
      `const store = openStore(${JSON.stringify(temporaryDirectory())});${WATCH}console.log(JSON.stringify(address));`;
    const imports = `import { createNodeRpc } from 'countersign/rpc'; import { openStore } from 'countersign/store';`;
    const requires = imports.replaceAll(/import (\{.*?\}) from ('.*?')/g, 'const $1 = require($2)');
    const address = run(esm, 'watch.js', imports + watcher());
    expect(address).toMatch(/^bcrt1q/);
    expect(run(commonJs, 'watch.js', requires + watcher())).toBe(address);
    expect(run(esm, 'watch.mjs', await bundled(imports + watcher(), esm, 'esm', 'node'))).toBe(address);
  });

  test('is loaded once, whether it is imported or required', () => {
    const answer = run(
      esm,
      'errors.js',
      `import { createRequire } from 'node:module';
       import { BtcError } from 'countersign';
       console.log(JSON.stringify(createRequire(import.meta.url)('countersign').BtcError === BtcError));`,
    );
    expect(answer).toBe(true);
  });

  test('prints no warning when it is required', () => {
    const file = writeInto(commonJs, 'all.js', `for (const name of ${JSON.stringify(names)}) require(name);`);
    const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});

/** Uses every entry point and narrows errors, in a way that any module system compiles. */
const TYPED = `${names.map((name, i) => `import * as m${i} from '${name}';`).join('\n')}
import { BtcError, isBtcError, type Psbt } from 'countersign';
import { createNodeRpc } from 'countersign/rpc';

export const all = [${names.map((_, i) => `m${i}`).join(', ')}];
export const open: typeof createNodeRpc = createNodeRpc;
export const inputsOf = (psbt: Psbt): number => psbt.inputs.length;
export function indexOf(error: unknown): number | string {
  if (isBtcError(error, 'psbt/not-final')) return error.data.inputIndex;
  return error instanceof BtcError ? error.code : 'another';
}
// @ts-expect-error: the version of a transaction is a number
export const wrong: Psbt['txVersion'] = 'two';
`;

describe('TypeScript', () => {
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    target: 'ES2022',
    lib: ['ES2022'],
    types: [],
    noEmit: true,
  };

  test.each([
    ['projects of both kinds, as docs/install.md says', { module: 'nodenext' }, ['typed.mts', 'typed.cts']],
    ['a project for a bundler', { module: 'esnext', moduleResolution: 'bundler' }, ['typed.ts']],
  ])('checks %s', (_, options, files) => {
    for (const file of files) writeInto(esm, file, TYPED);
    writeInto(esm, 'tsconfig.json', JSON.stringify({ compilerOptions: { ...strict, ...options }, files }));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', esm], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });
});

describe('esbuild', () => {
  test.each(['esm', 'cjs'] as const)('bundles an example for the browser as %s', async (format) => {
    const project = format === 'esm' ? esm : commonJs;
    const text = `import { txid } from ${JSON.stringify(copyExamples(project))}; console.log(JSON.stringify(txid));`;
    const bundle = await bundled(text, project, format, 'browser');
    expect(run(project, format === 'esm' ? 'bundle.mjs' : 'bundle.cjs', bundle)).toBe(txid);
  });
});

async function bundled(text: string, project: string, format: 'esm' | 'cjs', platform: 'browser' | 'node') {
  const stdin = { contents: text, resolveDir: project };
  const { outputFiles } = await build({ stdin, bundle: true, format, platform, write: false, logLevel: 'silent' });
  return outputFiles[0]?.text ?? '';
}
