import type { GenerationName } from '../../generations.ts';
import type { KeyOrigin } from '../../keys/path.ts';
import type { Musig2Signer } from '../../signing/signatureData.ts';
import type { Transaction, Txid, TxOut } from '../../tx/types.ts';

export type { KeyOrigin };

/** A record of a type that this library does not support. */
export interface UnknownRecord {
  /** The full key, type included. */
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A record of an application, under its own identifier. @see BIP174 "Proprietary Use Type" */
export interface ProprietaryRecord {
  readonly identifier: Uint8Array;
  readonly subtype: number;
  readonly keyData: Uint8Array;
  readonly value: Uint8Array;
}

/** A share of the ECDH secret of one silent payment recipient's scan key. @see BIP375 */
export interface SilentPaymentShare {
  /** 33 bytes. */
  readonly scanKey: Uint8Array;
  /** 33 bytes. */
  readonly share: Uint8Array;
}

/** The proof that an ECDH share was computed correctly. @see BIP375, BIP374 */
export interface SilentPaymentProof {
  /** 33 bytes. */
  readonly scanKey: Uint8Array;
  /** 64 bytes. */
  readonly proof: Uint8Array;
}

/** The participants of an aggregate key, in the order of their aggregation. @see BIP373 */
export interface Musig2Participants {
  readonly aggregatePubkey: Uint8Array;
  readonly participants: readonly Uint8Array[];
}

export type { Musig2Signer };

/** The origin of an x-only key, and the leaves that it signs for. @see BIP371 */
export type TapKeyOrigin = KeyOrigin & {
  /** 32 bytes, x only. */
  readonly pubkey: Uint8Array;
  /** The leaves that use the key; empty for the internal key. */
  readonly leafHashes: readonly Uint8Array[];
};

/**
 * The global map. `fields.ts` says which record each member holds; lists keep the order of the records. BIP370's counts
 * are not members: they are the lengths of `inputs` and `outputs`.
 */
export interface PsbtGlobal {
  readonly unsignedTx?: Transaction;
  /** Extended public keys, 78 bytes each, with their origins. */
  readonly xpubs?: readonly (KeyOrigin & { readonly xpub: Uint8Array })[];
  readonly txVersion?: number;
  readonly fallbackLocktime?: number;
  /** Bit 0: inputs may change, bit 1: outputs may change, bit 2: has SIGHASH_SINGLE. */
  readonly txModifiable?: number;
  readonly spEcdhShares?: readonly SilentPaymentShare[];
  readonly spDleqProofs?: readonly SilentPaymentProof[];
  readonly signedMessage?: Uint8Array;
  /** As encoded; absent means 0. */
  readonly version?: number;
  readonly proprietary?: readonly ProprietaryRecord[];
  readonly unknown?: readonly UnknownRecord[];
}

/** The records of one input, each under the name of its field. @see BIP174, BIP370, BIP371, BIP373 */
export interface PsbtInput {
  readonly nonWitnessUtxo?: Transaction;
  /** A value of -1 marks it as absent, as in Bitcoin Core. */
  readonly witnessUtxo?: TxOut;
  readonly partialSigs?: readonly { readonly pubkey: Uint8Array; readonly signature: Uint8Array }[];
  /** 32 bits, unsigned. */
  readonly sighashType?: number;
  readonly redeemScript?: Uint8Array;
  readonly witnessScript?: Uint8Array;
  readonly bip32Derivations?: readonly (KeyOrigin & { readonly pubkey: Uint8Array })[];
  readonly ripemd160Preimages?: readonly HashPreimage[];
  readonly sha256Preimages?: readonly HashPreimage[];
  readonly hash160Preimages?: readonly HashPreimage[];
  readonly hash256Preimages?: readonly HashPreimage[];
  /** 64 or 65 bytes. */
  readonly tapKeySig?: Uint8Array;
  readonly tapScriptSigs?: readonly {
    readonly pubkey: Uint8Array;
    readonly leafHash: Uint8Array;
    readonly signature: Uint8Array;
  }[];
  readonly tapLeafScripts?: readonly {
    readonly controlBlock: Uint8Array;
    readonly script: Uint8Array;
    readonly leafVersion: number;
  }[];
  readonly tapBip32Derivations?: readonly TapKeyOrigin[];
  readonly tapInternalKey?: Uint8Array;
  readonly tapMerkleRoot?: Uint8Array;
  readonly musig2Participants?: readonly Musig2Participants[];
  /** Public nonces, 66 bytes. */
  readonly musig2PubNonces?: readonly (Musig2Signer & { readonly pubNonce: Uint8Array })[];
  /** Partial signatures, 32 bytes. */
  readonly musig2PartialSigs?: readonly (Musig2Signer & { readonly partialSig: Uint8Array })[];
  readonly finalScriptSig?: Uint8Array;
  readonly finalScriptWitness?: readonly Uint8Array[];
  readonly previousTxid?: Txid;
  readonly outputIndex?: number;
  readonly sequence?: number;
  readonly requiredTimeLocktime?: number;
  readonly requiredHeightLocktime?: number;
  /** UTF-8 text of BIP127. */
  readonly porCommitment?: Uint8Array;
  readonly spEcdhShares?: readonly SilentPaymentShare[];
  readonly spDleqProofs?: readonly SilentPaymentProof[];
  readonly spSpendBip32Derivations?: readonly (KeyOrigin & { readonly spendKey: Uint8Array })[];
  /** 32 bytes. */
  readonly spTweak?: Uint8Array;
  readonly proprietary?: readonly ProprietaryRecord[];
  readonly unknown?: readonly UnknownRecord[];
}

/** A hash, and the bytes that it is the hash of. */
export interface HashPreimage {
  /** In the byte order that the hash function returns. */
  readonly hash: Uint8Array;
  readonly preimage: Uint8Array;
}

/** The records of one output, each under the name of its field. @see BIP174, BIP370, BIP371, BIP373 */
export interface PsbtOutput {
  readonly redeemScript?: Uint8Array;
  readonly witnessScript?: Uint8Array;
  readonly bip32Derivations?: readonly (KeyOrigin & { readonly pubkey: Uint8Array })[];
  /** In satoshi. */
  readonly amount?: bigint;
  readonly script?: Uint8Array;
  readonly tapInternalKey?: Uint8Array;
  /** Leaves in depth-first order. */
  readonly tapTree?: readonly { readonly depth: number; readonly leafVersion: number; readonly script: Uint8Array }[];
  readonly tapBip32Derivations?: readonly TapKeyOrigin[];
  readonly musig2Participants?: readonly Musig2Participants[];
  /** Scan key and spend key, 33 bytes each. */
  readonly spV0Info?: { readonly scanKey: Uint8Array; readonly spendKey: Uint8Array };
  readonly spV0Label?: number;
  /** BIP353: the DNS name, and its RFC 9102 proof. */
  readonly dnssecProof?: { readonly name: Uint8Array; readonly proof: Uint8Array };
  readonly proprietary?: readonly ProprietaryRecord[];
  readonly unknown?: readonly UnknownRecord[];
}

/** A partially signed transaction as plain data, with every record. */
export interface Psbt {
  readonly global: PsbtGlobal;
  readonly inputs: readonly PsbtInput[];
  readonly outputs: readonly PsbtOutput[];
}

/** The set of records and checks to apply. Records that a generation does not know are kept as unknown. */
export type PsbtGeneration = GenerationName | 'bips';
