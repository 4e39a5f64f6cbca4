import type { FoundTransactionJson, ScriptPubKeyJson } from '../../answers/views/jsonTypes.ts';

/** The answer of `getblockheader`. */
export interface BlockHeaderJson {
  readonly hash: string;
  /** -1 outside the active chain. */
  readonly confirmations: number;
  readonly height: number;
  readonly version: number;
  readonly versionHex: string;
  readonly merkleroot: string;
  readonly time: number;
  readonly mediantime: number;
  readonly nonce: number;
  readonly bits: string;
  readonly target?: string;
  readonly difficulty: number;
  readonly chainwork: string;
  /** 0 if only the header is known. */
  readonly nTx: number;
  readonly previousblockhash?: string;
  readonly nextblockhash?: string;
}

/** The coinbase in `getblock`. */
export interface CoinbaseJson {
  readonly version: number;
  readonly locktime: number;
  readonly sequence: number;
  readonly coinbase: string;
  readonly witness?: string;
}

/** The answer of `getblock`. */
export interface BlockJson extends BlockHeaderJson {
  readonly strippedsize: number;
  readonly size: number;
  readonly weight: number;
  readonly coinbase_tx?: CoinbaseJson;
  /** Txids, or with verbosity 2 and 3 transactions. */
  readonly tx: readonly (string | FoundTransactionJson)[];
}

/** A soft fork in `getblockchaininfo`. */
export type SoftForkJson =
  | { readonly type: 'buried'; readonly active: boolean; readonly height: number }
  | { readonly type: 'bip9'; readonly bip9: VotedForkJson; readonly height?: number; readonly active: boolean };

/** The vote on a soft fork. */
export interface VotedForkJson {
  readonly status: 'defined' | 'started' | 'locked_in' | 'active';
  readonly bit?: number;
  /** UNIX time; -1 for a fork that is always active. */
  readonly start_time: number;
  /** UNIX time; 2^63 - 1 for a vote without end, printed in full by `stringifyRpc`. */
  readonly timeout: number;
  readonly since: number;
  readonly statistics?: {
    readonly period: number;
    readonly threshold: number;
    readonly elapsed: number;
    readonly count: number;
    readonly possible: boolean;
  };
}

/** The answer of `getblockchaininfo`. */
export interface ChainInfoJson {
  readonly chain: string;
  readonly blocks: number;
  readonly headers: number;
  readonly bestblockhash: string;
  readonly bits?: string;
  readonly target?: string;
  readonly difficulty: number;
  readonly time?: number;
  readonly mediantime: number;
  readonly verificationprogress: number;
  readonly initialblockdownload: boolean;
  readonly chainwork: string;
  readonly size_on_disk: number;
  readonly pruned: boolean;
  readonly pruneheight?: number;
  readonly automatic_pruning?: boolean;
  readonly softforks?: Readonly<Record<string, SoftForkJson>>;
  readonly signet_challenge?: string;
  readonly warnings: string | readonly string[];
}

/** An element of `getchaintips`. */
export interface ChainTipJson {
  readonly height: number;
  readonly hash: string;
  readonly branchlen: number;
  readonly status: 'active' | 'valid-fork' | 'valid-headers' | 'headers-only' | 'invalid';
}

/** The answer of `gettxout`. */
export interface CoinJson {
  readonly bestblock: string;
  /** 0 in the mempool. */
  readonly confirmations: number;
  /** In coins. */
  readonly value: number;
  readonly scriptPubKey: ScriptPubKeyJson;
  readonly coinbase: boolean;
}

/** A kind of network in `getnetworkinfo`. */
export interface ReachableNetworkJson {
  readonly name: string;
  readonly limited: boolean;
  readonly reachable: boolean;
  readonly proxy: string;
  readonly proxy_randomize_credentials: boolean;
}

/** The rate at which a node sends transactions to one kind of peers. */
export interface SendQueueJson {
  readonly backlog: number;
  readonly count_tok: number;
  readonly size_tok: number;
}

/** The answer of `getnetworkinfo`. */
export interface NetworkInfoJson {
  readonly version: number;
  readonly subversion: string;
  readonly protocolversion: number;
  readonly localservices: string;
  readonly localservicesnames: readonly string[];
  readonly localrelay: boolean;
  readonly timeoffset: number;
  readonly tx_send_rate?: number;
  readonly inv_buckets?: { readonly inbound: SendQueueJson; readonly outbound: SendQueueJson };
  readonly networkactive: boolean;
  readonly connections: number;
  readonly connections_in: number;
  readonly connections_out: number;
  readonly networks: readonly ReachableNetworkJson[];
  /** In coins per 1000 virtual bytes. */
  readonly relayfee: number;
  readonly incrementalfee: number;
  readonly localaddresses: readonly never[];
  readonly warnings: string | readonly string[];
}

/** The answer of `getnettotals`. */
export interface NetTotalsJson {
  readonly totalbytesrecv: number;
  readonly totalbytessent: number;
  readonly timemillis: number;
  readonly uploadtarget: {
    readonly timeframe: number;
    readonly target: number;
    readonly target_reached: boolean;
    readonly serve_historical_blocks: boolean;
    readonly bytes_left_in_cycle: number;
    readonly time_left_in_cycle: number;
  };
}

/** The answer of `getrpcinfo`. */
export interface RpcInfoJson {
  readonly active_commands: readonly { readonly method: string; readonly duration: number }[];
  readonly logpath: string;
}

/** The answer of `estimatesmartfee`. */
export interface FeeEstimateJson {
  readonly errors: readonly string[];
  readonly blocks: number;
}

/** The fees of a mempool transaction and its relatives, in coins. */
export interface MempoolFeesJson {
  readonly base: number;
  readonly modified: number;
  readonly ancestor: number;
  readonly descendant: number;
  readonly chunk?: number;
}

/** The answer of `getmempoolentry`, and an element of `getrawmempool`. */
export interface MempoolEntryJson {
  readonly vsize_adjusted?: number;
  readonly vsize: number;
  readonly vsize_bip141?: number;
  readonly weight: number;
  readonly mwebweight?: number;
  /** In coins. */
  readonly fee?: number;
  readonly modifiedfee?: number;
  /** UNIX time and chain height at its entry. */
  readonly time: number;
  readonly height: number;
  readonly descendantcount: number;
  readonly descendantsize: number;
  readonly descendantmwebweight?: number;
  /** In satoshi. */
  readonly descendantfees?: number;
  readonly ancestorcount: number;
  readonly ancestorsize: number;
  readonly ancestormwebweight?: number;
  /** In satoshi. */
  readonly ancestorfees?: number;
  readonly wtxid: string;
  readonly chunkweight?: number;
  readonly fees: MempoolFeesJson;
  /** Txids of its parents. */
  readonly depends: readonly string[];
  /** Txids of its children. */
  readonly spentby: readonly string[];
  readonly 'bip125-replaceable'?: boolean;
  /** True if sent, rather than returned by a block that left the chain. */
  readonly unbroadcast: boolean;
}

/** Mempool transactions: their txids, or with `verbose` their entries by txid. */
export type MempoolListJson = readonly string[] | Readonly<Record<string, MempoolEntryJson>>;

/** The answer of `getmempoolinfo`. */
export interface MempoolInfoJson {
  readonly loaded: boolean;
  readonly size: number;
  readonly bytes: number;
  readonly usage: number;
  readonly total_fee?: number;
  readonly maxmempool: number;
  /** In coins per 1000 virtual bytes. */
  readonly mempoolminfee: number;
  readonly minrelaytxfee: number;
  readonly incrementalrelayfee?: number;
  readonly unbroadcastcount: number;
  readonly permitbaremultisig?: boolean;
  readonly maxdatacarriersize?: number;
  readonly limitclustercount?: number;
  readonly limitclustersize?: number;
  readonly optimal?: boolean;
}

/** An unspent output that `scantxoutset` found. */
export interface FoundCoinJson {
  readonly txid: string;
  readonly vout: number;
  readonly scriptPubKey: string;
  /** With its checksum. */
  readonly desc: string;
  /** In coins. */
  readonly amount: number;
  /** Core 31 only, as `blockhash` and `confirmations`. */
  readonly coinbase?: boolean;
  readonly height: number;
  readonly blockhash?: string;
  readonly confirmations?: number;
}

/** The answer of `scantxoutset start`. */
export interface FoundCoinsJson {
  readonly success: boolean;
  /** The number of unspent outputs in the chain. */
  readonly txouts: number;
  readonly height: number;
  readonly bestblock: string;
  readonly unspents: readonly FoundCoinJson[];
  /** In coins. */
  readonly total_amount: number;
}

/** The fees of a transaction that the mempool would take, in coins. */
export interface AcceptedFeesJson {
  readonly base: number;
  /** Per 1000 virtual bytes. */
  readonly 'effective-feerate'?: number;
  /** The wtxids that the rate counts. */
  readonly 'effective-includes'?: readonly string[];
}

/** An element of `testmempoolaccept`. */
export interface MempoolTestJson {
  readonly txid: string;
  readonly wtxid?: string;
  readonly 'package-error'?: string;
  /** Missing if the test ended before this transaction. */
  readonly allowed?: boolean;
  readonly vsize_adjusted?: number;
  readonly vsize?: number;
  readonly vsize_bip141?: number;
  readonly fees?: AcceptedFeesJson;
  readonly 'reject-reason'?: string;
  readonly 'reject-details'?: string;
}
