import { describe, expect, test } from 'vitest';
import { computedPair } from '../../../src/core/crypto/computedPairs.ts';
import { findKeys, type Signer } from '../../../src/core/signing/keySigner.ts';
import type { KnownKey } from '../../../src/core/signing/signingProvider.ts';
import {
  keySigner,
  nobleEcc,
  parseHex,
  type SignatureRequest,
  sha256,
  signLowR,
  tapTweakHash,
} from '../../support/library.ts';
import { SECRETS } from '../../support/spends.ts';

const [SECRET = parseHex(''), OTHER = SECRET] = SECRETS;
const KEY = nobleEcc.publicKey(SECRET);
const LONG = nobleEcc.publicKey(SECRET, false);
const X_ONLY = KEY.slice(1);
const DIGEST = sha256(Uint8Array.of(1));
const ZEROS = new Uint8Array(32);

const facts = { inputIndex: 0, digest: DIGEST, sighashType: 1 };
const ecdsa = (publicKey: Uint8Array): SignatureRequest => ({ ...facts, algorithm: 'ecdsa', publicKey });
const schnorr = (more: object): SignatureRequest => ({
  ...facts,
  algorithm: 'schnorr',
  path: 'key',
  publicKey: X_ONLY,
  ...more,
});
const signerOf = (known: KnownKey | undefined): Signer => keySigner({ key: () => known, xOnlyKey: () => known });

describe('a signer with keys at hand', () => {
  test('signs for keys of 33 and of 65 bytes', () => {
    for (const publicKey of [KEY, LONG]) {
      const signature = signerOf({ secretKey: SECRET, publicKey })(ecdsa(publicKey));
      expect(nobleEcc.verifyEcdsa(signature ?? ZEROS, DIGEST, publicKey)).toBe(true);
    }
  });

  test('does not sign without the key, or for another form of it', () => {
    expect(signerOf(undefined)(ecdsa(KEY))).toBeUndefined();
    expect(signerOf({ secretKey: SECRET, publicKey: LONG })(ecdsa(KEY))).toBeUndefined();
    expect(signerOf(undefined)(schnorr({}))).toBeUndefined();
  });

  test('does not believe a provider that pairs keys wrongly', () => {
    const wrong = { secretKey: OTHER, publicKey: KEY };
    expect(signerOf(wrong)(ecdsa(KEY))).toBeUndefined();
    expect(signerOf(wrong)(schnorr({}))).toBeUndefined();
    expect(signerOf(wrong)(schnorr({ path: 'script', leafHash: ZEROS }))).toBeUndefined();
  });

  test('computes the public key of a pair once, and never where the provider did', () => {
    let computed = 0;
    const ecc = {
      ...nobleEcc,
      publicKey: (...given: Parameters<typeof nobleEcc.publicKey>) => {
        computed += 1;
        return nobleEcc.publicKey(...given);
      },
    };
    const count = (known: KnownKey): number => {
      computed = 0;
      const sign = keySigner({ key: () => known, xOnlyKey: () => known }, { ecc });
      for (const _ of [1, 2, 3]) expect(sign(ecdsa(KEY))).toHaveLength(64);
      return computed;
    };
    expect(count({ secretKey: SECRET, publicKey: KEY })).toBe(1);
    expect(count(computedPair({ secretKey: SECRET, publicKey: KEY }))).toBe(0);
  });

  test('signs for an output key with the tweaked internal key, and for a leaf with the key itself', () => {
    const tweak = tapTweakHash(X_ONLY);
    const outputKey = nobleEcc.tweakPublicKey(X_ONLY, tweak)?.publicKey ?? ZEROS;
    const onlyInternal = {
      key: () => undefined,
      xOnlyKey: (wanted: Uint8Array) => (wanted[0] === X_ONLY[0] ? known : undefined),
    };
    const known = { secretKey: SECRET, publicKey: KEY };
    const sign = keySigner(onlyInternal);
    const tweaked = sign(schnorr({ publicKey: outputKey, internalKey: X_ONLY, tweak }));
    expect(nobleEcc.verifySchnorr(tweaked ?? ZEROS, DIGEST, outputKey)).toBe(true);
    expect(sign(schnorr({ publicKey: outputKey, internalKey: X_ONLY }))).toBeUndefined();
    expect(sign(schnorr({ publicKey: outputKey, tweak }))).toBeUndefined();
    const inLeaf = sign(schnorr({ path: 'script', leafHash: ZEROS, internalKey: X_ONLY, tweak }));
    expect(nobleEcc.verifySchnorr(inLeaf ?? ZEROS, DIGEST, X_ONLY)).toBe(true);
  });

  test('shows the public keys of its provider', () => {
    const publicKey = (): Uint8Array => KEY;
    const provider = { key: () => undefined, xOnlyKey: () => undefined };
    expect(keySigner({ ...provider, publicKey }).publicKey).toBe(publicKey);
    expect(keySigner(provider)).not.toHaveProperty('publicKey');
  });
});

test('an internal key signs only for the output key that it tweaks to', () => {
  const known = { secretKey: SECRET, publicKey: KEY };
  const keys = findKeys({ key: () => known, xOnlyKey: () => known }, { ecc: nobleEcc, auxRand: ZEROS });
  const outputKey = nobleEcc.tweakPublicKey(X_ONLY, tapTweakHash(X_ONLY))?.publicKey ?? ZEROS;
  const internal = { kind: 'internal', publicKey: X_ONLY, taproot: { leafScripts: new Map() } } as const;
  const signature = keys.schnorr({ ...internal, outputKey })?.(DIGEST);
  expect(nobleEcc.verifySchnorr(signature ?? ZEROS, DIGEST, outputKey)).toBe(true);
  expect(keys.schnorr({ ...internal, outputKey: X_ONLY })?.(DIGEST)).toBeUndefined();
  const own = keys.schnorr({ kind: 'output', publicKey: X_ONLY })?.(DIGEST);
  expect(nobleEcc.verifySchnorr(own ?? ZEROS, DIGEST, X_ONLY)).toBe(true);
});

test('an r that begins with 0x7f is low enough', () => {
  const digest = sha256(Uint8Array.of(281 & 0xff, 281 >> 8));
  const first = nobleEcc.signEcdsa(digest, SECRET);
  expect(first[0]).toBe(0x7f);
  expect(signLowR(digest, SECRET, { ecc: nobleEcc })).toEqual(first);
});
