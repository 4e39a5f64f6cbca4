import { concatBytes, xorBytes } from '../bytes/compare.ts';
import type { Ecc } from './ecc.ts';
import { taggedHash } from './hash.ts';
import { reduceScalar } from './scalar.ts';

const hashAux = /* @__PURE__ */ taggedHash('BIP0340/aux');
const hashNonce = /* @__PURE__ */ taggedHash('BIP0340/nonce');
const hashChallenge = /* @__PURE__ */ taggedHash('BIP0340/challenge');

export interface SchnorrArithmetic {
  /** Negates a secret key if its point has an odd y; returns it with the point's x. */
  readonly evenKey: (secretKey: Uint8Array) => { readonly secretKey: Uint8Array; readonly x: Uint8Array };
  readonly multiplyAdd: (a: Uint8Array, b: Uint8Array, c: Uint8Array) => Uint8Array;
}

/** Signs 32 bytes, without the verification that the BIP recommends. @see BIP340 "Default Signing" */
export function bip340Signer({ evenKey, multiplyAdd }: SchnorrArithmetic): Ecc['signSchnorr'] {
  return (message, secretKey, auxRand) => {
    const key = evenKey(secretKey);
    const masked = xorBytes(key.secretKey, hashAux(auxRand));
    const nonce = evenKey(reduceScalar(hashNonce(masked, key.x, message)));
    const e = computeChallenge(nonce.x, key.x, message);
    return concatBytes(nonce.x, multiplyAdd(e, key.secretKey, nonce.secretKey));
  };
}

export function computeChallenge(r: Uint8Array, publicKey: Uint8Array, message: Uint8Array): Uint8Array {
  return reduceScalar(hashChallenge(r, publicKey, message));
}
