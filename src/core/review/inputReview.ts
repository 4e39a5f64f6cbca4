import type { KeyOrigin } from '../keys/path.ts';
import type { SignatureVerdict } from '../psbt/signatureVerifier.ts';
import type { RelativeLock } from '../tx/relativeLock.ts';
import type { Outpoint, TxOut } from '../tx/types.ts';
import type { ClaimedKey } from './claimedPlaces.ts';
import type { VerifiedOwner } from './ownership.ts';

/**
 * Trust in an amount. `proven`: its previous transaction shows it, or a false one would invalidate the
 * signatures; `claimed`: only the PSBT says so; `unknown`: the PSBT does not say.
 */
export type AmountTrust = 'proven' | 'claimed' | 'unknown';

/** The proof of an amount: the previous transaction, or signatures that all commit to all amounts. */
export type AmountProof = 'previous-transaction' | 'signatures';

/** The key of a signature, made or missing. */
export interface SignerReview {
  /** 33 or 65 bytes, or x-only. */
  readonly publicKey: Uint8Array;
  /** The key origin that the PSBT claims. */
  readonly claimedOrigin?: KeyOrigin;
  /** The key origin in the given descriptor that derives the coin, which proves it. */
  readonly verifiedOrigin?: KeyOrigin;
  /** For a script path, the leaf, and its script if the input shows it. */
  readonly leafHash?: Uint8Array;
  readonly leafScript?: Uint8Array;
}

/** The signatures for one way to spend a coin: its script, or the key path or a leaf of taproot. */
export interface QuorumProgress {
  /** The number of valid signatures. */
  readonly have: number;
  /** The number of signatures that the script takes, if each way to satisfy it whose locks are met takes as many. */
  readonly required?: number;
  /** Whether the transaction does not meet the locks of this way, so that no signature opens it. Absent if it may. */
  readonly isClosed?: boolean;
  /** The number of keys in the script, if it is understood. */
  readonly of?: number;
  /** The keys that have signed. */
  readonly signed: readonly SignerReview[];
  /** The keys that could still sign. */
  readonly wanted: readonly SignerReview[];
  /** True if these are signatures for the key path of taproot. */
  readonly isKeyPath: boolean;
  readonly leafHash?: Uint8Array;
  readonly leafScript?: Uint8Array;
}

/** A signature that an input holds, without its key if that is the output key of a coin that is not shown. */
export type SignatureReview = Omit<SignerReview, 'publicKey'> &
  Partial<Pick<SignerReview, 'publicKey'>> & { readonly sighashType: number } & SignatureVerdict;

/** The review of one input. Fields with `claimed` in their names repeat the PSBT, unverified. */
export interface InputReview {
  readonly inputIndex: number;
  readonly outpoint: Outpoint | undefined;
  /** The coin being spent; its amount is only as good as `amountTrust`. */
  readonly coin: TxOut | undefined;
  readonly amountTrust: AmountTrust;
  /** Present if `amountTrust` is `proven`. */
  readonly amountProof?: AmountProof;
  /** The script of the coin, which a raw transaction may know without the amount. */
  readonly scriptPubKey: Uint8Array | undefined;
  /** True if a signature of this input is invalid if the amount of its own coin is false: segwit and taproot. */
  readonly isAmountSigned: boolean;
  /** The place in the given descriptors that derives the coin's script. */
  readonly verifiedOwner?: VerifiedOwner;
  /** True if an available key can sign for the coin, which makes it the caller's own even without a descriptor. */
  readonly hasOwnKey: boolean;
  readonly claimedKeys: readonly ClaimedKey[];
  /** The age that the coin must reach before this input can be mined. */
  readonly relativeLock?: RelativeLock;
  /** The hash type to sign with: the one that the input asks for, or else the caller's, or else the usual one. */
  readonly sighashType: number;
  /**
   * The hash types of the valid signatures in the input, final fields included, and of the signature to be made. For
   * every other signature in the input, its type unless that is ALL or DEFAULT.
   */
  readonly sighashTypes: readonly number[];
  readonly isFinal: boolean;
  /** True if the final fields spend the coin. */
  readonly isFinalValid: boolean;
  readonly signatures: readonly SignatureReview[];
  /** Keys that could sign and have not. The script may not need all of them. */
  readonly missingSignatures: readonly SignerReview[];
  /** The same signatures, counted for each way to spend the coin. Empty for a final input. */
  readonly quorums: readonly QuorumProgress[];
}
