import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/cli/store/openStore.ts';
import { run } from '../support/io.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const OURS = ['--network', 'regtest', '--dialect', 'core-31'];

/** Makes a directory with a wallet of ours. */
async function livedIn(): Promise<string> {
  const directory = join(root, 'wallets');
  expect(await run(['createwallet', 'w', ...OURS, '--wallet-dir', directory])).toMatchObject({ code: 0, error: '' });
  return directory;
}

/** What a call says that should not be possible. */
async function refusal(...argv: readonly string[]): Promise<string> {
  const { code, out, error } = await run(argv);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  return error;
}

describe('a directory of wallets that cannot be opened is told apart, in a sentence', () => {
  test('of another network or dialect', async () => {
    const directory = await livedIn();
    const wrong = `error: --wallet-dir: ${directory} belongs to --network regtest --dialect core-31, not to`;
    const advice = ': say the former, or take another directory\n';
    const network = ['--network', 'signet', '--dialect', 'core-31'];
    expect(await refusal('listwallets', ...network, '--wallet-dir', directory)).toBe(
      `${wrong} --network signet --dialect core-31${advice}`,
    );
    expect(await refusal('listwallets', '--network', 'regtest', '--wallet-dir', directory)).toBe(
      `${wrong} --network regtest --dialect documented${advice}`,
    );
    expect((await run(['listwallets', ...OURS, '--wallet-dir', directory])).out).toBe('["w"]\n');
  });

  test('in use', async () => {
    const directory = await livedIn();
    const store = openStore(directory);
    const [lock = ''] = readdirSync(directory).filter((name) => name.startsWith('lock-'));
    expect(await refusal('listwallets', ...OURS, '--wallet-dir', directory)).toBe(
      `error: --wallet-dir: ${directory} is in use by process ${process.pid}, and one at a time may use it; if that ran on another machine and is gone, remove ${join(directory, lock)}\n`,
    );
    store.close();
  });

  test('damaged, or of a newer program', async () => {
    const directory = await livedIn();
    const path = join(directory, 'journal');
    const whole = readFileSync(path);
    appendFileSync(path, 'x'.repeat(100));
    writeFileSync(path, readFileSync(path).fill(0, 60, 64));
    expect(await refusal('listwallets', ...OURS, '--wallet-dir', directory)).toMatch(
      /^error: --wallet-dir: .*journal is damaged at offset \d+ \(its record\), and was left as it is: restore a backup of it\n$/,
    );
    writeFileSync(path, 'countersign');
    expect(await refusal('listwallets', ...OURS, '--wallet-dir', directory)).toContain(' at offset 0 (its header), ');
    writeFileSync(path, whole);
    expect((await run(['listwallets', ...OURS, '--wallet-dir', directory])).out).toBe('["w"]\n');
  });

  test('no directory', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(await refusal('listwallets', '--wallet-dir', file)).toBe(
      `error: --wallet-dir: cannot use ${file}: there is such a file\n`,
    );
    expect(await refusal('listwallets', '--wallet-dir', join(file, 'below'))).toBe(
      `error: --wallet-dir: cannot use ${join(file, 'below')}: what is above it is no directory\n`,
    );
    expect(await refusal('listwallets', '--wallet-dir', '')).toBe('error: --wallet-dir wants a directory, not ""\n');
  });
});

test('a directory in which nothing has happened yet belongs to whoever uses it first', async () => {
  const directory = join(root, 'wallets');
  for (const dialect of ['documented', 'core-31', 'litecoin-0.21', 'core-31']) {
    const argv = ['listwallets', '--network', 'regtest', '--dialect', dialect, '--wallet-dir', directory];
    expect(await run(argv)).toEqual({ code: 0, out: '[]\n', error: '' });
  }
  await livedIn();
  expect(await refusal('listwallets', '--wallet-dir', directory)).toContain(
    'belongs to --network regtest --dialect core-31',
  );
});
