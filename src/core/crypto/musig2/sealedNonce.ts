import { concatBytes } from '../../bytes/compare.ts';
import { BtcError, type ErrorData } from '../../errors.ts';
import { assertSecretKey } from '../ecc.ts';
import { taggedHash } from '../hash.ts';
import { openBytes, sealBytes } from '../sealing.ts';
import { scalarBytes } from './arithmetic.ts';
import { createSecretNonce, type SecretNonce, spendSecretNonce } from './secretNonce.ts';

const hashKey = /* @__PURE__ */ taggedHash('countersign/musig2/sealing');
const NONCE_SIZE = 24;

/** What a sealed nonce is bound to: it opens with the same key, for the same session, at the same place. */
export interface NonceBinding {
  /** The signer's private key, of which the sealing key is a hash. */
  readonly secretKey: Uint8Array;
  /** What identifies the session: its keys, its message, the public nonce and where the state is kept. */
  readonly context: Uint8Array;
}

/**
 * Seals a secret nonce, so that it outlives the process, and clears it in memory.
 *
 * - `random`: 24 fresh random bytes
 *
 * @throws `musig2/nonce-used`, `ecc/secret-key`, `secret/size`
 */
export function sealSecretNonce(
  secretNonce: SecretNonce,
  { secretKey, context }: NonceBinding,
  random: Uint8Array,
): Uint8Array {
  assertSecretKey(secretKey);
  const { k1, k2, publicKey, publicNonce } = spendSecretNonce(secretNonce);
  const plain = concatBytes(scalarBytes(k1), scalarBytes(k2), publicKey, publicNonce);
  return concatBytes(random, sealBytes({ key: hashKey(secretKey), nonce: random, context }, plain));
}

/**
 * Opens a sealed nonce, which the caller must have destroyed where it was kept.
 * @throws `musig2/nonce-state` if it was sealed for anything else
 */
export function openSecretNonce(sealed: Uint8Array, { secretKey, context }: NonceBinding): SecretNonce {
  assertSecretKey(secretKey);
  const nonce = sealed.slice(0, NONCE_SIZE);
  const isWhole = nonce.length === NONCE_SIZE;
  const plain = isWhole ? openBytes({ key: hashKey(secretKey), nonce, context }, sealed.slice(NONCE_SIZE)) : undefined;
  if (!plain) throw noState('foreign');
  return createSecretNonce({
    scalars: plain.slice(0, 64),
    publicKey: plain.slice(64, 97),
    publicNonce: plain.slice(97),
  });
}

const REASONS: Readonly<Record<ErrorData['musig2/nonce-state']['reason'], string>> = {
  missing: 'No secret nonce is kept here for this session',
  used: 'The kept secret nonce was used before, and further signatures with it would reveal the private key',
  foreign: 'The kept secret nonce was copied or changed, or belongs to another key or session, so it is refused',
};

/** Refuses a kept nonce. */
export const noState = (reason: keyof typeof REASONS): BtcError =>
  new BtcError('musig2/nonce-state', { reason }, `${REASONS[reason]}: start a new session with new nonces`);
