import { expect, test } from 'vitest';
import { parseWalletFile } from '../../../../src/kit/account/index.ts';
import { reasonOf } from '../../../support/walletFileReasons.ts';
import { descriptorsOf, walletFile } from '../../../support/walletFiles.ts';

const FILE = walletFile('coldcard-multisig.txt');
const FORMAT = 'Coldcard multisig file';
const [KEY_LINE = ''] = FILE.match(/^73C5DA0A: .*$/m) ?? [];

test('takes comments, other separators in the policy, and a path for each key', () => {
  const [expected] = descriptorsOf(FILE);
  const changed = FILE.replace('2 of 3', '2/3   # two signatures')
    .replace('Derivation:', 'derivation :')
    .replace('B8688DF1', "Derivation: m/48h/0H/0'/2h\nb8688df1");
  expect(descriptorsOf(changed)).toEqual([expected]);
  expect(parseWalletFile(walletFile('coldcard-multisig-paths.txt')).fingerprints).toHaveLength(3);
});

test.each([
  [/^Policy.*$/m, '', 'it has no line such as "Policy: 2 of 3"'],
  ['2 of 3', 'two', 'line 4 has no policy such as "2 of 3"'],
  ['2 of 3', '2 of 4', 'line 4 asks for 4 keys, but the file has 3'],
  ['2 of 3', '4 of 3', '4 of 3 signatures are impossible'],
  ['2 of 3', '0 of 3', '0 of 3 signatures are impossible'],
  [/^Format.*$/m, '', /^it has no line such as "Format: P2WSH"/],
  ['P2WSH', 'P2TR', 'line 6 has an unsupported format; P2SH, P2WSH and P2SH-P2WSH are supported'],
  [/^Derivation.*$/m, '', /^line 8 has a key without a derivation path/],
  ["/2'", "/1'", 'line 8 has a path that ends in 1h, but its key is child 2h'],
  ["/0'/2'", "/2'", 'line 8 has a path of 3 steps, but its key lies 4 steps below the master key'],
  ["m/48'", 'm/48x', 'line 8 has a derivation path that cannot be read'],
  [/^73C5DA0A: .*$/m, '73C5DA0A:', 'line 8 has no valid extended key; copy the file again, whole'],
  [/^73C5DA0A: .*$/m, KEY_LINE.slice(0, -1), 'line 8 has no valid extended key; copy the file again, whole'],
  ['73C5DA0A: ', '73C5DA0: ', 'line 8 is neither a labelled line nor a key with its fingerprint'],
  [/^B8688DF1: .*$/m, KEY_LINE, 'two of its keys are the same'],
  ['Format: P2WSH', 'Frmat: P2WSH', 'line 6 is neither a labelled line nor a key with its fingerprint'],
])('%s replaced by %s is refused', (found, replacement, reason) => {
  const refusal = reasonOf(FILE.replace(found, replacement));
  expect(refusal.startsWith(`${FORMAT}: `)).toBe(true);
  expect(refusal.slice(FORMAT.length + 2)).toMatch(reason);
});

test('refuses keys of another script, and private ones', () => {
  const [tpub] = walletFile('core-listdescriptors-private.json').match(/tprv\w+/) ?? [];
  expect(reasonOf(FILE.replace(/^73C5DA0A: .*$/m, `Derivation: m\n73C5DA0A: ${tpub}`))).toBe(
    `${FORMAT}: line 9 has a private key; such a file holds extended public keys only`,
  );
  const zpub = walletFile('electrum-zpub.txt').trim();
  expect(reasonOf(FILE.replace(/^73C5DA0A: .*$/m, `Derivation: m/84h/0h/0h\n73C5DA0A: ${zpub}`))).toMatch(
    /^Coldcard multisig file: line 9 has a key for P2WPKH, but the format is P2WSH$/,
  );
});
