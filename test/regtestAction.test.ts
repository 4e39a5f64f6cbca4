import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from './support/freePort.ts';
import { temporaryDirectory } from './support/temporary.ts';

const root = new URL('..', import.meta.url).pathname;

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly {
      readonly id: string;
      readonly shell: string;
      readonly env: Readonly<Record<string, string>>;
      readonly run: string;
    }[];
  };
}

const { inputs, outputs, runs } = parse(
  readFileSync(join(root, '.github/actions/regtest/action.yml'), 'utf8'),
) as Action;
const [step] = runs.steps;
if (!step) throw new Error('the action has no step');

/** Stands for npx: notes what it is asked for, and runs the built command line. */
const NPX = `#!/bin/sh
printf '%s\\n' "$@" > "$RUNNER_TEMP/asked"
shift 2
exec '${process.execPath}' '${root}dist/cli/main.js' "$@"
`;

/** Runs the action's script as a runner does, whose options of bash these are. */
function runAction(given: Readonly<Record<string, string>>) {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/npx'), NPX, { mode: 0o755 });
  writeFileSync(join(folder, 'script.sh'), step?.run ?? '');
  const values = Object.entries(step?.env ?? {}).map(([name, expression]) => {
    const [, input = ''] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression) ?? [];
    return [name, given[input] ?? inputs[input]?.default];
  });
  const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', 'script.sh'], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...Object.fromEntries(values),
      PATH: `${folder}/bin:${process.env['PATH']}`,
      RUNNER_TEMP: folder,
      GITHUB_OUTPUT: join(folder, 'output'),
    },
  });
  const text = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  const written = Object.fromEntries(
    [...text('output').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  return { status, printed: stdout + stderr, asked: text('asked').split('\n'), written, folder };
}

async function call({ url = '', user, password }: Readonly<Record<string, string>>, method: string): Promise<unknown> {
  const headers = { authorization: `Basic ${btoa(`${user}:${password}`)}` };
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ id: 1, method }) });
  return ((await reply.json()) as { readonly result: unknown }).result;
}

test('the action has one step in bash, into which no expression is inserted', () => {
  expect([runs.using, runs.steps.length, step.shell]).toEqual(['composite', 1, 'bash']);
  expect(step.run).not.toContain('${{');
  expect(Object.values(step.env).sort()).toEqual(
    Object.keys(inputs)
      .map((name) => `\${{ inputs.${name} }}`)
      .sort(),
  );
});

test('the action starts a node, which goes on, and gives its login', async () => {
  const port = String(await freePort());
  const { status, printed, asked, written } = runAction({
    port,
    options: '-dialect=core-30\n\n-uacomment=of two words\n',
  });
  expect([status, printed]).toEqual([0, expect.stringContaining(`::add-mask::${written['password']}\n`)]);
  try {
    expect(asked.slice(0, 4)).toEqual(['--yes', 'countersign', 'bitcoind', '-regtest']);
    expect(written['url']).toBe(`http://127.0.0.1:${port}`);
    for (const [name, { value }] of Object.entries(outputs))
      expect(value).toBe(`\${{ steps.${step.id}.outputs.${name} }}`);
    expect(Object.keys(written).sort()).toEqual(Object.keys(outputs).sort());
    expect(await call(written, 'getnetworkinfo')).toMatchObject({ subversion: '/Satoshi:30.0.0(of two words)/' });
    expect(existsSync(join(written['datadir'] ?? '', 'regtest/debug.log'))).toBe(true);
  } finally {
    await call(written, 'stop');
  }
});

test('the action fails with the node, and says why', () => {
  const { status, printed, written } = runAction({ options: '-nosuch' });
  expect([status, written]).toEqual([1, {}]);
  expect(printed).toContain('Error parsing command line arguments: Invalid parameter -nosuch');
});

test('the action runs nothing that an input says', () => {
  const evil = '1"; touch evil; $(touch evil) `touch evil`';
  const { asked, folder } = runAction({ version: evil, port: evil, options: evil });
  expect(asked[1]).toBe(`countersign@${evil}`);
  expect(existsSync(join(folder, 'evil'))).toBe(false);
});
