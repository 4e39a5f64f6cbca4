import { expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import type { KnownKey } from '../../src/core/signing/signingProvider.ts';
import { requestsOf } from '../support/kinds.ts';
import {
  createDeriver,
  createDescriptorProvider,
  createNodeRpc,
  derivePath,
  type Ecc,
  keySigner,
  masterKey,
  parsePath,
  type SigningProvider,
  singlePaths,
  stringifyRpc,
} from '../support/library.ts';
import { ALICE, make, PAYEE, parse, WALLETS } from '../support/psbts.ts';

/** Counts curve operations, to show that work is not done twice. */

function counting(): { readonly ecc: Ecc; readonly counts: { publicKey: number; tweakPublicKey: number } } {
  const counts = { publicKey: 0, tweakPublicKey: 0 };
  const ecc: Ecc = {
    ...nativeSecp256k1Ecc,
    publicKey: (...args) => {
      counts.publicKey += 1;
      return nativeSecp256k1Ecc.publicKey(...args);
    },
    tweakPublicKey: (...args) => {
      counts.tweakPublicKey += 1;
      return nativeSecp256k1Ecc.tweakPublicKey(...args);
    },
  };
  return { ecc, counts };
}

const FIVE_INPUTS = { inputs: Array.from({ length: 5 }, () => ({ of: WALLETS.wpkh })) };

function publicKeysWhileSigning(sealed: (provider: SigningProvider) => SigningProvider): number {
  const derived = singlePaths(parse(WALLETS.wpkh)).map((single) => createDeriver(single)(0));
  const { ecc, counts } = counting();
  const signer = keySigner(sealed(createDescriptorProvider(derived)), { ecc });
  const requests = requestsOf(make({ ...FIVE_INPUTS, outputs: [{ to: PAYEE, value: 4_990_000n }] }));
  expect(requests.map((request) => signer(request) !== undefined)).toEqual([true, true, true, true, true]);
  return counts.publicKey;
}

test('a signer does not compute a public key again that derivation computed', () => {
  expect(publicKeysWhileSigning((provider) => provider)).toBe(0);
});

test('a signer computes the public key of a pair of unknown origin once, for any number of requests', () => {
  const copies = new Map<KnownKey, KnownKey>();
  const copyOf = (key: KnownKey): KnownKey => {
    const copy = copies.get(key) ?? { publicKey: key.publicKey, secretKey: key.secretKey };
    copies.set(key, copy);
    return copy;
  };
  const copying = (provider: SigningProvider): SigningProvider => ({
    ...provider,
    key: (hash) => {
      const key = provider.key(hash);
      return key && copyOf(key);
    },
  });
  expect(publicKeysWhileSigning(copying)).toBe(1);
});

test('derivation computes no public keys between hardened steps', () => {
  const { ecc, counts } = counting();
  const master = masterKey(new Uint8Array(32).fill(7), { ecc });
  const computed = (path: string): number => {
    counts.publicKey = 0;
    derivePath(master, parsePath(path), { ecc });
    return counts.publicKey;
  };
  // The last key needs its own, and the fingerprint of its parent.
  expect(['m', 'm/0h', 'm/48h/0h/0h/2h', 'm/84h/0h/0h/0', 'm/84h/0h/0h/0/5'].map(computed)).toEqual([0, 1, 2, 2, 3]);
});

test('importdescriptors derives each index once', () => {
  const { ecc, counts } = counting();
  const rpc = createNodeRpc({
    network: 'regtest',
    dialect: 'core-32',
    ecc,
    clock: () => 1_700_000_000,
    random: (size) => new Uint8Array(size).fill(7),
  });
  rpc.call('createwallet', ['w', true, true]);
  const { descriptor: desc } = JSON.parse(
    stringifyRpc(rpc.call('getdescriptorinfo', [`wpkh(${ALICE.xpub('m/84h/1h/0h')}/0/*)`])),
  );
  counts.tweakPublicKey = 0;
  rpc.call('importdescriptors', [[{ desc, timestamp: 'now', range: [0, 999], active: true }]], 'w');
  // In addition to the indexes: the steps to the chain, and the index at which the descriptor is checked first.
  expect(counts.tweakPublicKey).toBeLessThan(1010);
});
