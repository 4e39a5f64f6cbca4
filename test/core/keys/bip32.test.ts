import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../../src/core/crypto/nativeSecp256k1.ts';
import { negateScalar } from '../../../src/core/crypto/scalar.ts';
import { tinySecp256k1Ecc } from '../../../src/core/crypto/tinySecp256k1.ts';
import { childDeriver } from '../../../src/core/keys/bip32.ts';
import {
  BtcError,
  deriveChild,
  derivePath,
  type Ecc,
  type ExtendedKey,
  formatHex,
  formatPath,
  formatXprv,
  formatXpub,
  HARDENED,
  masterKey,
  networks,
  neuter,
  nobleEcc,
  parseExtendedKey,
  parseHex,
  parsePath,
} from '../../support/library.ts';
import { expectRefusal } from '../../support/refusal.ts';

const { main } = networks;

const ARITHMETIC: readonly (readonly [string, Ecc])[] = [
  ['@noble/secp256k1', nobleEcc],
  ['tiny-secp256k1', tinySecp256k1Ecc],
  ['secp256k1', nativeSecp256k1Ecc],
];

const xprvOf = (key: ExtendedKey): string => formatXprv(key, main);
const xpubOf = (key: ExtendedKey): string => formatXpub(key, main);

const MASTER = masterKey(parseHex('000102030405060708090a0b0c0d0e0f'));
const XPUB = xpubOf(MASTER);

describe('deriveChild refuses', () => {
  test('hardened children of a public key', () => {
    for (const child of [HARDENED, HARDENED + 5, 0xffff_ffff]) {
      expectRefusal(() => deriveChild(neuter(MASTER), child), 'xkey/underivable', { child, reason: 'hardened' });
    }
    expectRefusal(() => derivePath(parseExtendedKey(XPUB, main), parsePath('m/0/1h/2')), 'xkey/underivable', {
      child: HARDENED + 1,
      reason: 'hardened',
    });
  });

  test('children of a key at depth 255', () => {
    const { secretKey } = MASTER;
    const deepest: ExtendedKey = { ...MASTER, ...(secretKey && { secretKey }), depth: 255, childNumber: 7 };
    for (const key of [deepest, neuter(deepest)]) {
      expectRefusal(() => deriveChild(key, 0), 'xkey/underivable', { child: 0, reason: 'depth' });
    }
    const read = parseExtendedKey(xprvOf(deepest), main);
    expect({ ...read, secretKey: read.secretKey?.slice() }).toEqual({ ...deepest, secretKey: secretKey?.slice() });
    expect(deriveChild({ ...deepest, depth: 254 }, 0).depth).toBe(255);
    const many = Array.from({ length: 256 }, () => 0);
    expectRefusal(() => derivePath(MASTER, many), 'xkey/underivable', { child: 0, reason: 'depth' });
  });

  test('the one child in 2^127 whose sum is not a key', () => {
    const noKey = { child: 3, reason: 'no key' };
    // With the negated tweak as the private key, the sum is zero.
    const { tweak } = childDeriver(neuter(MASTER), nobleEcc)(3);
    const opposite = { ...MASTER, secretKey: negateScalar(tweak) };
    expectRefusal(() => deriveChild(opposite, 3), 'xkey/underivable', noKey);
    const infinite: Ecc = { ...nobleEcc, tweakPublicKey: () => undefined };
    expectRefusal(() => deriveChild(neuter(MASTER), 3, { ecc: infinite }), 'xkey/underivable', noKey);
  });

  test.each([-1, 0x1_0000_0000, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('the child number %d', (child) => {
    for (const key of [MASTER, neuter(MASTER)]) expect(() => deriveChild(key, child)).toThrow(BtcError);
  });
});

test('formatXprv refuses a public key', () => {
  expectRefusal(() => xprvOf(neuter(MASTER)), 'xkey/invalid', { reason: 'not private' });
});

// bitcore-lib ships no types.
interface BitcoreKey {
  readonly xprivkey: string;
  readonly xpubkey: string;
  readonly hdPublicKey: BitcoreKey;
  readonly deriveChild: (child: number) => BitcoreKey;
}
const { HDPrivateKey } = createRequire(import.meta.url)('bitcore-lib') as {
  readonly HDPrivateKey: { readonly fromSeed: (seed: string) => BitcoreKey };
};

describe('a generated seed', () => {
  const seed = fc.uint8Array({ minLength: 16, maxLength: 64 });
  const index = fc.oneof(fc.nat({ max: HARDENED - 1 }), fc.constantFrom(0, 1, HARDENED - 1));
  const anyChild = fc.oneof(
    index,
    index.map((number) => number + HARDENED),
  );

  test('has the same public children from its private and public keys, with every backend', () => {
    fc.assert(
      fc.property(
        seed,
        fc.array(anyChild, { maxLength: 3 }),
        fc.array(index, { maxLength: 4 }),
        (bytes, path, open) => {
          const account = derivePath(masterKey(bytes), path);
          const key = derivePath(account, open);
          expect(neuter(key)).toEqual(derivePath(neuter(account), open));
          for (const [, ecc] of ARITHMETIC) {
            expect(derivePath(masterKey(bytes, { ecc }), [...path, ...open], { ecc })).toEqual(key);
            expect(derivePath(neuter(account), open, { ecc })).toEqual(neuter(key));
          }
          for (const network of Object.values(networks)) {
            expect(parseExtendedKey(formatXprv(key, network), network)).toEqual(key);
            expect(parseExtendedKey(formatXpub(key, network), network)).toEqual(neuter(key));
          }
          expect(parsePath(formatPath(path))).toEqual(path);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('has the same children as in bitcore-lib', () => {
    fc.assert(
      fc.property(seed, fc.array(anyChild, { maxLength: 4 }), index, (bytes, path, last) => {
        const theirs = path.reduce((key, child) => key.deriveChild(child), HDPrivateKey.fromSeed(formatHex(bytes)));
        const ours = derivePath(masterKey(bytes), path);
        expect([xprvOf(ours), xpubOf(ours)]).toEqual([theirs.xprivkey, theirs.xpubkey]);
        expect(xpubOf(deriveChild(neuter(ours), last))).toBe(theirs.hdPublicKey.deriveChild(last).xpubkey);
      }),
      { numRuns: 100 },
    );
  });
});
