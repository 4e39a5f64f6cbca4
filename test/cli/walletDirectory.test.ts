import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import { run } from '../support/io.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const OURS = ['--network', 'regtest', '--dialect', 'core-31'];

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
    const wrong = `error: --wallet-dir: ${directory} belongs to --network regtest --dialect core-31, not to`;
    const advice = ': pass these options, or use another directory\n';
    const network = ['--network', 'signet', '--dialect', 'core-31'];
    expect(await refusal('listwallets', ...network, '--wallet-dir', directory)).toBe(
      `${wrong} --network signet --dialect core-31${advice}`,
    );
    expect(await refusal('listwallets', '--network', 'regtest', '--wallet-dir', directory)).toBe(
      `${wrong} --network regtest --dialect documented${advice}`,
    );
    expect((await run(['listwallets', ...OURS, '--wallet-dir', directory])).out).toBe('["w"]\n');
  });

  test('it is in use', async () => {
    const directory = await makeWalletDirectory();
    const store = openStore(directory);
    const [lock = ''] = readdirSync(directory).filter((name) => name.startsWith('lock-'));
    expect(await refusal('listwallets', ...OURS, '--wallet-dir', directory)).toBe(
      `error: --wallet-dir: ${directory} is in use by process ${process.pid}; only one process may use it at a time. If that process ran on another machine and no longer exists, remove ${join(directory, lock)}\n`,
    );
    store.close();
  });

  test('it is damaged', async () => {
    const directory = await makeWalletDirectory();
    const path = join(directory, 'journal');
    const whole = readFileSync(path);
    appendFileSync(path, 'x'.repeat(100));
    writeFileSync(path, readFileSync(path).fill(0, 120, 124));
    expect(await refusal('listwallets', ...OURS, '--wallet-dir', directory)).toMatch(
      /^error: --wallet-dir: .*journal is damaged at offset \d+ \(record\); it was not changed: restore a backup\n$/,
    );
    writeFileSync(path, 'countersign');
    expect(await refusal('listwallets', ...OURS, '--wallet-dir', directory)).toContain(' at offset 0 (header), ');
    writeFileSync(path, whole);
    expect((await run(['listwallets', ...OURS, '--wallet-dir', directory])).out).toBe('["w"]\n');
  });

  test('it is not a directory', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(await refusal('listwallets', '--wallet-dir', file)).toBe(
      `error: --wallet-dir: cannot use ${file}: file exists\n`,
    );
    expect(await refusal('listwallets', '--wallet-dir', join(file, 'below'))).toBe(
      `error: --wallet-dir: cannot use ${join(file, 'below')}: part of the path is not a directory\n`,
    );
    expect(await refusal('listwallets', '--wallet-dir', '')).toBe('error: --wallet-dir needs a directory, not ""\n');
  });
});

describe('a single call', () => {
  const ON = ['--network', 'regtest', '--wallet-dir'];

  test('that needs a wallet name says how to give it', async () => {
    const directory = await makeWalletDirectory();
    await run(['createwallet', 'v', ...OURS, '--wallet-dir', directory]);
    const { code, error } = await run(['getwalletinfo', ...OURS, '--wallet-dir', directory]);
    expect(code).toBe(19);
    expect(error).toContain('\nchoose one with --rpcwallet NAME; "countersign listwallets" lists them\n');
  });

  test('of an unknown method names the dialects that have it', async () => {
    const key = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA';
    expect(await run(['importprivkey', '-', ...ON, join(root, 'a')], { stdin: key })).toEqual({
      code: 89,
      out: '',
      error:
        'error code: -32601\nerror message:\nMethod not found\nimportprivkey is a method of --dialect core-0.21, litecoin-0.21, not of documented\n',
    });
    const { error } = await run(['listdescriptors', ...ON, join(root, 'a'), '--dialect', 'core-0.21']);
    expect(error).toContain('\nlistdescriptors is a method of --dialect documented, core-31, not of core-0.21\n');
  });

  test('warns of passphrases and keys on the command line, and names safer ways', async () => {
    const directory = await makeWalletDirectory();
    const warning = async (argv: readonly string[], stdin = ''): Promise<string> =>
      (await run([...argv, ...OURS, '--wallet-dir', directory], { stdin, isWatched: true })).error.split('\n')[0] ?? '';
    const shown = 'on the command line; instead, use';
    const key = `tprv8${'Z'.repeat(106)}`;
    const request = (desc: string): string => JSON.stringify([{ desc, timestamp: 'now' }]);
    expect(await warning(['importdescriptors', request(`wpkh(${key}/*)`)])).toBe(
      `warning: others can read keys ${shown} --file FILE, or "-" for standard input`,
    );
    expect(await warning(['importdescriptors', request('addr(x)')])).toBe('');
    expect(await warning(['createwallet', 'c', 'false', 'true', 'secret'])).toBe(
      `warning: others can read passphrases ${shown} "encryptwallet --file FILE" afterwards`,
    );
    await run(['unloadwallet', 'c', ...OURS, '--wallet-dir', directory]);
    expect(await warning(['encryptwallet', '-'], 'secret')).toBe('');
    expect(await warning(['walletpassphrase', 'wrong', '1'])).toBe(
      `warning: others can read passphrases ${shown} --file FILE, or "-" for standard input`,
    );
  });

  test('prompts for passphrases without showing them, and for a new one twice', async () => {
    const directory = await makeWalletDirectory();
    const ask = (command: string, typed: readonly string[]) =>
      run([command, ...OURS, '--wallet-dir', directory], { typed, isWatched: true });
    const encrypted = await ask('encryptwallet', ['first', 'first']);
    expect(encrypted).toMatchObject({ code: 0, error: 'Passphrase (not shown): \nRepeat it (not shown): \n' });
    const differing = await ask('walletpassphrasechange', ['first', 'second', 'secund']);
    expect(differing).toMatchObject({ code: 1 });
    expect(differing.error).toContain('the two passphrases differ: nothing was changed');
    const change = (former: string) => ask('walletpassphrasechange', [former, 'second', 'second']);
    expect(await change('first')).toEqual({
      code: 0,
      out: 'null\n',
      error: 'Old passphrase (not shown): \nNew passphrase (not shown): \nRepeat it (not shown): \n',
    });
    expect(await change('first')).toMatchObject({ code: 14, out: '' });
  });

  test('that continues after encryptwallet warns of copies in its memory', async () => {
    const directory = await makeWalletDirectory();
    const stdin = '{"id":1,"method":"encryptwallet","params":["secret"]}';
    const { out, error } = await run(['batch', ...OURS, '--wallet-dir', directory], { stdin });
    expect(out).toContain('wallet encrypted');
    expect(error).toContain('note: this process may still hold copies of the keys and the passphrase in its memory');
    expect(error).not.toContain('secret');
  });

  test('that unlocks a wallet says that this ends with the process', async () => {
    const directory = await makeWalletDirectory();
    await run(['encryptwallet', '-', ...OURS, '--wallet-dir', directory], { stdin: 'secret' });
    const unlocked = await run(['walletpassphrase', '-', '60', ...OURS, '--wallet-dir', directory], {
      stdin: 'secret',
    });
    expect(unlocked).toMatchObject({ code: 0, out: 'null\n' });
    expect(unlocked.error).toMatch(
      /^note: this has no effect once the process ends: .* in the same "batch", or to the same "serve"\n$/,
    );
  });
});

test('an unused directory belongs to no network or dialect yet', async () => {
  const directory = join(root, 'wallets');
  for (const dialect of ['documented', 'core-31', 'litecoin-0.21', 'core-31']) {
    const argv = ['listwallets', '--network', 'regtest', '--dialect', dialect, '--wallet-dir', directory];
    expect(await run(argv)).toEqual({ code: 0, out: '[]\n', error: '' });
  }
  await makeWalletDirectory();
  expect(await refusal('listwallets', '--wallet-dir', directory)).toContain(
    'belongs to --network regtest --dialect core-31',
  );
});
