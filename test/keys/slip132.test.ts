import { describe, expect, test } from 'vitest';
import { accountFromKey, accountFromWords } from '../../src/account/index.ts';
import { seedOfWords } from '../../src/keys/seedWords.ts';
import { parseAnyExtendedKey } from '../../src/keys/slip132.ts';
import { derivePath, formatXpub, masterKey, networks, neuter, parsePath } from '../support/library.ts';
import { expectRefusal } from '../support/refusal.ts';

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
