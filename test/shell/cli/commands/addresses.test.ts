import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { masterXprv } from '../../../../examples/fixtures.ts';
import { seedOfWords } from '../../../../src/core/keys/seedWords.ts';
import { formatPsbt } from '../../../../src/core/psbt/index.ts';
import {
  accountFromDescriptors,
  accountFromKey,
  accountFromWalletFile,
  accountFromWords,
  buildPsbt,
  type Purpose,
  parseWalletFile,
  silentPaymentsFromWords,
} from '../../../../src/kit/account/index.ts';
import { type RunInput, run } from '../../../support/io.ts';
import { derivePath, formatWif, formatXpub, masterKey, networks, neuter, parsePath } from '../../../support/library.ts';
import { ALICE, WALLETS } from '../../../support/psbts.ts';

const WORDS = `${'abandon '.repeat(11)}about`;
const XPUB = `wpkh(${ALICE.xpub('m/84h/1h/0h')}/<0;1>/*)`;
const FORGED = `wpkh([73c5da0a/84h/1h/0h]${ALICE.xpub('m/84h/1h/0h').replace(/^\[.*\]/, '')}/<0;1>/*)`;
const FILES = { forged: FORGED, words: WORDS, master: masterXprv, wallet: `${XPUB}\n`, multi: WALLETS.multi };
const addresses = (args: readonly string[], world: RunInput = {}) =>
  run(['addresses', '--network', 'regtest', ...args], { files: FILES, ...world });

describe('countersign addresses', () => {
  test('lists those of a file, an argument and standard input', async () => {
    const account = accountFromDescriptors(XPUB, { network: 'regtest' });
    const { code, out, error } = await addresses(['wallet']);
    expect([code, error]).toEqual([0, '']);
    expect(out.split('\n')).toEqual([
      ...Array.from({ length: 10 }, (_, i) => `${i}  ${account.receive(i).address}`),
      '',
    ]);
    for (const [args, world] of [
      [[XPUB], {}],
      [['-'], { stdin: XPUB }],
      [['--file', 'wallet'], {}],
    ] as const) {
      expect(await addresses(args, world)).toEqual({ code: 0, out, error: '' });
    }
  });

  test('lists those of a master key where the line says', async () => {
    for (const place of ['account', 'root'] as const) {
      const expected = accountFromKey(masterXprv, { network: 'regtest', purpose: 84, at: place }).receive(0).address;
      const args = ['--keys-file', 'master', '--purpose', '84', '--count', '1', '--at', place];
      expect((await addresses(args)).out).toBe(`0  ${expected}\n`);
    }
  });

  test('says of a file and keys which of its keys are proven, and which only named', async () => {
    const own = derivePath(masterKey(seedOfWords(WORDS)), parsePath('m/48h/1h/0h/2h'));
    const mine = `[73c5da0a/48h/1h/0h/2h]${formatXpub(neuter(own), networks.regtest)}`;
    const theirs = ALICE.xpub('m/84h/1h/0h');
    const shared = `wsh(sortedmulti(2,${mine}/<0;1>/*,${theirs}/<0;1>/*))`;
    const { code, out, error } = await addresses(['shared', '--seed-file', 'words', '--count', '2'], {
      files: { ...FILES, shared },
    });
    expect([code, error.split('\n')]).toEqual([
      0,
      ['master key: fingerprint 73c5da0a', `key proven: ${mine}`, `named by the file: ${theirs}`, ''],
    ]);
    expect(out).toBe((await addresses([shared, '--count', '2'])).out);
  });

  test('lists a range, of the change chain, as JSON', async () => {
    const account = accountFromDescriptors(WALLETS.multi, { network: 'regtest' });
    const { out } = await addresses(['multi', '--change', '--start', '98', '--count', '3']);
    expect(out).toBe([98, 99, 100].map((i) => `${String(i).padStart(3)}  ${account.change(i).address}\n`).join(''));
    const json = await addresses(['multi', '--start', '7', '--count', '1', '--json']);
    expect(JSON.parse(json.out)).toEqual([{ index: 7, address: account.receive(7).address }]);
    expect(JSON.parse((await addresses(['multi', '--count', '0', '--json'])).out)).toEqual([]);
    const last = await addresses(['multi', '--start', '2147483647']);
    expect(last.out.split('\n')).toHaveLength(2);
  });

  test('shows no receive addresses as change addresses', async () => {
    const refused = { code: 1, out: '' };
    const receive = XPUB.replace('<0;1>', '0');
    expect(await addresses([receive, '--change'])).toMatchObject({
      ...refused,
      error: 'error: the file describes no change addresses: leave out --change for the addresses that there are\n',
    });
    expect((await addresses([receive, '--count', '1'])).out).toBe((await addresses([XPUB, '--count', '1'])).out);
    const files = { wif: formatWif({ secretKey: new Uint8Array(32).fill(7), isCompressed: true }, networks.regtest) };
    expect(await addresses(['--keys-file', 'wif', '--change'], { files })).toMatchObject({
      ...refused,
      error: expect.stringContaining('the key has no change addresses'),
    });
  });

  test('lists those of seed words, of every kind and account', async () => {
    for (const purpose of [44, 49, 84, 86] satisfies Purpose[]) {
      for (const account of [0, 3]) {
        const expected = accountFromWords(WORDS, { network: 'regtest', purpose, account }).receive(0).address;
        const args = ['--seed-file', 'words', '--count', '1', '--purpose', `${purpose}`, '--account', `${account}`];
        expect((await addresses(args)).out).toBe(`0  ${expected}\n`);
      }
    }
    const typed = await addresses(['--keys-prompt', '--count', '1'], { typed: [WORDS, 'TREZOR', 'TREZOR'] });
    const { address } = accountFromWords(WORDS, { network: 'regtest', passphrase: 'TREZOR' }).receive(0);
    expect(typed.out).toBe(`0  ${address}\n`);
    expect(typed.error).not.toMatch(/abandon|TREZOR/);
  });

  test('lists those of silent payments, of seed words and of a descriptor', async () => {
    const silent = silentPaymentsFromWords(WORDS, { network: 'regtest' });
    const files = { words: WORDS, silent: `${silent.descriptor()}\n` };
    for (const source of [['--seed-file', 'words', '--purpose', '352'], ['silent']]) {
      const list = (...args: readonly string[]) => addresses([...source, ...args], { files });
      expect(await list()).toMatchObject({ code: 0, out: `${silent.address()}\n` });
      expect((await list('--start', '7', '--count', '2')).out).toBe(
        `label 7  ${silent.address(7)}\nlabel 8  ${silent.address(8)}\n`,
      );
      expect((await list('--change')).out).toBe(`label 0  ${silent.address(0)}\n`);
      expect((await list('--descriptor')).out.trim()).toBe(silent.descriptor());
      expect((await list('--descriptor', '--json')).error).toContain('--descriptor contradicts --json');
      expect(JSON.parse((await list('--json')).out)).toEqual([{ address: silent.address() }]);
      expect(await list('--start', '0')).toMatchObject({
        code: 1,
        error: expect.stringContaining('label 0 is for change'),
      });
    }
    const shown = await addresses([silent.descriptor()], { files, isWatched: true });
    expect(shown.error).toMatch(/^warning: others can read keys on the command line; [^\n]+\n$/);
    expect(shown.out).toBe(`${silent.address()}\n`);
  });

  test('lists the address of a descriptor without a wildcard once', async () => {
    const { out } = await addresses([`wpkh(${ALICE.xpub('m/84h/1h/0h')}/0/0)`]);
    expect(out.split('\n')).toHaveLength(2);
  });

  test('warns of a private key on the command line where someone watches', async () => {
    const { error } = await addresses([WALLETS.wpkh, '--count', '1'], { isWatched: true });
    expect(error).toMatch(/^warning: others can read keys on the command line; [^\n]+\n$/);
  });

  test.each([
    [[], /^error: addresses needs a file/],
    [['nowhere'], /^error: cannot read nowhere: no such file\n$/],
    [['wallet', '--count', 'x'], /^error: --count must be a number from 0 to 100000, not "x"\n$/],
    [['wallet', '--start', '2147483648'], /^error: --start must be a number from 0 to 2147483647, not "2147483648"\n$/],
    [
      ['--keys-file', 'master'],
      /^error: The key is a master key: set at to account for [^\n]+ or to root for [^\n]+\n$/,
    ],
    [['--keys-file', 'master', '--at', 'm'], /^error: --at must be account or root\n$/],
    [['--seed-file', 'words', '--at', 'root'], /^error: --at applies to master keys only: [^\n]+\n$/],
    [['wallet', '--at', 'root'], /^error: --at applies to a key of --keys-file only: [^\n]+\n$/],
    [['wallet', '--purpose', '85'], /^error: --purpose must be 44, 49, 84, 86 or 352: [^\n]+ it is not "85"\n$/],
    [['multi', '--seed-file', 'words'], /^master key: [^\n]+\nerror: multi: none of its keys is yours, whatever/],
    [['forged', '--seed-file', 'words'], /\nerror: forged: [^\n]* names another key than yours at \[73c5da0a\//],
    [['words'], /^error: [^\n]+\n/],
    [['wallet', '--yes'], /^error: --yes does not apply to addresses\n$/],
  ])('answers the mistake %j', async (args, text) => {
    const { code, out, error } = await addresses(args);
    expect([code, out]).toEqual([1, '']);
    expect(error).toMatch(text);
    expect(error).not.toContain('abandon');
  });
});

describe('wallet files on the command line', () => {
  const root = new URL('../../../../vectors/wallets/', import.meta.url);
  const wallets = Object.fromEntries(readdirSync(root).map((name) => [name, readFileSync(new URL(name, root))]));

  test('are not taken for seed words because of their comments and labels', async () => {
    const file = new TextDecoder().decode(wallets['coldcard-multisig.txt']).replace('2 of 3', '4 of 3');
    const { code, error } = await run(['addresses', '--network', 'main', 'file'], { files: { file } });
    expect(code).toBe(1);
    expect(error).toMatch(/^error: file: The Coldcard multisig file is not valid: 4 of 3 signatures are impossible\n$/);
  });

  test.each(Object.keys(wallets))('list their addresses, prove change and are inspected: %s', async (name) => {
    const network = parseWalletFile(wallets[name] ?? new Uint8Array(0)).networks[0] ?? 'main';
    const on = (args: readonly string[]) => run([...args, '--network', network], { files: wallets });
    const account = accountFromWalletFile(wallets[name] ?? new Uint8Array(0), { network });
    const { out } = await on(['addresses', name, '--count', '2']);
    expect(out).toBe(`0  ${account.receive(0).address}\n1  ${account.receive(1).address}\n`);
    const spend = buildPsbt({
      inputs: [{ txid: '11'.repeat(32), vout: 0, value: 100_000n, from: account.receive(3) }],
      outputs: { [account.receive(4).address]: 50_000n },
      change: account.change(1),
      feeRate: 2,
    });
    const review = await on(['review', formatPsbt(spend), '--descriptors-file', name, '--json']);
    expect(JSON.parse(review.out)).toMatchObject({
      network,
      outputs: [{}, { role: 'change', stays: true }],
    });
    const { out: shown } = await on(['inspect', name]);
    expect(JSON.parse(shown)).toHaveProperty('descriptors');
    expect(shown).not.toMatch(/[xt]prv/);
  });
});

test.each([
  ['mainnet', 'main'],
  ['bitcoin', 'main'],
  ['testnet', 'testnet3'],
])('--network %s is %s', async (alias, name) => {
  const files = { words: `${'abandon '.repeat(11)}about` };
  const args = ['addresses', '--seed-file', 'words', '--count', '1'];
  const { code, out } = await run([...args, '--network', name], { files });
  expect(code).toBe(0);
  expect((await run([...args, '--network', alias], { files })).out).toBe(out);
});
