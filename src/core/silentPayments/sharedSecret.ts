import { encode, u32le } from '../bytes/codec.ts';
import { compareBytes } from '../bytes/compare.ts';
import { assertSecretKey } from '../crypto/ecc.ts';
import { taggedHash } from '../crypto/hash.ts';
import { multiplyAdd } from '../crypto/scalar.ts';
import { outpointCodec } from '../tx/codec.ts';
import type { Outpoint } from '../tx/types.ts';

const hashInputs = /* @__PURE__ */ taggedHash('BIP0352/Inputs');
const hashSharedSecret = /* @__PURE__ */ taggedHash('BIP0352/SharedSecret');
const hashLabel = /* @__PURE__ */ taggedHash('BIP0352/Label');

/** The most payments of a transaction to one scan key: what fits into the largest standard transaction. */
export const MOST_PAYMENTS = 2323;

/**
 * Hashes the smallest outpoint and the sum of the input keys to a scalar.
 * @see BIP352 "Creating outputs", `input_hash`
 */
export function inputHash(outpoints: readonly Outpoint[], keySum: Uint8Array): Uint8Array {
  const [smallest = new Uint8Array(0)] = outpoints.map((each) => encode(outpointCodec, each)).sort(compareBytes);
  return scalar(hashInputs(smallest, keySum));
}

/**
 * Multiplies the input hash by a private key; times the public keys of the other side, it is the shared secret.
 * @see BIP352 `ecdh_shared_secret`
 */
export const secretFactor = (hash: Uint8Array, secretKey: Uint8Array): Uint8Array =>
  multiplyAdd(hash, secretKey, new Uint8Array(32));

/** Hashes the shared secret, 33 bytes, to the tweak of a payment, counted from 0. @see BIP352 `t_k` */
export const paymentTweak = (sharedSecret: Uint8Array, k: number): Uint8Array =>
  scalar(hashSharedSecret(sharedSecret, bigEndian(k)));

/** Hashes the private scan key to the tweak of a label, from 0 to 2^32 - 1. @see BIP352 "Address encoding" */
export const labelTweak = (scanSecretKey: Uint8Array, label: number): Uint8Array =>
  scalar(hashLabel(scanSecretKey, bigEndian(label)));

const bigEndian = (value: number): Uint8Array => encode(u32le, value).reverse();

/** Refuses a hash that is 0 or not below the order, of which none is known. */
function scalar(hash: Uint8Array): Uint8Array {
  assertSecretKey(hash);
  return hash;
}
