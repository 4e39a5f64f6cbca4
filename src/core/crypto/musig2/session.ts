import { Point } from '@noble/secp256k1';
import { BtcError } from '../../errors.ts';
import { computeChallenge } from '../bip340.ts';
import { taggedHash } from '../hash.ts';
import { reduceScalar } from '../scalar.ts';
import { bytesToNumber, decodeNonce, decodePointOrInfinity } from './arithmetic.ts';
import type { AggregateKey } from './keyAggregation.ts';

const hashNonceCoefficient = /* @__PURE__ */ taggedHash('MuSig/noncecoef');

/** The message, keys and nonces of a session. */
export interface Musig2SessionInput {
  /** From `aggregateNonces`, 66 bytes. */
  readonly aggregateNonce: Uint8Array;
  /** After all tweaks. */
  readonly aggregate: AggregateKey;
  readonly message: Uint8Array;
}

/**
 * The values that all partial signatures share. Each participant must compute them from a message and keys it has
 * checked, and never accept them from another.
 * @see BIP327 "Session Context"
 */
export interface Musig2Session {
  readonly aggregate: AggregateKey;
  /** 32 bytes, `b` of the BIP. */
  readonly nonceCoefficient: Uint8Array;
  /** 33 bytes, `R`; its x begins the signature. */
  readonly finalNonce: Uint8Array;
  /** 32 bytes, `e` of BIP340. */
  readonly challenge: Uint8Array;
}

/**
 * Computes a session's values.
 * @throws `musig2/aggregate-nonce`, which is the fault of the aggregator
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
  const sum = points[0].add(points[1].multiplyUnsafe(bytesToNumber(nonceCoefficient)));
  // The generator replaces infinity, so that partial signatures show who cheated.
  const finalNonce = (sum.is0() ? Point.BASE : sum).toBytes();
  return { aggregate, nonceCoefficient, finalNonce, challenge: computeChallenge(finalNonce.slice(1), x, message) };
}
