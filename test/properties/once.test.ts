import { expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../src/crypto/nativeSecp256k1.ts';
import { requestsOf } from '../support/kinds.ts';
import {
  createDeriver,
  createDescriptorProvider,
  createNodeRpc,
  type Ecc,
  keySigner,
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

test('a signer computes the public key of a private key once, for any number of requests', () => {
  const derived = singlePaths(parse(WALLETS.wpkh)).map((single) => createDeriver(single)(0));
  const { ecc, counts } = counting();
  const signer = keySigner(createDescriptorProvider(derived), { ecc });
  const inputs = Array.from({ length: 5 }, () => ({ of: WALLETS.wpkh }));
  const requests = requestsOf(make({ inputs, outputs: [{ to: PAYEE, value: 4_990_000n }] }));
  expect(requests.map((request) => signer(request) !== undefined)).toEqual([true, true, true, true, true]);
  expect(counts.publicKey).toBe(1);
});

test('importdescriptors derives each index once', () => {
  const { ecc, counts } = counting();
  const rpc = createNodeRpc({
    network: 'regtest',
    dialect: 'core-31',
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
