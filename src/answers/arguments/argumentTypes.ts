/** An output by its transaction and index. */
export interface OutpointJson {
  readonly txid: string;
  readonly vout: number;
}

/** A previous output, in the form that signing methods take. */
export interface Prevtx {
  /** In display order. */
  readonly txid: string;
  readonly vout: number;
  readonly scriptPubKey: string;
  /** Required for P2SH. */
  readonly redeemScript?: string;
  /** Required for P2WSH and P2SH-P2WSH. */
  readonly witnessScript?: string;
  /** Required for segwit inputs, whose signatures commit to it. */
  readonly amount?: Amount;
}

/** Names of the sighash types that signing methods take. */
export type SighashName =
  | 'DEFAULT'
  | 'ALL'
  | 'NONE'
  | 'SINGLE'
  | 'ALL|ANYONECANPAY'
  | 'NONE|ANYONECANPAY'
  | 'SINGLE|ANYONECANPAY';

/** A number or a string is in coins, a bigint in satoshi. A number may be inexact. */
export type Amount = number | string | bigint;

/** In satoshi per virtual byte. */
export type FeeRate = number | string;

export type RangeArgument = number | readonly [first: number, last: number];

/** A coin to spend. */
export interface InputArgument extends OutpointJson {
  readonly sequence?: number;
}

/** Amounts by address; under `data`, the hex of an OP_RETURN output. */
export type OutputsArgument = Readonly<Record<string, Amount>>;

/** A descriptor, with the indexes to derive; by default 0 to 1000. */
export type DescriptorArgument = string | { readonly desc: string; readonly range?: RangeArgument };

/** `bech32m` is taproot, since core-29. */
export type AddressType = 'legacy' | 'p2sh-segwit' | 'bech32' | 'bech32m';

export interface HdKeyOptions {
  readonly active_only?: boolean;
  readonly private?: boolean;
}

interface PayingOptions {
  readonly add_inputs?: boolean;
  readonly change_type?: AddressType;
  readonly fee_rate?: FeeRate;
  readonly replaceable?: boolean;
  readonly conf_target?: number;
  readonly estimate_mode?: string;
  /** Since core-29, as all members that follow. */
  readonly include_unsafe?: boolean;
  readonly minconf?: number;
  readonly maxconf?: number;
  readonly max_tx_weight?: number;
  readonly solving_data?: {
    readonly pubkeys?: readonly string[];
    readonly scripts?: readonly string[];
    readonly descriptors?: readonly string[];
  };
}

export interface FundingOptions extends PayingOptions {
  readonly changeAddress?: string;
  readonly changePosition?: number;
  readonly lockUnspents?: boolean;
  /** Coins per 1000 virtual bytes. */
  readonly feeRate?: Amount;
  readonly subtractFeeFromOutputs?: readonly (number | string)[];
  readonly includeWatching?: boolean;
}

export interface SendOptions extends PayingOptions {
  readonly change_address?: string;
  readonly change_position?: number;
  readonly lock_unspents?: boolean;
  readonly subtract_fee_from_outputs?: readonly (number | string)[];
  readonly include_watching?: boolean;
  readonly inputs?: readonly InputArgument[];
  readonly locktime?: number;
  readonly psbt?: boolean;
  readonly add_to_wallet?: boolean;
}

export interface SendAllOptions
  extends Pick<SendOptions, 'inputs' | 'locktime' | 'lock_unspents' | 'psbt' | 'add_to_wallet' | 'fee_rate'> {
  readonly minconf?: number;
  readonly maxconf?: number;
  readonly replaceable?: boolean;
  readonly send_max?: boolean;
  readonly version?: number;
}

export interface BumpOptions extends Pick<PayingOptions, 'fee_rate' | 'replaceable' | 'conf_target' | 'estimate_mode'> {
  /** Since core-29, as all members that follow. */
  readonly outputs?: OutputsArgument | readonly OutputsArgument[];
  readonly original_change_index?: number;
  /** Since core-32. */
  readonly psbt_version?: number;
}

/** The filters of `listunspent`. */
export interface QueryOptions {
  readonly minimumAmount?: Amount;
  readonly maximumAmount?: Amount;
  readonly minimumSumAmount?: Amount;
  readonly maximumCount?: number;
  /** Since core-29. */
  readonly include_immature_coinbase?: boolean;
}

/** `timestamp` is in UNIX seconds. */
interface ImportArgument {
  readonly timestamp: number | 'now';
  readonly range?: RangeArgument;
  readonly internal?: boolean;
  readonly label?: string;
}

/** One request of `importdescriptors`. */
export interface DescriptorImport extends ImportArgument {
  readonly desc: string;
  readonly active?: boolean;
  readonly next_index?: number;
}

/** One request of `importmulti`, with either `desc` or `scriptPubKey`. */
export interface ScriptImport extends ImportArgument {
  readonly desc?: string;
  readonly scriptPubKey?: string | { readonly address: string };
  readonly redeemscript?: string;
  readonly witnessscript?: string;
  readonly pubkeys?: readonly string[];
  readonly keys?: readonly string[];
  readonly watchonly?: boolean;
  readonly keypool?: boolean;
}
