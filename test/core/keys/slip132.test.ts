import { describe, expect, test } from 'vitest';
import { formatBase58Check } from '../../../src/core/encoding/base58check.ts';
import { seedOfWords } from '../../../src/core/keys/seedWords.ts';
import { parseAnyExtendedKey, readExtendedKey } from '../../../src/core/keys/slip132.ts';
import { accountFromKey, accountFromWords } from '../../../src/kit/account/index.ts';
import { concatBytes, derivePath, formatXpub, masterKey, networks, neuter, parsePath } from '../../support/library.ts';
import { expectRefusal } from '../../support/refusal.ts';

const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
/** The account keys that SLIP-0132 lists for this seed phrase. */
const YPUB =
  'ypub6Ww3ibxVfGzLrAH1PNcjyAWenMTbbAosGNB6VvmSEgytSER9azLDWCxoJwW7Ke7icmizBMXrzBx9979FfaHxHcrArf3zbeJJJUZPf663zsP';
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const XPUB =
  'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj';

describe('extended keys with prefixes of SLIP-0132', () => {
  test.each([
    [XPUB, 44, 'any'],
    [YPUB, 49, 'p2sh-p2wpkh'],
    [ZPUB, 84, 'p2wpkh'],
  ] as const)('%s is the account key of purpose %i', (text, purpose, script) => {
    const parsed = parseAnyExtendedKey(text, networks.main);
    expect(parsed.script).toBe(script);
    const own = derivePath(masterKey(seedOfWords(WORDS)), parsePath(`m/${purpose}h/0h/0h`));
    expect(formatXpub(parsed.key, networks.main)).toBe(formatXpub(neuter(own), networks.main));
    const watching = accountFromKey(text, { purpose });
    expect(watching.receive(5).address).toBe(accountFromWords(WORDS, { purpose }).receive(5).address);
  });

  test('need a purpose if their prefix names no script', () => {
    expectRefusal(() => accountFromKey(XPUB), 'account/purpose', {});
    expect(accountFromKey(ZPUB).receive(0).address).toBe('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu');
  });

  test('are refused on networks of the other kind, by name', () => {
    expectRefusal(() => accountFromKey(ZPUB, { network: 'regtest' }), 'xkey/network', {
      prefix: 'zpub',
      network: 'regtest',
    });
  });

  test('watch, and sign nothing', () => {
    const watching = accountFromKey(ZPUB);
    expect(watching.descriptors).toHaveLength(1);
    expect(JSON.stringify(watching.descriptors)).not.toContain('secret');
  });
});

test.each([
  ['xpub xprv', 0x0488b21e, 0x0488ade4, 'any', 'main'],
  ['ypub yprv', 0x049d7cb2, 0x049d7878, 'p2sh-p2wpkh', 'main'],
  ['zpub zprv', 0x04b24746, 0x04b2430c, 'p2wpkh', 'main'],
  ['Ypub Yprv', 0x0295b43f, 0x0295b005, 'p2sh-p2wsh', 'main'],
  ['Zpub Zprv', 0x02aa7ed3, 0x02aa7a99, 'p2wsh', 'main'],
  ['tpub tprv', 0x043587cf, 0x04358394, 'any', 'test'],
  ['upub uprv', 0x044a5262, 0x044a4e28, 'p2sh-p2wpkh', 'test'],
  ['vpub vprv', 0x045f1cf6, 0x045f18bc, 'p2wpkh', 'test'],
  ['Upub Uprv', 0x024289ef, 0x024285b5, 'p2sh-p2wsh', 'test'],
  ['Vpub Vprv', 0x02575483, 0x02575048, 'p2wsh', 'test'],
  ['Ltub Ltpv', 0x019da462, 0x019d9cfe, 'p2pkh', 'main'],
  ['Mtub Mtpv', 0x01b26ef6, 0x01b26792, 'p2sh-p2wpkh', 'main'],
  ['ttub ttpv', 0x0436f6e1, 0x0436ef7d, 'any', 'test'],
])(
  '%s stand for the script and the kind of network that SLIP-0132 says',
  (prefixes, isPublic, isPrivate, script, kind) => {
    const master = masterKey(new Uint8Array(32).fill(3));
    const payload = (version: number, rest: Uint8Array): string => {
      const bytes = concatBytes(new Uint8Array(4), new Uint8Array(9), master.chainCode, rest);
      new DataView(bytes.buffer).setUint32(0, version);
      return formatBase58Check(bytes);
    };
    const texts = [
      payload(isPublic, master.publicKey),
      payload(isPrivate, concatBytes(Uint8Array.of(0), master.secretKey ?? new Uint8Array(32))),
    ];
    expect(texts.map((text) => text.slice(0, 4)).join(' ')).toBe(prefixes);
    const isTest = kind === 'test';
    const isLitecoin = /^[LMt]t/.test(prefixes);
    expect(texts.map((text) => readExtendedKey(text))).toMatchObject([
      { script, isTest, isLitecoin, isPrivate: false, depth: 0, childNumber: 0 },
      { script, isTest, isLitecoin, isPrivate: true, depth: 0, childNumber: 0 },
    ]);
    const [network, other] = isTest ? [networks.testnet4, networks.main] : [networks.main, networks.testnet4];
    for (const text of texts) {
      const { key, script: found } = parseAnyExtendedKey(text, network);
      expect([key.publicKey, key.chainCode, found]).toEqual([master.publicKey, master.chainCode, script]);
      expect(() => parseAnyExtendedKey(text, other)).toThrow(isTest ? 'test networks' : 'main networks');
    }
  },
);
