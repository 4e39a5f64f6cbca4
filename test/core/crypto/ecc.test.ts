import { schnorr } from '@noble/secp256k1';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../../src/core/crypto/nativeSecp256k1.ts';
import { nobleEcc } from '../../../src/core/crypto/nobleEcc.ts';
import { tinySecp256k1Ecc } from '../../../src/core/crypto/tinySecp256k1.ts';
import { campaign } from '../../support/campaign.ts';
import { createSignatureCache, type Ecc, formatHex, parseHex, withSignatureCache } from '../../support/library.ts';
import { expectRefusal } from '../../support/refusal.ts';

const implementations: readonly [string, Ecc][] = [
  ['@noble/secp256k1', nobleEcc],
  ['tiny-secp256k1', tinySecp256k1Ecc],
  ['secp256k1', nativeSecp256k1Ecc],
  ['one that remembers signatures', withSignatureCache(nobleEcc, createSignatureCache({ maxEntries: 3 }))],
];

const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const HALF = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0';
const bytesOf = (value: bigint): Uint8Array => parseHex(value.toString(16).padStart(64, '0'));
const N = BigInt(`0x${ORDER}`);
const ZERO = new Uint8Array(32);

/** Secret keys, tweaks and scalars in signatures: random or at an edge of the range. */
const anyScalar = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  fc.constantFrom(0n, 1n, 2n, N - 2n, N - 1n, N, N + 1n, BigInt(`0x${HALF}`), 2n ** 256n - 1n).map(bytesOf),
);
const secretKey = anyScalar.filter((bytes) => nobleEcc.isSecretKey(bytes));
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const loose = fc.oneof(fc.uint8Array({ maxLength: 70 }), bytes32);

describe.each(implementations)('Ecc by %s', (_, ecc) => {
  test('signs and verifies like the default backend', () => {
    const sign = fc.record({
      key: secretKey,
      digest: anyScalar,
      extra: fc.option(bytes32, { nil: undefined }),
      aux: bytes32,
    });
    fc.assert(
      fc.property(sign, ({ key, digest, extra, aux }) => {
        const publicKey = ecc.publicKey(key);
        expect(publicKey).toEqual(nobleEcc.publicKey(key));
        expect(ecc.publicKey(key, false)).toEqual(nobleEcc.publicKey(key, false));
        const signature = ecc.signEcdsa(digest, key, extra);
        expect(signature).toEqual(nobleEcc.signEcdsa(digest, key, extra));
        const schnorr = ecc.signSchnorr(digest, key, aux);
        expect(schnorr).toEqual(nobleEcc.signSchnorr(digest, key, aux));
        for (const again of [1, 2]) {
          expect(ecc.verifyEcdsa(signature, digest, publicKey), `${again}`).toBe(true);
          expect(ecc.verifyEcdsa(signature, digest, ecc.publicKey(key, false))).toBe(true);
          expect(ecc.verifySchnorr(schnorr, digest, publicKey.slice(1))).toBe(true);
        }
        const pair = { secretKey: key, publicKey };
        const xOnly = { secretKey: key, publicKey: publicKey.slice(1) };
        expect(ecc.isOwnEcdsa(signature, digest, pair)).toBe(true);
        expect(ecc.isOwnSchnorr(schnorr, digest, xOnly)).toBe(true);
        const other = digest.map((byte, i) => (i === 31 ? byte ^ 1 : byte));
        for (const at of [0, 31, 33, 63]) {
          const flipped = (bytes: Uint8Array): Uint8Array => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));
          expect(ecc.isOwnEcdsa(flipped(signature), digest, pair)).toBe(false);
          expect(ecc.isOwnSchnorr(flipped(schnorr), digest, xOnly)).toBe(false);
        }
        expect(ecc.isOwnEcdsa(signature, other, pair)).toBe(false);
        expect(ecc.isOwnSchnorr(schnorr, other, xOnly)).toBe(false);
        expect(ecc.verifyEcdsa(signature, other, publicKey)).toBe(false);
        expect(ecc.verifySchnorr(schnorr, other, publicKey.slice(1))).toBe(false);
        const highS = new Uint8Array([
          ...signature.slice(0, 32),
          ...bytesOf(N - BigInt(`0x${formatHex(signature.slice(32))}`)),
        ]);
        expect(ecc.verifyEcdsa(highS, digest, publicKey)).toBe(false);
        expect(ecc.isOwnEcdsa(highS, digest, pair)).toBe(false);
      }),
      campaign(30),
    );
  });

  test.each([
    [N, 0n],
    [N + 1n, 1n],
    [2n ** 256n - 1n, 2n ** 256n - 1n - N],
  ])('signs the digest %s like %s, its value modulo the order', (digest, reduced) => {
    for (const key of [1n, 2n, N - 1n].map(bytesOf)) {
      const signature = ecc.signEcdsa(bytesOf(digest), key);
      expect(signature).toEqual(ecc.signEcdsa(bytesOf(reduced), key));
      expect(signature).toEqual(nobleEcc.signEcdsa(bytesOf(digest), key));
      expect(ecc.verifyEcdsa(signature, bytesOf(digest), ecc.publicKey(key))).toBe(true);
    }
    expect(ecc.signEcdsa(bytesOf(N - 1n), bytesOf(1n))).not.toEqual(ecc.signEcdsa(ZERO, bytesOf(1n)));
  });

  test('tweaks keys like the default backend', () => {
    fc.assert(
      fc.property(secretKey, anyScalar, (key, tweak) => {
        const publicKey = ecc.publicKey(key).slice(1);
        const tweaked = ecc.tweakPublicKey(publicKey, tweak);
        expect(tweaked).toEqual(nobleEcc.tweakPublicKey(publicKey, tweak));
        const secret = ecc.tweakSecretKey(key, tweak);
        expect(secret).toEqual(nobleEcc.tweakSecretKey(key, tweak));
        expect(secret && ecc.publicKey(secret).slice(1)).toEqual(tweaked?.publicKey);
        expect(secret && (ecc.publicKey(secret)[0] === 3 ? 1 : 0)).toEqual(tweaked?.parity);
      }),
      campaign(100),
    );
  });

  test('returns undefined for a tweak whose sum is infinity or zero', () => {
    const key = bytesOf(7n);
    const isOdd = ecc.publicKey(key)[0] === 3;
    const tweak = isOdd ? key : bytesOf(N - 7n);
    expect(ecc.tweakPublicKey(ecc.publicKey(key).slice(1), tweak)).toBeUndefined();
    expect(ecc.tweakSecretKey(key, tweak)).toBeUndefined();
  });

  test('predicates take any bytes and never throw', () => {
    fc.assert(
      fc.property(loose, loose, loose, (a, b, c) => {
        for (const predicate of [ecc.isPoint, ecc.isSecretKey, ecc.isXOnlyPoint])
          expect(predicate(a)).toBeTypeOf('boolean');
        expect(ecc.isPoint(a)).toBe(nobleEcc.isPoint(a));
        const signature = new Uint8Array([...a, ...b]).slice(0, 64);
        expect(ecc.verifyEcdsa(signature, b, c)).toBe(false);
        expect(ecc.verifySchnorr(signature, b, c)).toBe(false);
        expect(ecc.tweakPublicKey(a, b)).toEqual(nobleEcc.tweakPublicKey(a, b));
      }),
      campaign(300),
    );
  });

  test('an ECDSA signature is invalid if r or s is 0 or not below the order, or if s is high', () => {
    const [key, digest] = [bytesOf(5n), bytesOf(9n)];
    const publicKey = ecc.publicKey(key);
    const signature = ecc.signEcdsa(digest, key);
    const [r, s] = [signature.slice(0, 32), signature.slice(32)];
    const high = bytesOf(BigInt(`0x${HALF}`) + 1n);
    for (const wrong of [0n, N, N + 1n, 2n ** 256n - 1n].map(bytesOf)) {
      for (const parts of [
        [wrong, s],
        [r, wrong],
        [wrong, wrong],
      ] as const) {
        const spoilt = Uint8Array.of(...parts[0], ...parts[1]);
        expect(ecc.verifyEcdsa(spoilt, digest, publicKey)).toBe(false);
        expect(ecc.isOwnEcdsa(spoilt, digest, { secretKey: key, publicKey })).toBe(false);
      }
    }
    expect(ecc.verifyEcdsa(Uint8Array.of(...r, ...high), digest, publicKey)).toBe(false);
    expect(ecc.verifyEcdsa(signature, digest, publicKey)).toBe(true);
  });

  test('a signature whose point is at infinity is invalid', () => {
    // With a known key, s = e·d makes R = s·G - e·P vanish, whatever r is.
    const publicKey = ecc.publicKey(bytesOf(1n)).slice(1);
    const signature = new Uint8Array(64).fill(1);
    expect(ecc.verifySchnorr(signature, ZERO, publicKey)).toBe(false);
    expect(ecc.verifyEcdsa(signature, ZERO, ecc.publicKey(bytesOf(1n)))).toBe(false);
  });

  test('takes points in compressed and uncompressed form, but no hybrid keys', () => {
    const [short, long] = [ecc.publicKey(bytesOf(1n)), ecc.publicKey(bytesOf(1n), false)];
    const marked = (first: number, key: Uint8Array): Uint8Array => Uint8Array.of(first, ...key.slice(1));
    expect([short, long].map(ecc.isPoint)).toEqual([true, true]);
    const others = [
      marked(4, short),
      marked(5, short),
      marked(2, long),
      marked(6, long),
      marked(7, long),
      short.slice(1),
    ];
    expect(others.map(ecc.isPoint)).toEqual(others.map(() => false));
    expect([33, 65].map((size) => ecc.isPoint(Uint8Array.of(4, ...new Uint8Array(size - 1))))).toEqual([false, false]);
  });

  test('verifies Schnorr signatures of messages of 32 bytes only, although BIP340 allows others', () => {
    const key = bytesOf(9n);
    const publicKey = ecc.publicKey(key).slice(1);
    for (const size of [31, 32, 33]) {
      const message = new Uint8Array(size).fill(4);
      const signature = schnorr.sign(message, key, ZERO);
      expect(schnorr.verify(signature, message, publicKey)).toBe(true);
      expect(ecc.verifySchnorr(signature, message, publicKey)).toBe(size === 32);
      expect(ecc.isOwnSchnorr(signature, message, { secretKey: key, publicKey })).toBe(size === 32);
    }
  });

  test('refuses invalid keys and sizes without showing them', () => {
    for (const key of [ZERO, parseHex(ORDER), new Uint8Array(31)]) {
      expectRefusal(() => ecc.publicKey(key), 'ecc/secret-key', {});
      expectRefusal(() => ecc.signEcdsa(ZERO, key), 'ecc/secret-key', {});
      expectRefusal(() => ecc.signSchnorr(ZERO, key, ZERO), 'ecc/secret-key', {});
      expectRefusal(() => ecc.tweakSecretKey(key, ZERO), 'ecc/secret-key', {});
      expectRefusal(() => ecc.isOwnEcdsa(ZERO, ZERO, { secretKey: key, publicKey: key }), 'ecc/secret-key', {});
      expectRefusal(() => ecc.isOwnSchnorr(ZERO, ZERO, { secretKey: key, publicKey: key }), 'ecc/secret-key', {});
    }
    const key = bytesOf(1n);
    const short = new Uint8Array(31);
    expectRefusal(() => ecc.signEcdsa(short, key), 'ecc/size', { what: 'digest', size: 31, expected: 32 });
    expectRefusal(() => ecc.signEcdsa(ZERO, key, short), 'ecc/size', { what: 'extraEntropy', size: 31, expected: 32 });
    expectRefusal(() => ecc.signSchnorr(short, key, ZERO), 'ecc/size', { what: 'message', size: 31, expected: 32 });
    expectRefusal(() => ecc.signSchnorr(ZERO, key, short), 'ecc/size', { what: 'auxRand', size: 31, expected: 32 });
  });
});

test('ecdsaKeys returns keys that verify the signature, among them the signer', () => {
  const { ecdsaKeys, verifyEcdsa } = nobleEcc;
  if (!ecdsaKeys) throw new Error('nobleEcc has no ecdsaKeys');
  fc.assert(
    fc.property(secretKey, anyScalar, (key, digest) => {
      const signature = nobleEcc.signEcdsa(digest, key);
      const keys = ecdsaKeys(signature, digest);
      expect(keys.map(formatHex)).toContain(formatHex(nobleEcc.publicKey(key)));
      for (const publicKey of keys) {
        expect(verifyEcdsa(signature, digest, publicKey)).toBe(true);
        const fromKnown = ecdsaKeys(signature, digest, publicKey);
        expect(fromKnown.map(formatHex).sort()).toEqual(keys.map(formatHex).sort());
      }
      const long = nobleEcc.publicKey(key, false);
      expect(ecdsaKeys(signature, digest, long).map(formatHex).sort()).toEqual(keys.map(formatHex).sort());
      expect(ecdsaKeys(signature.slice(1), digest)).toEqual([]);
      expect(ecdsaKeys(signature, digest.slice(1))).toEqual([]);
    }),
    campaign(20),
  );
  expect(ecdsaKeys(new Uint8Array(64), ZERO)).toEqual([]);
});

test('a signature cache gives the right answer for each of many keys tried with one signature', () => {
  const attempt = fc.record({
    signer: fc.nat(3),
    tried: fc.array(fc.nat(3), { minLength: 1, maxLength: 5 }),
    isLong: fc.boolean(),
  });
  const keys = [1n, 2n, 3n, 7n].map(bytesOf);
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 4 }), bytes32, (attempts, digest) => {
      const ecc = withSignatureCache(nobleEcc, createSignatureCache());
      for (const { signer, tried, isLong } of attempts) {
        const signature = nobleEcc.signEcdsa(digest, keys[signer] ?? ZERO);
        for (const key of tried) {
          const publicKey = nobleEcc.publicKey(keys[key] ?? ZERO, !isLong);
          expect(ecc.verifyEcdsa(signature, digest, publicKey)).toBe(key === signer);
          const offCurve = publicKey.map((byte, i) => (isLong && i === 64 ? byte ^ 2 : byte));
          if (isLong) expect(ecc.verifyEcdsa(signature, digest, offCurve)).toBe(false);
        }
      }
    }),
    campaign(30),
  );
});

describe('a signature cache', () => {
  test('tells that a fresh signature is not valid for another key without verifying it', () => {
    const known: (Uint8Array | undefined)[] = [];
    const { ecdsaKeys } = nobleEcc;
    const counting: Ecc = {
      ...nobleEcc,
      verifyEcdsa: () => expect.fail('verifies with two multiplications'),
      ...(ecdsaKeys && {
        ecdsaKeys: (signature, digest, key) => {
          known.push(key);
          return ecdsaKeys(signature, digest, key);
        },
      }),
    };
    const ecc = withSignatureCache(counting, createSignatureCache());
    const [key, other] = [5n, 6n].map((secret) => {
      const secretKey = bytesOf(secret);
      return { secretKey, publicKey: ecc.publicKey(secretKey) };
    });
    if (!key || !other) throw new Error('no keys');
    const digest = bytesOf(9n);
    const signature = ecc.signEcdsa(digest, key.secretKey);
    expect(ecc.isOwnEcdsa(signature, digest, key)).toBe(true);
    expect(ecc.verifyEcdsa(signature, digest, other.publicKey)).toBe(false);
    expect(ecc.verifyEcdsa(signature, digest, key.publicKey)).toBe(true);
    expect(known).toEqual([key.publicKey]);
  });

  test('takes no key for valid that its caller writes over a valid one', () => {
    const ecc = withSignatureCache(nobleEcc, createSignatureCache());
    const digest = bytesOf(9n);
    const signature = ecc.signEcdsa(digest, bytesOf(5n));
    const publicKey = ecc.publicKey(bytesOf(5n));
    expect(ecc.verifyEcdsa(signature, digest, publicKey)).toBe(true);
    publicKey.set(ecc.publicKey(bytesOf(6n)));
    expect(ecc.verifyEcdsa(signature, digest, publicKey)).toBe(false);
  });

  test('takes no other bytes for a signature that it knows, even if they are the same in a row', () => {
    const ecc = withSignatureCache(nobleEcc, createSignatureCache());
    const digest = bytesOf(9n);
    const signature = ecc.signEcdsa(digest, bytesOf(5n));
    const publicKey = ecc.publicKey(bytesOf(5n));
    expect(ecc.verifyEcdsa(signature, digest, publicKey)).toBe(true);
    const row = Uint8Array.of(...signature, ...digest, ...publicKey);
    for (const [first, second] of [
      [63, 96],
      [64, 97],
      [65, 96],
      [63, 95],
    ] as const) {
      const parts = [row.slice(0, first), row.slice(first, second), row.slice(second)] as const;
      expect(ecc.verifyEcdsa(...parts)).toBe(false);
    }
  });

  test('verifies no Schnorr signature that its own key has checked', () => {
    const counting: Ecc = { ...nobleEcc, verifySchnorr: () => expect.fail('verifies again') };
    const ecc = withSignatureCache(counting, createSignatureCache());
    const [secretKey, digest] = [bytesOf(5n), bytesOf(9n)];
    const publicKey = ecc.publicKey(secretKey).slice(1);
    const signature = ecc.signSchnorr(digest, secretKey, ZERO);
    expect(ecc.isOwnSchnorr(signature, digest, { secretKey, publicKey })).toBe(true);
    expect(ecc.verifySchnorr(signature, digest, publicKey)).toBe(true);
  });

  test('recovers the keys of a signature once, however many keys it is tried with', () => {
    const { ecdsaKeys } = nobleEcc;
    let recovered = 0;
    const counting: Ecc = {
      ...nobleEcc,
      ...(ecdsaKeys && {
        ecdsaKeys: (...given) => {
          recovered += 1;
          return ecdsaKeys(...given);
        },
      }),
    };
    const ecc = withSignatureCache(counting, createSignatureCache());
    const pairs = [5n, 6n].map((secret) => {
      const secretKey = bytesOf(secret);
      return { secretKey, publicKey: ecc.publicKey(secretKey), signature: ecc.signEcdsa(bytesOf(9n), secretKey) };
    });
    const strangers = [7n, 8n, 9n].map((secret) => ecc.publicKey(bytesOf(secret)));
    for (const { signature, ...key } of pairs) expect(ecc.isOwnEcdsa(signature, bytesOf(9n), key)).toBe(true);
    for (const { signature } of pairs) {
      for (const key of strangers) expect(ecc.verifyEcdsa(signature, bytesOf(9n), key)).toBe(false);
    }
    expect(recovered).toBe(2);
  });

  test('verifies each signature once, valid or not, and drops the oldest', () => {
    let verified = 0;
    const counting: Ecc = {
      ...nobleEcc,
      verifyEcdsa: (...given) => {
        verified += 1;
        return nobleEcc.verifyEcdsa(...given);
      },
    };
    const ecc = withSignatureCache(counting, createSignatureCache({ maxEntries: 2 }));
    const key = bytesOf(5n);
    const publicKey = ecc.publicKey(key);
    const digests = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
    const verify = (of: number, signed = of): boolean =>
      ecc.verifyEcdsa(ecc.signEcdsa(digests[signed] ?? ZERO, key), digests[of] ?? ZERO, publicKey);
    expect([verify(0), verify(0), verified]).toEqual([true, true, 1]);
    expect([verify(0, 1), verify(0, 1), verified]).toEqual([false, false, 2]);
    expect([verify(1), verify(2), verified]).toEqual([true, true, 4]);
    expect([verify(2), verify(1), verify(0), verified]).toEqual([true, true, true, 5]);
  });
});
