import { scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openBytes, sealBytes, stretchPassphrase } from '../../../src/core/crypto/sealing.ts';
import { nodeScrypt } from '../../../src/shell/cli/nodeScrypt.ts';
import { isWhole } from '../../support/campaign.ts';
import { isFast } from '../../support/corpus.ts';
import { formatHex, parseHex } from '../../support/library.ts';
import { expectRefusal } from '../../support/refusal.ts';

const text = (from: string): Uint8Array => new TextEncoder().encode(from);

describe('scrypt', () => {
  const salt = new Uint8Array(16);

  test.runIf(isWhole)('derives the first 32 bytes of the fourth vector in RFC 7914 section 12', () => {
    const key = stretchPassphrase('pleaseletmein', {
      salt: text('SodiumChloride'),
      cost: { N: 2 ** 20, r: 8, p: 1 },
    });
    expect(formatHex(key)).toBe('2101cb9b6a511aaeaddbbe09cf70f881ec568d574a2ffd4dabe5ee9820adaa47');
  });

  // In the fast run, OpenSSL replaces the scrypt that this compares with it.
  test.skipIf(isFast).each([
    { N: 2 ** 15, r: 8, p: 1 },
    { N: 2 ** 15, r: 8, p: 2 },
    { N: 2 ** 16, r: 9, p: 1 },
  ])('agrees with OpenSSL for N=$N r=$r p=$p', (cost) => {
    const passphrase = 'p\u00e4ss \u{1f511} e\u0301';
    const salt = parseHex('000102030405060708090a0b0c0d0e0f');
    const expected = scryptSync(passphrase, salt, 32, { ...cost, maxmem: 2 ** 31 });
    expect(formatHex(stretchPassphrase(passphrase, { salt, cost }))).toBe(expected.toString('hex'));
    expect(formatHex(stretchPassphrase(passphrase, { salt, cost, scrypt: nodeScrypt }))).toBe(expected.toString('hex'));
  });

  test.each([
    { N: 2 ** 15, r: 8, p: 1 },
    { N: 2 ** 20, r: 8, p: 2 },
    { N: 2 ** 15, r: 32, p: 16 },
    { N: 2 ** 18, r: 32, p: 1 },
  ])('permits N=$N r=$r p=$p', (cost) => {
    const key = new Uint8Array(32).fill(7);
    expect(stretchPassphrase('x', { salt, cost, scrypt: () => key })).toBe(key);
  });

  test.each([
    { N: 2 ** 14, r: 8, p: 1 },
    { N: 2 ** 21, r: 8, p: 1 },
    { N: 2 ** 15 + 1, r: 8, p: 1 },
    { N: 3 * 2 ** 15, r: 8, p: 1 },
    { N: 2 ** 15, r: 7, p: 1 },
    { N: 2 ** 15, r: 33, p: 1 },
    { N: 2 ** 15, r: 8, p: 0 },
    { N: 2 ** 15, r: 8, p: 17 },
    { N: 2 ** 20, r: 9, p: 1 },
    { N: 2 ** 20, r: 8, p: 3 },
    { N: 2 ** 17, r: 16, p: 9 },
    { N: Number.NaN, r: 8, p: 1 },
    { N: 2 ** 15, r: 8.5, p: 1 },
  ])('refuses N=$N r=$r p=$p', (cost) => {
    expectRefusal(() => stretchPassphrase('x', { salt, cost }), 'secret/cost', cost);
    expectRefusal(() => stretchPassphrase('x', { salt, cost, scrypt: nodeScrypt }), 'secret/cost', cost);
  });
});

describe('XChaCha20-Poly1305', () => {
  const key = parseHex('808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f');
  const nonce = parseHex('404142434445464748494a4b4c4d4e4f5051525354555657');
  const context = parseHex('50515253c0c1c2c3c4c5c6c7');
  const plain = text(
    "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.",
  );
  const sealed = parseHex(
    'bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9768812f615c68b13b52ec0875924c1c7987947deafd8780acf49',
  );

  test('seals and opens the vector of draft-irtf-cfrg-xchacha-03 appendix A.3.1', () => {
    expect(formatHex(sealBytes({ key, nonce, context }, plain))).toBe(formatHex(sealed));
    expect(openBytes({ key, nonce, context }, sealed)).toEqual(plain);
  });

  test('does not open if any one bit of the inputs differs', () => {
    const isOpened = (given: {
      key: Uint8Array;
      nonce: Uint8Array;
      context: Uint8Array;
      sealed: Uint8Array;
    }): boolean => openBytes(given, given.sealed) !== undefined;
    const given = { key, nonce, context, sealed };
    expect(isOpened(given)).toBe(true);
    for (const part of ['key', 'nonce', 'context', 'sealed'] as const) {
      for (let bit = 0; bit < given[part].length * 8; bit++) {
        const altered = given[part].map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
        expect(isOpened({ ...given, [part]: altered })).toBe(false);
      }
    }
  });

  test('does not open truncated or extended bytes', () => {
    for (let size = 0; size < sealed.length; size++) {
      expect(openBytes({ key, nonce, context }, sealed.subarray(0, size))).toBeUndefined();
    }
    expect(openBytes({ key, nonce, context }, Uint8Array.of(...sealed, 0))).toBeUndefined();
  });

  test('refuses keys and nonces of the wrong length', () => {
    for (const size of [0, 16, 31, 33]) {
      const given = { key: new Uint8Array(size), nonce, context };
      const data = { what: 'key', size, expected: 32 };
      expectRefusal(() => sealBytes(given, plain), 'secret/size', data);
      expectRefusal(() => openBytes(given, sealed), 'secret/size', data);
    }
    for (const size of [0, 12, 23, 25]) {
      const given = { key, nonce: new Uint8Array(size), context };
      const data = { what: 'nonce', size, expected: 24 };
      expectRefusal(() => sealBytes(given, plain), 'secret/size', data);
      expectRefusal(() => openBytes(given, sealed), 'secret/size', data);
    }
  });
});
