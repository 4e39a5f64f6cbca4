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

/**
 * The secret half of a nonce, good for one partial signature: three are equations that reveal the secret key (its two
 * scalars are the other unknowns), and MuSig2 is not proven for two. So it cannot be read, printed, serialised, cloned or
 * sent to a worker, and signing clears it. If it is lost before the other nonces arrive, generate a new one.
 */
class SecretNonce {
  declare private readonly kind: 'secret nonce';
}

/** Of each nonce, its own copies: the object itself holds nothing. */
const partsOf = /* @__PURE__ */ new WeakMap<SecretNonce, NonceParts>();

function createSecretNonce({ scalars, publicKey, publicNonce }: NonceParts): SecretNonce {
  const nonce = new SecretNonce();
  partsOf.set(nonce, {
    scalars: copyBytes(scalars),
    publicKey: copyBytes(publicKey),
    publicNonce: copyBytes(publicNonce),
  });
  return nonce;
}

/** Takes the scalars out and leaves zeros. @throws `musig2/nonce-used` the second time, and for a copy of the object */
function spendSecretNonce(nonce: SecretNonce): SpentNonce {
  const parts = partsOf.get(nonce);
  partsOf.delete(nonce);
  if (!parts) throw usedNonce();
  const { scalars, publicKey, publicNonce } = parts;
  const [k1, k2] = [scalars.slice(0, 32), scalars.slice(32)];
  scalars.fill(0);
  if (!isSecretKey(k1) || !isSecretKey(k2)) throw usedNonce();
  return { k1: bytesToNumber(k1), k2: bytesToNumber(k2), publicKey, publicNonce };
}

/** Serves only the BIP's test vectors: a caller that can create a nonce twice can use it twice. */
export function secretNonceForVectors(secnonce: Uint8Array, publicNonce: Uint8Array): SecretNonce {
  return createSecretNonce({ scalars: secnonce.slice(0, 64), publicKey: secnonce.slice(64), publicNonce });
}

function usedNonce(): BtcError {
  const message =
    'The secret nonce was used before, and further signatures with it would reveal the private key: start a new session';
  return new BtcError('musig2/nonce-used', {}, message);
}

export { createSecretNonce, type SecretNonce, spendSecretNonce };
