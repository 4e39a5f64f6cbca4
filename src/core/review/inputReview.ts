import type { HashName } from '../descriptors/miniscript/index.ts';
import type { ClaimedKey } from '../holder/claims.ts';
import type { Owner } from '../holder/owner.ts';
import type { KeyOrigin } from '../keys/path.ts';
import type { SignatureVerdict } from '../psbt/signatureVerifier.ts';
import type { RelativeLock } from '../tx/relativeLock.ts';
import type { Outpoint, TxOut } from '../tx/types.ts';

/**
 * Trust in an amount: `proven` by its previous transaction or by signatures that a false amount would invalidate, only
 * `claimed` by the PSBT, or `unknown`.
 */
export type AmountTrust = 'proven' | 'claimed' | 'unknown';

/** The proof of an amount; `signatures` that all commit to all amounts. */
export type AmountProof = 'previous-transaction' | 'signatures';

/** The key of a signature, made or missing. */
export interface SignerReview {
  /** 33 or 65 bytes, or x-only. Of what an input needs, also the hash of 20 bytes by which a script names it. */
  readonly publicKey: Uint8Array;
  readonly claimedOrigin?: KeyOrigin;
  /** As the wallet at hand that derives the coin has it. */
  readonly verifiedOrigin?: KeyOrigin;
  /** True if no one can know the private key: BIP341's point, or a key that a wallet at hand derives from it. */
  readonly isUnspendable?: true;
  /** Of a script path; the script only if the input shows it. */
  readonly leafHash?: Uint8Array;
  readonly leafScript?: Uint8Array;
}

/** A signature or preimage that an input lacks, or a number of several such needs. */
export type Need =
  | { readonly kind: 'signature'; readonly signer: SignerReview }
  | { readonly kind: 'preimage'; readonly name: HashName; readonly hash: Uint8Array }
  | { readonly kind: 'some'; readonly required: number; readonly of: readonly Need[] };

/** A lock in a script that the transaction does not meet: by the age of the coin, or by locktime. */
export interface UnmetLock {
  readonly kind: 'older' | 'after';
  readonly lock: number;
}

/** Keys that sign only with a lock met, which may also let fewer signatures suffice. */
export interface LaterWay extends UnmetLock {
  readonly signers: readonly SignerReview[];
  readonly required: number;
}

/** The signatures for one way to spend a coin: its script, or taproot's key path or one leaf. */
export interface QuorumProgress {
  /** Valid signatures that this way takes. */
  readonly have: number;
  /** Signatures that the script takes, if all ways to satisfy it with their locks met take as many. */
  readonly required?: number;
  /** True if the transaction does not meet the locks of this way. */
  readonly isClosed?: boolean;
  /** The locks that would open it: the lowest, or all if none suffices alone. */
  readonly closedBy?: readonly UnmetLock[];
  /** Keys in the script. */
  readonly of?: number;
  /** The need that remains with the locks met; absent for a single key, a script not read, or too long a list. */
  readonly needed?: Need;
  /** Further ways, once the transaction meets their lock. */
  readonly later?: readonly LaterWay[];
  readonly signed: readonly SignerReview[];
  /** Keys that could still sign. */
  readonly wanted: readonly SignerReview[];
  readonly isKeyPath: boolean;
  readonly leafHash?: Uint8Array;
  readonly leafScript?: Uint8Array;
}

/** A signature that an input holds; without its key if that is the output key of an unknown coin. */
export type SignatureReview = Omit<SignerReview, 'publicKey'> &
  Partial<Pick<SignerReview, 'publicKey'>> & { readonly sighashType: number } & SignatureVerdict;

/** The review of one input. Fields with `claimed` in their names repeat the PSBT, unverified. */
export interface InputReview {
  readonly inputIndex: number;
  readonly outpoint: Outpoint | undefined;
  /** Only as good as `amountTrust`. */
  readonly coin: TxOut | undefined;
  readonly amountTrust: AmountTrust;
  readonly amountProof?: AmountProof;
  /** The coin's script, which a raw transaction may know without the amount. */
  readonly scriptPubKey: Uint8Array | undefined;
  /** True for segwit and taproot: a false amount of its coin would invalidate its signatures. */
  readonly isAmountSigned: boolean;
  readonly owner: Owner;
  /** True if a private key at hand can sign for it. */
  readonly canSign: boolean;
  readonly claimedKeys: readonly ClaimedKey[];
  /** The age that the coin must reach. */
  readonly relativeLock?: RelativeLock;
  /** The type to sign with: the input's, else the caller's, else the usual one. */
  readonly sighashType: number;
  /** Of valid signatures, and of the one to be made; of other signatures, types but ALL and DEFAULT. */
  readonly sighashTypes: readonly number[];
  readonly isFinal: boolean;
  readonly isFinalValid: boolean;
  readonly signatures: readonly SignatureReview[];
  /** Keys that could sign, without unspendable ones; the script may not need all. */
  readonly missingSignatures: readonly SignerReview[];
  /** By way to spend the coin; empty for a final input. */
  readonly quorums: readonly QuorumProgress[];
}
