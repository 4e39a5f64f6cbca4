import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/shell/store/openStore.ts';
import { run } from '../../support/io.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const OURS = ['--network', 'regtest', '--dialect', 'core-32'];

/** Creates a wallet in a new directory. */
async function makeWalletDirectory(): Promise<string> {
  const directory = join(root, 'wallets');
  expect(await run(['createwallet', 'w', ...OURS, '--wallet-dir', directory])).toMatchObject({ code: 0, error: '' });
  return directory;
}

/** Returns the error text of a call that must fail. */
async function refusal(...argv: readonly string[]): Promise<string> {
  const { code, out, error } = await run(argv);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  return error;
}

describe('the error for a wallet directory says why it cannot be opened:', () => {
  test('it belongs to another network or dialect', async () => {
    const directory = await makeWalletDirectory();
    const wrong = `error: --wallet-dir: ${directory} belongs to --network regtest --dialect core-32, not to`;
    const advice = ': pass these options, or use another directory\n';
    const network = ['--network', 'signet', '--dialect', 'core-32'];
    expect(await refusal('listwallets', ...network, '--wallet-dir', directory)).toBe(
      `${wrong} --network signet --dialect core-32${advice}`,
    );
    expect(
      await refusal('listwallets', '--network', 'regtest', '--dialect', 'documented', '--wallet-dir', directory),
    ).toBe(`${wrong} --network regtest --dialect documented${advice}`);
    for (const options of [OURS, ['--network', 'regtest'], []]) {
      expect((await run(['listwallets', ...options, '--wallet-dir', directory])).out).toBe('["w"]\n');
    }
  });

  test('it is in use', async () => {
    const directory = await makeWalletDirectory();
    const store = openStore(directory);
    const [lock = ''] = readdirSync(directory).filter((name) => name.startsWith('lock-'));
    expect(await refusal('listwallets', ...OURS, '--wallet-dir', directory)).toBe(
      `error: --wallet-dir: ${directory} is in use by process ${process.pid}: end it first, or if it ended on another machine, remove ${lock}\n`,
    );
    store.close();
  });

  test('it is damaged', async () => {
    const directory = await makeWalletDirectory();
    const path = join(directory, 'wallet.sqlite');
    const whole = readFileSync(path);
    const advice = 'restore it from a backup, or import the descriptors into a new directory\n';
    writeFileSync(path, whole.subarray(0, 8192));
    expect(await refusal('listwallets', ...OURS, '--wallet-dir', directory)).toBe(
      `error: --wallet-dir: ${path} is damaged (structure): ${advice}`,
    );
    const flipped = Buffer.from(whole);
    flipped[whole.indexOf('{"name":"w"')] = 0;
    writeFileSync(path, flipped);
    expect(await refusal('listwallets', ...OURS, '--wallet-dir', directory)).toBe(
      `error: --wallet-dir: ${path} is damaged in the records of the kind "wallet" (record): ${advice}`,
    );
    writeFileSync(path, whole);
    expect((await run(['listwallets', ...OURS, '--wallet-dir', directory])).out).toBe('["w"]\n');
  });

  test('it is not a directory', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(await refusal('listwallets', '--wallet-dir', file)).toBe(
      `error: --wallet-dir: ${file} is not a directory: move it away, or use another directory\n`,
    );
    expect(await refusal('listwallets', '--wallet-dir', join(file, 'below'))).toBe(
      `error: --wallet-dir: Cannot use ${join(file, 'below')}: part of the path is not a directory\n`,
    );
    expect(await refusal('listwallets', '--wallet-dir', join(root, 'missing', 'below'))).toBe(
      `error: --wallet-dir: Cannot use ${join(root, 'missing', 'below')}: the directory above it is missing: create it first\n`,
    );
    expect(await refusal('listwallets', '--wallet-dir', '')).toBe('error: --wallet-dir needs a directory, not ""\n');
  });
});

test('an unused directory belongs to no network or dialect yet', async () => {
  const directory = join(root, 'wallets');
  for (const dialect of ['documented', 'core-32', 'litecoin-0.21', 'core-32']) {
    const argv = ['listwallets', '--network', 'regtest', '--dialect', dialect, '--wallet-dir', directory];
    expect(await run(argv)).toEqual({ code: 0, out: '[]\n', error: '' });
  }
  await makeWalletDirectory();
  expect(await refusal('listwallets', '--network', 'main', '--wallet-dir', directory)).toContain(
    'belongs to --network regtest --dialect core-32',
  );
});
