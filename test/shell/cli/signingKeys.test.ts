import { describe, expect, test } from 'vitest';
import { seedOfWords } from '../../../src/core/keys/seedWords.ts';
import { accountFromDescriptors, accountFromKey, accountFromWords, buildPsbt } from '../../../src/kit/account/index.ts';
import { type RunInput, run, runForFiles } from '../../support/io.ts';
import {
  decodeTransaction,
  derivePath,
  encodePsbt,
  formatAddress,
  formatWif,
  formatXprv,
  formatXpub,
  keyFingerprint,
  masterKey,
  networks,
  neuter,
  type Psbt,
  parseHex,
  parsePath,
  parsePsbt,
} from '../../support/library.ts';
import { PAYEE } from '../../support/psbts.ts';

const WORDS = `${'abandon '.repeat(11)}about`;
const FINGERPRINT = '73c5da0a';
const { regtest } = networks;
const MASTER = masterKey(seedOfWords(WORDS));
const at = (path: string) => derivePath(MASTER, parsePath(path));
const XPRV = formatXprv(MASTER, regtest);
const ACCOUNT_XPRV = formatXprv(at('m/84h/1h/0h'), regtest);
const WIF = formatWif({ secretKey: at('m/84h/1h/0h/0/3').secretKey ?? new Uint8Array(0), isCompressed: true }, regtest);

const spendOf = (account: ReturnType<typeof accountFromWords>): Uint8Array =>
  encodePsbt(
    buildPsbt({
      inputs: [{ txid: '11'.repeat(32), vout: 0, value: 100_000n, from: account.receive(3) }],
      outputs: { [formatAddress(PAYEE, regtest) ?? '']: 60_000n },
      change: account.change(0),
      feeRate: 2,
    }),
  );
const SPEND = spendOf(accountFromWords(WORDS, { network: 'regtest' }));
const TREZOR = spendOf(accountFromWords(WORDS, { network: 'regtest', passphrase: 'TREZOR' }));

/** Replaces the origins of all keys as a wallet that knows the account key alone writes them, or removes them. */
function withOrigins(psbt: Psbt, fingerprint: Uint8Array | undefined): Psbt {
  const rewrite = <T extends Psbt['inputs'][number] | Psbt['outputs'][number]>({
    bip32Derivations = [],
    tapBip32Derivations: _,
    ...map
  }: T) => ({
    ...map,
    ...(fingerprint && {
      bip32Derivations: bip32Derivations.map(({ pubkey, path }) => ({ pubkey, fingerprint, path: path.slice(-2) })),
    }),
  });
  return { ...psbt, inputs: psbt.inputs.map(rewrite), outputs: psbt.outputs.map(rewrite) };
}

const sign = (args: readonly string[], { files, ...world }: RunInput = {}) =>
  runForFiles(['sign', 'spend.psbt', '--network', 'regtest', ...args], {
    files: { 'spend.psbt': SPEND, words: WORDS, ...files },
    ...world,
  });
const txidLine = (error: string): string | undefined => /^complete: transaction [0-9a-f]{64}/m.exec(error)?.[0];

describe('keys of countersign sign', () => {
  test('are seed words, however they are written, which recognize their change and show their fingerprint', async () => {
    const list = WORDS.split(' ');
    const spellings = {
      words: WORDS,
      lines: `${list.join('\n')}\n`,
      numbered: list.map((word, i) => `${i + 1}. ${word}`).join('\n'),
      capitals: WORDS.toUpperCase(),
      json: JSON.stringify(list),
      'json of one string': JSON.stringify([WORDS]),
    };
    const signed = new Set<string>();
    for (const [name, words] of Object.entries(spellings)) {
      for (const option of ['--seed-file', '--keys-file']) {
        const { code, error, out } = await sign([option, 'words', '--yes'], { files: { words } });
        expect([name, option, code]).toEqual([name, option, 0]);
        expect(error).toMatch(new RegExp(`^master key: fingerprint ${FINGERPRINT}\nNothing suspicious was found`));
        expect(error).toContain('change, verified (');
        signed.add(out);
      }
      const piped = await sign(['--keys-stdin', '--yes'], { stdin: words });
      expect(piped.code).toBe(0);
      signed.add(piped.out);
    }
    expect(signed.size).toBe(1);
    expect(decodeTransaction(parseHex([...signed][0]?.trim() ?? '')).outputs).toHaveLength(2);
  });

  const LISTED = [
    `${WIF},`,
    `"${WIF}", "${XPRV}"`,
    `p2wpkh:${WIF}`,
    WORDS.replaceAll(' ', '-'),
    `${'0000'.repeat(11)}0003`,
  ];

  test('recognize the change of a master key in either place', async () => {
    for (const place of ['account', 'root'] as const) {
      for (const purpose of [84, 86] as const) {
        const account = accountFromKey(XPRV, { network: 'regtest', purpose, at: place });
        const name = `extended private key, ${purpose === 86 ? 'P2TR' : 'P2WPKH'}${place === 'account' ? ' account 0' : ''}`;
        const files = { keys: XPRV, 'spend.psbt': spendOf(account) };
        const { code, error } = await sign(['--keys-file', 'keys', '--yes'], { files });
        expect(code).toBe(0);
        expect(error).toContain(name);
      }
    }
  });

  test('are extended private keys and keys in wallet import format, too', async () => {
    const ids = new Set<string | undefined>();
    for (const key of [WORDS, XPRV, ACCOUNT_XPRV, WIF, `${WIF}\n${XPRV}`, JSON.stringify([WIF]), ...LISTED]) {
      const { code, error } = await sign(['--keys-file', 'keys', '--yes'], { files: { keys: key } });
      expect(code).toBe(0);
      ids.add(txidLine(error));
    }
    expect([ids.size, ids.has(undefined)]).toEqual([1, false]);
  });

  test.each([
    ['the fingerprint of the account', keyFingerprint(at('m/84h/1h/0h'))],
    ['no fingerprint', new Uint8Array(4)],
    ['no origin', undefined],
  ])('sign for a wallet that watches the account, with %s', async (_, fingerprint) => {
    const vpub = formatXpub(neuter(at('m/84h/1h/0h')), regtest);
    const psbt = encodePsbt(withOrigins(parsePsbt(SPEND), fingerprint));
    const files = { 'spend.psbt': psbt, account: ACCOUNT_XPRV, 'wallet.txt': `wpkh(${vpub}/<0;1>/*)` };
    for (const keys of [
      ['--seed-file', 'words'],
      ['--keys-file', 'account'],
    ]) {
      for (const wallet of [[], ['--descriptors-file', 'wallet.txt']]) {
        const { code, error } = await sign([...keys, ...wallet, '--yes'], { files });
        expect([code, error.includes('warning: ')]).toEqual([0, false]);
        expect(error).toContain('change, verified (');
      }
    }
  });

  const OTHERS = formatXpub(neuter(masterKey(new Uint8Array(32).fill(8))), regtest);
  const publicAt = (path: string) => `[${FINGERPRINT}${path.slice(1)}]${formatXpub(neuter(at(path)), regtest)}/<0;1>/*`;

  test.each([
    ['an unusual path', 'm/84h/1h/7h/3', (key: string) => `wpkh(${key})`],
    ['a quorum', 'm/48h/1h/0h/2h', (key: string) => `wsh(sortedmulti(2,${key},${OTHERS}/<0;1>/*))`],
    ['a taproot leaf', 'm/86h/1h/5h', (key: string) => `tr(${OTHERS}/<0;1>/*,pk(${key}))`],
  ])('are found through a public descriptor if the PSBT names no key: %s', async (_, path, write) => {
    const descriptor = write(publicAt(path));
    const account = accountFromDescriptors(descriptor, { network: 'regtest' });
    const files = {
      'spend.psbt': encodePsbt(withOrigins(parsePsbt(spendOf(account)), undefined)),
      'wallet.txt': descriptor,
    };
    for (const keys of [WORDS, XPRV, formatXprv(at(path), regtest)]) {
      const { code, error } = await sign(['--keys-file', 'keys', '--descriptors-file', 'wallet.txt', '--yes'], {
        files: { ...files, keys },
      });
      expect([code, error.includes('not signed')]).toEqual([0, false]);
    }
  });

  test('are asked for without echo, words with their passphrase', async () => {
    const { code, error } = await sign([], { typed: [WORDS, '', 'yes'] });
    expect(code).toBe(0);
    expect(error).toMatch(
      /^Private keys or seed words, separated by spaces \(not shown\): \nPassphrase of the seed words \(not shown, empty for none\): \nmaster key: fingerprint 73c5da0a\n/,
    );
    expect(error).not.toContain('abandon');
    const key = await sign([], { typed: [XPRV, 'yes'] });
    expect(key.error).not.toContain('Passphrase');
    expect(key.code).toBe(0);
  });

  test('that are mistyped are asked for again, with the word and its neighbors, before their passphrase', async () => {
    const typo = WORDS.replace(/about$/, 'abuot');
    const { code, error } = await sign([], { typed: [typo, WORDS.replace(/about$/, 'zoo'), WORDS, '', 'yes'] });
    expect(code).toBe(0);
    const asked = 'Private keys or seed words, separated by spaces (not shown): \n';
    const passphrase = 'Passphrase of the seed words (not shown, empty for none): \n';
    const wrong = 'The checksum of the seed words does not match: check each word and their order\n';
    const said = `${asked}word 12: not in the list; did you mean about?\n${asked}${wrong}${asked}${passphrase}`;
    expect(error.startsWith(`${said}master key: fingerprint ${FINGERPRINT}\n`)).toBe(true);
    expect(error).not.toMatch(/abuot|abandon|zoo/);
  });

  test('that are mistyped three times end the command with an error without words', async () => {
    const typo = WORDS.replace(/about$/, 'abuot');
    const { code, error, out } = await sign(['--keys-prompt'], { typed: [typo, typo, typo, 'yes'] });
    expect([code, out]).toEqual([1, '']);
    expect(error.match(/separated by spaces/g)).toHaveLength(3);
    expect(error).not.toContain('Passphrase');
    const last = error.trimEnd().split('\n').at(-1);
    expect(last).toBe(
      'error: the prompt: Word 12: not in the word list, check the spelling; "countersign words" helps to mend them',
    );
  });

  test('of a wallet to receive with have a passphrase that is typed twice', async () => {
    const addresses = (typed: readonly string[]) =>
      runForFiles(['addresses', '--keys-prompt', '--count', '1'], { typed });
    const differing = await addresses([WORDS, 'TREZOR', 'TREZUR', 'TREZOR', 'TREZOR']);
    expect([differing.code, differing.error]).toEqual([0, expect.stringContaining('The two passphrases differ.\n')]);
    expect(differing.error).toContain('fingerprint b4e3f5ed');
    expect(await addresses([WORDS, ''])).toMatchObject({ code: 0, error: expect.not.stringContaining('again') });
    const never = await addresses([WORDS, ...['1', '2', '3'].flatMap((digit) => [digit, 'TREZOR'])]);
    expect([never.code, never.out]).toEqual([1, '']);
    expect(never.error).toContain('error: the passphrase was not typed the same way twice');
    expect(never.error + differing.error).not.toMatch(/TREZ/);
    const signed = await sign([], { files: { 'spend.psbt': TREZOR }, typed: [WORDS, 'TREZOR', 'yes'] });
    expect([signed.code, signed.error.includes('again')]).toEqual([0, false]);
  });

  test('take the passphrase of the words from a file or a prompt', async () => {
    const files = { 'spend.psbt': TREZOR, secret: 'TREZOR\n' };
    for (const world of [
      { args: ['--passphrase-file', 'secret', '--yes'], typed: undefined },
      { args: ['--passphrase-prompt'], typed: ['TREZOR', 'yes'] },
    ]) {
      const { code, error } = await sign(['--seed-file', 'words', ...world.args], {
        files,
        ...(world.typed && { typed: world.typed }),
      });
      expect(code).toBe(0);
      expect(error).not.toContain('TREZOR');
    }
  });

  test.each([
    ['with a byte order mark', '\ufeffTREZOR\r\n', 0, 'fingerprint b4e3f5ed'],
    ['with an empty line', 'TREZOR\n\n', 1, 'secret has several lines: write it in one, without empty ones'],
    ['with two lines', 'TREZOR\nTREZOR', 1, 'secret has several lines'],
    ['that is huge', 'T'.repeat(100_001), 1, 'secret is not a line of UTF-8 text'],
  ])('open one wallet only: a passphrase %s', async (_, secret, code, said) => {
    const files = { 'spend.psbt': TREZOR, secret, words: WORDS };
    for (const args of [['sign', 'spend.psbt', '--yes'], ['addresses']]) {
      const result = await runForFiles(
        [...args, '--seed-file', 'words', '--passphrase-file', 'secret', '--network', 'regtest'],
        {
          files,
        },
      );
      expect([result.code, result.error]).toEqual([code, expect.stringContaining(said)]);
      expect(result.error).not.toContain('TREZOR');
    }
  });

  test('say whose keys the PSBT wants if the passphrase is wrong', async () => {
    const { code, error, out } = await sign(['--seed-file', 'words', '--yes'], { files: { 'spend.psbt': TREZOR } });
    expect([code, out]).toEqual([2, '']);
    expect(error).toContain(
      '\nwarning: the PSBT needs keys of the master key b4e3f5ed; yours is 73c5da0a: are the words and the passphrase the right ones?\n',
    );
  });

  test('of another network than the paths of the PSBT are refused', async () => {
    const { code, out, error } = await runForFiles(['sign', 'spend.psbt', '--seed-file', 'words', '--yes'], {
      files: { 'spend.psbt': SPEND, words: WORDS },
    });
    expect([code, out]).toEqual([1, '']);
    expect(error).toMatch(/\nREFUSED: Keys of the PSBT are for a test network[\s\S]*\[network-mixed\]/);
    expect(error).toMatch(/\nnot signed\. Choose the network of the keys \(--network\)/);
    expect((await sign(['--seed-file', 'words', '--yes'])).error).not.toContain('network-mixed');
  });

  test.each([
    ['abandon abandon about', ['--seed-file', 'keys'], /keys: .*3/],
    [`${'abandon '.repeat(11)}abouf`, ['--seed-file', 'keys'], /keys: .*12/],
    [`${'abandon '.repeat(11)}zoo`, ['--seed-file', 'keys'], /keys: .*checksum/],
    [WIF, ['--seed-file', 'keys'], /holds no seed words; give private keys with --keys-file/],
    [
      'science dawn member doll dutch real can brick knife deny drive list',
      ['--seed-file', 'keys'],
      /a seed of Electrum/,
    ],
    [`6P${'R'.repeat(56)}`, ['--keys-file', 'keys'], /--passphrase-file/],
    ['01'.repeat(32), ['--keys-file', 'keys'], /32 bytes in hex/],
    [`${WIF} ${WIF.slice(1)}`, ['--keys-file', 'keys'], /--keys-file: keys: /],
    [WIF, ['--keys-file', 'keys', '--passphrase-file', 'words'], /A passphrase needs seed words or an encrypted key/],
    [
      WORDS,
      ['--seed-file', 'keys', '--passphrase-file', 'spend.psbt'],
      /file: spend\.psbt is not a line of UTF-8 text/,
    ],
    [WORDS, ['--keys-file', 'keys', '--passphrase-prompt'], /no terminal to ask for the passphrase on/],
    [
      WORDS,
      ['--keys-prompt'],
      /no terminal to ask for keys on: use --seed-file, --keys-file, --keys-stdin or --descriptors-file/,
    ],
    [
      WORDS,
      ['--keys-file', 'keys', '--passphrase-prompt', '--passphrase-file', 'x'],
      /only one way: --passphrase-file/,
    ],
    [WORDS, ['--keys-file', 'keys', '--seed-file', 'keys'], /only one way: --keys-file, --keys-stdin/],
    ['', ['--seed-file', 'keys'], /keys is empty/],
    ['[1]', ['--keys-file', 'keys'], /is not a key/],
    [XPRV.replace('tprv', 'xprv'), ['--keys-file', 'keys'], /keys: /],
    [formatXprv(MASTER, networks.main), ['--keys-file', 'keys'], /keys: .*(network|main)/],
  ])('answers a mistake with one line that names no secret, %#', async (keys, args, text) => {
    const { code, out, error } = await sign([...args, '--yes'], { files: { keys } });
    expect([code, out]).toEqual([1, '']);
    expect(error).toMatch(text);
    expect(error).toMatch(/^error: [^\n]+\n$/);
    expect(error).not.toMatch(/abandon|abouf|zoo|prv[0-9A-Za-z]{9}/);
    expect(error).not.toContain(WIF.slice(4, 14));
  });
});

test.each(['sign', 'inspect', 'addresses', 'combine', 'is-mine', 'quorum'])(
  '%s shows no word of seed words among its arguments',
  async (command) => {
    const { code, out, error } = await run([
      command,
      ...'legal winner thank year wave sausage worth useful legal winner thank yellow'.split(' '),
    ]);
    expect([code, out]).toEqual([1, '']);
    expect(error).toBe(
      'error: the arguments look like seed words: give them with --seed-file, and clear the history of your shell, which keeps them\n',
    );
  },
);
