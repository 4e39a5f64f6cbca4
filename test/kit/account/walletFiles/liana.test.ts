import { expect, test } from 'vitest';
import { parseWalletFile } from '../../../../src/kit/account/index.ts';
import { reasonOf } from '../../../support/walletFileReasons.ts';
import { descriptorsOf, walletFile } from '../../../support/walletFiles.ts';

const FILE = JSON.parse(walletFile('liana-multisig.json'));
const [ACCOUNT] = FILE.accounts;

test('a Liana backup may have several accounts', () => {
  const other = descriptorsOf(walletFile('sparrow-single.txt'))[0] ?? '';
  const both = JSON.stringify({ accounts: [ACCOUNT, { descriptor: other }] });
  expect(descriptorsOf(both)).toEqual([...descriptorsOf(JSON.stringify(FILE)), other]);
  expect(parseWalletFile(JSON.stringify({ ...FILE, alias: undefined })).name).toBe('Liana-family');
});

test.each([
  [{ ...FILE, accounts: [ACCOUNT, {}] }, 'account 2 has no descriptor'],
  [
    { ...FILE, accounts: [{ descriptor: `${ACCOUNT.descriptor}q` }] },
    'account 1: Expected 8 character checksum, not 9 characters',
  ],
  [{ ...FILE, network: 'regtest' }, 'its keys are not for the network that it states'],
])('is refused: %#', (value, reason) => {
  expect(reasonOf(JSON.stringify(value))).toBe(`Liana backup: ${reason}`);
});
