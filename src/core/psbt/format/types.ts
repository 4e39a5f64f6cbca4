import type { GenerationName } from '../../generations.ts';
import type { KeyOrigin } from '../../keys/path.ts';
import type { Musig2Signer } from '../../signing/signatureData.ts';
import type { Transaction, Txid, TxOut } from '../../tx/types.ts';

export type { KeyOrigin };

/** A record of a type that this library does not support. */
export interface UnknownRecord {
  /** Includes the type. */
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A record of an application. @see BIP174 "Proprietary Use Type" */
export interface ProprietaryRecord {
  readonly identifier: Uint8Array;
  readonly subtype: number;
  readonly keyData: Uint8Array;
  readonly value: Uint8Array;
}

/** A share of the ECDH secret for a scan key, 33 bytes each. @see BIP375 */
export interface SilentPaymentShare {
  readonly scanKey: Uint8Array;
  readonly share: Uint8Array;
}

/** The proof of a share, 64 bytes. @see BIP374 */
export interface SilentPaymentProof {
  readonly scanKey: Uint8Array;
  readonly proof: Uint8Array;
}

/** An aggregate key and its participants, in order. @see BIP373 */
export interface Musig2Participants {
  readonly aggregatePubkey: Uint8Array;
  readonly participants: readonly Uint8Array[];
}

export type { Musig2Signer };

/** The origin of an x-only key, and the leaves that use it. @see BIP371 */
export type TapKeyOrigin = KeyOrigin & {
  readonly pubkey: Uint8Array;
  readonly leafHashes: readonly Uint8Array[];
};

/** The global map. BIP370's counts are the lengths of `inputs` and `outputs`. */
export interface PsbtGlobal {
  readonly unsignedTx?: Transaction;
  /** 78 bytes each. */
  readonly xpubs?: readonly (KeyOrigin & { readonly xpub: Uint8Array })[];
  readonly txVersion?: number;
  readonly fallbackLocktime?: number;
  /** Bit 0: inputs may change, bit 1: outputs may change, bit 2: has SIGHASH_SINGLE. */
  readonly txModifiable?: number;
  readonly spEcdhShares?: readonly SilentPaymentShare[];
  readonly spDleqProofs?: readonly SilentPaymentProof[];
  readonly signedMessage?: Uint8Array;
  /** Absent means 0. */
  readonly version?: number;
  readonly proprietary?: readonly ProprietaryRecord[];
  readonly unknown?: readonly UnknownRecord[];
}

/** The records of one input. @see BIP174, BIP370, BIP371, BIP373 */
export interface PsbtInput {
  readonly nonWitnessUtxo?: Transaction;
  /** A value of -1 marks it as absent, as in Core. */
  readonly witnessUtxo?: TxOut;
  readonly partialSigs?: readonly { readonly pubkey: Uint8Array; readonly signature: Uint8Array }[];
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
  /** 66 bytes each. */
  readonly musig2PubNonces?: readonly (Musig2Signer & { readonly pubNonce: Uint8Array })[];
  /** 32 bytes each. */
  readonly musig2PartialSigs?: readonly (Musig2Signer & { readonly partialSig: Uint8Array })[];
  readonly finalScriptSig?: Uint8Array;
  readonly finalScriptWitness?: readonly Uint8Array[];
  readonly previousTxid?: Txid;
  readonly outputIndex?: number;
  readonly sequence?: number;
  readonly requiredTimeLocktime?: number;
  readonly requiredHeightLocktime?: number;
  /** UTF-8 text. @see BIP127 */
  readonly porCommitment?: Uint8Array;
  readonly spEcdhShares?: readonly SilentPaymentShare[];
  readonly spDleqProofs?: readonly SilentPaymentProof[];
  readonly spSpendBip32Derivations?: readonly (KeyOrigin & { readonly spendKey: Uint8Array })[];
  /** 32 bytes. */
  readonly spTweak?: Uint8Array;
  readonly proprietary?: readonly ProprietaryRecord[];
  readonly unknown?: readonly UnknownRecord[];
}

/** A hash and its preimage. */
export interface HashPreimage {
  /** In the byte order of the hash function. */
  readonly hash: Uint8Array;
  readonly preimage: Uint8Array;
}

/** The records of one output. */
export interface PsbtOutput {
  readonly redeemScript?: Uint8Array;
  readonly witnessScript?: Uint8Array;
  readonly bip32Derivations?: readonly (KeyOrigin & { readonly pubkey: Uint8Array })[];
  /** In satoshi. */
  readonly amount?: bigint;
  readonly script?: Uint8Array;
  readonly tapInternalKey?: Uint8Array;
  /** In depth-first order. */
  readonly tapTree?: readonly { readonly depth: number; readonly leafVersion: number; readonly script: Uint8Array }[];
  readonly tapBip32Derivations?: readonly TapKeyOrigin[];
  readonly musig2Participants?: readonly Musig2Participants[];
  /** 33 bytes each. */
  readonly spV0Info?: { readonly scanKey: Uint8Array; readonly spendKey: Uint8Array };
  readonly spV0Label?: number;
  /** The DNS name and its RFC 9102 proof. @see BIP353 */
  readonly dnssecProof?: { readonly name: Uint8Array; readonly proof: Uint8Array };
  readonly proprietary?: readonly ProprietaryRecord[];
  readonly unknown?: readonly UnknownRecord[];
}

/** A partially signed transaction as plain data. */
export interface Psbt {
  readonly global: PsbtGlobal;
  readonly inputs: readonly PsbtInput[];
  readonly outputs: readonly PsbtOutput[];
}

/** The records and checks to apply; other records stay unknown. */
export type PsbtGeneration = GenerationName | 'bips';
