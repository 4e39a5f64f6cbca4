import { describe, expect, test } from 'vitest';
import { parseWalletFile } from '../../../src/account/index.ts';
import { reasonOf } from '../../support/walletFileReasons.ts';
import { walletFile } from '../../support/walletFiles.ts';

const SINGLE = JSON.parse(walletFile('electrum-standard.json'));
const MULTISIG = JSON.parse(walletFile('electrum-multisig.json'));
const ZPUB = walletFile('electrum-zpub.txt').trim();
const FORMAT = 'Electrum wallet file';

const reason = (value: object): string => reasonOf(JSON.stringify(value)).replace(`${FORMAT}: `, '');
const withStore = (changes: object): object => ({ ...SINGLE, keystore: { ...SINGLE.keystore, ...changes } });

describe('an Electrum wallet', () => {
  test('gives its private key only if it is not encrypted', () => {
    const secretIn = (text: string): boolean =>
      parseWalletFile(text).descriptors.some(
        (given) => 'key' in given && given.key.kind === 'extended' && given.key.key.secretKey,
      );
    expect(secretIn(JSON.stringify(SINGLE))).toBe(true);
    const encrypted = { ...withStore({ xprv: 'VGhpcyBpcyBlbmNyeXB0ZWQ=' }), use_encryption: true };
    expect(secretIn(JSON.stringify(encrypted))).toBe(false);
  });

  test.each([
    [withStore({ type: 'old' }), /^keystore "keystore" is of an old seed \(before Electrum 2\.0\)/],
    [withStore({ type: 'imported' }), /^keystore "keystore" holds imported keys or addresses/],
    [withStore({ xpub: undefined }), 'keystore "keystore" has no extended public key ("xpub")'],
    [
      withStore({ xpub: ZPUB.slice(0, -1) }),
      'keystore "keystore" has no valid extended key; copy the file again, whole',
    ],
    [
      withStore({ xprv: 'zprv', derivation: null }),
      'keystore "keystore" has a private key that is not that of its public key',
    ],
    [
      withStore({ xpub: MULTISIG['x1/'].xpub, derivation: MULTISIG['x1/'].derivation, xprv: null }),
      /key of a multisig, but the wallet is of type standard$/,
    ],
    [withStore({ root_fingerprint: 'xyz' }), 'keystore "keystore" has no fingerprint of 8 hex digits before its key'],
    [{ ...SINGLE, keystore: undefined }, 'it has no keystore "keystore"'],
    [{ ...SINGLE, wallet_type: '2fa' }, 'wallets of type 2fa cannot be read; standard and multisig wallets can'],
    [
      { ...SINGLE, addresses: { receiving: ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'] } },
      /^its first receiving address is not the wallet’s first address/,
    ],
    [{ ...MULTISIG, wallet_type: '2of4' }, 'it has no keystore "x4/"'],
    [{ ...MULTISIG, wallet_type: '4of3' }, '4 of 3 signatures are impossible'],
    [{ ...MULTISIG, 'x2/': MULTISIG['x1/'] }, 'two of its keys are the same'],
    [{ ...MULTISIG, 'x2/': SINGLE.keystore }, 'the prefixes of its keys do not agree on one multisig script'],
  ])('is refused: %#', (value, expected) => {
    expect(reason(value)).toMatch(expected);
  });

  test('is refused if it is encrypted as a whole', () => {
    expect(reasonOf('QklFMQJ4bmQ5c2Zq')).toMatch(/^Electrum wallet file: it is encrypted/);
  });
});
