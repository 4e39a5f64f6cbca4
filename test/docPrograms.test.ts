import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { allMethods } from '../src/node/registry.ts';
import { commands, programs as ownPrograms } from '../src/shell/cli/commandTable.ts';
import { PRINTED } from '../src/shell/cli/declarations.ts';
import { loadAllOptions } from '../src/shell/cli/readLine.ts';
import { type Block, blocksOf, documents, readText } from './support/documents.ts';
import { freePort } from './support/freePort.ts';
import { guideFiles, secretWords } from './support/guides.ts';
import { runForFiles } from './support/io.ts';
import { PRELUDE, snippetsOf, valuesIn, withChecks } from './support/snippets.ts';
import { typeErrors } from './support/typecheck.ts';

const root = new URL('..', import.meta.url).pathname;
const program = join(root, 'dist/cli/main.js');

/** The documents for those who use countersign, or work on it. */
const tested = documents.filter((document) => /^(?:[A-Z]+|docs\/[\w-]+)\.md$/.test(document));

/** Documents whose commands other tests run: a release needs minutes. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'CONTRIBUTING.md': 'test',
  'docs/install.md': 'test/package',
};

const programs = tested.flatMap((document) => snippetsOf(document, readText(document)));

describe('the programs in the documents', () => {
  test('compile under --strict', () => {
    expect(programs.length).toBeGreaterThan(15);
    const named = programs.map(({ name, code }) => [`${name.replace(/\W/g, '-')}.ts`, code]);
    expect(typeErrors(Object.fromEntries(named))).toEqual([]);
  });

  test.each(programs)('$name does what it says', ({ code }) => {
    // Within the package, so that its name resolves to itself.
    const folder = mkdtempSync(join(root, '.cache-document-'));
    const file = join(folder, 'snippet.mjs');
    writeFileSync(file, `${PRELUDE}\n${withChecks(code)}\nconsole.log(checked);`);
    const checks = Number(execFileSync(process.execPath, [file], { cwd: root, encoding: 'utf8' }));
    rmSync(folder, { recursive: true });
    expect(checks).toBe(valuesIn(code));
    expect(checks).toBeGreaterThan(0);
  });
});

/** Stands for `curl -s --user NAME:PASSWORD --data BODY URL` where it is not installed; `@-` reads the body. */
const CURL = `#!/usr/bin/env node
const [, , , , login, , data, url] = process.argv;
const headers = { authorization: 'Basic ' + Buffer.from(login).toString('base64') };
const body = data === '@-' ? require('fs').readFileSync(0) : data;
fetch(url, { method: 'POST', headers, body }).then((reply) => reply.text()).then((text) => process.stdout.write(text));
`;

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A folder with the files of the guides, the vectors, and `countersign` among its programs. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-document-'));
  for (const [name, content] of Object.entries(guideFiles)) writeFileSync(join(folder, name), content);
  symlinkSync(join(root, 'vectors'), join(folder, 'vectors'));
  mkdirSync(join(folder, '.bin'));
  const start = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
  writeFileSync(join(folder, '.bin/countersign'), start, { mode: 0o755 });
  if (!hasCurl()) writeFileSync(join(folder, '.bin/curl'), CURL, { mode: 0o755 });
  return folder;
}

/** The port of `countersign serve` and `countersign dev` where the documents name none, and those that they name. */
const DEFAULT_PORT = '18443';
const PORT = /(?<=127\.0\.0\.1:|port=|--esplora |--zmq )\d{4,5}\b/g;
const ports = new Map<string, string>();

/** Gives each port that a document names one of its own, which was free: others on this machine may use the same. */
async function withPorts(text: string): Promise<string> {
  for (const named of [DEFAULT_PORT, ...(text.match(PORT) ?? [])]) {
    if (!ports.has(named)) ports.set(named, String(await freePort()));
  }
  return text.replace(
    new RegExp(`\\b(?:${[...ports.keys()].join('|')})\\b`, 'g'),
    (named) => ports.get(named) ?? named,
  );
}

/** Runs a script as a reader's shell does. @returns what it prints, errors included */
function runBash(script: string, folder: string): string {
  return execFileSync('bash', ['-euo', 'pipefail', '-c', `exec 2>&1\n${script}`], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${folder}/.bin:${process.env['PATH']}` },
  });
}

/** Runs a block of a script. @returns what it prints, errors included */
async function runScript(text: string, folder: string): Promise<string> {
  const script = await withPorts(
    text
      .replaceAll('countersign serve', `countersign serve --rpcport ${DEFAULT_PORT}`)
      .replaceAll('countersign dev ', `countersign dev --rpcport ${DEFAULT_PORT} --esplora 3002 --zmq 28332 `),
  );
  // A server that goes on would keep the output open.
  const ending = `trap 'kill $(jobs -p) 2> /dev/null || true; wait || true' EXIT`;
  return runBash(`${ending}\n${script}`, folder);
}

type Files = Record<string, Uint8Array | string>;

/** Runs the lines of a block as a user types them at a terminal, and confirms what is asked. @returns what they print */
async function typeLines(text: string, files: Files): Promise<string> {
  let printed = '';
  for (const line of text.trim().split('\n')) {
    const steps = line.split(' | ');
    const isPiped = steps.length > 1;
    let stdin: string | Uint8Array = files['alice.psbt'] ?? '';
    for (const step of steps) {
      const [, ...args] = step.split(' ');
      const run = await runForFiles(args, { files, stdin, isTerminal: !isPiped, ...(!isPiped && { typed: ['yes'] }) });
      expect([step, run.code, run.error]).toEqual([step, 0, expect.any(String)]);
      stdin = run.out;
      printed += run.error + (step === steps.at(-1) ? run.out : '');
      Object.assign(files, run.files);
    }
  }
  return printed;
}

/** Compares what was printed with a block of the document, in which `...` stands for any text. */
function expectPrinted(printed: string, wanted: string): void {
  const parts = wanted.split('...');
  const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*');
  if (!new RegExp(`^${pattern}$`).test(printed)) expect(printed).toBe(wanted);
}

const RUN = ['sh', 'bash', 'text'];

const withCommands = tested
  .filter((document) => !Object.hasOwn(RUN_ELSEWHERE, document))
  .filter((document) => blocksOf(document).some(({ language }) => language.endsWith('sh')));

describe.each(withCommands)('the commands of %s', (document) => {
  let folder: string | undefined;
  const files: Files = { ...guideFiles };
  let printed = '';
  let isScript = false;
  afterAll(() => folder && rmSync(folder, { recursive: true }));

  test.each(blocksOf(document).filter(({ language }) => RUN.includes(language)))(
    '$name: $language',
    async ({ language, text }) => {
      if (language === 'text') return expectPrinted(printed, isScript ? await withPorts(text) : text);
      isScript = language === 'bash';
      if (language === 'sh') printed = await typeLines(text, files);
      else {
        folder ??= makeFolder();
        printed = await runScript(text, folder);
      }
      expect(printed.trim().length).toBeGreaterThan(0);
      expect(secretWords.filter((word) => new RegExp(`\\b${word}\\b`).test(printed))).toEqual([]);
    },
  );
});

const conditions = tested.flatMap((document) =>
  blocksOf(document).flatMap(({ name, text }) =>
    [...text.matchAll(/\b(?:until|while) (?!read )(.*?); do\b/g)].map(([, condition = '']) => ({ name, condition })),
  ),
);

describe('what a script waits for', () => {
  test('is found in the documents', () => expect(conditions.length).toBeGreaterThan(3));

  // What another process makes may be there later than the shell looks for it.
  test.each(conditions)('in $name may be missing: $condition', ({ condition }) => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-document-'));
    expect(runBash(`if ${condition}; then echo 'It is there.'; fi`, folder)).toBe('');
    rmSync(folder, { recursive: true });
  });
});

test('every command in a document exists, with its options', async () => {
  const allOptions = await loadAllOptions();
  const known = new Set([
    ...commands.keys(),
    ...ownPrograms.keys(),
    ...allMethods().map(({ name }) => name),
    'help',
    ...Object.keys(PRINTED),
  ]);
  const isShown = ({ language }: Block): boolean => ['sh', 'bash', 'console'].includes(language);
  const lines = tested.flatMap((document) =>
    blocksOf(document)
      .filter(isShown)
      .flatMap(({ name, text }) => text.split('\n').map((line) => ({ name, line }))),
  );
  const called = lines.flatMap(({ name, line }) =>
    [...line.matchAll(/\bcountersign(?:\.mjs)? ([a-z][\w-]+)?([^|#]*)/g)].map(([, command, rest = '']) => ({
      name,
      command,
      options: [...rest.matchAll(/\s--([a-z][a-z0-9-]*)/g)].map(([, option = '']) => option),
    })),
  );
  expect(called.length).toBeGreaterThan(50);
  expect(called.filter(({ command }) => command !== undefined && !known.has(command))).toEqual([]);
  expect(called.filter(({ options }) => options.some((option) => !Object.hasOwn(allOptions, option)))).toEqual([]);
});

test('the demo signs the bundled PSBT and transaction, and verifies it', () => {
  const printed = execFileSync(process.execPath, [join(root, 'examples/demo.mjs')], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(printed.match(/^\$ countersign \w+/gm)).toEqual([
    '$ countersign signpsbt',
    '$ countersign signrawtransactionwithkey',
    '$ countersign verifyrawtransaction',
  ]);
  expect(printed.match(/^ {2}"complete": .*$/gm)).toEqual(Array.from({ length: 3 }, () => '  "complete": true'));
  expect(printed).toMatch(/^ {2}Leaves {3}1\.20002000 BTC, of it the fee of 0\.00002000 BTC; 0\.29998000 BTC stay$/m);
  expect(Math.max(...printed.split('\n').map((line) => line.length))).toBeLessThan(250);
  expect(printed.match(/^\d\. /gm)).toHaveLength(3);
});
