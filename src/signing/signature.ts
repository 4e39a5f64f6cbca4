import { encode, u32le } from '../bytes/codec.ts';
import { concatBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { encodeDer } from '../crypto/ecdsa.ts';

/**
 * Signs a digest so that the signature takes at most 71 bytes with its hash type: r below half of its range. Of the
 * nonces that RFC6979 allows, the first such one is taken: without more entropy, then with a counter from 1 on.
 * @returns 64 bytes
 * @see Bitcoin Core `CKey::Sign`
 */
export function signLowR(ecc: Ecc, digest: Uint8Array, secretKey: Uint8Array): Uint8Array {
  let signature = ecc.signEcdsa(digest, secretKey);
  for (let counter = 1; (signature[0] ?? 0) > 0x7f; counter += 1) {
    signature = ecc.signEcdsa(digest, secretKey, counterBytes(counter));
  }
  return signature;
}

/** 32 bits, the lowest first, and zeros. */
function counterBytes(counter: number): Uint8Array {
  const bytes = new Uint8Array(32);
  bytes.set(encode(u32le, counter));
  return bytes;
}

/** A signature as scripts hold it: DER, and the hash type. */
export function ecdsaItem(signature: Uint8Array, sighashType: number): Uint8Array {
  return concatBytes(encodeDer(signature), Uint8Array.of(sighashType));
}

/** A Schnorr signature as witnesses hold it: with its hash type, unless that is DEFAULT. */
export function schnorrItem(signature: Uint8Array, sighashType: number): Uint8Array {
  return sighashType === 0 ? signature : concatBytes(signature, Uint8Array.of(sighashType));
}
