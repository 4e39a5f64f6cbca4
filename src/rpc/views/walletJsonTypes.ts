/** One element of the answer of `listunspent`. */
export interface UnspentJson {
  readonly txid: string;
  readonly vout: number;
  readonly address?: string;
  readonly label?: string;
  readonly redeemScript?: string;
  readonly witnessScript?: string;
  readonly scriptPubKey: string;
  /** In coins. */
  readonly amount: number;
  readonly confirmations: number;
  /** Of a coin in the mempool: it and its ancestors there. The fees are in satoshi. */
  readonly ancestorcount?: number;
  readonly ancestorsize?: number;
  readonly ancestorfees?: number;
  readonly spendable: boolean;
  readonly solvable: boolean;
  readonly desc?: string;
  readonly parent_descs?: readonly string[];
  readonly reused?: boolean;
  readonly safe: boolean;
}

/** One output sent or received, in the answer of `listsinceblock`. */
export interface TransactionEntryJson {
  readonly involvesWatchonly?: boolean;
  readonly address?: string;
  readonly parent_descs?: readonly string[];
  readonly category: 'send' | 'receive' | 'generate' | 'immature' | 'orphan';
  /** In coins; negative if sent. */
  readonly amount: number;
  readonly label?: string;
  readonly vout: number;
  /** In coins, negative; of sent outputs only. */
  readonly fee?: number;
  readonly confirmations: number;
  readonly generated?: boolean;
  readonly trusted?: boolean;
  readonly blockhash?: string;
  readonly blockheight?: number;
  readonly blockindex?: number;
  readonly blocktime?: number;
  readonly txid: string;
  readonly wtxid?: string;
  readonly alternate_wtxids?: readonly string[];
  readonly walletconflicts: readonly string[];
  readonly mempoolconflicts?: readonly string[];
  readonly time: number;
  readonly timereceived: number;
  readonly 'bip125-replaceable'?: 'yes' | 'no' | 'unknown';
  readonly abandoned?: boolean;
}

/** The answer of `listsinceblock`. */
export interface SinceBlockJson {
  readonly transactions: readonly TransactionEntryJson[];
  readonly removed?: readonly TransactionEntryJson[];
  readonly lastblock: string;
}

/** The kind of an address and, if the wallet knows them, its key or script. */
export interface AddressShapeJson {
  readonly address: string;
  readonly scriptPubKey: string;
  readonly isscript?: boolean;
  readonly iswitness?: boolean;
  readonly witness_version?: number;
  readonly witness_program?: string;
  readonly ismweb?: boolean;
  readonly script?: string;
  readonly hex?: string;
  readonly sigsrequired?: number;
  readonly pubkeys?: readonly string[];
  readonly pubkey?: string;
  readonly iscompressed?: boolean;
}

/** The answer of `getaddressinfo`. */
export interface AddressInfoJson extends AddressShapeJson {
  readonly ismine: boolean;
  readonly solvable: boolean;
  readonly desc?: string;
  readonly parent_desc?: string;
  readonly iswatchonly: boolean;
  /** The address that a P2SH or P2WSH script wraps. */
  readonly embedded?: AddressShapeJson;
  readonly ischange: boolean;
  readonly timestamp?: number;
  readonly hdkeypath?: string;
  readonly hdseedid?: string;
  readonly hdmasterfingerprint?: string;
  readonly labels: readonly string[];
}

/** The answer of `getwalletinfo`. */
export interface WalletInfoJson {
  readonly walletname: string;
  readonly walletversion: number;
  readonly format: string;
  /** 0.21 only, as the other balances, in coins. */
  readonly balance?: number;
  readonly unconfirmed_balance?: number;
  readonly immature_balance?: number;
  readonly txcount: number;
  readonly keypoololdest?: number;
  readonly keypoolsize: number;
  readonly keypoolsize_hd_internal: number;
  /** Of an encrypted wallet: a UNIX time, or 0 while it is locked. */
  readonly unlocked_until?: number;
  readonly paytxfee?: number;
  readonly private_keys_enabled: boolean;
  readonly avoid_reuse: boolean;
  readonly scanning: boolean;
  readonly descriptors: boolean;
  readonly external_signer?: boolean;
  readonly blank?: boolean;
  readonly birthtime?: number;
  readonly flags?: readonly string[];
  readonly lastprocessedblock?: { readonly hash: string; readonly height: number };
}

/** The answer to one request of `importdescriptors` or `importmulti`. */
export interface ImportedJson {
  readonly success: boolean;
  readonly error?: { readonly code: number; readonly message: string };
  readonly warnings?: readonly string[];
}

/** One descriptor in the answer of `listdescriptors`. */
export interface ListedDescriptorJson {
  readonly desc: string;
  readonly timestamp: number;
  readonly active: boolean;
  readonly internal?: boolean;
  readonly range?: readonly [first: number, last: number];
  readonly next?: number;
  readonly next_index?: number;
}

/** The answer of `listdescriptors`. */
export interface ListedDescriptorsJson {
  readonly wallet_name: string;
  readonly descriptors: readonly ListedDescriptorJson[];
}

/** The answer of `createwallet` and `loadwallet`. */
export interface WalletNameJson {
  readonly name: string;
  /** 0.21 only; may be empty. */
  readonly warning?: string;
  readonly warnings?: readonly string[];
}

/** An output by its transaction and index. */
export interface OutpointJson {
  readonly txid: string;
  readonly vout: number;
}
