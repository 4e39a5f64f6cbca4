import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseWalletFile } from '../../../../src/kit/account/index.ts';
import { run } from '../../../support/io.ts';
import { formatDescriptor, formatWif, networks } from '../../../support/library.ts';
import { temporaryPaths } from '../../../support/temporary.ts';

/** A key and a transaction that spends one P2PKH coin, checked against a node. */
const WIF = formatWif(
  { secretKey: Uint8Array.from([...new Uint8Array(30), 0x11, 0x11]), isCompressed: true },
  networks.regtest,
);
const UNSIGNED = `0200000001${'11'.repeat(32)}00000000${'00'}ffffffff010010000000000000${'00'}00000000`;
const PREVTXS = JSON.stringify([
  {
    txid: '11'.repeat(32),
    vout: 0,
    scriptPubKey: '76a914925d4028880bd0c9d68fbc7fc7dfee976698629c88ac',
    amount: 0.00005,
  },
]);
const SIGNED =
  '02000000011111111111111111111111111111111111111111111111111111111111111111000000006a473044022056c985961ddff259' +
  'baefb77475ffb500669aa83e80b578c7f6194bef602a4e9802204f9e9836880a096ec5b0ed1544b5813c68a1f1b0c85e7d58b21ca1a7726a50' +
  'c80121027592aab5d43618dda13fba71e3993cd7517a712d3da49664c06ee1bd3d1f70afffffffff0100100000000000000000000000';
const newPath = temporaryPaths();
const WALLETS = ['--network', 'regtest', '--dialect', 'core-32'];
const COMMAND = ['signrawtransactionwithkey', '--network', 'regtest'];
const DONE = { code: 0, out: `{"hex":"${SIGNED}","complete":true}\n`, error: '' };

describe('countersign signrawtransactionwithkey', () => {
  test('takes its arguments as bitcoin-cli does', async () => {
    expect(await run([...COMMAND, UNSIGNED, JSON.stringify([WIF]), PREVTXS])).toEqual(DONE);
    expect(await run([...COMMAND, UNSIGNED, JSON.stringify([WIF]), PREVTXS, 'ALL'])).toEqual(DONE);
  });

  test('warns on a terminal that others can read wallet secrets in arguments', async () => {
    const warning = 'warning: others can read ';
    const warns = async (args: readonly string[], more = {}): Promise<boolean> =>
      (await run(args, { isWatched: true, ...more })).error.startsWith(warning);
    const directory = mkdtempSync(join(tmpdir(), 'countersign-signing-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const at = ['--wallet-dir', directory, '--dialect', 'core-0.21', '--network', 'regtest'];
    expect(await warns(['createwallet', 'w', ...at])).toBe(false);
    expect(await warns(['createwallet', 'v', 'false', 'true', 'secret', ...at])).toBe(true);
    const wallet = [...at, '--rpcwallet', 'w'];
    expect(await warns(['importprivkey', WIF, ...wallet])).toBe(true);
    expect(await warns(['importprivkey', '-', 'label', ...wallet], { stdin: WIF })).toBe(false);
    expect(await warns(['importprivkey', 'label', '--file', 'key', ...wallet], { files: { key: WIF } })).toBe(false);
    expect(await warns(['encryptwallet', 'secret', ...wallet])).toBe(true);
    expect((await run(['encryptwallet', 'secret', ...wallet])).error).not.toContain(warning);
  });

  test('warns on a terminal that others can read keys in arguments', async () => {
    const { error } = await run([...COMMAND, UNSIGNED, JSON.stringify([WIF]), PREVTXS], { isWatched: true });
    expect(error.split('\n')).toEqual([
      'warning: others can read keys on the command line; instead, use files (--keys-file, --descriptors-file) or --keys-prompt',
      '\r\u001b[K1 of 1 inputs\r\u001b[K',
    ]);
  });

  test.each([
    ['a JSON array', JSON.stringify([WIF])],
    ['lines', `\n  ${WIF}\r\n`],
    ['several', `${WIF} ${WIF}\n`],
  ])('takes keys from a file, standard input and a hidden prompt: %s', async (_, keys) => {
    const files = { 'keys.txt': keys, 'prevtxs.json': PREVTXS, 'tx.hex': `${UNSIGNED}\n` };
    expect(await run([...COMMAND, '--keys-file', 'keys.txt', UNSIGNED, PREVTXS], { files })).toEqual(DONE);
    expect(
      await run([...COMMAND, '--keys-file=keys.txt', UNSIGNED, '--prevtxs-file', 'prevtxs.json', 'ALL'], { files }),
    ).toEqual(DONE);
    const allFiles = ['--keys-file', 'keys.txt', '--prevtxs-file', 'prevtxs.json', '--file', 'tx.hex'];
    expect(await run([...COMMAND, ...allFiles], { files })).toEqual(DONE);
    expect(await run([...COMMAND, '--keys-stdin', UNSIGNED, PREVTXS], { stdin: keys })).toEqual(DONE);
    if (keys.includes('\n') && keys.startsWith('\n')) return;
    const asked = { ...DONE, error: 'Private keys, separated by spaces (not shown): \n' };
    expect(await run([...COMMAND, '--keys-prompt', UNSIGNED, PREVTXS], { typed: [keys] })).toEqual(asked);
    expect(await run([...COMMAND, UNSIGNED, '--prevtxs-file', 'prevtxs.json'], { typed: [keys], files })).toEqual(
      asked,
    );
  });

  test('never shows a key, whatever is wrong', async () => {
    const broken = [`["${WIF}"`, `"${WIF}"`, `[["${WIF}"]]`, `["${WIF}x"]`, WIF, `{"a":"${WIF}"}`, `[${WIF}]`];
    for (const keys of broken) {
      const files = { keys };
      const runs = await Promise.all([
        run([...COMMAND, UNSIGNED, keys, PREVTXS]),
        run([...COMMAND, UNSIGNED, keys, PREVTXS], { isWatched: true }),
        run([...COMMAND, '--keys-file', 'keys', UNSIGNED, PREVTXS], { files }),
        run([...COMMAND, '--keys-stdin', UNSIGNED, PREVTXS], { stdin: keys }),
        run([...COMMAND, '--keys-prompt', UNSIGNED, PREVTXS], { typed: [keys] }),
        run(['batch'], {
          stdin: `{"method":"signrawtransactionwithkey","params":["${UNSIGNED}",${keys},[]],"id":1}\n`,
        }),
      ]);
      for (const { out, error } of runs) expect(out + error).not.toContain(WIF.slice(0, 20));
    }
  });

  test('explains how keys can be given if they are given wrongly', async () => {
    const wrong = async (options: readonly string[], given = {}): Promise<string> => {
      const { code, error } = await run([...COMMAND, ...options], given);
      expect(code).toBe(1);
      return error;
    };
    expect(await wrong(['--keys-stdin', '--keys-prompt', UNSIGNED])).toBe(
      'error: give the keys in only one way: --keys-file, --keys-stdin, --keys-prompt or --seed-file\n',
    );
    expect(await wrong(['--keys-prompt', UNSIGNED])).toBe(
      'error: no terminal to ask for keys on: use --keys-file or --keys-stdin\n',
    );
    expect(await wrong(['--keys-file', 'nowhere', UNSIGNED])).toBe(
      'error: --keys-file: cannot read nowhere: no such file\n',
    );
    expect(await wrong(['--keys-stdin', '-'])).toBe(
      'error: standard input cannot hold both the keys and the argument\n',
    );
    const other = await run(['decodescript', '51', '--keys-file', 'keys'], { files: { keys: WIF } });
    expect(other.error).toBe('error: an option for keys does not apply to decodescript\n');
    const more = await run(['decodescript', '51', '--prevtxs-file', 'p'], { files: { p: '[]' } });
    expect(more.error).toBe('error: --prevtxs-file does not apply to decodescript\n');
  });

  test('shows its help if arguments are missing and there is no terminal', async () => {
    expect((await run([...COMMAND, UNSIGNED])).code).toBe(1);
    expect((await run([...COMMAND])).error).toMatch(/signrawtransactionwithkey "hexstring" \["privatekey",\.\.\.\]/);
  });

  test('names both networks for a key of another network', async () => {
    const { code, error } = await run(['signrawtransactionwithkey', UNSIGNED, JSON.stringify([WIF]), PREVTXS]);
    expect(code).toBe(5);
    expect(error).toContain('Invalid private key: the key is for testnet3, testnet4, signet, regtest');
    expect(error).toContain('not for main');
  });
});

describe('--review', () => {
  /** The example pays to an empty script. */
  const INTENDED = ['--policy', 'anyone-can-spend=warn'];
  const REVIEW = `Leaves   0.00005000 BTC, of it the fee of 0.00000904 BTC, only claimed
Pays     0.00004096 BTC to 1 output script
  0: 0.00004096 BTC  script ""
Fee      0.00000904 BTC, about 5.4 sat/vB, 22.07 % of the payments, only claimed
Signed   input 0: 0 of 1
Mined    at once; does not signal that it may be replaced (BIP125)
Spends   0.00005000 BTC in 1 input
  0: 0.00005000 BTC  mtrr fEAe 9Pus dTUC rcmg 3Jz4 pjPa SnTi Cc
     yours (the key itself), amount only claimed
     ${'11'.repeat(32)}:0
     have 0 of 1 signatures, still needed:
     027592aab5d43618dda13fba71e3993cd7517a712d3da49664c06ee1bd3d1f70af
  amount only claimed: its previous transaction is missing
  fee only claimed: not all amounts are proven
`;
  /** Undoes the line breaks of a review. */
  const unwrapped = (text: string): string => text.replaceAll(/\s+/g, ' ');

  test('shows what the transaction pays, and asks', async () => {
    const command = [...COMMAND, UNSIGNED, JSON.stringify([WIF]), PREVTXS, '--review', ...INTENDED];
    const approved = await run(command, { typed: ['yes'] });
    expect(approved).toMatchObject({ code: 0, out: DONE.out });
    expect(approved.error).toContain(REVIEW);
    expect(unwrapped(approved.error)).toMatch(/^Warning: .* Input 0 spends a legacy.* \[legacy-unproven\] .* Pays /);
    expect(unwrapped(approved.error)).toContain(' anyone can spend it. [anyone-can-spend] ');
    const question =
      'Pays 0.00004096 BTC to script "", fee 0.00000904 only claimed, 2 warnings\n(above). Sign it? Type yes: yes\n';
    expect(approved.error).toContain(question);
    for (const answer of ['', 'y', 'no']) {
      const refused = await run(command, { typed: [answer] });
      expect(refused).toMatchObject({ code: 1, out: '' });
      expect(refused.error).toMatch(/not signed: the answer was not "yes"\n$/);
    }
    // Without a terminal, only --yes confirms, whatever the transaction does.
    const unattended = await run(command);
    expect(unattended).toMatchObject({ code: 1, out: '' });
    const reason = 'not signed: no terminal to confirm on; pass --yes once you have reviewed it\n';
    expect(unattended.error).toBe(approved.error.replace(question, reason));
    expect((await run([...command, '--yes'], { typed: [] })).out).toBe(DONE.out);
  });

  test('signs nothing that the policy refuses, even with --yes', async () => {
    const command = [...COMMAND, UNSIGNED, JSON.stringify([WIF]), PREVTXS, '--review', '--yes'];
    const { code, out, error } = await run(command);
    expect([code, out]).toEqual([1, '']);
    expect(unwrapped(error)).toMatch(/^REFUSED: Output 0 gives 0\.00004096 BTC away.* \[anyone-can-spend\] Warning: /);
    expect(error).toMatch(/To accept what is refused, add --policy anyone-can-spend=warn\n$/);
    expect((await run([...command, ...INTENDED, '--policy', 'legacy-unproven=refuse'])).code).toBe(1);
    expect((await run([...command, ...INTENDED])).code).toBe(0);
    expect((await run([...COMMAND, UNSIGNED, '[]', '--policy', 'burn=warn'])).error).toContain(
      'error: --policy does not apply to',
    );
  });

  test('also finds arguments given by name', async () => {
    const named = [...COMMAND, '--named', `prevtxs=${PREVTXS}`, `hexstring=${UNSIGNED}`, '--keys-file', 'keys'];
    expect(await run(named, { files: { keys: WIF } })).toEqual(DONE);
    const { error } = await run([...named, '--review', ...INTENDED], { files: { keys: WIF } });
    expect(error).toContain(REVIEW);
    const shown = await run([...COMMAND, '--named', `hexstring=${UNSIGNED}`, `privkeys=["${WIF}"]`], {
      isWatched: true,
    });
    expect(shown.error).toMatch(/^warning: others can read keys/);
  });

  test('warns of open sighash types, negative fees and unknown amounts', async () => {
    const review = async (prevtxs: string, type: string, hex = UNSIGNED): Promise<string> =>
      unwrapped((await run([...COMMAND, hex, '[]', prevtxs, type, '--review'])).error);
    const none = await review(PREVTXS, 'NONE|ANYONECANPAY');
    expect(none).toContain(
      ' Warning: Signatures of input 0 (NONE|ANYONECANPAY) commit to no output and no other input',
    );
    expect(await review(PREVTXS, 'SINGLE')).toContain(
      '(SINGLE) commit to output 0 only: others can change all other outputs.',
    );
    expect(await review('[]', 'ALL')).toContain(' Spends 1 input 0: unknown coin 1111');
    expect(await review('[]', 'ALL')).toContain(' Fee unknown: not all coins and amounts are known ');
    const withoutAmount = PREVTXS.replace(/,"amount":[^}]*/, '');
    expect(await review(withoutAmount, 'ALL')).toContain(
      ' 0: unknown amount mtrr fEAe 9Pus dTUC rcmg 3Jz4 pjPa SnTi Cc 1111',
    );
    const poor = PREVTXS.replace('0.00005', '0.00004');
    expect(await review(poor, 'ALL')).toContain(
      'REFUSED: The transaction pays 0.00000096 BTC more than it spends. [fee-negative]',
    );
    const locked = UNSIGNED.replace('ffffffff01', 'fdffffff01').replace(/00000000$/, '30000000');
    expect(await review(PREVTXS, 'ALL', locked)).toContain(
      ' Mined not before block 49; signals that it may be replaced (BIP125) ',
    );
    const timed = UNSIGNED.replace('ffffffff01', 'fdffffff01').replace(/00000000$/, '0065cd1d');
    expect(await review(PREVTXS, 'ALL', timed)).toContain(' Mined not before 1985-11-05 00:53:20 UTC; ');
    const twice = UNSIGNED.replace(/01(1{64})(0{8})(00f{8})/, '02$1$2$3$101000000$3');
    expect(await review(both(PREVTXS), 'SINGLE', twice)).toMatch(
      /^REFUSED: .* REFUSED: SINGLE [^[]* there is no output 1\. \[single-without-output\] Warning: /,
    );
  });

  const both = (prevtxs: string): string =>
    prevtxs.replace(/^\[(.*)\]$/, (_, coin) => `[${coin},${coin.replace('0,', '1,')}]`);

  test('says which amounts signatures prove, and whether they prove the fee', async () => {
    const review = async (prevtxs: string, type: string, hex = UNSIGNED): Promise<string> =>
      unwrapped((await run([...COMMAND, hex, '[]', prevtxs, type, '--review'])).error);
    const twice = UNSIGNED.replace(/01(1{64})(0{8})(00f{8})/, '02$1$2$3$101000000$3');
    const ofInput = ' amount proven: if it were false, the signatures would be invalid ';
    const segwit = PREVTXS.replace(/76a914(.*?)88ac/, '0014$1');
    expect(await review(segwit, 'ALL')).toContain(ofInput);
    expect(await review(segwit, 'ALL')).toMatch(/ Fee 0\.\d{8} BTC, [^,]*, [^,]*, proven Signed /);
    // A segwit v0 signature commits to only one of two amounts: two signing sessions can each lie about the other.
    expect(await review(both(segwit), 'ALL', twice)).toContain(' amount only claimed 1111');
    expect(await review(both(segwit), 'ALL', twice)).toContain('fee only claimed: not all amounts');
    expect(await review(both(segwit), 'ALL', twice)).toMatch(/ Warning: [^[]* \[amount-unproven, also input 1\] /);
    const taproot = PREVTXS.replace(/76a914(.*?)88ac/, `5120${'11'.repeat(32)}`);
    expect(await review(both(taproot), 'ALL', twice)).toMatch(/ Fee 0\.\d{8} BTC, [^,]*, [^,]*, proven Signed /);
    expect(await review(both(taproot), 'ALL|ANYONECANPAY', twice)).toContain('fee only claimed: the signatures let');
  });

  test('does not apply to other methods', async () => {
    expect((await run(['decodescript', '51', '--review'])).error).toBe(
      'error: --review does not apply to decodescript\n',
    );
  });
});

/** Creates a wallet in a new directory. */
async function makeWalletDirectory(): Promise<string> {
  const directory = newPath();
  expect(await run(['createwallet', 'w', ...WALLETS, '--wallet-dir', directory])).toMatchObject({ code: 0, error: '' });
  return directory;
}

describe('a call with --wallet-dir', () => {
  const ON = ['--network', 'regtest', '--wallet-dir'];

  test('that needs a wallet name says how to give it', async () => {
    const directory = await makeWalletDirectory();
    await run(['createwallet', 'v', ...WALLETS, '--wallet-dir', directory]);
    const { code, error } = await run(['getwalletinfo', ...WALLETS, '--wallet-dir', directory]);
    expect(code).toBe(19);
    expect(error).toContain('\nchoose one with --rpcwallet NAME; "countersign listwallets" lists them\n');
  });

  test('of an unknown method names the dialects that have it', async () => {
    const key = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA';
    expect(await run(['importprivkey', '-', ...ON, newPath()], { stdin: key })).toEqual({
      code: 89,
      out: '',
      error:
        'error code: -32601\nerror message:\nMethod not found\nimportprivkey is a method of --dialect core-0.21, litecoin-0.21, core-29, not of documented\n',
    });
    const { error } = await run(['listdescriptors', ...ON, newPath(), '--dialect', 'core-0.21']);
    expect(error).toContain(
      '\nlistdescriptors is a method of --dialect documented, core-29, core-30, core-31, core-32, not of core-0.21\n',
    );
  });

  test('warns of passphrases and keys on the command line, and names safer ways', async () => {
    const directory = await makeWalletDirectory();
    const warning = async (argv: readonly string[], stdin = ''): Promise<string> =>
      (await run([...argv, ...WALLETS, '--wallet-dir', directory], { stdin, isWatched: true })).error.split('\n')[0] ??
      '';
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
    await run(['unloadwallet', 'c', ...WALLETS, '--wallet-dir', directory]);
    expect(await warning(['encryptwallet', '-'], 'secret')).toBe('');
    expect(await warning(['walletpassphrase', 'wrong', '1'])).toBe(
      `warning: others can read passphrases ${shown} --file FILE, or "-" for standard input`,
    );
  });

  test('prompts for passphrases without showing them, and for a new one twice', async () => {
    const directory = await makeWalletDirectory();
    const ask = (command: string, typed: readonly string[]) =>
      run([command, ...WALLETS, '--wallet-dir', directory], { typed, isWatched: true });
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
    const { out, error } = await run(['batch', ...WALLETS, '--wallet-dir', directory], { stdin });
    expect(out).toContain('wallet encrypted');
    expect(error).toContain('note: this process may still hold copies of the keys and the passphrase in its memory');
    expect(error).not.toContain('secret');
  });

  test('that unlocks a wallet says that this ends with the process', async () => {
    const directory = await makeWalletDirectory();
    await run(['encryptwallet', '-', ...WALLETS, '--wallet-dir', directory], { stdin: 'secret' });
    const unlocked = await run(['walletpassphrase', '-', '60', ...WALLETS, '--wallet-dir', directory], {
      stdin: 'secret',
    });
    expect(unlocked).toMatchObject({ code: 0, out: 'null\n' });
    expect(unlocked.error).toMatch(
      /^note: this has no effect once the process ends: .* in the same "batch", or to the same "serve"\n$/,
    );
  });
});

test('descriptorprocesspsbt takes a wallet file as its descriptors', async () => {
  const multisig = readFileSync(new URL('../../../../vectors/wallets/sparrow-multisig.txt', import.meta.url), 'utf8');
  const { descriptors } = parseWalletFile(multisig);
  const lines = descriptors.map((descriptor) => formatDescriptor(descriptor, networks.main)).join('\n');
  const psbt = await run(['createpsbt', `[{"txid":"${'11'.repeat(32)}","vout":0}]`, '{"data":"00"}']);
  const call = (content: string) =>
    run(['descriptorprocesspsbt', psbt.out.trim(), '--descriptors-file', 'wallet'], { files: { wallet: content } });
  const expected = await call(lines);
  expect(expected.code).toBe(0);
  expect(await call(multisig)).toEqual(expected);
  const unknown = await call('# a comment\nnonsense');
  expect([unknown.code, unknown.error]).toEqual([
    1,
    expect.stringMatching(/^error: --descriptors-file: wallet: [^\n]+\n$/),
  ]);
});

describe('countersign backupwallet and restorewallet', () => {
  test('take a wallet from one directory to another', async () => {
    const [from, to, file] = [newPath(), newPath(), newPath()];
    const at = (directory: string): readonly string[] => [...WALLETS, '--wallet-dir', directory];
    await run(['createwallet', 'w', ...at(from)]);
    const { out: address } = await run(['getnewaddress', ...at(from)]);
    expect(await run(['backupwallet', file, ...at(from)])).toMatchObject({ code: 0 });
    const again = await run(['backupwallet', file, ...at(from)]);
    expect(again).toMatchObject({ code: 4, error: 'error code: -4\nerror message:\nError: Wallet backup failed!\n' });
    expect(await run(['restorewallet', 'v', file, ...at(to)])).toMatchObject({ code: 0, out: '{"name":"v"}\n' });
    const { out } = await run(['getaddressinfo', address.trim(), ...at(to)]);
    expect(JSON.parse(out)).toMatchObject({ ismine: true });
  });

  test('take the place of no file of a store', async () => {
    const at = [...WALLETS, '--wallet-dir', newPath()];
    const directory = at.at(-1) ?? '';
    await run(['createwallet', 'w', ...at]);
    const { code, error } = await run(['backupwallet', join(directory, 'journal.new'), ...at]);
    expect([code, error]).toEqual([
      4,
      `error code: -4\nerror message:\nError: Wallet backup failed! ${directory}/journal.new would lie among the files of the wallet directory: name a file in ${directory}/backups\n`,
    ]);
    expect(await run(['getwalletinfo', ...at])).toMatchObject({ code: 0 });
  });

  /** Answers the requests of a client, as `serve` does. */
  const answers = async (
    options: readonly string[],
    calls: readonly (readonly string[])[],
  ): Promise<readonly string[]> => {
    const requests = calls.map(([method, ...params], id) => JSON.stringify({ id, method, params, wallet: 'w' }));
    const { out } = await run(['batch', ...WALLETS, ...options], { stdin: requests.join('\n') });
    return out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).error?.message ?? 'done');
  };

  test('take from requests only files in the directories for backups, and tell nothing of others', async () => {
    const [directory, named, outside] = [newPath(), newPath(), newPath()];
    mkdirSync(named);
    writeFileSync(outside, 'mine');
    const at = ['--wallet-dir', directory];
    await run(['createwallet', 'w', ...WALLETS, ...at]);
    const refusal = `${named} or ${directory}/backups: name a file there, or start with --backup-dir DIRECTORY`;
    const failed = 'Error: Wallet backup failed!';
    const unverified = 'Wallet file verification failed.';
    const given = await answers(
      [...at, '--backup-dir', named],
      [
        ['backupwallet', 'a'],
        ['backupwallet', join(directory, 'backups', 'b')],
        ['backupwallet', `${outside}x`],
        ['backupwallet', join(directory, 'journal.new')],
        ['restorewallet', 'v', outside],
        ['restorewallet', 'v', `${outside}x`],
        ['restorewallet', 'v', named.replace(/[^/]*$/, '')],
        ['restorewallet', 'v', 'none'],
        ['restorewallet', 'v', 'a'],
      ],
    );
    expect(given).toEqual([
      'done',
      'done',
      `${failed} ${outside}x lies outside ${refusal}`,
      `${failed} ${directory}/journal.new lies outside ${refusal}`,
      `${unverified} ${outside} lies outside ${refusal}`,
      `${unverified} ${outside}x lies outside ${refusal}`,
      `${unverified} ${named.replace(/[^/]*$/, '')} lies outside ${refusal}`,
      'Backup file does not exist',
      'done',
    ]);
    expect(existsSync(`${outside}x`)).toBe(false);
    expect(existsSync(join(named, 'a'))).toBe(true);
  });

  test('need a directory before requests can name files', async () => {
    const made = ['createwallet', 'w'];
    expect(await answers([], [made, ['backupwallet', 'a']])).toEqual([
      'done',
      'Error: Wallet backup failed! a lies in no directory for backups: start with --backup-dir DIRECTORY',
    ]);
    const missing = newPath();
    expect(await run(['serve', '--backup-dir', missing])).toMatchObject({
      code: 1,
      error: expect.stringContaining(`--backup-dir: ${missing} is not a directory: create it first`),
    });
  });
});
