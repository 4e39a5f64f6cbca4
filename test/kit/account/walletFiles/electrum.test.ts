import { describe, expect, test } from 'vitest';
import { parseWalletFile } from '../../../../src/kit/account/index.ts';
import { reasonOf } from '../../../support/walletFileReasons.ts';
import { descriptorsOf, walletFile } from '../../../support/walletFiles.ts';

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
    [withStore({ type: 'old' }), /^keystore "keystore" is from an old seed \(before Electrum 2\.0\)/],
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
    [{ ...SINGLE, keystore: undefined, accounts: {} }, /^it is from Electrum 2\.6 or older: open the wallet once/],
    [{ wallet_type: 'imported_addr' }, 'it holds imported keys or addresses, which have no descriptor'],
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

describe('the changes that Electrum appends', () => {
  const journal = (...changes: readonly unknown[]): string =>
    [SINGLE, ...changes].map((value) => JSON.stringify(value)).join(',\n');
  const { xpub, ...store } = SINGLE.keystore;

  test('are applied in their order', () => {
    const found = descriptorsOf(JSON.stringify(SINGLE));
    const same = journal(
      { op: 'add', path: '/labels', value: {} },
      { op: 'add', path: '/labels/a~1b~0', value: 'x' },
      { op: 'replace', path: '/labels/a~1b~0', value: 'y' },
      { op: 'remove', path: '/labels/a~1b~0' },
      { op: 'add', path: '/addresses/receiving/0', value: 'later' },
      { op: 'remove', path: '/addresses/receiving/0' },
      { op: 'remove', path: '/keystore' },
      { op: 'add', path: '/keystore', value: store },
      { op: 'add', path: '/keystore/xpub', value: xpub },
      { op: 'add', path: '/__proto__', value: { wallet_type: '2fa' } },
    );
    expect(descriptorsOf(same)).toEqual(found);
    expect(
      reasonOf(journal({ op: 'replace', path: '/addresses/receiving/0', value: SINGLE.addresses.change[0] })),
    ).toMatch(/its first receiving address is not the wallet’s first address/);
  });

  test.each([
    [{ op: 'move', from: '/keystore', path: '/x' }],
    [{ op: 'remove', path: '/labels/none' }],
    [{ op: 'replace', path: '/constructor', value: 1 }],
    [{ op: 'add', path: '/none/below', value: 1 }],
    [{ op: 'add', path: '/addresses/receiving/9', value: 'x' }],
    [{ op: 'replace', path: '/addresses/receiving/length', value: 0 }],
    [{ op: 'add', path: '/labels' }],
    [{ op: 'add', path: 7, value: 1 }],
  ])('are refused: %j', (change) => {
    expect(reasonOf(journal(change))).toMatch(
      /^Electrum wallet file: its change 1 does not fit the wallet: open it once/,
    );
  });

  test('are refused if the file is cut off', () => {
    expect(reasonOf(`${journal()},\n{"op": "add", "pa`)).toMatch(/^it begins like JSON, but is incomplete/);
  });
});

test('the first address of a wallet says which test network it is for', () => {
  const key =
    'vpub5Y6cjg78GGuNLsaPhmYsiw4gYX3HoQiRBiSwDaBXKUafCt9bNwWQiitDk5VZ5BVxYnQdwoTyXSs2JHRPAgjAvtbBrf8ZhDYe2jWAqvZVnsc';
  const of = (address: string): string =>
    JSON.stringify({ keystore: { type: 'bip32', xpub: key }, addresses: { receiving: [address] } });
  expect(parseWalletFile(of('bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk')).network?.name).toBe('regtest');
  expect(parseWalletFile(of('tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl')).networks).toEqual([
    'testnet3',
    'testnet4',
    'signet',
  ]);
});

test('a wallet of Electrum 1 is named', () => {
  expect(reasonOf("{'accounts': {0: {}}}")).toMatch(/^Electrum wallet file: it is from Electrum 2\.6 or older/);
});
