import { concatBytes } from '../../bytes/compare.ts';
import { formatHex } from '../../bytes/hex.ts';
import { assertKnownOptions, type OptionNames } from '../../bytes/knownOptions.ts';
import { taggedHash } from '../../crypto/hash.ts';
import { noState, openSecretNonce, sealSecretNonce } from '../../crypto/musig2/sealedNonce.ts';
import { BtcError } from '../../errors.ts';
import { toMusig2Signer } from '../../signing/musig2Signing.ts';
import { type AnyPsbt, readOutline } from '../format/parsePsbt.ts';
import type { Psbt } from '../format/types.ts';
import { addNonce, addPartialSignature, assertCanSign, findContribution, type Musig2Share } from './musig2Signer.ts';

/**
 * Keeps sealed nonces between the two rounds of MuSig2, each for one use. `openNonceDirectory` of `countersign/store` is one.
 * The safety of the private key rests on `take`.
 */
export interface NonceStore {
  /**
   * Keeps what `seal` returns, durably, before it returns. `place` identifies where that is: a copy elsewhere has another.
   * Refuses a name in use.
   */
  readonly put: (name: string, seal: (place: Uint8Array) => Uint8Array) => void;
  /** Tells whether something unused is kept under a name. */
  readonly has: (name: string) => boolean;
  /**
   * Destroys what is kept under a name, durably, and returns it with its place. Two calls, even of two processes at once,
   * never both return it.
   */
  readonly take: (name: string) => { readonly sealed: Uint8Array; readonly place: Uint8Array } | 'missing' | 'used';
}

/** Options for a nonce that is kept between two rounds. */
export interface StoredNonceOptions {
  readonly secretKey: Uint8Array;
  /** 56 fresh random bytes, never the same twice. */
  readonly rand: Uint8Array;
  readonly store: NonceStore;
}

const NONCE_OPTIONS: OptionNames<StoredNonceOptions> = { secretKey: 'needed', rand: 'needed', store: 'needed' };

const SIGN_OPTIONS: OptionNames<Pick<StoredNonceOptions, 'secretKey' | 'store'>> = {
  secretKey: 'needed',
  store: 'needed',
};

/** The random bytes of a stored nonce: 32 to make it, 24 to seal it. */
export const STORED_NONCE_RANDOM = 56;

const hashSession = /* @__PURE__ */ taggedHash('countersign/musig2/session');

/** Of fixed size each, but for the place, which is last. */
function sessionOf({ participantPubkey, signing, digest }: Musig2Share, publicNonce: Uint8Array): Uint8Array {
  const { aggregatePubkey } = toMusig2Signer(signing, participantPubkey);
  return hashSession(participantPubkey, aggregatePubkey, signing.aggregate.publicKey, digest, publicNonce);
}

const nameOf = (session: Uint8Array): string => formatHex(session.slice(0, 16));

/**
 * Adds a participant's nonce, and keeps its secret part sealed to this key, this session and this message, so that another
 * process signs later with `addStoredPartialSignature`.
 *
 * @throws as `addNonce`; `ecc/size`; whatever the store throws: nothing was added then
 * @see BIP327 "Nonce Generation"
 */
export function addStoredNonce(given: AnyPsbt, share: Musig2Share, options: StoredNonceOptions): Psbt {
  const psbt = readOutline(given);
  assertKnownOptions(options, NONCE_OPTIONS);
  const { secretKey, rand, store } = options;
  if (rand.length !== STORED_NONCE_RANDOM) {
    const size = { what: 'rand', size: rand.length, expected: STORED_NONCE_RANDOM };
    throw new BtcError('ecc/size', size, `rand has ${rand.length} bytes instead of ${STORED_NONCE_RANDOM}`);
  }
  const { psbt: added, secretNonce } = addNonce(psbt, share, { secretKey, rand: rand.slice(0, 32) });
  const session = sessionOf(share, publicNonceIn(added, share));
  store.put(nameOf(session), (place) =>
    sealSecretNonce(secretNonce, { secretKey, context: concatBytes(session, place) }, rand.slice(32)),
  );
  return added;
}

/**
 * Adds a participant's partial signature with the nonce that `addStoredNonce` kept, which is destroyed first: whatever fails
 * afterwards, it is never used again.
 *
 * @throws `musig2/nonce-state` for a nonce that is missing, used, copied or of another session; as `addPartialSignature`
 * @see BIP327 "Signing"
 */
export function addStoredPartialSignature(
  given: AnyPsbt,
  share: Musig2Share,
  options: Pick<StoredNonceOptions, 'secretKey' | 'store'>,
): Psbt {
  const psbt = readOutline(given);
  assertKnownOptions(options, SIGN_OPTIONS);
  const { secretKey, store } = options;
  // What can be refused without the nonce does not cost it.
  assertCanSign(psbt, share);
  const session = sessionOf(share, publicNonceIn(psbt, share));
  const taken = store.take(nameOf(session));
  if (typeof taken === 'string') throw noState(taken);
  const binding = { secretKey, context: concatBytes(session, taken.place) };
  return addPartialSignature(psbt, share, { secretKey, secretNonce: openSecretNonce(taken.sealed, binding) });
}

/** Tells whether the nonce of a share is kept, and unused: so that none of several is destroyed if another is missing. */
export const hasStoredNonce = (psbt: Psbt, share: Musig2Share, store: NonceStore): boolean =>
  store.has(nameOf(sessionOf(share, publicNonceIn(psbt, share))));

function publicNonceIn(psbt: Psbt, share: Musig2Share): Uint8Array {
  const record = findContribution(share, psbt.inputs[share.inputIndex]?.musig2PubNonces);
  if (!record) throw noState('missing');
  return record.pubNonce;
}
