import { Point } from '@noble/secp256k1';
import { BtcError } from '../../errors.ts';
import { challengeOf } from '../bip340.ts';
import { taggedHash } from '../hash.ts';
import { reduceScalar } from '../scalar.ts';
import { decodeNonce, decodePointOrInfinity, numberOf } from './arithmetic.ts';
import type { AggregateKey } from './keyAggregation.ts';

const hashNonceCoefficient = /* @__PURE__ */ taggedHash('MuSig/noncecoef');

/** The message, the keys and the nonces of a signing session. */
export interface Musig2SessionInput {
  /** 66 bytes: the sum of the public nonces of all participants. */
  readonly aggregateNonce: Uint8Array;
  /** The aggregate key after all tweaks. */
  readonly aggregate: AggregateKey;
  /** Of any size; in Bitcoin a sighash of 32 bytes. */
  readonly message: Uint8Array;
}

/**
 * The values that all partial signatures of one message share. Each participant must compute them from a message and
 * keys it has checked, and never accept them from another participant.
 * @see BIP327 "Session Context"
 */
export interface Musig2Session {
  readonly aggregate: AggregateKey;
  /** 32 bytes: the factor of the second half of each nonce, `b` of the BIP. */
  readonly nonceCoefficient: Uint8Array;
  /** 33 bytes: the final nonce, `R`; its x begins the signature. */
  readonly finalNonce: Uint8Array;
  /** 32 bytes: the challenge of BIP340, `e`. */
  readonly challenge: Uint8Array;
}

/**
 * Computes the values that signing, verification and aggregation share.
 * @throws `musig2/aggregate-nonce` if the aggregate nonce is malformed, which is the fault of its aggregator
 * @see BIP327 `GetSessionValues`
 */
export function musig2Session({ aggregateNonce, aggregate, message }: Musig2SessionInput): Musig2Session {
  const points = decodeNonce(aggregateNonce, decodePointOrInfinity);
  if (!points) {
    const message = 'The aggregate nonce is not valid: aggregate the public nonces again';
    throw new BtcError('musig2/aggregate-nonce', { of: 'all' }, message);
  }
  const x = aggregate.publicKey.slice(1);
  const nonceCoefficient = reduceScalar(hashNonceCoefficient(aggregateNonce, x, message));
  const sum = points[0].add(points[1].multiplyUnsafe(numberOf(nonceCoefficient)));
  // The generator replaces infinity, so that the session continues and partial signatures show who cheated.
  const finalNonce = (sum.is0() ? Point.BASE : sum).toBytes();
  return { aggregate, nonceCoefficient, finalNonce, challenge: challengeOf(finalNonce.slice(1), x, message) };
}
