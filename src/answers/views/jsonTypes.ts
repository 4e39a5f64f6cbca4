import type { ScriptError } from '../../core/interpreter/result.ts';
import type { InputValuesFault, TransactionFault } from '../../core/tx/check.ts';

/** Members are set in the order in which they are printed. */
export type Draft<T> = { -readonly [N in keyof T]: T[N] };

/** A redeem or witness script. */
export interface ScriptJson {
  readonly asm: string;
  readonly hex: string;
  readonly type: string;
}

/** A scriptSig, whose `asm` shows the sighash type of signatures. */
export interface ScriptSigJson {
  readonly asm: string;
  readonly hex: string;
}

/** A scriptPubKey, in the shape of either generation. */
export interface ScriptPubKeyJson {
  readonly asm: string;
  readonly desc?: string;
  readonly hex?: string;
  readonly reqSigs?: number;
  readonly address?: string;
  readonly type: string;
  readonly addresses?: readonly string[];
}

/** The answer of `decodescript`. */
export type DecodedScriptJson = ScriptPubKeyJson & {
  /** The P2SH address that wraps the script. */
  readonly p2sh?: string;
  /** The witness scriptPubKey that wraps the script. */
  readonly segwit?: ScriptPubKeyJson & { readonly 'p2sh-segwit': string };
};

/** The answer of `decoderawtransaction`. */
export interface TransactionJson {
  readonly txid: string;
  /** The wtxid. */
  readonly hash: string;
  readonly version: number;
  readonly size: number;
  readonly vsize: number;
  readonly weight: number;
  readonly locktime: number;
  readonly vin: readonly InputJson[];
  readonly vout: readonly OutputJson[];
}

/** An input of a decoded transaction. */
export interface InputJson {
  readonly ismweb?: boolean;
  /** Only of a coinbase input, which has no txid, vout and scriptSig. */
  readonly coinbase?: string;
  readonly txid?: string;
  readonly vout?: number;
  readonly scriptSig?: ScriptSigJson;
  readonly txinwitness?: readonly string[];
  readonly prevout?: PrevoutJson;
  readonly sequence: number;
}

/** A coin that an input spends. */
export interface PrevoutJson {
  readonly generated: boolean;
  readonly height: number;
  /** In coins. */
  readonly value: number;
  readonly scriptPubKey: ScriptPubKeyJson;
}

/** An output of a decoded transaction. */
export interface OutputJson {
  readonly ismweb?: boolean;
  /** In coins. */
  readonly value: number;
  readonly n: number;
  readonly scriptPubKey: ScriptPubKeyJson;
}

export type HexMap = Readonly<Record<string, string>>;

export interface ProprietaryJson {
  readonly identifier: string;
  readonly subtype: number;
  readonly key: string;
  readonly value: string;
}

export interface DerivationJson {
  readonly pubkey: string;
  readonly master_fingerprint: string;
  readonly path: string;
}

export interface TapDerivationJson extends DerivationJson {
  readonly leaf_hashes: readonly string[];
}

export interface Musig2ParticipantsJson {
  readonly aggregate_pubkey: string;
  readonly participant_pubkeys: readonly string[];
}

export interface Musig2SignerJson {
  readonly participant_pubkey: string;
  readonly aggregate_pubkey: string;
  readonly leaf_hash?: string;
}

/** The answer of `decodepsbt`; the PSBT and the dialect decide which members it has. */
export interface PsbtJson {
  readonly tx?: TransactionJson;
  readonly global_xpubs?: readonly {
    readonly xpub: string;
    readonly master_fingerprint: string;
    readonly path: string;
  }[];
  readonly tx_version?: number;
  readonly fallback_locktime?: number;
  readonly input_count?: number;
  readonly output_count?: number;
  readonly inputs_modifiable?: boolean;
  readonly outputs_modifiable?: boolean;
  readonly has_sighash_single?: boolean;
  readonly psbt_version?: number;
  readonly proprietary?: readonly ProprietaryJson[];
  readonly unknown: HexMap;
  readonly inputs: readonly PsbtInputJson[];
  readonly outputs: readonly PsbtOutputJson[];
  /** In coins. */
  readonly fee?: number;
}

/** One input in the answer of `decodepsbt`. */
export interface PsbtInputJson {
  readonly witness_utxo?: { readonly amount: number; readonly scriptPubKey: ScriptPubKeyJson };
  readonly non_witness_utxo?: TransactionJson;
  readonly partial_signatures?: HexMap;
  readonly sighash?: string;
  readonly redeem_script?: ScriptJson;
  readonly witness_script?: ScriptJson;
  readonly bip32_derivs?: readonly DerivationJson[];
  /** The spelling of nodes. */
  readonly final_scriptSig?: ScriptSigJson;
  /** The spelling of `documented`. */
  readonly final_scriptsig?: ScriptSigJson;
  readonly final_scriptwitness?: readonly string[];
  readonly ripemd160_preimages?: HexMap;
  readonly sha256_preimages?: HexMap;
  readonly hash160_preimages?: HexMap;
  readonly hash256_preimages?: HexMap;
  readonly previous_txid?: string;
  readonly previous_vout?: number;
  readonly sequence?: number;
  readonly time_locktime?: number;
  readonly height_locktime?: number;
  readonly taproot_key_path_sig?: string;
  readonly taproot_script_path_sigs?: readonly {
    readonly pubkey: string;
    readonly leaf_hash: string;
    readonly sig: string;
  }[];
  readonly taproot_scripts?: readonly TapScriptJson[];
  readonly taproot_bip32_derivs?: readonly TapDerivationJson[];
  readonly taproot_internal_key?: string;
  readonly taproot_merkle_root?: string;
  readonly musig2_participant_pubkeys?: readonly Musig2ParticipantsJson[];
  readonly musig2_pubnonces?: readonly (Musig2SignerJson & { readonly pubnonce: string })[];
  readonly musig2_partial_sigs?: readonly (Musig2SignerJson & { readonly partial_sig: string })[];
  readonly proprietary?: readonly ProprietaryJson[];
  readonly unknown?: HexMap;
}

/** One output in the answer of `decodepsbt`. */
export interface PsbtOutputJson {
  readonly redeem_script?: ScriptJson;
  readonly witness_script?: ScriptJson;
  readonly bip32_derivs?: readonly DerivationJson[];
  readonly amount?: number;
  readonly script?: ScriptPubKeyJson;
  readonly taproot_internal_key?: string;
  readonly taproot_tree?: readonly { readonly depth: number; readonly leaf_ver: number; readonly script: string }[];
  readonly taproot_bip32_derivs?: readonly TapDerivationJson[];
  readonly musig2_participant_pubkeys?: readonly Musig2ParticipantsJson[];
  readonly proprietary?: readonly ProprietaryJson[];
  readonly unknown?: HexMap;
}

export interface TapScriptJson {
  readonly script: string;
  readonly leaf_ver: number;
  readonly control_blocks: readonly string[];
}

/** A script error, or `MISSING_INPUT` for an unknown coin. */
export type InputErrorCode = ScriptError | 'MISSING_INPUT';

/** An incomplete input in a signing result. */
export interface InputErrorJson {
  readonly txid: string;
  readonly vout: number;
  readonly witness?: readonly string[];
  readonly scriptSig: string;
  readonly sequence: number;
  readonly error: string;
  /** `documented` only: the fault, for programs. */
  readonly code?: InputErrorCode;
  /** `documented` only: advice on what to supply. */
  readonly hint?: string;
}

/** The answer of signing methods. */
export interface SigningResultJson {
  readonly hex: string;
  readonly complete: boolean;
  readonly errors?: readonly InputErrorJson[];
}

/** The answer of `verifyrawtransaction`. */
export interface VerifiedTransactionJson {
  readonly complete: boolean;
  readonly errors?: readonly InputErrorJson[];
  readonly 'reject-reason'?: TransactionFault | InputValuesFault;
}

/** The answer of `analyzepsbt`. */
export interface AnalyzedPsbtJson {
  readonly inputs?: readonly AnalyzedInputJson[];
  readonly estimated_vsize?: number;
  /** In coins per 1000 virtual bytes. */
  readonly estimated_feerate?: number;
  /** In coins. */
  readonly fee?: number;
  readonly next: string;
  readonly error?: string;
}

/** One input in the answer of `analyzepsbt`. */
export interface AnalyzedInputJson {
  readonly has_utxo: boolean;
  readonly is_final: boolean;
  readonly next: string;
  readonly missing?: {
    readonly pubkeys?: readonly string[];
    readonly redeemscript?: string;
    readonly witnessscript?: string;
    readonly signatures?: readonly string[];
  };
}

/** The answer of `finalizepsbt`. */
export interface FinalizedPsbtJson {
  readonly psbt?: string;
  readonly hex?: string;
  readonly complete: boolean;
}

/** The answer of `descriptorprocesspsbt`. */
export interface ProcessedPsbtJson {
  readonly psbt: string;
  readonly complete: boolean;
  readonly hex?: string;
}

/** The answer of `getdescriptorinfo`. */
export interface DescriptorInfoJson {
  /** Without private keys, with its checksum. */
  readonly descriptor: string;
  readonly multipath_expansion?: readonly string[];
  /** Of the descriptor as given. */
  readonly checksum: string;
  readonly isrange: boolean;
  readonly issolvable: boolean;
  readonly hasprivatekeys: boolean;
}

/** The kind of an address. */
export interface AddressKindJson {
  readonly isscript?: boolean;
  readonly iswitness?: boolean;
  readonly witness_version?: number;
  readonly witness_program?: string;
  /** Litecoin only: the address belongs to its extension block. */
  readonly ismweb?: boolean;
}

/** The answer of `validateaddress`; of an invalid address, only the first three members. */
export interface ValidatedAddressJson extends AddressKindJson {
  readonly isvalid: boolean;
  /** Bytes of a bech32 text that are probably wrong. Core 31 only, as `error`. */
  readonly error_locations?: readonly number[];
  readonly error?: string;
  /** In its usual spelling. */
  readonly address?: string;
  readonly scriptPubKey?: string;
}

/** The answer of `createmultisig`. */
export interface MultisigAddressJson {
  readonly address: string;
  readonly redeemScript: string;
  readonly descriptor: string;
  readonly warnings?: readonly string[];
}

/** A transaction as the chain or the mempool has it. */
export interface FoundTransactionJson extends TransactionJson {
  readonly in_active_chain?: boolean;
  /** The policy's virtual size of an unconfirmed transaction. */
  readonly vsize_adjusted?: number;
  /** In coins. */
  readonly fee?: number;
  readonly hex?: string;
  readonly blockhash?: string;
  readonly confirmations?: number;
  /** UNIX time of the block. */
  readonly time?: number;
  readonly blocktime?: number;
}
