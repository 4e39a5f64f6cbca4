import { copyBytes } from '../../bytes/compare.ts';
import { BtcError } from '../../errors.ts';
import { isSecretKey } from '../scalar.ts';
import { bytesToNumber } from './arithmetic.ts';

interface NonceParts {
  /** k1 and k2 of the BIP. */
  readonly scalars: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly publicNonce: Uint8Array;
}

interface SpentNonce extends Omit<NonceParts, 'scalars'> {
  readonly k1: bigint;
  readonly k2: bigint;
}

let createSecretNonce: (parts: NonceParts) => SecretNonce;

/** Takes the scalars out and leaves zeros. @throws `musig2/nonce-used` the second time, and for a copy of the object */
let spendSecretNonce: (nonce: SecretNonce) => SpentNonce;

/**
 * The secret half of a nonce, good for one partial signature: two reveal the secret key. So it cannot be read, printed,
 * serialised, cloned or sent to a worker, and signing clears it. If it is lost before the other nonces arrive, generate
 * a new one.
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
      if (!(#scalars in nonce)) throw usedNonce();
      const k1 = nonce.#scalars.slice(0, 32);
      const k2 = nonce.#scalars.slice(32);
      nonce.#scalars.fill(0);
      if (!isSecretKey(k1) || !isSecretKey(k2)) throw usedNonce();
      return {
        k1: bytesToNumber(k1),
        k2: bytesToNumber(k2),
        publicKey: copyBytes(nonce.#publicKey),
        publicNonce: copyBytes(nonce.#publicNonce),
      };
    };
  }
}

/** Serves only the BIP's test vectors: a caller that can create a nonce twice can use it twice. */
export function secretNonceForVectors(secnonce: Uint8Array, publicNonce: Uint8Array): SecretNonce {
  return createSecretNonce({ scalars: secnonce.slice(0, 64), publicKey: secnonce.slice(64), publicNonce });
}

function usedNonce(): BtcError {
  const message =
    'The secret nonce was used before: a second signature would reveal the private key, so start a new session';
  return new BtcError('musig2/nonce-used', {}, message);
}

export { createSecretNonce, type SecretNonce, spendSecretNonce };
