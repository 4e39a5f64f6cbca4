import { describe, expect, test } from 'vitest';
import { accountFromWalletFile, parseWalletFile } from '../../src/kit/account/index.ts';
import { reasonOf } from '../support/walletFileReasons.ts';
import { descriptorsOf, walletFile } from '../support/walletFiles.ts';

/** The descriptor records of BIP129's "Test Vectors". */
const RECORDS: readonly (readonly [mode: string, record: string])[] = [
  [
    'NO_ENCRYPTION with public keys',
    `BSMS 1.0
wsh(sortedmulti(1,[59865f44/48'/0'/0'/2']026d15412460ba0d881c21837bb999233896085a9ed4e5445bd637c10e579768ba,[b7044ca6/48'/0'/0'/2']030baf0497ab406ff50cb48b4013abac8a0338758d2fd54cd934927afa57cc2062))#rzx9dffd
No path restrictions
bc1quqy523xu3l8che3s8vja8n33qtg0uyugr9l5z092s3wa50p8t7rqy6zumf`,
  ],
  [
    'NO_ENCRYPTION',
    `BSMS 1.0
wsh(sortedmulti(2,[1cf0bf7e/48'/0'/0'/2']xpub6FL8FhxNNUVnG64YurPd16AfGyvFLhh7S2uSsDqR3Qfcm6o9jtcMYwh6DvmcBF9qozxNQmTCVvWtxLpKTnhVLN3Pgnu2D3pAoXYFgVyd8Yz/**,[4fc1dd4a/48'/0'/0'/2']xpub6EebMbEps7ZcV3FYEnddRsvrFWDrt2tiPmCeM7pPXQEmphvq9ZfJ1LWFUDjf3vxCeBuPrfyGrMazWUsYsetrnHatQZVLJH7LsgCjtMqdzgj/**))
/0/*,/1/*
bc1qrgc6p3kylfztu06ysl752gwwuekhvtfh9vr7zg43jvu60mutamcsv948ej`,
  ],
  [
    'STANDARD',
    `BSMS 1.0
wsh(sortedmulti(2,[b7868815/48'/0'/0'/2']xpub6FA5rfxJc94K1kNtxRby1hoHwi7YDyTWwx1KUR3FwskaF6HzCbZMz3zQwGnCqdiFeMTPV3YneTGS2YQPiuNYsSvtggWWMQpEJD4jXU7ZzEh/**,[eedff89a/48'/0'/0'/2']xpub6EhJvMneoLWAf8cuyLBLQiKiwh89RAmqXEqYeFuaCEHdHwxSRfzLrUxKXEBap7nZSHAYP7Jfq6gZmucotNzpMQ9Sb1nTqerqW8hrtmx6Y6o/**))
/0/*,/1/*
bc1qhs4u273g4azq7kqqpe6vh5wfhasfmrq7nheyzsnq77humd7rwtkqagvakf`,
  ],
];
const KEY_RECORD = `BSMS 1.0
00
[59865f44/48'/0'/0'/2']026d15412460ba0d881c21837bb999233896085a9ed4e5445bd637c10e579768ba
Signer 1 key
H6DXgqkCb353BDPkzppMFpOcdJZlpur0WRetQhIBqSn6DFzoQWBtm+ibP5wERDRNi0bxxev9B+FIvyQWq0s6im4=`;

describe('BIP129', () => {
  test.each(RECORDS)('descriptor record, mode %s', (_, record) => {
    expect(parseWalletFile(record)).toMatchObject({ format: 'bsms', network: { name: 'main' } });
    expect(accountFromWalletFile(record).receive(0).address).toBe(record.split('\n')[3]);
  });

  test('refuses a key record, and says what it is', () => {
    expect(reasonOf(KEY_RECORD)).toMatch(/^BSMS record \(BIP129\): it is the key record of one signer \(round 1\)/);
  });

  const FILE = walletFile('bsms-multisig.txt');
  test.each([
    ['BSMS 1.0', 'BSMS 2.0', 'line 1 has an unsupported version; BSMS 1.0 is supported'],
    [/^wsh.*$/m, 'hello', 'line 2 has no descriptor'],
    ['sortedmulti(2', 'sortedmulti(1', /^line 4 is not the wallet’s first address, which is bc1q/],
    [
      /\n\/0.*\nbc1.*/,
      '\nNo path restrictions\nbc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      /^line 4 is not the wallet’s first/,
    ],
    ['/0/*,/1/*', '/0h/*', 'line 3 has a path restriction other than unhardened steps such as /0/*'],
    ['/0/*,/1/*', '/0/*,/0/*', 'line 3 has the same path restriction twice'],
    ['/0/*,/1/*', '/1/*,/0/*', /^line 4 is not the wallet’s first address/],
    [/\nbc1.*\n/, '', 'line 4 is missing: the first address'],
    [/\n\/0.*/s, '', 'line 3 is missing: the path restrictions, or "No path restrictions"'],
    [/\nbc1.*\n/, '\nbc1qnonsense', 'line 4 is not a valid address on the network of its keys'],
    [
      /\nbc1.*\n/,
      '\ntb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
      'line 4 is not a valid address on the network of its keys',
    ],
    [/$/, '\nmore', 'text follows its line 4'],
    ['/**))', '/**))#abcdefgh', 'line 2 has a wrong checksum'],
  ])('refuses %s replaced by %s', (found, replacement, reason) => {
    const [format, ...refusal] = reasonOf(FILE.replace(found, () => replacement)).split(': ');
    expect(format).toBe('BSMS record (BIP129)');
    expect(refusal.join(': ')).toMatch(reason);
  });

  test.each(['No path restrictions', 'no path restrictions', '', ' '])(
    'reads a template as receive and change addresses if line 3 is "%s"',
    (restrictions) => {
      const free = FILE.replace('/0/*,/1/*', restrictions);
      expect(descriptorsOf(free)).toEqual(descriptorsOf(FILE));
    },
  );

  test('expands a template to any number of path restrictions', () => {
    const three = FILE.replace('/0/*,/1/*', '/0/*,/1/*,/7/*');
    expect(parseWalletFile(three).descriptors).toHaveLength(2);
  });
});
