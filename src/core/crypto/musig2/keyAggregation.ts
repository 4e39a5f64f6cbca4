import { Point } from '@noble/secp256k1';
import { bytesKey, compareBytes, copyBytes, equalBytes } from '../../bytes/compare.ts';
import { BtcError } from '../../errors.ts';
import { assertLength } from '../ecc.ts';
import { taggedHash } from '../hash.ts';
import { isBelowOrder } from '../scalar.ts';
import { bytesToNumber, decodePoint, hasOddY, mod, scalarBytes, sumOfProducts } from './arithmetic.ts';

const hashKeys = /* @__PURE__ */ taggedHash('KeyAgg list');
const hashCoefficient = /* @__PURE__ */ taggedHash('KeyAgg coefficient');

/** Takes the place of the second key if all keys are the same. */
const NO_KEY = /* @__PURE__ */ new Uint8Array(33);

/** The key of several signers, after any tweaks. @see BIP327 "KeyAgg Context" */
export interface AggregateKey {
  /** 33 bytes; `publicKey.slice(1)` is x-only. */
  readonly publicKey: Uint8Array;
  /** 33 bytes each, in the order of aggregation. */
  readonly participants: readonly Uint8Array[];
  /** 32 bytes, to which every coefficient commits. @see BIP327 `HashKeys` */
  readonly keysHash: Uint8Array;
  /** -1 if tweaks negated the sum of the participants' keys. */
  readonly gacc: 1 | -1;
  /** The accumulated tweak, 32 bytes. */
  readonly tacc: Uint8Array;
}

/**
 * Adds a tweak to the key as it is (`plain`, for BIP32), or to the point with the same x and an even y (`x-only`, for
 * BIP341).
 */
export type TweakMode = 'plain' | 'x-only';

/** Sorts keys bytewise, without validating them. @see BIP327 "Key Sorting" */
export function sortPublicKeys(publicKeys: readonly Uint8Array[]): readonly Uint8Array[] {
  return [...publicKeys].sort(compareBytes);
}

/**
 * Aggregates public keys of 33 bytes; their order matters.
 * @throws `musig2/public-key`, `musig2/count`, `musig2/infinity`
 * @see BIP327 "Key Aggregation"
 */
export function aggregateKeys(publicKeys: readonly Uint8Array[]): AggregateKey {
  if (publicKeys.length === 0) {
    const count = { what: 'public keys', expected: 'at least 1', found: 0 };
    throw new BtcError('musig2/count', count, 'Pass at least one public key');
  }
  const participants = publicKeys.map(copyBytes);
  const keysHash = hashKeys(...participants);
  const coefficient = keyAggCoeff({ participants, keysHash });
  const terms = new Map<string, { readonly point: Point; readonly coefficient: bigint; times: bigint }>();
  for (const [participant, key] of participants.entries()) {
    const name = bytesKey(key);
    const point = terms.get(name)?.point ?? decodePoint(key);
    if (!point) {
      const message = `The public key of participant ${participant} is not valid`;
      throw new BtcError('musig2/public-key', { participant }, message);
    }
    const term = terms.get(name) ?? { point, coefficient: coefficient(key), times: 0n };
    term.times += 1n;
    terms.set(name, term);
  }
  const products = [...terms.values()].map(({ point, ...of }) => [point, mod(of.coefficient * of.times)] as const);
  const sum = sumOfProducts(products);
  if (sum.is0())
    throw new BtcError('musig2/infinity', {}, 'The public keys cancel each other out: their sum is infinity');
  return { publicKey: sum.toBytes(), participants, keysHash, gacc: 1, tacc: new Uint8Array(32) };
}

/**
 * Tweaks a key. A tweak should be a hash that commits to the key: the scheme is not proven secure for tweaks that an
 * adversary chooses.
 * @throws `ecc/size`, `musig2/tweak`, `musig2/infinity`
 * @see BIP327 "Applying Tweaks"
 */
export function tweakAggregateKey(aggregate: AggregateKey, tweak: Uint8Array, mode: TweakMode): AggregateKey {
  assertLength('tweak', tweak, 32);
  if (!isBelowOrder(tweak)) throw new BtcError('musig2/tweak', {}, 'The tweak is not below the order of the curve');
  const point = Point.fromBytes(aggregate.publicKey);
  const isNegated = mode === 'x-only' && hasOddY(aggregate.publicKey);
  const sum = (isNegated ? point.negate() : point).add(Point.BASE.multiplyUnsafe(bytesToNumber(tweak)));
  if (sum.is0()) throw new BtcError('musig2/infinity', {}, 'The tweak cancels the key out: their sum is infinity');
  const tacc = bytesToNumber(aggregate.tacc);
  return {
    ...aggregate,
    publicKey: sum.toBytes(),
    gacc: isNegated ? negateSign(aggregate.gacc) : aggregate.gacc,
    tacc: scalarBytes(bytesToNumber(tweak) + (isNegated ? -tacc : tacc)),
  };
}

/** Applies plain tweaks; trusts that `publicKey` is the result. @see BIP328 */
export function deriveAggregateKey(
  aggregate: AggregateKey,
  publicKey: Uint8Array,
  tweaks: readonly Uint8Array[],
): AggregateKey {
  const tacc = tweaks.reduce((sum, tweak) => sum + bytesToNumber(tweak), bytesToNumber(aggregate.tacc));
  return { ...aggregate, publicKey, tacc: scalarBytes(tacc) };
}

const negateSign = (sign: 1 | -1): 1 | -1 => (sign === 1 ? -1 : 1);

export function isParticipant(aggregate: AggregateKey, publicKey: Uint8Array): boolean {
  return aggregate.participants.some((key) => equalBytes(key, publicKey));
}

/**
 * Returns the coefficient of a key: 1 for the first that differs from the one at the start.
 * @see BIP327 `KeyAggCoeff`
 */
export function keyAggCoeff({
  participants,
  keysHash,
}: Pick<AggregateKey, 'participants' | 'keysHash'>): (publicKey: Uint8Array) => bigint {
  const [first = NO_KEY] = participants;
  const second = participants.find((key) => !equalBytes(key, first)) ?? NO_KEY;
  return (publicKey) => (equalBytes(publicKey, second) ? 1n : mod(bytesToNumber(hashCoefficient(keysHash, publicKey))));
}

/** BIP340 takes the point with an even y. */
export function outputSign(aggregate: AggregateKey): bigint {
  return hasOddY(aggregate.publicKey) ? -1n : 1n;
}

/** Returns `g·gacc` of the BIP. */
export function participantSign(aggregate: AggregateKey): bigint {
  return outputSign(aggregate) * BigInt(aggregate.gacc);
}
