import { BtcError } from '../errors.ts';
import { isValidPublicKey, isValidXOnlyPublicKey } from './publicKey.ts';
import { isBelowOrder, isHigh, isSecretKey, reduceScalar } from './scalar.ts';

/**
 * What a library of secp256k1 offers, under our names. Called only with points of the curve, and with scalars below
 * the order that are zero in tweaks at most.
 */
export interface EccPrimitives {
  readonly publicKey: (secretKey: Uint8Array, isCompressed: boolean) => Uint8Array;
  readonly verifyEcdsa: (signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array) => boolean;
  readonly verifySchnorr: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;
  readonly signEcdsa: (digest: Uint8Array, secretKey: Uint8Array, extraEntropy: Uint8Array | undefined) => Uint8Array;
  readonly signSchnorr: (message: Uint8Array, secretKey: Uint8Array, auxRand: Uint8Array) => Uint8Array;
  /** Where a secret key makes checking a signature cheaper; else it is verified with the public key. */
  readonly isOwnEcdsa?: (signature: Uint8Array, digest: Uint8Array, secretKey: Uint8Array) => boolean;
  readonly isOwnSchnorr?: (signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array) => boolean;
  readonly tweakPublicKey: (publicKey: Uint8Array, tweak: Uint8Array) => TweakedKey | undefined;
  readonly tweakSecretKey: (secretKey: Uint8Array, tweak: Uint8Array) => Uint8Array | undefined;
  /** Where verifying is slow: as `Ecc` has it. */
  readonly ecdsaKeys?: (signature: Uint8Array, digest: Uint8Array) => readonly Uint8Array[];
}

/** A secret key, and what it is known by. */
export interface KeyPair {
  readonly secretKey: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** An x-only key after a tweak. */
export interface TweakedKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** 1 where the point behind it has an odd y. */
  readonly parity: 0 | 1;
}

/**
 * Arithmetic on secp256k1, as an argument: the default is `nobleEcc`; faster ones come from the subpaths
 * `countersign/crypto/tiny-secp256k1` and `countersign/crypto/secp256k1`. All of them give the same answers.
 * Questions (`is…`, `verify…`) take any bytes and never throw, but for secret keys that are none.
 */
export interface Ecc {
  /** Whether 32 bytes are a secret key: between 1 and the order of the curve. */
  readonly isSecretKey: (secretKey: Uint8Array) => boolean;
  /** Whether bytes are a public key: 33 (02, 03) or 65 (04), on the curve. */
  readonly isPoint: (publicKey: Uint8Array) => boolean;
  /** Whether 32 bytes are the x of a point. @see BIP340 `lift_x` */
  readonly isXOnlyPoint: (publicKey: Uint8Array) => boolean;
  /** The public key of a secret key, 33 or 65 bytes. @throws `ecc/secret-key` */
  readonly publicKey: (secretKey: Uint8Array, isCompressed?: boolean) => Uint8Array;
  /** Whether an ECDSA signature, r and s in 32 bytes each with s in the lower half, is valid. */
  readonly verifyEcdsa: (signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array) => boolean;
  /** Whether a Schnorr signature of 64 bytes is valid for an x-only key. @see BIP340 "Verification" */
  readonly verifySchnorr: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;
  /**
   * Signs a digest of 32 bytes with the nonce of RFC6979, with 32 bytes more in its seed if given.
   * @returns 64 bytes, r and s, s in the lower half
   * @throws `ecc/secret-key`, `ecc/size`
   */
  readonly signEcdsa: (digest: Uint8Array, secretKey: Uint8Array, extraEntropy?: Uint8Array) => Uint8Array;
  /**
   * Signs a message of 32 bytes.
   *
   * - `auxRand`: 32 bytes; zeros make signatures that repeat, as the node's do
   *
   * @throws `ecc/secret-key`, `ecc/size`
   * @see BIP340 "Default Signing"
   */
  readonly signSchnorr: (message: Uint8Array, secretKey: Uint8Array, auxRand: Uint8Array) => Uint8Array;
  /**
   * Whether a signature that was just made is valid for its key: what a signer asks of his own work, lest a fault of the
   * machine give the key away. As sound as `verifyEcdsa`, which it is by default; with `nobleEcc` it takes a tenth of
   * the time, as the secret key turns the check into one multiplication of the generator.
   * @throws `ecc/secret-key`
   */
  readonly isOwnEcdsa: (signature: Uint8Array, digest: Uint8Array, key: KeyPair) => boolean;
  /** The same for Schnorr signatures; the public key is x-only. @throws `ecc/secret-key` */
  readonly isOwnSchnorr: (signature: Uint8Array, message: Uint8Array, key: KeyPair) => boolean;
  /**
   * Adds a tweak times the generator to an x-only key.
   * @returns `undefined` where the key is no point, the tweak is not below the order, or the sum is no point
   * @see BIP341 `taproot_tweak_pubkey`
   */
  readonly tweakPublicKey: (publicKey: Uint8Array, tweak: Uint8Array) => TweakedKey | undefined;
  /**
   * Adds a tweak to the secret key of an x-only key, negated first where its point has an odd y.
   * @returns `undefined` where the tweak is not below the order or the sum is zero
   * @throws `ecc/secret-key`
   * @see BIP341 `taproot_tweak_seckey`
   */
  readonly tweakSecretKey: (secretKey: Uint8Array, tweak: Uint8Array) => Uint8Array | undefined;
  /**
   * Recovers the public keys, 33 bytes each, that an ECDSA signature of 64 bytes is valid for: two in practice. It takes
   * the time of one verification, so that a signature that is tried with many keys is computed with once. Optional.
   * @see SEC 1 section 4.1.6
   */
  readonly ecdsaKeys?: (signature: Uint8Array, digest: Uint8Array) => readonly Uint8Array[];
}

const isScalar = (bytes: Uint8Array): boolean => bytes.length === 32 && isBelowOrder(bytes);

/** Hybrid keys are left to consensus (`ecdsa.ts`). */
const isPoint = (key: Uint8Array): boolean => (key.length === 33 || key[0] === 0x04) && isValidPublicKey(key);

function isEcdsaSignature(signature: Uint8Array): boolean {
  const s = signature.slice(32);
  return isSecretKey(signature.slice(0, 32)) && isSecretKey(s) && !isHigh(s);
}

const isSchnorrSignature = (signature: Uint8Array): boolean =>
  signature.length === 64 && isSecretKey(signature.slice(32));

function assertSecretKey(secretKey: Uint8Array): void {
  if (!isSecretKey(secretKey)) throw new BtcError('ecc/secret-key', {});
}

function assertSize(what: 'digest' | 'message' | 'extraEntropy' | 'auxRand', bytes: Uint8Array): void {
  if (bytes.length !== 32) throw new BtcError('ecc/size', { what, size: bytes.length, expected: 32 });
}

/** Puts the checks of sizes and ranges that all implementations share before one library's functions. */
export function createEcc(primitives: EccPrimitives): Ecc {
  const { isOwnEcdsa, isOwnSchnorr, ecdsaKeys } = primitives;
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
      // RFC6979 seeds its nonce with the digest modulo the order: libraries differ in whether they reduce it themselves.
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
      ecdsaKeys: (signature, digest) =>
        digest.length === 32 && isEcdsaSignature(signature) ? ecdsaKeys(signature, digest) : [],
    }),
  };
}
