import { describe, expect, test } from 'vitest';
import { accountFromWalletFile, openKeys, signerKeys } from '../../../../src/index.ts';
import { run, runForFiles } from '../../../support/io.ts';
import { walletFile } from '../../../support/walletFiles.ts';

const ALICE = `${'abandon '.repeat(11)}about`;
const BOB = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const CAROL = 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above';

const keysOf = (words: string) => openKeys(words).flatMap((key) => signerKeys(key));
const textOf = (words: string, script: string): string =>
  keysOf(words).find((key) => key.script === script)?.text ?? '';
const [, xpub = ''] = /\](.*)/.exec(textOf(BOB, 'p2wsh')) ?? [];

const files = {
  words: ALICE,
  'alice.txt': textOf(ALICE, 'p2wsh'),
  'bob.json': JSON.stringify({ xfp: 'B8688DF1', xpub, path: "m/48'/0'/0'/2'" }),
  'carol.json': JSON.stringify({
    ExtPubKey: textOf(CAROL, 'p2wsh').replace(/.*\]/, ''),
    AccountKeyPath: '48h/0h/0h/2h',
    MasterFingerprint: '28645006',
  }),
  nested: textOf(CAROL, 'p2sh-p2wsh'),
  both: keysOf(CAROL)
    .map(({ text }) => text)
    .join('\n'),
  account: walletFile('electrum-zpub.txt'),
};
const quorum = (...args: readonly string[]) => run(['quorum', ...args], { files });

describe('countersign quorum', () => {
  test('makes a wallet of keys in three forms, and says which key is proven', async () => {
    const { code, out, error } = await quorum('2', 'alice.txt', 'bob.json', 'carol.json', '--seed-file', 'words');
    expect(code).toBe(0);
    expect(out).toMatch(/^wsh\(sortedmulti\(2,\[73c5da0a.*,\[b8688df1.*,\[28645006.*\)\)#[a-z0-9]{8}\n$/);
    expect(error).toMatch(/^key proven: \[73c5da0a\/48h/m);
    expect(error.match(/^named by the file: /gm)).toHaveLength(2);
    expect(accountFromWalletFile(out).receive(0).address).toMatch(/^bc1q\w{58}$/);
  });

  test('takes of several keys those for one script', async () => {
    expect((await quorum('1', 'alice.txt', 'both')).out).toMatch(/^wsh\(/);
    expect((await quorum('1', 'nested', 'both')).error).toMatch(/^error: nested and both have the same key/);
    expect((await quorum('1', 'nested', '--script', 'p2sh-p2wsh')).out).toMatch(/^sh\(wsh\(sortedmulti\(1,/);
  });

  test('joins what addresses --purpose 48 writes', async () => {
    const written = await run(['addresses', '--seed-file', 'words', '--purpose', '48'], { files });
    const { out } = await run(['quorum', '2', 'mine', 'bob.json'], { files: { ...files, mine: written.out } });
    expect(out).toContain(files['alice.txt']);
  });

  test('writes a file, and replaces none', async () => {
    const { files: written } = await runForFiles(['quorum', '1', 'alice.txt', '--out', 'w.txt'], { files });
    expect(new TextDecoder().decode(written['w.txt'] as Uint8Array)).toMatch(/^wsh\(sortedmulti\(1,/);
    expect((await quorum('1', 'alice.txt', '--out', 'words')).error).toMatch(/words/);
  });

  test.each<[readonly string[], string]>([
    [[], 'quorum needs the number of signers who sign'],
    [['0', 'alice.txt'], 'quorum needs the number of signers who sign'],
    [['3', 'alice.txt', 'bob.json'], '3 signers cannot sign: there are 2 keys'],
    [['1', 'alice.txt', 'nested'], 'these keys are for different scripts'],
    [['1', 'alice.txt', '--script', 'p2sh'], 'not every signer has a key for p2sh'],
    [['1', 'alice.txt', '--script', 'p2tr'], '--script must be p2wsh, p2sh-p2wsh, p2sh'],
    [['1', 'account'], 'account has no key for a multisig: it is a wallet file (extended key)'],
    [['1', 'words'], 'words has no key for a multisig: it is seed words'],
    [['1', 'bob.json', '--seed-file', 'words'], 'none of its keys is yours'],
  ])('answers the mistake %j', async (args, reason) => {
    const { code, out, error } = await quorum(...args);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain(reason);
    expect(error).not.toContain('abandon');
  });
});
