import { Point } from '@noble/secp256k1';
import { concatBytes, equalBytes } from '../../bytes/compare.ts';
import { assertKnownOptions, type OptionNames } from '../../bytes/knownOptions.ts';
import { BtcError } from '../../errors.ts';
import { assertLength, assertSecretKey, isScalar, signatureFault } from '../ecc.ts';
import { taggedHash } from '../hash.ts';
import {
  bytesToNumber,
  decodeNonce,
  decodePoint,
  hasOddY,
  lengthBytes,
  mod,
  multiplySecret,
  scalarBytes,
  sumOfProducts,
} from './arithmetic.ts';
import { type AggregateKey, isParticipant, keyAggCoeff, outputSign, participantSign } from './keyAggregation.ts';
import { aggregateNonces, maskSecretKey, nonceFromSeed } from './nonces.ts';
import { type SecretNonce, spendSecretNonce } from './secretNonce.ts';
import { type Musig2Session, musig2Session } from './session.ts';

const hashDeterministicNonce = /* @__PURE__ */ taggedHash('MuSig/deterministic/nonce');

/** A partial signature, and what is needed to verify it. */
export interface PartialSignatureInput {
  /** 32 bytes. */
  readonly partialSignature: Uint8Array;
  /** The signer's, 66 bytes. */
  readonly publicNonce: Uint8Array;
  /** The signer's, 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly session: Musig2Session;
}

/** The inputs of the last signer, who keeps no state. */
export interface DeterministicSignInput {
  /** 32 bytes. */
  readonly secretKey: Uint8Array;
  /** The sum of all other public nonces, from `aggregateNonces`. */
  readonly aggregateOtherNonce: Uint8Array;
  /** After all tweaks. */
  readonly aggregate: AggregateKey;
  readonly message: Uint8Array;
  /** 32 bytes; optional, but recommended. */
  readonly rand?: Uint8Array;
}

const DETERMINISTIC_INPUT: OptionNames<DeterministicSignInput> = {
  secretKey: 'needed',
  aggregateOtherNonce: 'needed',
  aggregate: 'needed',
  message: 'needed',
  rand: true,
};

/**
 * Signs for one participant: 32 bytes, verified. Consumes the secret nonce even if it throws; sign again with a new
 * nonce, in a new session.
 * @throws `musig2/nonce-used`, `ecc/secret-key`, `musig2/nonce-key`, `musig2/not-participant`, `ecc/fault`
 * @see BIP327 "Signing"
 */
export function partialSign(secretNonce: SecretNonce, secretKey: Uint8Array, session: Musig2Session): Uint8Array {
  const { k1, k2, publicKey, publicNonce } = spendSecretNonce(secretNonce);
  const { aggregate, nonceCoefficient, finalNonce } = session;
  // The key must be fixed before the others see the public nonce: BIP327 "Signing with Tweaked Individual Keys".
  if (!equalBytes(computePublicKey(secretKey), publicKey)) {
    throw new BtcError('musig2/nonce-key', {}, 'The secret nonce belongs to another key: use the nonce of this key');
  }
  if (!isParticipant(aggregate, publicKey)) {
    throw new BtcError('musig2/not-participant', {}, 'The private key is not that of a participant');
  }
  const k = mod(k1 + bytesToNumber(nonceCoefficient) * k2);
  const s = (hasOddY(finalNonce) ? -k : k) + keyFactor(session, publicKey) * bytesToNumber(secretKey);
  const partialSignature = scalarBytes(s);
  // A hardware fault could produce a signature that reveals the key.
  if (!verifyPartialSignature({ partialSignature, publicNonce, publicKey, session })) {
    throw signatureFault();
  }
  return partialSignature;
}

function computePublicKey(secretKey: Uint8Array): Uint8Array {
  assertSecretKey(secretKey);
  return multiplySecret(bytesToNumber(secretKey)).toBytes();
}

/** Computes `e·a·g·gacc` of the BIP. */
function keyFactor({ aggregate, challenge }: Musig2Session, publicKey: Uint8Array): bigint {
  return mod(bytesToNumber(challenge) * keyAggCoeff(aggregate)(publicKey) * participantSign(aggregate));
}

/**
 * Verifies a partial signature, only to identify who disrupts a session: partial signatures can be forged. Returns
 * false for malformed nonces and keys, and for keys that do not participate.
 * @see BIP327 "Partial Signature Verification", "Identifying Disruptive Signers"
 */
export function verifyPartialSignature(input: PartialSignatureInput): boolean {
  const { partialSignature, publicNonce, publicKey, session } = input;
  const nonce = decodeNonce(publicNonce, decodePoint);
  const key = decodePoint(publicKey);
  if (!nonce || !key || !isScalar(partialSignature) || !isParticipant(session.aggregate, publicKey)) return false;
  const factors = sumOfProducts([
    [nonce[1], bytesToNumber(session.nonceCoefficient)],
    [key, mod((hasOddY(session.finalNonce) ? -1n : 1n) * keyFactor(session, publicKey))],
  ]);
  const sum = nonce[0].add(factors);
  const expected = hasOddY(session.finalNonce) ? sum.negate() : sum;
  return Point.BASE.multiplyUnsafe(bytesToNumber(partialSignature)).equals(expected);
}

/**
 * Adds up all partial signatures. Verify the result, 64 bytes, as a BIP340 signature for
 * `aggregate.publicKey.slice(1)`.
 * @throws `musig2/partial-signature` with the first participant whose signature is not below the order, `musig2/count`
 * @see BIP327 "Partial Signature Aggregation"
 */
export function aggregatePartialSignatures(
  partialSignatures: readonly Uint8Array[],
  { aggregate, finalNonce, challenge }: Musig2Session,
): Uint8Array {
  const signatureCount = partialSignatures.length;
  const expected = aggregate.participants.length;
  if (signatureCount !== expected) {
    const count = { what: 'partial signatures', expected: `${expected}`, found: signatureCount };
    throw new BtcError(
      'musig2/count',
      count,
      `All ${expected} participants must sign once: there are ${signatureCount} signatures`,
    );
  }
  let s = bytesToNumber(challenge) * outputSign(aggregate) * bytesToNumber(aggregate.tacc);
  for (const [participant, signature] of partialSignatures.entries()) {
    if (!isScalar(signature)) {
      const message = `The partial signature of participant ${participant} is not valid`;
      throw new BtcError('musig2/partial-signature', { participant }, message);
    }
    s += bytesToNumber(signature);
  }
  return concatBytes(finalNonce.slice(1), scalarBytes(s));
}

/**
 * Makes the nonce and the partial signature of the last participant from the nonces of all others. The nonce is a hash
 * of all inputs, so it is never stored. Only one participant of a session can do this.
 * @throws `ecc/size`, `ecc/secret-key`, `musig2/aggregate-nonce`, `musig2/not-participant`, `ecc/fault`
 * @see BIP327 "Deterministic and Stateless Signing for a Single Signer"
 */
export function deterministicSign(input: DeterministicSignInput): {
  readonly publicNonce: Uint8Array;
  readonly partialSignature: Uint8Array;
} {
  assertKnownOptions(input, DETERMINISTIC_INPUT);
  const { secretKey, aggregateOtherNonce, aggregate, message, rand } = input;
  if (rand) assertLength('rand', rand, 32);
  const publicKey = computePublicKey(secretKey);
  // Unlike the sum of all nonces, neither half may be infinity.
  if (!decodeNonce(aggregateOtherNonce, decodePoint)) {
    const message = 'The aggregate nonce of the others is not valid: aggregate their public nonces again';
    throw new BtcError('musig2/aggregate-nonce', { of: 'others' }, message);
  }
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
