import { Point } from '@noble/secp256k1';
import { concatBytes, xorBytes } from '../../bytes/compare.ts';
import { assertKnownOptions, type OptionNames } from '../../bytes/knownOptions.ts';
import { BtcError } from '../../errors.ts';
import { assertLength, assertSecretKey } from '../ecc.ts';
import { taggedHash } from '../hash.ts';
import { isSecretKey, isZero, reduceScalar } from '../scalar.ts';
import { bytesToNumber, decodePoint, encodePointOrInfinity, lengthBytes, multiplySecret } from './arithmetic.ts';
import { createSecretNonce, type SecretNonce } from './secretNonce.ts';

const hashAux = /* @__PURE__ */ taggedHash('MuSig/aux');
const hashNonce = /* @__PURE__ */ taggedHash('MuSig/nonce');

const NOTHING = /* @__PURE__ */ new Uint8Array(0);

/** The inputs of a nonce. Pass everything known: it protects the key if `rand` is not fresh. */
export interface Musig2NonceInput {
  /** 32 bytes, fresh for each nonce: a repeated nonce reveals the secret key. */
  readonly rand: Uint8Array;
  /** The signer's, 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly secretKey?: Uint8Array;
  /** 32 bytes, x-only, after all tweaks. */
  readonly aggregateKey?: Uint8Array;
  readonly message?: Uint8Array;
  /** Distinguishes this session from others, for example by a counter. */
  readonly extraInput?: Uint8Array;
}

const NONCE_INPUT: OptionNames<Musig2NonceInput> = {
  rand: 'needed',
  publicKey: 'needed',
  secretKey: true,
  aggregateKey: true,
  message: true,
  extraInput: true,
};

/** Both halves of a nonce. */
export interface Musig2Nonce {
  /** To be kept in memory, for one signature. */
  readonly secretNonce: SecretNonce;
  /** 66 bytes, for the other participants. */
  readonly publicNonce: Uint8Array;
}

/**
 * Generates a nonce for one session.
 * @throws `ecc/size`, `ecc/secret-key`, `musig2/rand` if `rand` is all zeros
 * @see BIP327 "Nonce Generation"
 */
export function generateNonce(input: Musig2NonceInput): Musig2Nonce {
  assertKnownOptions(input, NONCE_INPUT);
  const { rand, secretKey, publicKey, aggregateKey = NOTHING, message, extraInput = NOTHING } = input;
  assertLength('rand', rand, 32);
  if (isZero(rand)) throw new BtcError('musig2/rand', {}, 'The random bytes are all 0: pass 32 fresh random bytes');
  assertLength('publicKey', publicKey, 33);
  if (input.aggregateKey) assertLength('aggregateKey', aggregateKey, 32);
  if (secretKey) assertSecretKey(secretKey);
  const seed = concatBytes(
    secretKey ? maskSecretKey(secretKey, rand) : rand,
    lengthBytes(publicKey.length, 1),
    publicKey,
    lengthBytes(aggregateKey.length, 1),
    aggregateKey,
    message ? concatBytes(Uint8Array.of(1), lengthBytes(message.length, 8), message) : Uint8Array.of(0),
    lengthBytes(extraInput.length, 4),
    extraInput,
  );
  return nonceFromSeed(hashNonce, seed, publicKey);
}

export function maskSecretKey(secretKey: Uint8Array, rand: Uint8Array): Uint8Array {
  return xorBytes(secretKey, hashAux(rand));
}

export function nonceFromSeed(
  hash: (...parts: readonly Uint8Array[]) => Uint8Array,
  seed: Uint8Array,
  publicKey: Uint8Array,
): Musig2Nonce {
  const scalars = [0, 1].map((i) => reduceScalar(hash(seed, Uint8Array.of(i))));
  if (!scalars.every(isSecretKey))
    throw new BtcError('ecc/fault', {}, 'The new nonce is not valid: try other random bytes');
  const publicNonce = concatBytes(...scalars.map((scalar) => multiplySecret(bytesToNumber(scalar)).toBytes()));
  return { secretNonce: createSecretNonce({ scalars: concatBytes(...scalars), publicKey, publicNonce }), publicNonce };
}

/**
 * Adds up all public nonces, 66 bytes each. The aggregator needs no trust: it can only make a session fail.
 * @throws `musig2/public-nonce` with the first participant whose nonce is invalid, `musig2/count`
 * @see BIP327 "Nonce Aggregation"
 */
export function aggregateNonces(publicNonces: readonly Uint8Array[]): Uint8Array {
  const nonceCount = publicNonces.length;
  if (nonceCount === 0) {
    const count = { what: 'public nonces', expected: 'at least 1', found: nonceCount };
    throw new BtcError('musig2/count', count, 'Pass at least one public nonce');
  }
  // All first halves come before the second ones, so that everyone blames the same participant.
  const halves = [0, 33].map((start) => {
    const points = publicNonces.map((nonce, participant) => {
      const point = nonce.length === 66 ? decodePoint(nonce.slice(start, start + 33)) : undefined;
      if (point) return point;
      throw new BtcError(
        'musig2/public-nonce',
        { participant },
        `The public nonce of participant ${participant} is not valid`,
      );
    });
    return encodePointOrInfinity(points.reduce((sum, point) => sum.add(point), Point.ZERO));
  });
  return concatBytes(...halves);
}
