import { describe, expect, test } from 'vitest';
import { accountFromWords, silentPaymentsFromWords } from '../../../../src/index.ts';
import { run } from '../../../support/io.ts';
import { walletFile } from '../../../support/walletFiles.ts';

const WORDS = `${'abandon '.repeat(11)}about`;
const [zpub = ''] = /zpub\w+/.exec(walletFile('electrum-zpub.txt')) ?? [];
const files = { words: WORDS, wallet: zpub, origin: `[73c5da0a/84h/0h/0h]${zpub}` };
const isMine = (...args: readonly string[]) => run(['is-mine', ...args], { files });

const [far, change] = [
  accountFromWords(WORDS).receive(1490).address,
  accountFromWords(WORDS, { purpose: 86 }).change(7).address,
];
const STRANGER = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

describe('countersign is-mine', () => {
  test('finds addresses of every usual kind of seed words', async () => {
    const { code, out } = await isMine(change, '--seed-file', 'words');
    expect([code, out]).toEqual([0, 'yes: change address 7 of P2TR account 0, m/86h/0h/0h/1/7\n']);
  });

  test('says how far it looked', async () => {
    const near = await isMine(far, '--seed-file', 'words');
    expect([near.code, near.out]).toEqual([
      1,
      'no: not among the first 1000 receive and change addresses of P2PKH account 0; P2SH-P2WPKH account 0; P2WPKH account 0; P2TR account 0, and the addresses up to label 100 of silent payments\n',
    ]);
    const further = await isMine(far, '--seed-file', 'words', '--purpose', '84', '--count', '1500');
    expect(further.out).toBe('yes: receive address 1490 of the wallet, m/84h/0h/0h/0/1490\n');
  });

  test('looks into a file', async () => {
    const [first] = [accountFromWords(WORDS).receive(0).address];
    expect((await isMine(first, 'wallet')).out).toMatch(/^yes: receive address 0 of the wallet/);
    expect((await isMine(STRANGER, 'wallet', '--json')).out).toBe('{"isMine":false}\n');
    expect(JSON.parse((await isMine(first, 'wallet', '--json')).out)).toMatchObject({ isMine: true, index: 0 });
  });

  test('looks through every wallet of a file', async () => {
    const { code, out } = await run(['is-mine', change, 'core'], {
      files: { core: walletFile('core-listdescriptors.json') },
    });
    expect([code, out]).toEqual([0, expect.stringMatching(/^yes: change address 7 of /)]);
  });

  test('knows addresses of silent payments, with and without a label', async () => {
    const me = silentPaymentsFromWords(WORDS);
    expect((await isMine(me.address(), '--seed-file', 'words')).out).toBe('yes: the address of silent payments\n');
    expect((await isMine(me.address(3), '--seed-file', 'words')).out).toBe(
      'yes: the address of silent payments with label 3\n',
    );
  });

  test.each<[readonly string[], string]>([
    [[], 'is-mine needs an address'],
    [['bc1qxxx', 'wallet'], 'is not a valid address: copy all of it, or it is mistyped'],
    [['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'wallet'], 'the address is for testnet3'],
    [[STRANGER, 'wallet', '--count', '0'], '--count'],
  ])('answers the mistake %j', async (args, reason) => {
    const { code, out, error } = await isMine(...args);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain(reason);
  });
});

describe('a single key', () => {
  const wif = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';
  const uncompressed = '5KN7MzqK5wt2TP1fQCYyHBtDrXdJuXbUzm4A9rKAteGu3Qi5CVR';

  test('has one address of each kind', async () => {
    const world = { files: { wif, uncompressed, words: WORDS, key: 'ignored' } };
    const own = await run(['is-mine', STRANGER, '--keys-file', 'wif'], world);
    expect([own.code, own.out]).toEqual([0, 'yes: the only address of P2WPKH\n']);
    const legacy = await run(['is-mine', '1Jq6MksXQVWzrznvZzxkV6oY57oWXD9TXB', '--keys-file', 'uncompressed'], world);
    expect(legacy.out).toBe('yes: the only address of P2PKH\n');
    const all = await run(['addresses', '--keys-file', 'uncompressed', '--purpose', 'all'], world);
    expect(all.out).toBe('P2PKH\n0  1Jq6MksXQVWzrznvZzxkV6oY57oWXD9TXB\n');
  });

  test('and the file beside keys is looked through, and proven', async () => {
    const { code, out, error } = await isMine(
      accountFromWords(WORDS).receive(0).address,
      'origin',
      '--seed-file',
      'words',
    );
    expect([code, out]).toEqual([0, expect.stringMatching(/^yes: receive address 0 of the wallet/)]);
    expect(error).toMatch(/^key proven: /m);
  });
});
