import { describe, expect, test } from 'vitest';
import { accountFromWalletFile, parseWalletFile } from '../../../../src/kit/account/index.ts';
import { expectRefusal } from '../../../support/refusal.ts';
import { reasonOf } from '../../../support/walletFileReasons.ts';
import { descriptorsOf, walletFile } from '../../../support/walletFiles.ts';

const MULTISIG = [
  'bc1qm43n7nnev58aj3nrznz2xscgv98t7gxycq5pmp20a5vzfp5t0q2s7r6twa',
  'bc1qy0qa9lx04k0lk9lrv4542ndehul9spkcafdtcpdv38qx6ft5km2ssnce5d',
];
// BIP84 and BIP86 list these for the seed phrase of the samples.
const SINGLE = ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el'];
const TAPROOT = [
  'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
  'bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7',
];
const SIGNERS = ['73c5da0a', 'b8688df1', '28645006'];

const firstAddresses = (text: string | Uint8Array, options = {}): readonly string[] => {
  const account = accountFromWalletFile(text, options);
  return [account.receive(0).address, account.change(0).address];
};

/** Describes keys without their origins' marks: `'` in some files, `h` in others. */
const unmarked = (text: string): readonly string[] =>
  descriptorsOf(text).map((descriptor) => descriptor.replace(/#.*/, '').replaceAll("'", 'h'));

describe('the files of one 2-of-3 multisig', () => {
  const files = [
    ['bsms', 'bsms-multisig.txt'],
    ['caravan', 'caravan-multisig.json'],
    ['coldcard-multisig', 'coldcard-multisig.txt'],
    ['descriptors', 'descriptors.txt'],
    ['electrum', 'electrum-multisig.json'],
    ['liana', 'liana-multisig.json'],
    ['policy', 'policy-multisig.json'],
    ['sparrow', 'sparrow-multisig.txt'],
    ['specter', 'specter-diy.txt'],
    ['specter', 'specter-multisig.json'],
  ] as const;

  test.each(files)('%s: %s', (format, name) => {
    const text = walletFile(name);
    const parsed = parseWalletFile(text);
    expect(parsed).toMatchObject({ format, network: { name: 'main' }, fingerprints: SIGNERS });
    expect(unmarked(text)).toEqual(unmarked(walletFile('sparrow-multisig.txt')));
    expect(firstAddresses(text)).toEqual(MULTISIG);
  });

  test('give the name and the height that they hold', () => {
    expect(parseWalletFile(walletFile('specter-multisig.json'))).toMatchObject({
      name: 'Family savings',
      birthHeight: 781_234,
    });
    for (const name of ['caravan-multisig.json', 'liana-multisig.json', 'specter-diy.txt']) {
      expect(parseWalletFile(walletFile(name)).name).toBe('Family savings');
    }
    expect(parseWalletFile(walletFile('coldcard-multisig-paths.txt')).name).toBe('Vault #2');
    expect(parseWalletFile(walletFile('policy-multisig.json')).name).toBe('Family savings');
  });
});

describe('the files of one seed phrase', () => {
  test.each([
    ['coldcard', 'coldcard-export.json', SINGLE],
    ['core', 'core-listdescriptors.json', SINGLE],
    ['core', 'core-importdescriptors.txt', SINGLE],
    ['electrum', 'electrum-standard.json', SINGLE],
    ['electrum', 'electrum-changes.json', SINGLE],
    ['extended-key', 'electrum-zpub.txt', SINGLE],
    ['sparrow', 'sparrow-single.txt', SINGLE],
    ['sparrow', 'sparrow-taproot.txt', TAPROOT],
    ['policy', 'policy-taproot.json', TAPROOT],
    ['wasabi', 'wasabi.json', SINGLE],
  ] as const)('%s: %s', (format, name, addresses) => {
    const text = walletFile(name);
    expect(parseWalletFile(text).format).toBe(format);
    expect(firstAddresses(text)).toEqual(addresses);
    expect(firstAddresses(new TextEncoder().encode(`\ufeff${text.replaceAll('\n', '\r\n')}`))).toEqual(addresses);
  });

  test.each(['coldcard-export.json', 'core-listdescriptors.json'])('%s holds all kinds of addresses', (name) => {
    const text = walletFile(name);
    expect(firstAddresses(text, { purpose: 86 })).toEqual(TAPROOT);
    // BIP49 and BIP44 addresses of this seed phrase, as wallets show them.
    expect(firstAddresses(text, { purpose: 49 })[0]).toBe('37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf');
    expect(firstAddresses(text, { purpose: 44 })[0]).toBe('1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA');
    expect(accountFromWalletFile(text).descriptors).toHaveLength(4);
  });

  test('open on the network that the caller names', () => {
    const text = walletFile('core-listdescriptors-private.json');
    expect(parseWalletFile(text).network).toBeUndefined();
    expectRefusal(() => accountFromWalletFile(text), 'walletfile/network', {
      format: 'descriptor list of Bitcoin Core',
      found: 'testnet3 or testnet4 or signet or regtest or litecoin-testnet or litecoin-regtest',
    });
    expect(accountFromWalletFile(text, { network: 'regtest' }).receive(0).address).toMatch(/^bcrt1q/);
    expectRefusal(() => accountFromWalletFile(text, { network: 'main' }), 'walletfile/network', {
      format: 'descriptor list of Bitcoin Core',
      found: 'testnet3 or testnet4 or signet or regtest or litecoin-testnet or litecoin-regtest',
      network: 'main',
    });
  });

  test.each(['core-listdescriptors-private.json', 'electrum-standard.json'])(
    '%s keeps its private keys to itself',
    (name) => {
      const text = walletFile(name);
      const account = accountFromWalletFile(text, name.startsWith('core') ? { network: 'regtest' } : {});
      const shown = JSON.stringify([account, parseWalletFile(text)], (_, value) =>
        typeof value === 'bigint' ? `${value}` : value,
      );
      expect(shown).not.toMatch(/secretKey|[a-zA-Z]prv|abandon/);
      const from = account.receive(1);
      expect(account.receive(1).derived.keys[0]?.secretKey).toBeDefined();
      expect(account.find(from.address)?.index).toBe(1);
    },
  );
});

describe('text in bytes', () => {
  const [, body = ''] = walletFile('specter-multisig.json').split('Family savings');

  test.each(['Señora 家族 🔑', '50 % – Überweisung', '%41'])('may have the name %s', (name) => {
    const bytes = new TextEncoder().encode(`{"label":"${name}${body}`);
    expect(parseWalletFile(bytes).name).toBe(name);
  });

  test('may be UTF-16, as PowerShell writes it', () => {
    const text = walletFile('specter-multisig.json');
    expect(parseWalletFile(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual(parseWalletFile(text));
  });

  test.each([[[0xc3]], [[0xc3, 0x28]], [[0xff]], [[0xed, 0xa0, 0x80]], [[0xc0, 0x80]]])(
    'must be UTF-8: %j',
    (broken) => {
      const bytes = Uint8Array.from([...new TextEncoder().encode('{"label":"'), ...broken, 0x22, 0x7d]);
      expect(reasonOf(bytes)).toMatch(/^it is not text/);
    },
  );
});

describe('a file that is no wallet file', () => {
  test.each([
    ['', 'the file is empty'],
    ['hello', /^its format is not supported; the supported formats are: descriptor file, Sparrow descriptor file, /],
    ['{"a": 1}', /^its format is not supported/],
    ['[1, 2]', /^its format is not supported/],
    ['{"label": "x", "descriptor": "wpkh(', /^it begins like JSON, but is incomplete/],
    [`${'abandon '.repeat(11)}about`, /^it looks like seed words/],
    [`["${'abandon", "'.repeat(11)}about"]`, /^it looks like seed words/],
    [`{"words": "${'abandon '.repeat(11)}about"}`, /^its format is not supported/],
    [
      '{"name": "a", "private": true, "scripts": {"test": "run all the tests there are"}}',
      /^its format is not supported/,
    ],
    [
      '# Guide\n\nThis guide says in many words what the program does, and how it does it.',
      /^its format is not supported/,
    ],
    [new Uint8Array([0xff, 0xfe, 0x41]), /^it is not text/],
    ['SQLite format 3\0', /^it is not text/],
  ])('%s', (text, reason) => {
    expect(reasonOf(text)).toMatch(reason);
  });

  test('is refused if it is larger than any wallet writes', () => {
    const text = `${walletFile('descriptors.txt')}${'#'.repeat(1_000_000)}`;
    expectRefusal(() => parseWalletFile(text), 'walletfile/size', { size: text.length, limit: 1_000_000 });
    expectRefusal(() => parseWalletFile(new Uint8Array(1_000_001)), 'walletfile/size', {
      size: 1_000_001,
      limit: 1_000_000,
    });
  });
});
