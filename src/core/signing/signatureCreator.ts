import { concatBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { encodeDer } from '../crypto/ecdsa.ts';
import type { EcdsaVersion } from '../interpreter/checker.ts';
import type { EcdsaDigest } from '../interpreter/transactionChecker.ts';
import type { TapLeafHash } from '../script/tapTree.ts';
import type { AssembleSignature, SchnorrKey } from './musig2Signing.ts';
import type { Missing, SignatureData } from './signatureData.ts';

/** Creates signatures with their hash types, or reports what is missing. @see Core `BaseSignatureCreator` */
export interface SignatureCreator {
  readonly ecdsa: (publicKey: Uint8Array, scriptCode: Uint8Array, sigVersion: EcdsaVersion) => Uint8Array | Missing;
  readonly schnorr: (key: SchnorrKey) => Uint8Array | Missing;
  readonly aggregate: (known: SignatureData, key: SchnorrKey) => Uint8Array | undefined;
  /** The input may be spent under the lock. */
  readonly isMet: (kind: 'older' | 'after', lock: number) => boolean;
}

/** Solves outputs only to find the data that their spender needs. @see Core `UpdatePSBTOutput` */
export const noSignatures: SignatureCreator = {
  ecdsa: (publicKey) => ({ kind: 'private-key', publicKey }),
  schnorr: (key) => withoutKey(key),
  aggregate: () => undefined,
  isMet: () => false,
};

export const withoutKey = ({ kind, publicKey }: SchnorrKey): Missing =>
  kind === 'leaf' ? { kind: 'leaf-key', publicKey } : { kind: 'output-key', outputKey: publicKey };

/** For one input and one hash type. */
export interface InputDigests {
  readonly inputIndex: number;
  readonly ecc: Ecc;
  /** DEFAULT becomes ALL. */
  readonly ecdsaType: number;
  readonly schnorrType: number;
  readonly ecdsaDigest: EcdsaDigest;
  /** For a leaf, or without one for the key path; `undefined` if a coin is unknown or the hash type undefined. */
  readonly schnorrDigest: (leafHash?: TapLeafHash) => Uint8Array | undefined;
  readonly hasAmount: boolean;
  /** SINGLE without an output at the input's index: the legacy digest is then the number one. */
  readonly isLoneSingle: boolean;
  readonly isMet: SignatureCreator['isMet'];
  readonly outputKey?: Uint8Array | undefined;
  /** For PSBTs. */
  readonly assemble?: AssembleSignature | undefined;
}

type SignDigest = (digest: Uint8Array) => Uint8Array | undefined;

export interface KeyFinder {
  readonly ecdsa: (publicKey: Uint8Array) => SignDigest | undefined;
  readonly schnorr: (key: SchnorrKey) => SignDigest | undefined;
}

/** Leaves only the signatures that the input holds. */
export const NO_KEYS: KeyFinder = { ecdsa: () => undefined, schnorr: () => undefined };

export function createSignatures(digests: InputDigests, keys: KeyFinder): SignatureCreator {
  const { ecdsaType, schnorrType } = digests;
  return {
    ecdsa: (publicKey, scriptCode, sigVersion) => {
      const sign = keys.ecdsa(publicKey);
      if (!sign) return { kind: 'private-key', publicKey };
      if (sigVersion === 'witness-v0' && publicKey.length !== 33) return { kind: 'compressed-key', publicKey };
      if (sigVersion === 'witness-v0' && !digests.hasAmount) return { kind: 'amount' };
      const signature = sign(digests.ecdsaDigest(scriptCode, ecdsaType, sigVersion));
      return signature ? ecdsaItem(signature, ecdsaType) : { kind: 'private-key', publicKey };
    },
    schnorr: (key) => {
      const sign = keys.schnorr(key);
      if (!sign) return withoutKey(key);
      const digest = digests.schnorrDigest(key.leafHash);
      if (!digest) return { kind: 'other-coins' };
      const signature = sign(digest);
      return signature ? schnorrItem(signature, schnorrType) : withoutKey(key);
    },
    aggregate: (known, key) => {
      const signature = digests.assemble?.(known, key);
      return signature && schnorrItem(signature, schnorrType);
    },
    isMet: digests.isMet,
  };
}

function ecdsaItem(signature: Uint8Array, sighashType: number): Uint8Array {
  return concatBytes(encodeDer(signature), Uint8Array.of(sighashType));
}

function schnorrItem(signature: Uint8Array, sighashType: number): Uint8Array {
  return sighashType === 0 ? signature : concatBytes(signature, Uint8Array.of(sighashType));
}

const DUMMY_ECDSA: Uint8Array = /* @__PURE__ */ (() => {
  const signature = new Uint8Array(71);
  signature.set([0x30, 68, 0x02, 32, 0x01]);
  signature.set([0x02, 32, 0x01], 36);
  signature[70] = 0x01;
  return signature;
})();

/** Invalid signatures of the usual sizes, to estimate an input's size. @see Core `DummySignatureCreator` */
export const dummySignatures: SignatureCreator = {
  ecdsa: () => DUMMY_ECDSA,
  schnorr: () => new Uint8Array(64),
  aggregate: () => undefined,
  isMet: () => true,
};
