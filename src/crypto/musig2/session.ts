import { Point } from '@noble/secp256k1';
import { BtcError } from '../../errors.ts';
import { challengeOf } from '../bip340.ts';
import { taggedHash } from '../hash.ts';
import { reduceScalar } from '../scalar.ts';
import { decodeNonce, decodePointOrInfinity, numberOf } from './arithmetic.ts';
import type { AggregateKey } from './keyAggregation.ts';

const hashNonceCoefficient = /* @__PURE__ */ taggedHash('MuSig/noncecoef');

/** What is to be signed, by whom, with which nonces. */
export interface Musig2SessionInput {
  /** 66 bytes: the sum of the public nonces of all participants. */
  readonly aggregateNonce: Uint8Array;
  /** After all tweaks. */
  readonly aggregate: AggregateKey;
  /** Of any size; in Bitcoin a sighash of 32 bytes. */
  readonly message: Uint8Array;
}

/**
 * What the partial signatures of one message have in common. Each participant computes it, from a message and keys
 * that he has checked; it is not to be taken from another.
 * @see BIP327 "Session Context"
 */
export interface Musig2Session {
  readonly aggregate: AggregateKey;
  /** 32 bytes: what the second half of a nonce is multiplied with, `b` of the BIP. */
  readonly nonceCoefficient: Uint8Array;
  /** 33 bytes: the final nonce, `R`; its x begins the signature. */
  readonly finalNonce: Uint8Array;
  /** 32 bytes: the challenge of BIP340, `e`. */
  readonly challenge: Uint8Array;
}

/**
 * Computes what signing, verifying and aggregating share.
 * @throws `musig2/aggregate-nonce`: who is to blame is the one who aggregated the nonces
 * @see BIP327 `GetSessionValues`
 */
export function musig2Session({ aggregateNonce, aggregate, message }: Musig2SessionInput): Musig2Session {
  const points = decodeNonce(aggregateNonce, decodePointOrInfinity);
  if (!points) throw new BtcError('musig2/aggregate-nonce', { of: 'all' });
  const x = aggregate.publicKey.slice(1);
  const nonceCoefficient = reduceScalar(hashNonceCoefficient(aggregateNonce, x, message));
  const sum = points[0].add(points[1].multiplyUnsafe(numberOf(nonceCoefficient)));
  // The generator stands in for infinity, so that the session goes on and shows who cheated.
  const finalNonce = (sum.is0() ? Point.BASE : sum).toBytes();
  return { aggregate, nonceCoefficient, finalNonce, challenge: challengeOf(finalNonce.slice(1), x, message) };
}
