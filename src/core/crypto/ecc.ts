import { BtcError } from '../errors.ts';
import type { PointArithmetic } from './points.ts';
import { isValidPublicKey, isValidXOnlyPublicKey } from './publicKey.ts';
import { isBelowOrder, isHigh, isSecretKey, reduceScalar } from './scalar.ts';

/** A library's functions. They get only points on the curve and scalars below the order; only a tweak may be zero. */
export interface EccPrimitives {
  readonly publicKey: (secretKey: Uint8Array, isCompressed: boolean) => Uint8Array;
  readonly verifyEcdsa: (signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array) => boolean;
  readonly verifySchnorr: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;
  readonly signEcdsa: (digest: Uint8Array, secretKey: Uint8Array, extraEntropy: Uint8Array | undefined) => Uint8Array;
  readonly signSchnorr: (message: Uint8Array, secretKey: Uint8Array, auxRand: Uint8Array) => Uint8Array;
  /** Optional: worth having if the secret key makes the check cheaper. */
  readonly isOwnEcdsa?: (signature: Uint8Array, digest: Uint8Array, secretKey: Uint8Array) => boolean;
  readonly isOwnSchnorr?: (signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array) => boolean;
  readonly tweakPublicKey: (publicKey: Uint8Array, tweak: Uint8Array) => TweakedKey | undefined;
  readonly tweakSecretKey: (secretKey: Uint8Array, tweak: Uint8Array) => Uint8Array | undefined;
  /** Optional; see {@link Ecc.ecdsaKeys}. */
  readonly ecdsaKeys?: (signature: Uint8Array, digest: Uint8Array, validKey?: Uint8Array) => readonly Uint8Array[];
  readonly points?: PointArithmetic;
}

/** A secret key and its public key. */
export interface KeyPair {
  readonly secretKey: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** An x-only key after a tweak. */
export interface TweakedKey {
  readonly publicKey: Uint8Array;
  /** 1 if y is odd. */
  readonly parity: 0 | 1;
}

/**
 * A secp256k1 backend. All backends give the same results. Predicates (`is…`, `verify…`) take any bytes and throw only
 * for an invalid secret key.
 */
export interface Ecc {
  /** Accepts 32 bytes, from 1 to the order minus 1. */
  readonly isSecretKey: (secretKey: Uint8Array) => boolean;
  /** Accepts 33 bytes (02, 03) or 65 (04). */
  readonly isPoint: (publicKey: Uint8Array) => boolean;
  /** Accepts 32 bytes that are the x of a point. @see BIP340 `lift_x` */
  readonly isXOnlyPoint: (publicKey: Uint8Array) => boolean;
  /** Computes 33 or 65 bytes. @throws `ecc/secret-key` */
  readonly publicKey: (secretKey: Uint8Array, isCompressed?: boolean) => Uint8Array;
  /** Verifies r and s, 64 bytes, with s in the lower half. */
  readonly verifyEcdsa: (signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array) => boolean;
  /** Verifies for an x-only key. @see BIP340 "Verification" */
  readonly verifySchnorr: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;
  /**
   * Signs with the nonce of RFC6979; `extraEntropy` adds 32 bytes to its seed.
   * @returns 64 bytes, s in the lower half
   * @throws `ecc/secret-key`, `ecc/size`
   */
  readonly signEcdsa: (digest: Uint8Array, secretKey: Uint8Array, extraEntropy?: Uint8Array) => Uint8Array;
  /**
   * Signs. With an `auxRand` of 32 zeros, signatures are deterministic, as Core's are.
   * @throws `ecc/secret-key`, `ecc/size`
   * @see BIP340 "Default Signing"
   */
  readonly signSchnorr: (message: Uint8Array, secretKey: Uint8Array, auxRand: Uint8Array) => Uint8Array;
  /**
   * Checks a fresh signature, so that a hardware fault cannot leak the key. As sound as `verifyEcdsa`, but faster with
   * `nobleEcc`.
   * @throws `ecc/secret-key`
   */
  readonly isOwnEcdsa: (signature: Uint8Array, digest: Uint8Array, key: KeyPair) => boolean;
  /** Like `isOwnEcdsa`; the public key is x-only. @throws `ecc/secret-key` */
  readonly isOwnSchnorr: (signature: Uint8Array, message: Uint8Array, key: KeyPair) => boolean;
  /**
   * Adds the tweak times the generator to an x-only key.
   * @returns `undefined` if the key is not a point, the tweak is not below the order, or the sum is infinity
   * @see BIP341 `taproot_tweak_pubkey`
   */
  readonly tweakPublicKey: (publicKey: Uint8Array, tweak: Uint8Array) => TweakedKey | undefined;
  /**
   * Adds a tweak to the secret key of an x-only key.
   * @returns `undefined` if the tweak is not below the order or the sum is zero
   * @throws `ecc/secret-key`
   * @see BIP341 `taproot_tweak_seckey`
   */
  readonly tweakSecretKey: (secretKey: Uint8Array, tweak: Uint8Array) => Uint8Array | undefined;
  /**
   * Recovers all keys, 33 bytes each, for which a signature is valid, in the time of one verification, or a quarter of
   * it with a known valid key. Optional.
   * @see SEC 1 section 4.1.6
   */
  readonly ecdsaKeys?: (signature: Uint8Array, digest: Uint8Array, validKey?: Uint8Array) => readonly Uint8Array[];
  /** Computes silent payments in the place of @noble/secp256k1. Optional. */
  readonly points?: PointArithmetic;
}

export const isScalar = (bytes: Uint8Array): boolean => bytes.length === 32 && isBelowOrder(bytes);

/** Refuses hybrid keys; `consensusVerifier` rewrites their first byte. */
const isPoint = (key: Uint8Array): boolean => (key.length === 33 || key[0] === 0x04) && isValidPublicKey(key);

function isEcdsaSignature(signature: Uint8Array): boolean {
  const s = signature.slice(32);
  return isSecretKey(signature.slice(0, 32)) && isSecretKey(s) && !isHigh(s);
}

const isSchnorrSignature = (signature: Uint8Array): boolean =>
  signature.length === 64 && isSecretKey(signature.slice(32));

export function assertSecretKey(secretKey: Uint8Array): void {
  if (isSecretKey(secretKey)) return;
  throw new BtcError('ecc/secret-key', {}, 'The private key is 0, or not below the order of the curve');
}

export function assertLength(what: string, { length: size }: Uint8Array, expected: number): void {
  if (size === expected) return;
  throw new BtcError('ecc/size', { what, size, expected }, `The ${what} has ${size} bytes instead of ${expected}`);
}

function assertSize(what: 'digest' | 'message' | 'extraEntropy' | 'auxRand', bytes: Uint8Array): void {
  assertLength(what, bytes, 32);
}

export function signatureFault(): BtcError {
  const message = 'A new signature does not verify, and was dropped: the hardware or the curve arithmetic is faulty';
  return new BtcError('ecc/fault', {}, message);
}

/** Makes a backend by adding the checks that all backends share. */
export function createEcc(primitives: EccPrimitives): Ecc {
  const { isOwnEcdsa, isOwnSchnorr, ecdsaKeys, points } = primitives;
  return {
    isSecretKey,
    isPoint,
    isXOnlyPoint: isValidXOnlyPublicKey,
    publicKey: (secretKey, isCompressed = true) => {
      assertSecretKey(secretKey);
      return primitives.publicKey(secretKey, isCompressed);
    },
    verifyEcdsa: (signature, digest, publicKey) =>
      digest.length === 32 &&
      isEcdsaSignature(signature) &&
      isPoint(publicKey) &&
      primitives.verifyEcdsa(signature, digest, publicKey),
    verifySchnorr: (signature, message, publicKey) =>
      message.length === 32 &&
      isSchnorrSignature(signature) &&
      isValidXOnlyPublicKey(publicKey) &&
      primitives.verifySchnorr(signature, message, publicKey),
    signEcdsa: (digest, secretKey, extraEntropy) => {
      assertSecretKey(secretKey);
      assertSize('digest', digest);
      if (extraEntropy) assertSize('extraEntropy', extraEntropy);
      // RFC6979 seeds its nonce with the digest modulo the order; not every library reduces it.
      return primitives.signEcdsa(reduceScalar(digest), secretKey, extraEntropy);
    },
    signSchnorr: (message, secretKey, auxRand) => {
      assertSecretKey(secretKey);
      assertSize('message', message);
      assertSize('auxRand', auxRand);
      return primitives.signSchnorr(message, secretKey, auxRand);
    },
    isOwnEcdsa: (signature, digest, { secretKey, publicKey }) => {
      assertSecretKey(secretKey);
      if (digest.length !== 32 || !isEcdsaSignature(signature)) return false;
      return isOwnEcdsa?.(signature, digest, secretKey) ?? primitives.verifyEcdsa(signature, digest, publicKey);
    },
    isOwnSchnorr: (signature, message, { secretKey, publicKey }) => {
      assertSecretKey(secretKey);
      if (message.length !== 32 || !isSchnorrSignature(signature)) return false;
      return isOwnSchnorr?.(signature, message, secretKey) ?? primitives.verifySchnorr(signature, message, publicKey);
    },
    tweakPublicKey: (publicKey, tweak) =>
      isValidXOnlyPublicKey(publicKey) && isScalar(tweak) ? primitives.tweakPublicKey(publicKey, tweak) : undefined,
    tweakSecretKey: (secretKey, tweak) => {
      assertSecretKey(secretKey);
      return isScalar(tweak) ? primitives.tweakSecretKey(secretKey, tweak) : undefined;
    },
    ...(ecdsaKeys && {
      ecdsaKeys: (signature, digest, validKey) =>
        digest.length === 32 && isEcdsaSignature(signature) ? ecdsaKeys(signature, digest, validKey) : [],
    }),
    ...(points && { points }),
  };
}
