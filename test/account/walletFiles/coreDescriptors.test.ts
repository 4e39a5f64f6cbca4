import { expect, test } from 'vitest';
import { accountFromWalletFile } from '../../../src/account/index.ts';
import { seedOfWords } from '../../../src/keys/seedWords.ts';
import { derivePath, formatXpub, masterKey, networks, neuter, parsePath } from '../../support/library.ts';
import { descriptorsOf, reasonOf, walletFile } from '../../support/walletFiles.ts';

const ANSWER = JSON.parse(walletFile('core-listdescriptors.json'));
const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
const FORMAT = 'descriptor list of Bitcoin Core';
const reason = (value: unknown): string => reasonOf(JSON.stringify(value)).replace(`${FORMAT}: `, '');

test('takes the active descriptors, or all if none is active, and the list alone', () => {
  const kinds = ['wpkh(', 'tr([', 'sh(wpkh(', 'pkh('];
  const active = descriptorsOf(JSON.stringify(ANSWER));
  expect(active.map((text, i) => text.startsWith(kinds[i] ?? 'none'))).toEqual([true, true, true, true]);
  expect(descriptorsOf(JSON.stringify(ANSWER.descriptors))).toEqual(active);
  const imported = ANSWER.descriptors.map(({ desc, timestamp }: { desc: string; timestamp: number }) => ({
    desc,
    timestamp,
  }));
  expect(descriptorsOf(JSON.stringify(imported))).toHaveLength(5);
});

test('gives the change addresses of a wallet whose keys lie below the chain', () => {
  const master = masterKey(seedOfWords(WORDS));
  const entries = [0, 1].map((chain) => {
    const xpub = formatXpub(neuter(derivePath(master, parsePath(`m/84h/0h/0h/${chain}`))), networks.main);
    return { desc: `wpkh([73c5da0a/84h/0h/0h/${chain}]${xpub}/*)`, active: true, internal: chain === 1 };
  });
  const account = accountFromWalletFile(JSON.stringify(entries));
  expect(account.change(0).address).toBe('bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el');
});

test.each([
  [{ descriptors: [{ active: true, desc: 5 }] }, 'descriptor 1 has no "desc"'],
  [{ descriptors: [{ desc: 'wpkh(' }] }, /^descriptor 1: /],
  [
    { descriptors: [...ANSWER.descriptors, ANSWER.descriptors[0]] },
    /^descriptor \d and descriptor \d+ are both active for the same addresses$/,
  ],
])('is refused: %#', (value, expected) => {
  expect(reason(value)).toMatch(expected);
});
