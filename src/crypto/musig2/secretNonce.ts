import { BtcError } from '../../errors.ts';
import { isSecretKey } from '../scalar.ts';
import { numberOf } from './arithmetic.ts';

/** What a secret nonce is made of. */
interface NonceParts {
  /** 64 bytes: k1 and k2 of the BIP. */
  readonly scalars: Uint8Array;
  /** 33 bytes: the key that is going to sign. */
  readonly publicKey: Uint8Array;
  /** 66 bytes: what the others know of it. */
  readonly publicNonce: Uint8Array;
}

/** A secret nonce as it leaves its object, which holds nothing any more. */
interface SpentNonce extends Omit<NonceParts, 'scalars'> {
  readonly k1: bigint;
  readonly k2: bigint;
}

/** Makes a secret nonce; copies what it is given. */
let createSecretNonce: (parts: NonceParts) => SecretNonce;

/**
 * Takes out what is secret and leaves zeros.
 * @throws `musig2/nonce-used` the second time, and for a copy, as copies hold nothing
 */
let spendSecretNonce: (nonce: SecretNonce) => SpentNonce;

/**
 * The secret half of a nonce, good for one partial signature: two with the same nonce give the secret key away. So it
 * cannot be read, printed, serialised, cloned or sent to a worker: only this module reaches its fields, and signing
 * empties them. It has to stay in memory until the others' nonces are there; what is lost is generated anew.
 */
class SecretNonce {
  readonly #scalars = new Uint8Array(64);
  readonly #publicKey = new Uint8Array(33);
  readonly #publicNonce = new Uint8Array(66);

  static {
    createSecretNonce = ({ scalars, publicKey, publicNonce }) => {
      const nonce = new SecretNonce();
      nonce.#scalars.set(scalars);
      nonce.#publicKey.set(publicKey);
      nonce.#publicNonce.set(publicNonce);
      return nonce;
    };
    spendSecretNonce = (nonce) => {
      if (!(#scalars in nonce)) throw new BtcError('musig2/nonce-used', {});
      const k1 = nonce.#scalars.slice(0, 32);
      const k2 = nonce.#scalars.slice(32);
      nonce.#scalars.fill(0);
      if (!isSecretKey(k1) || !isSecretKey(k2)) throw new BtcError('musig2/nonce-used', {});
      return {
        k1: numberOf(k1),
        k2: numberOf(k2),
        publicKey: nonce.#publicKey.slice(),
        publicNonce: nonce.#publicNonce.slice(),
      };
    };
  }
}

/**
 * Makes a secret nonce of the 97 bytes that the BIP's test vectors write it in. For those vectors only: whoever can
 * make a nonce twice can use it twice.
 */
export function secretNonceForVectors(secnonce: Uint8Array, publicNonce: Uint8Array): SecretNonce {
  return createSecretNonce({ scalars: secnonce.slice(0, 64), publicKey: secnonce.slice(64), publicNonce });
}

export { createSecretNonce, type SecretNonce, spendSecretNonce };
