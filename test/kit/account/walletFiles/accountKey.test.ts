import { expect, test } from 'vitest';
import { reasonOf } from '../../../support/walletFileReasons.ts';
import { descriptorsOf, walletFile } from '../../../support/walletFiles.ts';

const ZPUB = walletFile('electrum-zpub.txt').trim();
const [XPUB = ''] = descriptorsOf(ZPUB)[0]?.match(/xpub\w+/) ?? [];
const [MULTISIG_KEY = ''] = walletFile('electrum-multisig.json').match(/Zpub\w+/) ?? [];
const FORMAT = 'extended key';

test.each([
  [`[73c5da0a/84h/0h/0h]${XPUB}`, 'wpkh([73c5da0a/84h/0h/0h]'],
  [`# my key\n[73C5DA0A/84'/0'/0']${ZPUB}\n`, 'wpkh([73c5da0a/84h/0h/0h]'],
  [ZPUB, 'wpkh(xpub'],
])('%s is read', (text, start) => {
  expect(descriptorsOf(text)[0]?.startsWith(start)).toBe(true);
});

test.each([
  [XPUB, /^neither its prefix nor its path says which addresses it has: write it as a descriptor/],
  [MULTISIG_KEY, /^it is one key of a multisig/],
  [`[73c5da0a/86h/0h/0h]${ZPUB}`, 'its prefix says BIP84, but its path BIP86'],
  [`[73c5da0a/84h/0h/1h]${ZPUB}`, 'line 1 has a path that ends in 1h, but its key is child 0h'],
  [`${ZPUB.slice(0, -1)}a`, 'line 1 has no valid extended key; copy the file again, whole'],
])('%s is refused', (text, reason) => {
  const refusal = reasonOf(text);
  expect(refusal.startsWith(`${FORMAT}: `)).toBe(true);
  expect(refusal.slice(FORMAT.length + 2)).toMatch(reason);
});
