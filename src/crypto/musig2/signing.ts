import { Point } from '@noble/secp256k1';
import { concatBytes, equalBytes } from '../../bytes/compare.ts';
import { BtcError } from '../../errors.ts';
import { taggedHash } from '../hash.ts';
import { isBelowOrder, isSecretKey } from '../scalar.ts';
import {
  decodeNonce,
  decodePoint,
  hasOddY,
  lengthBytes,
  mod,
  multiplySecret,
  numberOf,
  scalarBytes,
  sumOfProducts,
} from './arithmetic.ts';
import { type AggregateKey, coefficientsOf, isParticipant, outputSign, participantSign } from './keyAggregation.ts';
import { aggregateNonces, assertSize, maskSecretKey, nonceFromSeed } from './nonces.ts';
import { type SecretNonce, spendSecretNonce } from './secretNonce.ts';
import { type Musig2Session, musig2Session } from './session.ts';

const hashDeterministicNonce = /* @__PURE__ */ taggedHash('MuSig/deterministic/nonce');

/** A partial signature, and what it is verified with. */
export interface PartialSignatureInput {
  /** 32 bytes. */
  readonly partialSignature: Uint8Array;
  /** 66 bytes: what the signer contributed to the aggregate nonce. */
  readonly publicNonce: Uint8Array;
  /** 33 bytes: the signer's own key. */
  readonly publicKey: Uint8Array;
  readonly session: Musig2Session;
}

/** What the last of the signers needs, to sign without randomness and without a state. */
export interface DeterministicSignInput {
  /** 32 bytes. */
  readonly secretKey: Uint8Array;
  /** 66 bytes: the sum of the public nonces of all others, by `aggregateNonces`. */
  readonly aggregateOtherNonce: Uint8Array;
  /** After all tweaks. */
  readonly aggregate: AggregateKey;
  /** Of any size; in Bitcoin a sighash of 32 bytes. */
  readonly message: Uint8Array;
  /** 32 bytes; not needed, but better than none. */
  readonly rand?: Uint8Array;
}

/**
 * Signs for one participant. Takes the secret nonce even where it then throws: sign again with a new one, in a new
 * session.
 *
 * - `secretKey`: 32 bytes, of the key that the nonce was generated for
 *
 * @returns 32 bytes, verified
 * @throws `musig2/nonce-used`, `ecc/secret-key`, `musig2/nonce-key` where the nonce is of another key,
 *   `musig2/not-participant`, `ecc/fault`
 * @see BIP327 "Signing"
 */
export function partialSign(secretNonce: SecretNonce, secretKey: Uint8Array, session: Musig2Session): Uint8Array {
  const { k1, k2, publicKey, publicNonce } = spendSecretNonce(secretNonce);
  const { aggregate, nonceCoefficient, finalNonce } = session;
  // The key must have been settled before the others saw the nonce: see BIP327 "Signing with Tweaked Individual Keys".
  if (!equalBytes(publicKeyOf(secretKey), publicKey)) throw new BtcError('musig2/nonce-key', {});
  if (!isParticipant(aggregate, publicKey)) throw new BtcError('musig2/not-participant', {});
  const k = mod(k1 + numberOf(nonceCoefficient) * k2);
  const s = (hasOddY(finalNonce) ? -k : k) + keyFactor(session, publicKey) * numberOf(secretKey);
  const partialSignature = scalarBytes(s);
  // A fault of the machine could make a signature that gives the key away.
  if (!verifyPartialSignature({ partialSignature, publicNonce, publicKey, session })) {
    throw new BtcError('ecc/fault', {});
  }
  return partialSignature;
}

/** @throws `ecc/secret-key` */
function publicKeyOf(secretKey: Uint8Array): Uint8Array {
  if (!isSecretKey(secretKey)) throw new BtcError('ecc/secret-key', {});
  return multiplySecret(numberOf(secretKey)).toBytes();
}

/** What a participant's key is multiplied with in his partial signature: `e·a·g·gacc` of the BIP. */
function keyFactor({ aggregate, challenge }: Musig2Session, publicKey: Uint8Array): bigint {
  return mod(numberOf(challenge) * coefficientsOf(aggregate)(publicKey) * participantSign(aggregate));
}

/**
 * Whether a partial signature is what its signer owes to the session. If all are, and the aggregate nonce is the sum of
 * these public nonces, the aggregate signature is valid. Takes any bytes and never throws: malformed nonces and keys,
 * and keys that do not participate, have no valid partial signatures.
 *
 * It only finds out who disrupts a session. It does not prove that the signer knows his secret key: partial signatures
 * can be forged.
 * @see BIP327 "Partial Signature Verification", "Identifying Disruptive Signers"
 */
export function verifyPartialSignature(given: PartialSignatureInput): boolean {
  const { partialSignature, publicNonce, publicKey, session } = given;
  const nonce = decodeNonce(publicNonce, decodePoint);
  const key = decodePoint(publicKey);
  if (!nonce || !key || !isScalar(partialSignature) || !isParticipant(session.aggregate, publicKey)) return false;
  const factors = sumOfProducts([
    [nonce[1], numberOf(session.nonceCoefficient)],
    [key, mod((hasOddY(session.finalNonce) ? -1n : 1n) * keyFactor(session, publicKey))],
  ]);
  const sum = nonce[0].add(factors);
  const expected = hasOddY(session.finalNonce) ? sum.negate() : sum;
  return Point.BASE.multiplyUnsafe(numberOf(partialSignature)).equals(expected);
}

const isScalar = (bytes: Uint8Array): boolean => bytes.length === 32 && isBelowOrder(bytes);

/**
 * Adds up the partial signatures of all participants. Does not verify them, nor the sum: that is a signature by BIP340
 * for `aggregate.publicKey.slice(1)`, to be verified as any other.
 *
 * - `partialSignatures`: one for each participant, 32 bytes each
 *
 * @returns 64 bytes
 * @throws `musig2/partial-signature` with the first participant whose signature is no number below the order,
 *   `musig2/count`
 * @see BIP327 "Partial Signature Aggregation"
 */
export function aggregatePartialSignatures(
  partialSignatures: readonly Uint8Array[],
  { aggregate, finalNonce, challenge }: Musig2Session,
): Uint8Array {
  const found = partialSignatures.length;
  const expected = aggregate.participants.length;
  if (found !== expected) {
    throw new BtcError('musig2/count', { what: 'partial signatures', expected: `${expected}`, found });
  }
  let s = numberOf(challenge) * outputSign(aggregate) * numberOf(aggregate.tacc);
  for (const [participant, signature] of partialSignatures.entries()) {
    if (!isScalar(signature)) throw new BtcError('musig2/partial-signature', { participant });
    s += numberOf(signature);
  }
  return concatBytes(finalNonce.slice(1), scalarBytes(s));
}

/**
 * Makes the nonce and the partial signature of the participant who comes last, once the nonces of all others are known:
 * his own is a hash of them and of all else, so that it needs no randomness and is never kept. For one participant of a
 * session at most: two who wait for each other's nonces cannot do so.
 *
 * @returns 66 bytes to be aggregated with the others' nonces, and 32 bytes
 * @throws `ecc/size`, `ecc/secret-key`, `musig2/aggregate-nonce`, `musig2/not-participant`, `ecc/fault`
 * @see BIP327 "Deterministic and Stateless Signing for a Single Signer"
 */
export function deterministicSign(given: DeterministicSignInput): {
  readonly publicNonce: Uint8Array;
  readonly partialSignature: Uint8Array;
} {
  const { secretKey, aggregateOtherNonce, aggregate, message, rand } = given;
  if (rand) assertSize('rand', rand, 32);
  const publicKey = publicKeyOf(secretKey);
  // Unlike the sum of all nonces, that of the others must not be infinity in either half.
  if (!decodeNonce(aggregateOtherNonce, decodePoint)) throw new BtcError('musig2/aggregate-nonce', { of: 'others' });
  const seed = concatBytes(
    rand ? maskSecretKey(secretKey, rand) : secretKey,
    aggregateOtherNonce,
    aggregate.publicKey.slice(1),
    lengthBytes(message.length, 8),
    message,
  );
  const { secretNonce, publicNonce } = nonceFromSeed(hashDeterministicNonce, seed, publicKey);
  const aggregateNonce = aggregateNonces([publicNonce, aggregateOtherNonce]);
  const session = musig2Session({ aggregateNonce, aggregate, message });
  return { publicNonce, partialSignature: partialSign(secretNonce, secretKey, session) };
}
