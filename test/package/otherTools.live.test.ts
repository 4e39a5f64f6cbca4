import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { txid } from '../../examples/singleKey.ts';
import { copyExamples, packTarball, projectWith, root, SPEND, WATCH, writeInto } from '../support/packedPackage.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** A program that signs like an example and keeps a wallet, in the syntax of each module system. */
const MODULE = `import { isBtcError, parsePsbt } from 'countersign';
import { createMemoryStore } from 'countersign/node';
import { createNodeRpc } from 'countersign/rpc';
import { txid } from './examples/singleKey.ts';
`;
const REQUIRED = `const { accountFromWords, buildPsbt, isBtcError, parsePsbt, signWith } = require('countersign');
const { createMemoryStore } = require('countersign/node');
const { createNodeRpc } = require('countersign/rpc');${SPEND}`;
const IMPORTED = `import { accountFromWords, buildPsbt, isBtcError, parsePsbt, signWith } from 'countersign';
import { createMemoryStore } from 'countersign/node';
import { createNodeRpc } from 'countersign/rpc';`;
const CHECKED = `const store = createMemoryStore();${WATCH}
try { parsePsbt('cHNidP8B'); } catch (error) {
  if (isBtcError(error, 'bytes/end-of-data') && address.startsWith('bcrt1q')) console.log(txid);
}`;

/** A program that pays twice on a regtest, from the same snapshot, and asks it over HTTP. Everywhere, it prints the same. */
const REGTEST = `
const chain = startRegtest();
const [alice, bob] = [chain.wallet('alice'), chain.wallet('bob')];
chain.fund(alice.address(), 100_000_000n);
const start = chain.snapshot();
function pay() {
  const txid = alice.send(bob.address(), 25_000_000n);
  const [hash] = chain.mine();
  return { txid, hash, coins: bob.call('listunspent'), seen: bob.call('listtransactions') };
}
const paid = pay();
chain.rewind(start);
const rewound = [chain.rpc.call('getblockcount'), String(bob.balance()), String(alice.balance())];
const again = pay();
async function ask() {
  const { url, user, password, close } = await chain.listen();
  const headers = { authorization: 'Basic ' + btoa(user + ':' + password) };
  const reply = await fetch(url, { method: 'POST', headers, body: '{"id":1,"method":"getbestblockhash"}' });
  const { result } = await reply.json();
  await close();
  await chain.close();
  console.log(JSON.stringify({ paid, rewound, again, best: result }));
}
ask();`;

let project = '';
const tool = (name: string): string => join(project, 'node_modules/.bin', name);

function run(program: string, ...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(program, args, { cwd: project, encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout + stderr);
  return stdout.trim();
}

/** Finds Bun's program: its package only copies it over a placeholder when install scripts run. */
function bun(): string {
  const scope = join(project, 'node_modules/@oven');
  const [folder = ''] = readdirSync(scope);
  return join(scope, folder, 'bin/bun');
}

beforeAll(() => {
  project = projectWith(packTarball(temporaryDirectory()), 'commonjs');
  const tools = temporaryDirectory();
  copyFileSync(join(root, 'test/package/tools/package.json'), join(tools, 'package.json'));
  // Install scripts are not needed: the programs are packages of their own for each system.
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  execFileSync('npm', install, { cwd: tools, stdio: 'inherit' });
  execFileSync('cp', ['-a', `${tools}/node_modules/.`, join(project, 'node_modules')]);
  copyExamples(project);
  writeInto(project, 'main.mts', `${MODULE}${CHECKED}`);
  writeInto(project, 'main.cjs', `${REQUIRED}${CHECKED}`);
  writeInto(project, 'regtest.mjs', `import { startRegtest } from 'countersign/regtest';${REGTEST}`);
  writeInto(project, 'regtest.cjs', `const { startRegtest } = require('countersign/regtest');${REGTEST}`);
});

/** Runs test files, by their names, with Jest. @returns how many tests passed */
function jest(files: Readonly<Record<string, string>>, config: object, flags: readonly string[] = []): number {
  for (const [name, text] of Object.entries(files)) writeInto(project, name, text);
  const report = join(project, 'report.json');
  const all = { testMatch: Object.keys(files).map((name) => `<rootDir>/${name}`), rootDir: project, ...config };
  const args = ['--json', '--outputFile', report, '--config', JSON.stringify(all)];
  run(process.execPath, ...flags, join(project, 'node_modules/jest/bin/jest.js'), ...args);
  return (JSON.parse(readFileSync(report, 'utf8')) as { numPassedTests: number }).numPassedTests;
}

const TESTS = `
test('keeps a wallet', () => { const store = createMemoryStore();${WATCH} expect(address).toMatch(/^bcrt1q/); });
test('signs', () => { expect(txid).toBe('${txid}'); });
test('throws errors that it recognizes', () => {
  let caught;
  try { parsePsbt('cHNidP8B'); } catch (error) { caught = error; }
  expect(isBtcError(caught, 'bytes/end-of-data')).toBe(true);
});`;

/** The suite that docs/regtest.md links to. */
const SUITE = readFileSync(join(root, 'examples/regtestJest.test.mjs'), 'utf8');

test('Jest tests it in CommonJS, with the configuration of docs/install.md', () => {
  const install = readFileSync(join(root, 'docs/install.md'), 'utf8');
  const [, line = ''] = /^ *(transformIgnorePatterns: .*),$/m.exec(install) ?? [];
  const [pattern = ''] = /(?<=\[').*(?='\])/.exec(line) ?? [];
  const babel = ['babel-jest', { plugins: ['@babel/plugin-transform-modules-commonjs'] }];
  const config = { transform: { '\\.[cm]?js$': babel }, transformIgnorePatterns: [pattern] };
  const suite = SUITE.replaceAll(/^import (.*) from (.*);$/gm, 'const $1 = require($2);');
  const files = { 'spend.test.cjs': `${REQUIRED}${TESTS}`, 'shop.test.cjs': suite };
  expect(jest(files, config)).toBe(3 + 2);
});

test('Jest tests it in ES modules', () => {
  const text = `${IMPORTED}${SPEND}${TESTS}`;
  const files = { 'spend.test.mjs': text, 'shop.test.mjs': SUITE };
  expect(jest(files, { transform: {} }, ['--experimental-vm-modules'])).toBe(3 + 2);
});

/** Uses the matchers right, and once wrongly. */
const TYPED = `const coin = chain.fund('', 1n);
expect(coin.txid).not.toSpend(coin);
expect(Promise.resolve(coin.txid)).resolves.toBeConfirmed(3);
// @ts-expect-error The amount is not a bigint.
expect(coin.txid).toPay('', 1);`;

test('TypeScript knows the matchers, with globals of Jest and without, as docs/regtest.md says', () => {
  const [declared = ''] =
    /declare module 'expect' .*(?=`)/.exec(readFileSync(join(root, 'docs/regtest.md'), 'utf8')) ?? [];
  const texts = {
    'node,jest': `import { useRegtest } from 'countersign/regtest/jest';\nconst chain = useRegtest();\n${TYPED}`,
    node: `import * as jest from '@jest/globals';
import { type RegtestMatchers, useRegtest } from 'countersign/regtest/jest';
${declared}
const { expect } = jest;
const chain = useRegtest({}, jest);
${TYPED}`,
  };
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'];
  for (const [types, text] of Object.entries(texts)) {
    const path = writeInto(project, 'matchers.mts', text);
    run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), ...options, '--types', types, path);
  }
});

test('Vite builds a page with it', () => {
  writeInto(project, 'index.html', '<script type="module" src="/main.mts"></script>');
  writeInto(project, 'vite.config.mjs', 'export default { build: { modulePreload: { polyfill: false } } };');
  run(tool('vite'), 'build', '--logLevel', 'error');
  const [script = ''] = readdirSync(join(project, 'dist/assets'));
  copyFileSync(join(project, 'dist/assets', script), join(project, 'page.mjs'));
  expect(run(process.execPath, 'page.mjs')).toBe(txid);
});

test.each(['main.mts', 'main.cjs'])('Bun runs %s', (file) => {
  expect(run(bun(), file)).toBe(txid);
});

test.each(['main.mts', 'main.cjs'])('Deno runs %s', (file) => {
  expect(run(tool('deno'), 'run', '--allow-read', '--allow-env', '--cached-only', file)).toBe(txid);
});

describe('a regtest pays, lists, rewinds and listens', () => {
  let shown = '';
  beforeAll(() => {
    shown = run(process.execPath, 'regtest.mjs');
  });

  test('in Node', () => {
    const { paid, rewound, again, best } = JSON.parse(shown) as Record<string, unknown>;
    expect(paid).toMatchObject({ coins: [{ amount: 0.25, confirmations: 1 }], seen: [{ category: 'receive' }] });
    expect(rewound).toEqual([102, '0', '100000000']);
    expect(again).toEqual(paid);
    expect(again).toMatchObject({ hash: best });
  });

  test.each(['regtest.mjs', 'regtest.cjs'])('in Bun, from %s, with the same bytes', (file) => {
    expect(run(bun(), file)).toBe(shown);
  });

  test.each(['regtest.mjs', 'regtest.cjs'])('in Deno, from %s, with the same bytes', (file) => {
    const rights = ['--allow-read', '--allow-env', '--allow-net=127.0.0.1'];
    expect(run(tool('deno'), 'run', ...rights, '--cached-only', file)).toBe(shown);
  });
});
