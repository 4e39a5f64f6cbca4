import type { Policy } from '../review/policy.ts';
import type { Prevtx, SighashName } from './client.ts';
import type { RpcAnswer } from './method.ts';
import type { ReviewedPsbtJson } from './psbt/reviewpsbt.ts';
import type {
  BlockHeaderJson,
  BlockJson,
  ChainInfoJson,
  ChainTipJson,
  CoinJson,
  FeeEstimateJson,
  FoundCoinsJson,
  FoundTransactionJson,
  MempoolEntryJson,
  MempoolInfoJson,
  MempoolListJson,
  MempoolTestJson,
  NetTotalsJson,
  NetworkInfoJson,
  RpcInfoJson,
} from './views/chainJsonTypes.ts';
import type {
  AnalyzedPsbtJson,
  DecodedScriptJson,
  DescriptorInfoJson,
  FinalizedPsbtJson,
  MultisigAddressJson,
  ProcessedPsbtJson,
  PsbtJson,
  SigningResultJson,
  TransactionJson,
  ValidatedAddressJson,
  VerifiedTransactionJson,
} from './views/jsonTypes.ts';
import type {
  AddressInfoJson,
  BalancesJson,
  BumpedFeeJson,
  FundedPsbtJson,
  FundedTransactionJson,
  GroupedAddressJson,
  HdKeyJson,
  ImportedJson,
  LabelledAddressesJson,
  ListedDescriptorsJson,
  OutpointJson,
  PaidJson,
  ReceivedByAddressJson,
  ReceivedJson,
  RescanJson,
  SentJson,
  SinceBlockJson,
  TransactionEntryJson,
  UnspentJson,
  WalletFlagJson,
  WalletInfoJson,
  WalletNameJson,
  WalletTransactionJson,
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

/** A kind of address; `bech32m` is taproot, in core-31 only. */
type AddressType = 'legacy' | 'p2sh-segwit' | 'bech32' | 'bech32m';

/** The options of `gethdkeys`. */
interface HdKeyOptions {
  readonly active_only?: boolean;
  readonly private?: boolean;
}

/** The options of all methods that pay. */
interface PayingOptions {
  readonly add_inputs?: boolean;
  readonly change_type?: AddressType;
  /** Satoshi per virtual byte. */
  readonly fee_rate?: Amount;
  readonly replaceable?: boolean;
  readonly conf_target?: number;
  readonly estimate_mode?: string;
  /** core-31 only, as all members that follow. */
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

/** The options of `walletcreatefundedpsbt` and `fundrawtransaction`. */
interface FundingOptions extends PayingOptions {
  readonly changeAddress?: string;
  readonly changePosition?: number;
  readonly lockUnspents?: boolean;
  /** Coins per 1000 virtual bytes. */
  readonly feeRate?: Amount;
  readonly subtractFeeFromOutputs?: readonly (number | string)[];
  readonly includeWatching?: boolean;
}

/** The options of `send`. */
interface SendOptions extends PayingOptions {
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

/** The options of `sendall`. */
interface SendAllOptions
  extends Pick<SendOptions, 'inputs' | 'locktime' | 'lock_unspents' | 'psbt' | 'add_to_wallet' | 'fee_rate'> {
  readonly minconf?: number;
  readonly maxconf?: number;
  readonly replaceable?: boolean;
  readonly send_max?: boolean;
  readonly version?: number;
}

/** The options of `bumpfee` and `psbtbumpfee`. */
interface BumpOptions extends Pick<PayingOptions, 'fee_rate' | 'replaceable' | 'conf_target' | 'estimate_mode'> {
  /** core-31 only, as all members that follow. */
  readonly outputs?: OutputsArgument | readonly OutputsArgument[];
  readonly original_change_index?: number;
  /** Of `psbtbumpfee`. */
  readonly psbt_version?: number;
}

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
  readonly createrawtransaction: (
    inputs: readonly InputArgument[],
    outputs: OutputsArgument | readonly OutputsArgument[],
    locktime?: Optional<number>,
    replaceable?: Optional<boolean>,
    version?: Optional<number>,
  ) => string;
  readonly signrawtransactionwithkey: (
    hexstring: string,
    privkeys: readonly string[],
    prevtxs?: Optional<readonly Prevtx[]>,
    sighashtype?: Optional<SighashName>,
  ) => SigningResultJson;
  readonly combinerawtransaction: (txs: readonly string[], prevtxs?: Optional<readonly Prevtx[]>) => string;
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
  readonly validateaddress: (address: string) => ValidatedAddressJson;
  readonly createmultisig: (
    nrequired: number,
    keys: readonly string[],
    address_type?: Optional<'legacy' | 'p2sh-segwit' | 'bech32'>,
  ) => MultisigAddressJson;
  readonly signmessagewithprivkey: (privkey: string, message: string) => string;
  readonly verifymessage: (address: string, signature: string, message: string) => boolean;
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
  readonly listtransactions: (
    label?: Optional<string>,
    count?: Optional<number>,
    skip?: Optional<number>,
    include_watchonly?: Optional<boolean>,
  ) => readonly TransactionEntryJson[];
  readonly gettransaction: (
    txid: string,
    include_watchonly?: Optional<boolean>,
    verbose?: Optional<boolean>,
  ) => WalletTransactionJson;
  readonly getbalance: (
    dummy?: Optional<string>,
    minconf?: Optional<number>,
    include_watchonly?: Optional<boolean>,
    avoid_reuse?: Optional<boolean>,
  ) => number;
  readonly getbalances: () => BalancesJson;
  readonly getunconfirmedbalance: () => number;
  readonly listreceivedbyaddress: (
    minconf?: Optional<number>,
    include_empty?: Optional<boolean>,
    include_watchonly?: Optional<boolean>,
    address_filter?: string,
    include_immature_coinbase?: Optional<boolean>,
  ) => readonly ReceivedByAddressJson[];
  readonly listreceivedbylabel: (
    minconf?: Optional<number>,
    include_empty?: Optional<boolean>,
    include_watchonly?: Optional<boolean>,
    include_immature_coinbase?: Optional<boolean>,
  ) => readonly ReceivedJson[];
  readonly getreceivedbyaddress: (
    address: string,
    minconf?: Optional<number>,
    include_immature_coinbase?: Optional<boolean>,
  ) => number;
  readonly getreceivedbylabel: (
    label: string,
    minconf?: Optional<number>,
    include_immature_coinbase?: Optional<boolean>,
  ) => number;
  readonly listaddressgroupings: () => readonly (readonly GroupedAddressJson[])[];
  readonly getaddressinfo: (address: string) => AddressInfoJson;
  readonly getaddressesbylabel: (label: string) => LabelledAddressesJson;
  readonly listlabels: (purpose?: Optional<string>) => readonly string[];
  readonly signrawtransactionwithwallet: (
    hexstring: string,
    prevtxs?: Optional<readonly Prevtx[]>,
    sighashtype?: Optional<SighashName>,
  ) => SigningResultJson;
  readonly simulaterawtransaction: (
    rawtxs?: readonly string[],
    options?: Optional<{ readonly include_watchonly?: boolean }>,
  ) => { readonly balance_change: number };
  readonly walletprocesspsbt: (
    psbt: string,
    sign?: Optional<boolean>,
    sighashtype?: Optional<SighashName>,
    bip32derivs?: Optional<boolean>,
    finalize?: Optional<boolean>,
  ) => ProcessedPsbtJson;
  readonly signmessage: (address: string, message: string) => string;
  readonly walletcreatefundedpsbt: (
    inputs: Optional<readonly InputArgument[]>,
    outputs: OutputsArgument | readonly OutputsArgument[],
    locktime?: Optional<number>,
    options?: Optional<FundingOptions>,
    bip32derivs?: Optional<boolean>,
    version?: Optional<number>,
    psbt_version?: Optional<number>,
  ) => FundedPsbtJson;
  readonly fundrawtransaction: (
    hexstring: string,
    options?: Optional<FundingOptions>,
    iswitness?: Optional<boolean>,
  ) => FundedTransactionJson;
  readonly send: (
    outputs: OutputsArgument | readonly OutputsArgument[],
    conf_target?: Optional<number>,
    estimate_mode?: Optional<string>,
    fee_rate?: Optional<Amount>,
    options?: Optional<SendOptions>,
    version?: Optional<number>,
  ) => PaidJson;
  readonly sendtoaddress: (
    address: string,
    amount: Amount,
    comment?: Optional<string>,
    comment_to?: Optional<string>,
    subtractfeefromamount?: Optional<boolean>,
    replaceable?: Optional<boolean>,
    conf_target?: Optional<number>,
    estimate_mode?: Optional<string>,
    avoid_reuse?: Optional<boolean>,
    fee_rate?: Optional<Amount>,
    verbose?: Optional<boolean>,
  ) => SentJson;
  readonly sendmany: (
    dummy: Optional<''>,
    amounts: OutputsArgument,
    minconf?: Optional<number>,
    comment?: Optional<string>,
    subtractfeefrom?: Optional<readonly string[]>,
    replaceable?: Optional<boolean>,
    conf_target?: Optional<number>,
    estimate_mode?: Optional<string>,
    fee_rate?: Optional<Amount>,
    verbose?: Optional<boolean>,
  ) => SentJson;
  readonly sendall: (
    recipients: readonly (string | OutputsArgument)[],
    conf_target?: Optional<number>,
    estimate_mode?: Optional<string>,
    fee_rate?: Optional<Amount>,
    options?: Optional<SendAllOptions>,
  ) => PaidJson;
  readonly bumpfee: (txid: string, options?: Optional<BumpOptions>) => BumpedFeeJson;
  readonly psbtbumpfee: (txid: string, options?: Optional<BumpOptions>) => BumpedFeeJson;
  readonly getwalletinfo: () => WalletInfoJson;
  readonly getnewaddress: (label?: Optional<string>, address_type?: Optional<AddressType>) => string;
  readonly getrawchangeaddress: (address_type?: Optional<AddressType>) => string;
  readonly keypoolrefill: (newsize?: Optional<number>) => null;
  readonly sethdseed: (newkeypool?: Optional<boolean>, seed?: Optional<string>) => null;
  readonly dumpprivkey: (address: string) => string;
  readonly gethdkeys: (options?: Optional<HdKeyOptions>) => readonly HdKeyJson[];
  readonly createwalletdescriptor: (
    type: AddressType,
    options?: Optional<{ readonly internal?: boolean; readonly hdkey?: string }>,
  ) => { readonly descs: readonly string[] };
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
  readonly rescanblockchain: (start_height?: Optional<number>, stop_height?: Optional<number>) => RescanJson;
  readonly setlabel: (address: string, label: string) => null;
  readonly lockunspent: (
    unlock: boolean,
    transactions?: Optional<readonly OutpointJson[]>,
    persistent?: Optional<boolean>,
  ) => true;
  readonly listlockunspent: () => readonly OutpointJson[];
  readonly abandontransaction: (txid: string) => null;
  readonly importprunedfunds: (rawtransaction: string, txoutproof: string) => null;
  readonly removeprunedfunds: (txid: string) => null;
  readonly addmultisigaddress: (
    nrequired: number,
    keys: readonly string[],
    label?: Optional<string>,
    address_type?: Optional<Exclude<AddressType, 'bech32m'>>,
  ) => MultisigAddressJson;
  readonly setwalletflag: (flag: string, value?: Optional<boolean>) => WalletFlagJson;
  readonly settxfee: (amount: Amount) => true;
  readonly abortrescan: () => false;
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
  readonly backupwallet: (destination: string) => null;
  readonly restorewallet: (
    wallet_name: string,
    backup_file: string,
    load_on_startup?: Optional<boolean>,
  ) => WalletNameJson;
  readonly listwallets: () => readonly string[];
  readonly listwalletdir: () => { readonly wallets: readonly { readonly name: string }[] };
  /** Answers null if the block is accepted, or else BIP22's reason. */
  readonly submitblock: (hexdata: string, dummy?: Optional<string>) => string | null;
  readonly invalidateblock: (blockhash: string) => null;
  readonly reconsiderblock: (blockhash: string) => null;
  readonly sendrawtransaction: (
    hexstring: string,
    maxfeerate?: Optional<Amount>,
    maxburnamount?: Optional<Amount>,
  ) => string;
  readonly testmempoolaccept: (rawtxs: readonly string[], maxfeerate?: Optional<Amount>) => readonly MempoolTestJson[];
  readonly droptransaction: (txid: string) => null;
  readonly setmocktime: (timestamp: number) => null;
  readonly getblockcount: () => number;
  readonly getblockhash: (height: number) => string;
  readonly getbestblockhash: () => string;
  /** Answers hex with verbosity 0. */
  readonly getblock: (blockhash: string, verbosity?: Optional<number | boolean>) => string | BlockJson;
  /** Answers hex unless it is verbose. */
  readonly getblockheader: (blockhash: string, verbose?: Optional<boolean>) => string | BlockHeaderJson;
  readonly getblockchaininfo: () => ChainInfoJson;
  readonly getdifficulty: () => number;
  readonly getchaintips: () => readonly ChainTipJson[];
  readonly gettxout: (txid: string, n: number, include_mempool?: Optional<boolean>) => CoinJson | null;
  /** Answers null to `status` and false to `abort`. */
  readonly gettxoutproof: (txids: readonly string[], blockhash?: Optional<string>) => string;
  readonly verifytxoutproof: (proof: string) => readonly string[];
  readonly scantxoutset: (
    action: 'start' | 'status' | 'abort',
    scanobjects?: Optional<readonly DescriptorArgument[]>,
  ) => FoundCoinsJson | boolean | null;
  /** Answers hex with verbosity 0. */
  readonly getrawtransaction: (
    txid: string,
    verbosity?: Optional<number | boolean>,
    blockhash?: Optional<string>,
  ) => string | FoundTransactionJson;
  readonly getrawmempool: (verbose?: Optional<boolean>, mempool_sequence?: Optional<boolean>) => MempoolListJson;
  readonly getmempoolinfo: () => MempoolInfoJson;
  readonly getmempoolentry: (txid: string) => MempoolEntryJson;
  readonly getmempoolancestors: (txid: string, verbose?: Optional<boolean>) => MempoolListJson;
  readonly getmempooldescendants: (txid: string, verbose?: Optional<boolean>) => MempoolListJson;
  readonly getnetworkinfo: () => NetworkInfoJson;
  readonly getconnectioncount: () => number;
  readonly getpeerinfo: () => readonly never[];
  readonly getnettotals: () => NetTotalsJson;
  readonly getindexinfo: (index_name?: Optional<string>) => Readonly<Record<string, never>>;
  readonly getzmqnotifications: () => readonly never[];
  readonly getrpcinfo: () => RpcInfoJson;
  readonly uptime: () => number;
  readonly estimatesmartfee: (conf_target: number, estimate_mode?: string) => FeeEstimateJson;
}

/** The names of the parameters, by which a call can give its arguments. */
interface ParameterNames {
  readonly decodepsbt: readonly ['psbt'];
  readonly decoderawtransaction: readonly ['hexstring', 'iswitness'];
  readonly decodescript: readonly ['hexstring'];
  readonly createrawtransaction: readonly ['inputs', 'outputs', 'locktime', 'replaceable', 'version'];
  readonly signrawtransactionwithkey: readonly ['hexstring', 'privkeys', 'prevtxs', 'sighashtype'];
  readonly combinerawtransaction: readonly ['txs', 'prevtxs'];
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
  readonly validateaddress: readonly ['address'];
  readonly createmultisig: readonly ['nrequired', 'keys', 'address_type'];
  readonly signmessagewithprivkey: readonly ['privkey', 'message'];
  readonly verifymessage: readonly ['address', 'signature', 'message'];
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
  readonly listtransactions: readonly ['label', 'count', 'skip', 'include_watchonly'];
  readonly gettransaction: readonly ['txid', 'include_watchonly', 'verbose'];
  readonly getbalance: readonly ['dummy', 'minconf', 'include_watchonly', 'avoid_reuse'];
  readonly getbalances: readonly [];
  readonly getunconfirmedbalance: readonly [];
  readonly listreceivedbyaddress: readonly [
    'minconf',
    'include_empty',
    'include_watchonly',
    'address_filter',
    'include_immature_coinbase',
  ];
  readonly listreceivedbylabel: readonly ['minconf', 'include_empty', 'include_watchonly', 'include_immature_coinbase'];
  readonly getreceivedbyaddress: readonly ['address', 'minconf', 'include_immature_coinbase'];
  readonly getreceivedbylabel: readonly ['label', 'minconf', 'include_immature_coinbase'];
  readonly listaddressgroupings: readonly [];
  readonly getaddressinfo: readonly ['address'];
  readonly getaddressesbylabel: readonly ['label'];
  readonly listlabels: readonly ['purpose'];
  readonly signrawtransactionwithwallet: readonly ['hexstring', 'prevtxs', 'sighashtype'];
  readonly simulaterawtransaction: readonly ['rawtxs', 'options'];
  readonly walletprocesspsbt: readonly ['psbt', 'sign', 'sighashtype', 'bip32derivs', 'finalize'];
  readonly signmessage: readonly ['address', 'message'];
  readonly walletcreatefundedpsbt: readonly [
    'inputs',
    'outputs',
    'locktime',
    'options',
    'bip32derivs',
    'version',
    'psbt_version',
  ];
  readonly fundrawtransaction: readonly ['hexstring', 'options', 'iswitness'];
  readonly send: readonly ['outputs', 'conf_target', 'estimate_mode', 'fee_rate', 'options', 'version'];
  readonly sendtoaddress: readonly [
    'address',
    'amount',
    'comment',
    'comment_to',
    'subtractfeefromamount',
    'replaceable',
    'conf_target',
    'estimate_mode',
    'avoid_reuse',
    'fee_rate',
    'verbose',
  ];
  readonly sendmany: readonly [
    'dummy',
    'amounts',
    'minconf',
    'comment',
    'subtractfeefrom',
    'replaceable',
    'conf_target',
    'estimate_mode',
    'fee_rate',
    'verbose',
  ];
  readonly sendall: readonly ['recipients', 'conf_target', 'estimate_mode', 'fee_rate', 'options'];
  readonly bumpfee: readonly ['txid', 'options'];
  readonly psbtbumpfee: readonly ['txid', 'options'];
  readonly getwalletinfo: readonly [];
  readonly getnewaddress: readonly ['label', 'address_type'];
  readonly getrawchangeaddress: readonly ['address_type'];
  readonly keypoolrefill: readonly ['newsize'];
  readonly sethdseed: readonly ['newkeypool', 'seed'];
  readonly dumpprivkey: readonly ['address'];
  readonly gethdkeys: readonly ['options'];
  readonly createwalletdescriptor: readonly ['type', 'options'];
  readonly importdescriptors: readonly ['requests'];
  readonly listdescriptors: readonly ['private'];
  readonly importprivkey: readonly ['privkey', 'label', 'rescan'];
  readonly importaddress: readonly ['address', 'label', 'rescan', 'p2sh'];
  readonly importpubkey: readonly ['pubkey', 'label', 'rescan'];
  readonly importmulti: readonly ['requests', 'options'];
  readonly rescanblockchain: readonly ['start_height', 'stop_height'];
  readonly setlabel: readonly ['address', 'label'];
  readonly lockunspent: readonly ['unlock', 'transactions', 'persistent'];
  readonly listlockunspent: readonly [];
  readonly abandontransaction: readonly ['txid'];
  readonly importprunedfunds: readonly ['rawtransaction', 'txoutproof'];
  readonly removeprunedfunds: readonly ['txid'];
  readonly addmultisigaddress: readonly ['nrequired', 'keys', 'label', 'address_type'];
  readonly setwalletflag: readonly ['flag', 'value'];
  readonly settxfee: readonly ['amount'];
  readonly abortrescan: readonly [];
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
  readonly backupwallet: readonly ['destination'];
  readonly restorewallet: readonly ['wallet_name', 'backup_file', 'load_on_startup'];
  readonly listwallets: readonly [];
  readonly listwalletdir: readonly [];
  readonly submitblock: readonly ['hexdata', 'dummy'];
  readonly invalidateblock: readonly ['blockhash'];
  readonly reconsiderblock: readonly ['blockhash'];
  readonly sendrawtransaction: readonly ['hexstring', 'maxfeerate', 'maxburnamount'];
  readonly testmempoolaccept: readonly ['rawtxs', 'maxfeerate'];
  readonly droptransaction: readonly ['txid'];
  readonly setmocktime: readonly ['timestamp'];
  readonly getblockcount: readonly [];
  readonly getblockhash: readonly ['height'];
  readonly getbestblockhash: readonly [];
  readonly getblock: readonly ['blockhash', 'verbosity'];
  readonly getblockheader: readonly ['blockhash', 'verbose'];
  readonly getblockchaininfo: readonly [];
  readonly getdifficulty: readonly [];
  readonly getchaintips: readonly [];
  readonly gettxout: readonly ['txid', 'n', 'include_mempool'];
  readonly gettxoutproof: readonly ['txids', 'blockhash'];
  readonly verifytxoutproof: readonly ['proof'];
  readonly scantxoutset: readonly ['action', 'scanobjects'];
  readonly getrawtransaction: readonly ['txid', 'verbosity', 'blockhash'];
  readonly getrawmempool: readonly ['verbose', 'mempool_sequence'];
  readonly getmempoolinfo: readonly [];
  readonly getmempoolentry: readonly ['txid'];
  readonly getmempoolancestors: readonly ['txid', 'verbose'];
  readonly getmempooldescendants: readonly ['txid', 'verbose'];
  readonly getnetworkinfo: readonly [];
  readonly getconnectioncount: readonly [];
  readonly getpeerinfo: readonly [];
  readonly getnettotals: readonly [];
  readonly getindexinfo: readonly ['index_name'];
  readonly getzmqnotifications: readonly [];
  readonly getrpcinfo: readonly [];
  readonly uptime: readonly [];
  readonly estimatesmartfee: readonly ['conf_target', 'estimate_mode'];
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
