import { expect, test } from 'vitest';
import { parseWalletFile } from '../../../../src/kit/account/index.ts';
import { reasonOf } from '../../../support/walletFileReasons.ts';
import { descriptorsOf, walletFile } from '../../../support/walletFiles.ts';

const FILE = walletFile('coldcard-export.json');

/** The part of the example in Coldcard's documentation that describes one kind of addresses. */
const DOCUMENTED = JSON.stringify({
  chain: 'XTN',
  xfp: '0F056943',
  account: 123,
  bip84: {
    _pub: 'vpub5Y5a91QvDT45EnXQaKeuvJupVvX8f9BiywDcadSTtaeJ1VgJPPXMitnYsqd9k7GnEqh44FKJ5McJfu6KrihFXhAmvSWgm7BAVVK8Gupu4fL',
    deriv: "m/84'/1'/123'",
    first: 'tb1qc58ys2dphtphg6yuugdf3d0kufmk0tye044g3l',
    name: 'p2wpkh',
    xfp: '78CF94E5',
    xpub: 'tpubDC7jGaaSE66VDB6VhEDFYQSCAyugXmfnMnrMVyHNzW9wryyTxvha7TmfAHd7GRXrr2TaAn2HXn9T8ep4gyNX1bzGiieqcTUNcu2poyntrET',
  },
});

test('reads the example of the documentation, whose first address is that of the key', () => {
  const parsed = parseWalletFile(DOCUMENTED);
  expect(parsed.networks).toEqual(['testnet3', 'testnet4', 'signet']);
  expect(parsed.network).toBeUndefined();
  expect(descriptorsOf(DOCUMENTED)[0]).toMatch(/^wpkh\(\[0f056943\/84h\/1h\/123h\]tpubDC7jGaaSE/);
  const address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
  expect(reasonOf(DOCUMENTED.replace(/tb1\w+/, address))).toBe(
    'Coldcard generic JSON: "first" of section bip84 is not the wallet’s first address, which is tb1qc58ys2dphtphg6yuugdf3d0kufmk0tye044g3l: the file is damaged, or was changed',
  );
});

test.each([
  ['"chain": "BTC"', '"chain": "LTC"', 'its chain "LTC" is not BTC, XTN or XRT'],
  ['"chain": "BTC"', '"chain": "XTN"', 'its keys are not for the network that it states'],
  [/"xfp": "73C5DA0A"/, '"xfp": 3', 'its "xfp" is not the fingerprint of a master key'],
  [/"deriv": "m\/84h\/0h\/0h",/, '', 'its section bip84 has no derivation path ("deriv")'],
  [
    /"deriv": "m\/84h\/0h\/0h"/,
    '"deriv": "m/84h/0h/1h"',
    'section bip84 has a path that ends in 1h, but its key is child 0h',
  ],
  [/(?<="bip84": \{[^}]*)"xpub": "[^"]*",/, '', 'its section bip84 has no "xpub"'],
  [/(?<="bip84": \{[^}]*)"desc": "wpkh/, '"desc": "pkh', /^"desc" of section bip84: Provided checksum/],
  [
    /(?<="bip84": \{[^}]*)"desc": "wpkh([^#]*)#[^"]*/,
    '"desc": "pkh$1',
    /^"desc" of section bip84 describes different addresses from section bip84/,
  ],
  [/"bip84": \{/, '"bip84": 5, "x": {', 'its section bip84 is not an object'],
])('%s replaced by %s is refused', (found, replacement, reason) => {
  const [format, ...refusal] = reasonOf(FILE.replace(found, replacement)).split(': ');
  expect(format).toBe('Coldcard generic JSON');
  expect(refusal.join(': ')).toMatch(reason);
});

test('refuses the keys of one signer of a multisig', () => {
  const { chain, xfp, bip48_2 } = JSON.parse(FILE);
  expect(reasonOf(JSON.stringify({ chain, xfp, bip48_2 }))).toMatch(
    /^Coldcard generic JSON: it is one key of a multisig/,
  );
});
