import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allMethods } from '../../../src/node/registry.ts';
import { commands } from '../../../src/shell/cli/commandTable.ts';
import { guideFiles } from '../../support/guides.ts';
import { run } from '../../support/io.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const script = async (shell: string): Promise<string> => (await run(['completion', shell])).out;

describe('completion', () => {
  /** Completes the last word of a line as bash does. */
  async function completed(...words: readonly string[]): Promise<readonly string[]> {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const program = `${await script('bash')}
COMP_WORDS=(countersign ${quoted})
COMP_CWORD=${words.length}
compopt() { echo FILES; }
_countersign
printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', program], { encoding: 'utf8' }).trim().split('\n');
  }

  test('of bash knows commands, methods, options and values', async () => {
    expect(await completed('rev')).toEqual(['review', 'reviewpsbt']);
    expect(await completed('decodes')).toEqual(['decodescript']);
    expect((await completed('')).length).toBe(commands.size + 5 + allMethods().length);
    expect(await completed('sign', '--seed')).toEqual(['--seed-file']);
    expect(await completed('sign', 'spend.psbt', '--no')).toEqual(['--nonce-dir', '--no-finalize']);
    expect(await completed('--network', 'sig')).toEqual(['signet']);
    expect(await completed('--network', 'signet', 'revie')).toEqual(['review', 'reviewpsbt']);
    expect(await completed('--network', 'signet', 'review', '--pay')).toEqual(['--pays']);
    expect(await completed('sign', 'spend.psbt', '--format', 'b')).toEqual(['base64', 'binary']);
    expect(await completed('sign', '--seed-file', 'w')).toEqual(['FILES']);
    expect(await completed('sign', 's')).toEqual(['FILES']);
    expect(await completed('--network', '=', 'sig')).toEqual(['signet']);
    expect(await completed('--network', '=', 'signet', 'sign', '--no')).toEqual(['--nonce-dir', '--no-finalize']);
    expect(await completed('verifymessage', '--bip')).toEqual(['--bip322']);
    expect(await completed('completion', 'f')).toEqual(['fish']);
  });

  test.each(['bash', 'zsh', 'fish'].filter(has))('of %s is a script that the shell reads', async (shell) => {
    const path = join(temporaryDirectory(), 'completion');
    writeFileSync(path, await script(shell));
    expect(spawnSync(shell, ['-n', path], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  test.runIf(has('fish'))('of fish knows commands and options', async () => {
    const complete = (line: string, text: string): string =>
      execFileSync('fish', ['-c', `${text}\ncomplete -C '${line}'`], { encoding: 'utf8' });
    const text = await script('fish');
    expect(complete('countersign rev', text)).toMatch(/^review\tShows what a PSBT would do/);
    expect(complete('countersign sign --non', text)).toMatch(/^--nonce-dir\tsign for MuSig2 keys/);
  });

  test.each([
    [[], 'completion takes one shell: bash, zsh or fish'],
    [['fishh'], 'unknown shell "fishh"; did you mean fish?'],
  ])('%j is refused', async (args, reason) => {
    const { code, out, error } = await run(['completion', ...args]);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain(reason);
  });
});

test.each(['completion', 'man'])('%s has a help', async (name) => {
  for (const args of [
    ['help', name],
    [name, '--help'],
  ])
    expect((await run(args)).out).toMatch(new RegExp(`^${name}`));
  expect((await run([name, 'x', 'y'])).code).toBe(1);
});

describe('the man page', () => {
  test('has every command, its options and examples', async () => {
    const { out } = await run(['man']);
    for (const name of commands.keys()) expect(out).toMatch(new RegExp(`^\\.SS ${name.replace('-', '\\\\-')}\\b`, 'm'));
    expect(out).toContain('.B "\\-\\-nonce\\-dir DIR"');
  });

  test.runIf(existsSync('/usr/bin/man'))('is shown by man without a warning', async () => {
    const path = join(temporaryDirectory(), 'countersign.1');
    writeFileSync(path, (await run(['man'])).out);
    const shown = spawnSync('man', ['--warnings', '-l', path], {
      encoding: 'utf8',
      env: { ...process.env, MANWIDTH: '100' },
    });
    expect([shown.status, shown.stderr]).toEqual([0, '']);
    expect(shown.stdout).toContain('COMMANDS');
    expect(shown.stdout).toMatch(/--pays PAYEE\n\s+all\s+that\s+you\s+mean\s+to\s+pay/);
  });
});

describe('a configuration file', () => {
  const usual = '/home/alice/.config/countersign/config.json';
  const environment = { HOME: '/home/alice' };
  const from = (config: unknown, args: readonly string[], more: object = {}) =>
    run(args, {
      files: { ...guideFiles, [usual]: typeof config === 'string' ? config : JSON.stringify(config) },
      environment,
      ...more,
    });
  const script51 = ['getdescriptorinfo', 'wpkh(02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5)'];
  const address = ['addresses', 'wallet.txt', '--count', '1'];

  test('sets defaults, which options and the environment replace', async () => {
    expect((await from({ network: 'regtest' }, ['decodescript', '51'])).code).toBe(0);
    expect((await from({ network: 'signet' }, address)).error).toMatch(/signet/);
    expect((await from({ network: 'signet' }, [...address, '--network', 'main'])).code).toBe(0);
    const env = { ...environment, COUNTERSIGN_NETWORK: 'main' };
    expect((await from({ network: 'signet' }, address, { environment: env })).code).toBe(0);
    const [named, other] = ['{"network":"signet"}', '{"network":"main"}'];
    const files = { ...guideFiles, 'own.json': named, [usual]: other };
    expect((await run([...address, '--config', 'own.json'], { files, environment })).error).toMatch(/signet/);
    const xdg = { XDG_CONFIG_HOME: '/xdg', HOME: '/home/alice' };
    const both = { ...files, '/xdg/countersign/config.json': named };
    expect((await run(address, { files: both, environment: xdg })).error).toMatch(/signet/);
    expect((await from({ dialect: 'core-29' }, script51)).code).toBe(0);
  });

  test('may refuse more, and permit nothing', async () => {
    const review = ['review', 'spend.psbt', '--descriptors-file', 'wallet.txt'];
    expect((await from({}, review)).code).toBe(0);
    expect((await from({ policy: ['change-unverified=refuse'] }, ['review', 'spend.psbt'])).code).toBe(1);
    expect((await from({ policy: ['fee-absurd=allow'] }, review)).error).toMatch(/may only refuse more/);
    const strict = { policy: ['change-unverified=refuse'] };
    expect((await from(strict, ['review', 'spend.psbt', '--policy', 'dust=warn'])).code).toBe(1);
  });

  test.each([
    ['{', 'it is not JSON'],
    ['[]', 'it is not a JSON object'],
    [{ 'seed-file': 'words.txt' }, '"seed-file" cannot be set there; there are network,'],
    [{ netwrok: 'main' }, '"netwrok" cannot be set there (did you mean network?)'],
    [{ [`${'abandon '.repeat(11)}about`]: 1 }, 'a member cannot be set there'],
    [{ network: 7 }, '"network" is not text'],
    [{ format: ['hex'] }, '"format" is not text'],
    [{ format: 'xml' }, '"format": unknown format "xml"'],
    [{ network: 'mainn\u001b[31m' }, '"network": unknown network "mainn?[31m"'],
    [{ policy: ['fee-hgh=refuse'] }, '"policy": unknown check "fee-hgh"; did you mean fee-high?'],
    [{ policy: ['fee-high=warn'] }, '"policy" may only refuse more: write "fee-high=refuse"'],
    [{ 'nonce-dir': '~/nonces' }, '"nonce-dir" must be an absolute path'],
    ['x'.repeat(100_001), 'it has more than 100000 bytes'],
  ])('%j is refused', async (config, reason) => {
    const { code, out, error } = await from(config, ['decodescript', '51']);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain(reason);
    expect(error).toMatch(/^error: the configuration: [^\n]*\n$/);
    expect(error).not.toContain('abandon abandon abandon');
  });

  test('that was named must be there, and the help needs none', async () => {
    expect((await run(['decodescript', '51', '--config', 'mistyped'])).error).toBe(
      'error: --config: mistyped: no such file\n',
    );
    expect((await from('{', ['help'])).code).toBe(0);
    expect((await run(['decodescript', '51'], { environment })).code).toBe(0);
  });
});
