import type { Policy } from '../review/policy.ts';
import type { Prevtx, SighashName } from './client.ts';
import type { RpcAnswer } from './method.ts';
import type { ReviewedPsbtJson } from './psbt/reviewpsbt.ts';
import type {
  AnalyzedPsbtJson,
  DecodedScriptJson,
  DescriptorInfoJson,
  FinalizedPsbtJson,
  ProcessedPsbtJson,
  PsbtJson,
  SigningResultJson,
  TransactionJson,
  VerifiedTransactionJson,
} from './views/jsonTypes.ts';
import type {
  AddressInfoJson,
  ImportedJson,
  ListedDescriptorsJson,
  OutpointJson,
  SinceBlockJson,
  UnspentJson,
  WalletInfoJson,
  WalletNameJson,
} from './views/walletJsonTypes.ts';

/** An optional argument; a node takes null as absent. */
type Optional<T> = T | null;

/** An amount in coins. A string is exact. */
type Amount = number | string;

/** Derivation indexes: the last one, or the first and the last. */
type RangeArgument = number | readonly [first: number, last: number];

/** A coin to spend. */
export interface InputArgument extends OutpointJson {
  readonly sequence?: number;
}

/** Amounts in coins by address; under `data`, the hex of an OP_RETURN output. */
export type OutputsArgument = Readonly<Record<string, Amount>>;

/** A descriptor, with the indexes to derive; by default 0 to 1000. */
export type DescriptorArgument = string | { readonly desc: string; readonly range?: RangeArgument };

/** The filters of `listunspent`. */
export interface QueryOptions {
  readonly minimumAmount?: Amount;
  readonly maximumAmount?: Amount;
  readonly minimumSumAmount?: Amount;
  readonly maximumCount?: number;
  /** core-31 only. */
  readonly include_immature_coinbase?: boolean;
}

/** The members that both import methods take. `timestamp` is in UNIX seconds. */
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

/**
 * The methods by name, each as a function of its arguments by position. Members of an answer that only some dialects or
 * PSBTs have are optional.
 */
export interface RpcMethods {
  readonly decodepsbt: (psbt: string) => PsbtJson;
  readonly decoderawtransaction: (hexstring: string, iswitness?: Optional<boolean>) => TransactionJson;
  readonly decodescript: (hexstring: string) => DecodedScriptJson;
  readonly signrawtransactionwithkey: (
    hexstring: string,
    privkeys: readonly string[],
    prevtxs?: Optional<readonly Prevtx[]>,
    sighashtype?: Optional<SighashName>,
  ) => SigningResultJson;
  readonly createpsbt: (
    inputs: readonly InputArgument[],
    outputs: OutputsArgument | readonly OutputsArgument[],
    locktime?: Optional<number>,
    replaceable?: Optional<boolean>,
    version?: Optional<number>,
    psbt_version?: Optional<number>,
  ) => string;
  readonly converttopsbt: (
    hexstring: string,
    permitsigdata?: Optional<boolean>,
    iswitness?: Optional<boolean>,
    psbt_version?: Optional<number>,
  ) => string;
  readonly utxoupdatepsbt: (
    psbt: string,
    descriptors?: Optional<readonly DescriptorArgument[]>,
    prevtxs?: Optional<readonly (string | Prevtx)[]>,
  ) => string;
  readonly descriptorprocesspsbt: (
    psbt: string,
    descriptors: readonly DescriptorArgument[],
    sighashtype?: Optional<SighashName>,
    bip32derivs?: Optional<boolean>,
    finalize?: Optional<boolean>,
  ) => ProcessedPsbtJson;
  readonly combinepsbt: (txs: readonly string[]) => string;
  readonly finalizepsbt: (psbt: string, extract?: Optional<boolean>) => FinalizedPsbtJson;
  readonly analyzepsbt: (psbt: string) => AnalyzedPsbtJson;
  readonly joinpsbts: (txs: readonly string[]) => string;
  readonly getdescriptorinfo: (descriptor: string) => DescriptorInfoJson;
  /** Of a multipath descriptor, answers one list for each path. */
  readonly deriveaddresses: (
    descriptor: string,
    range?: Optional<RangeArgument>,
  ) => readonly string[] | readonly (readonly string[])[];
  readonly reviewpsbt: (
    psbt: string,
    descriptors?: Optional<readonly (string | { readonly desc: string })[]>,
    policy?: Optional<Policy>,
    sighashtype?: Optional<SighashName>,
  ) => ReviewedPsbtJson;
  readonly verifyrawtransaction: (
    hexstring: string,
    prevtxs: readonly Prevtx[],
    flags?: Optional<string>,
  ) => VerifiedTransactionJson;
  readonly listunspent: (
    minconf?: Optional<number>,
    maxconf?: Optional<number>,
    addresses?: Optional<readonly string[]>,
    include_unsafe?: Optional<boolean>,
    query_options?: Optional<QueryOptions>,
  ) => readonly UnspentJson[];
  readonly listsinceblock: (
    blockhash?: Optional<string>,
    target_confirmations?: Optional<number>,
    include_watchonly?: Optional<boolean>,
    include_removed?: Optional<boolean>,
    include_change?: Optional<boolean>,
    label?: Optional<string>,
  ) => SinceBlockJson;
  readonly getaddressinfo: (address: string) => AddressInfoJson;
  readonly signrawtransactionwithwallet: (
    hexstring: string,
    prevtxs?: Optional<readonly Prevtx[]>,
    sighashtype?: Optional<SighashName>,
  ) => SigningResultJson;
  readonly getwalletinfo: () => WalletInfoJson;
  readonly importdescriptors: (requests: readonly DescriptorImport[]) => readonly ImportedJson[];
  readonly listdescriptors: (private_?: Optional<boolean>) => ListedDescriptorsJson;
  readonly importprivkey: (privkey: string, label?: Optional<string>, rescan?: Optional<boolean>) => null;
  readonly importaddress: (
    address: string,
    label?: Optional<string>,
    rescan?: Optional<boolean>,
    p2sh?: Optional<boolean>,
  ) => null;
  readonly importpubkey: (pubkey: string, label?: Optional<string>, rescan?: Optional<boolean>) => null;
  readonly importmulti: (
    requests: readonly ScriptImport[],
    options?: { readonly rescan?: boolean },
  ) => readonly ImportedJson[];
  readonly setlabel: (address: string, label: string) => null;
  readonly lockunspent: (
    unlock: boolean,
    transactions?: Optional<readonly OutpointJson[]>,
    persistent?: Optional<boolean>,
  ) => true;
  readonly listlockunspent: () => readonly OutpointJson[];
  readonly abandontransaction: (txid: string) => null;
  readonly encryptwallet: (passphrase: string) => string;
  readonly walletpassphrase: (passphrase: string, timeout: number) => null;
  readonly walletpassphrasechange: (oldpassphrase: string, newpassphrase: string) => null;
  readonly walletlock: () => null;
  readonly createwallet: (
    wallet_name: string,
    disable_private_keys?: Optional<boolean>,
    blank?: Optional<boolean>,
    passphrase?: Optional<string>,
    avoid_reuse?: Optional<boolean>,
    descriptors?: Optional<boolean>,
    load_on_startup?: Optional<boolean>,
    external_signer?: Optional<boolean>,
  ) => WalletNameJson;
  readonly loadwallet: (filename: string, load_on_startup?: Optional<boolean>) => WalletNameJson;
  readonly unloadwallet: (
    wallet_name?: Optional<string>,
    load_on_startup?: Optional<boolean>,
  ) => { readonly warning?: string };
  readonly listwallets: () => readonly string[];
  /** Answers null if the block is accepted, or else BIP22's reason. */
  readonly submitblock: (hexdata: string, dummy?: Optional<string>) => string | null;
  readonly invalidateblock: (blockhash: string) => null;
  readonly reconsiderblock: (blockhash: string) => null;
  readonly sendrawtransaction: (
    hexstring: string,
    maxfeerate?: Optional<Amount>,
    maxburnamount?: Optional<Amount>,
  ) => string;
  readonly droptransaction: (txid: string) => null;
  readonly setmocktime: (timestamp: number) => null;
  readonly getblockcount: () => number;
  readonly getblockhash: (height: number) => string;
  readonly getbestblockhash: () => string;
  readonly getrawmempool: (
    verbose?: Optional<boolean>,
    mempool_sequence?: Optional<boolean>,
  ) => readonly string[] | Readonly<Record<string, never>>;
}

/** The names of the parameters, by which a call can give its arguments. */
interface ParameterNames {
  readonly decodepsbt: readonly ['psbt'];
  readonly decoderawtransaction: readonly ['hexstring', 'iswitness'];
  readonly decodescript: readonly ['hexstring'];
  readonly signrawtransactionwithkey: readonly ['hexstring', 'privkeys', 'prevtxs', 'sighashtype'];
  readonly createpsbt: readonly ['inputs', 'outputs', 'locktime', 'replaceable', 'version', 'psbt_version'];
  readonly converttopsbt: readonly ['hexstring', 'permitsigdata', 'iswitness', 'psbt_version'];
  readonly utxoupdatepsbt: readonly ['psbt', 'descriptors', 'prevtxs'];
  readonly descriptorprocesspsbt: readonly ['psbt', 'descriptors', 'sighashtype', 'bip32derivs', 'finalize'];
  readonly combinepsbt: readonly ['txs'];
  readonly finalizepsbt: readonly ['psbt', 'extract'];
  readonly analyzepsbt: readonly ['psbt'];
  readonly joinpsbts: readonly ['txs'];
  readonly getdescriptorinfo: readonly ['descriptor'];
  readonly deriveaddresses: readonly ['descriptor', 'range'];
  readonly reviewpsbt: readonly ['psbt', 'descriptors', 'policy', 'sighashtype'];
  readonly verifyrawtransaction: readonly ['hexstring', 'prevtxs', 'flags'];
  readonly listunspent: readonly ['minconf', 'maxconf', 'addresses', 'include_unsafe', 'query_options'];
  readonly listsinceblock: readonly [
    'blockhash',
    'target_confirmations',
    'include_watchonly',
    'include_removed',
    'include_change',
    'label',
  ];
  readonly getaddressinfo: readonly ['address'];
  readonly signrawtransactionwithwallet: readonly ['hexstring', 'prevtxs', 'sighashtype'];
  readonly getwalletinfo: readonly [];
  readonly importdescriptors: readonly ['requests'];
  readonly listdescriptors: readonly ['private'];
  readonly importprivkey: readonly ['privkey', 'label', 'rescan'];
  readonly importaddress: readonly ['address', 'label', 'rescan', 'p2sh'];
  readonly importpubkey: readonly ['pubkey', 'label', 'rescan'];
  readonly importmulti: readonly ['requests', 'options'];
  readonly setlabel: readonly ['address', 'label'];
  readonly lockunspent: readonly ['unlock', 'transactions', 'persistent'];
  readonly listlockunspent: readonly [];
  readonly abandontransaction: readonly ['txid'];
  readonly encryptwallet: readonly ['passphrase'];
  readonly walletpassphrase: readonly ['passphrase', 'timeout'];
  readonly walletpassphrasechange: readonly ['oldpassphrase', 'newpassphrase'];
  readonly walletlock: readonly [];
  readonly createwallet: readonly [
    'wallet_name',
    'disable_private_keys',
    'blank',
    'passphrase',
    'avoid_reuse',
    'descriptors',
    'load_on_startup',
    'external_signer',
  ];
  readonly loadwallet: readonly ['filename', 'load_on_startup'];
  readonly unloadwallet: readonly ['wallet_name', 'load_on_startup'];
  readonly listwallets: readonly [];
  readonly submitblock: readonly ['hexdata', 'dummy'];
  readonly invalidateblock: readonly ['blockhash'];
  readonly reconsiderblock: readonly ['blockhash'];
  readonly sendrawtransaction: readonly ['hexstring', 'maxfeerate', 'maxburnamount'];
  readonly droptransaction: readonly ['txid'];
  readonly setmocktime: readonly ['timestamp'];
  readonly getblockcount: readonly [];
  readonly getblockhash: readonly ['height'];
  readonly getbestblockhash: readonly [];
  readonly getrawmempool: readonly ['verbose', 'mempool_sequence'];
}

/** The name of a method. */
export type MethodName = keyof RpcMethods;

/** Pairs the names of parameters with their types. An array has none of these members. */
type NamedBy<N extends readonly string[], P extends readonly unknown[]> = {
  readonly [I in Extract<keyof N, `${number}`> as undefined extends P[I & keyof P] ? never : N[I]]: P[I & keyof P];
} & {
  readonly [I in Extract<keyof N, `${number}`> as undefined extends P[I & keyof P] ? N[I] : never]?: P[I & keyof P];
} & { readonly [Symbol.iterator]?: never };

/** The arguments of a method by position or by name. Core also takes the query options of `listunspent` by name. */
type KnownArguments<M extends MethodName> =
  | Readonly<Parameters<RpcMethods[M]>>
  | (NamedBy<ParameterNames[M], Parameters<RpcMethods[M]>> & (M extends 'listunspent' ? QueryOptions : unknown));

/** The arguments of a method; of a name that is known only when the program runs, any arguments. */
export type ArgumentsOf<M extends string> = M extends MethodName
  ? KnownArguments<M>
  : readonly unknown[] | Readonly<Record<string, unknown>>;

/** The answer of a method; of a name that is known only when the program runs, any answer. */
export type AnswerOf<M extends string> = M extends MethodName ? ReturnType<RpcMethods[M]> : RpcAnswer;

/** Accepts the names of methods, and any value of type `string`, but no other literal. */
export type CallableName<M extends string> = string extends M ? M : M extends MethodName ? M : MethodName;

/**
 * Calls a method with arguments by position (an array) or by name (an object); the name of the method types them and the
 * answer. A misspelt name does not compile: to call a method by a name that only the running program knows, pass it as a
 * `string`.
 *
 * - `wallet`: the wallet that the request names, if any
 *
 * @throws RpcError with the node's code and text
 */
export type RpcCall = <M extends string>(
  method: CallableName<M>,
  ...rest: readonly [] extends ArgumentsOf<M>
    ? [params?: ArgumentsOf<M>, wallet?: string]
    : [params: ArgumentsOf<M>, wallet?: string]
) => AnswerOf<M>;
