import type { KeyOrigin } from '../keys/path.ts';
import type { TapLeafHash } from '../script/tapTree.ts';

interface RequestFacts {
  readonly inputIndex: number;
  /** 32 bytes. */
  readonly digest: Uint8Array;
  /** The byte to append to the signature; 0 appends none. */
  readonly sighashType: number;
  /** The key's origin, if the PSBT records it. */
  readonly origin?: KeyOrigin;
}

/** Asks for an ECDSA signature by a key of 33 or 65 bytes. */
export type EcdsaRequest = RequestFacts & { readonly algorithm: 'ecdsa'; readonly publicKey: Uint8Array };

/**
 * Asks for a Schnorr signature that is valid for the x-only `publicKey`. On the key path, this is the coin's output
 * key: the holder of `internalKey` first adds `tweak` to its secret key.
 */
export type SchnorrRequest = RequestFacts & { readonly algorithm: 'schnorr' } & SchnorrPlace;

/** The key that signs, and where it signs: for the output key or for one leaf. */
export type SchnorrPlace = { readonly publicKey: Uint8Array } & (
  | { readonly path: 'key'; readonly internalKey?: Uint8Array; readonly tweak?: Uint8Array }
  | { readonly path: 'script'; readonly leafHash: TapLeafHash }
);

/** Asks for one signature. */
export type SignatureRequest = EcdsaRequest | SchnorrRequest;

/** Answers a request with a signature, of 64 bytes or as scripts hold it, or with `undefined`. */
export interface Signer {
  (request: SignatureRequest): Uint8Array | undefined;
  /** As `SignOptions.publicKey`: finds the public key of a hash of 20 bytes. */
  readonly publicKey?: (hash: Uint8Array) => Uint8Array | undefined;
}
