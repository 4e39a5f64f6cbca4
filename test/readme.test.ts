import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PRELUDE, snippetsOf, valuesIn, withChecks } from './support/snippets.ts';
import { typeErrors } from './support/typecheck.ts';

const root = new URL('..', import.meta.url).pathname;
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block = '']) => block);

const programs = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]
  .filter((document) => document.endsWith('.md'))
  .flatMap((document) => snippetsOf(document, readFileSync(join(root, document), 'utf8')));

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Stands for `curl -s --user NAME:PASSWORD --data @- URL` where it is not installed. */
const CURL = `#!/usr/bin/env node
const [, , , , login, , , url] = process.argv;
const headers = { authorization: 'Basic ' + Buffer.from(login).toString('base64') };
const body = require('fs').readFileSync(0);
fetch(url, { method: 'POST', headers, body }).then((reply) => reply.text()).then((text) => process.stdout.write(text));
`;

describe('the programs in the documents', () => {
  test('compile under --strict', () => {
    expect(programs.length).toBeGreaterThan(10);
    const named = programs.map(({ name, code }) => [`${name.replace(/\W/g, '-')}.ts`, code]);
    expect(typeErrors(Object.fromEntries(named))).toEqual([]);
  });

  test.each(programs)('$name does what it says', ({ code }) => {
    // Within the package, so that its name resolves to itself.
    const folder = mkdtempSync(join(root, 'dist/readme-'));
    const file = join(folder, 'snippet.mjs');
    writeFileSync(file, `${PRELUDE}\n${withChecks(code)}\nconsole.log(checked);`);
    const checks = Number(execFileSync(process.execPath, [file], { encoding: 'utf8' }));
    rmSync(folder, { recursive: true });
    expect(checks).toBe(valuesIn(code));
    expect(checks).toBeGreaterThan(0);
  });
});

describe('the README', () => {
  const sh = (command: string): string =>
    execFileSync('sh', ['-c', command], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  const commands = blocks('sh')
    .flatMap((block) => [...block.matchAll(/^(?!#|npm|COUNTERSIGN)(.+)\n(?:# (.*))?/gm)])
    .map(([, command = '', output]) => [command, output] as const);

  test.each(commands)('command %s works', (command, output) => {
    const printed = sh(command.replace(/\bcountersign\b/g, 'node dist/cli/main.cjs'));
    if (output === undefined) expect(printed.length).toBeGreaterThan(15);
    else expect(printed).toBe(`${output}\n`);
  });

  test('has at least the commands that were counted when this was written', () =>
    expect(commands.length).toBeGreaterThanOrEqual(5));

  test('begins with a demo that signs the bundled PSBT and transaction, and verifies it', () => {
    expect(readme).toContain('npm ci && npm run demo');
    const [, demo = ''] = /^npm run --silent build && (node .*)$/.exec(scripts['demo'] ?? '') ?? [];
    const printed = sh(demo);
    expect(printed.match(/^\$ countersign \w+/gm)).toEqual([
      '$ countersign signpsbt',
      '$ countersign signrawtransactionwithkey',
      '$ countersign verifyrawtransaction',
    ]);
    expect(printed.match(/^ {2}"complete": .*$/gm)).toEqual(Array.from({ length: 3 }, () => '  "complete": true'));
    expect(printed).toMatch(/^ {4}1\.20002000 BTC leave your wallet in total$/m);
    expect(Math.max(...printed.split('\n').map((line) => line.length))).toBeLessThan(250);
    expect(printed.match(/^\d\. /gm)).toHaveLength(3);
  });

  test('shows a server that makes a wallet, imports, is fed, lists and signs', () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-readme-'));
    if (!hasCurl()) writeFileSync(join(folder, 'curl'), CURL, { mode: 0o755 });
    const [demo = ''] = blocks('bash');
    const port = String(20_000 + (process.pid % 20_000));
    const script = demo
      .replaceAll('18443', port)
      .replace('countersign serve', `node dist/cli/main.cjs serve --rpcport ${port}`)
      .replaceAll(/\bwallets\b/g, join(folder, 'wallets'))
      // Without this, reading the output would keep waiting for the server.
      .replace(' &\n', ' 2> /dev/null &\n');
    const printed = execFileSync('bash', ['-c', script], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
    });
    rmSync(folder, { recursive: true });
    const answers = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { result: unknown; error?: unknown });
    expect(answers.map(({ error }) => error)).toEqual(Array.from({ length: 7 }, () => undefined));
    const [made, imported, , , coins, since, signed] = answers.map(({ result }) => result);
    expect(made).toEqual({ name: 'demo' });
    expect(imported).toEqual([{ success: true }]);
    expect(coins).toMatchObject([{ amount: 50, confirmations: 2 }, { confirmations: 1 }]);
    expect(since).toMatchObject({ transactions: [{ category: 'immature' }, { generated: true }], removed: [] });
    expect(signed).toMatchObject({ complete: true });
  });

  test('shows a network file that works', () => {
    // Within the package, so that its name resolves to itself.
    const folder = mkdtempSync(join(root, 'dist/readme-'));
    const file = join(folder, 'coin.json');
    writeFileSync(file, blocks('json')[0] ?? '');
    const answer = sh(`node dist/cli/main.cjs decodescript 0014${'00'.repeat(20)} --network ${file}`);
    rmSync(folder, { recursive: true });
    expect(answer).toContain('"address":"lcr1q');
  });
});
