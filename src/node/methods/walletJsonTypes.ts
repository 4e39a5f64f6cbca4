import type { AddressKindJson, TransactionJson } from '../../answers/views/jsonTypes.ts';

/** An element of `listunspent`. */
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
  /** Of a mempool coin and its ancestors there; the fees are in satoshi. */
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

/** One output sent or received, in `gettransaction`. */
export interface TransactionDetailJson {
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
  readonly abandoned?: boolean;
}

/** The members about a wallet transaction. */
export interface TransactionFactsJson {
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
  readonly comment?: string;
  readonly to?: string;
  readonly replaces_txid?: string;
  readonly replaced_by_txid?: string;
}

/** One output sent or received, in `listsinceblock` and `listtransactions`. */
export interface TransactionEntryJson extends TransactionDetailJson, TransactionFactsJson {}

/** The answer of `gettransaction`. */
export interface WalletTransactionJson extends TransactionFactsJson {
  /** In coins, without the fee; negative if the wallet sent more than it received. */
  readonly amount: number;
  /** In coins, negative; of the wallet's own transactions only. */
  readonly fee?: number;
  readonly details: readonly TransactionDetailJson[];
  readonly hex: string;
  readonly decoded?: TransactionJson;
  readonly lastprocessedblock?: BlockPlaceJson;
}

interface BlockPlaceJson {
  readonly hash: string;
  readonly height: number;
}

/** The answer of `listsinceblock`. */
export interface SinceBlockJson {
  readonly transactions: readonly TransactionEntryJson[];
  readonly removed?: readonly TransactionEntryJson[];
  readonly lastblock: string;
}

/** The kind of an address and, if the wallet knows them, its key or script. */
export interface AddressShapeJson extends AddressKindJson {
  readonly address: string;
  readonly scriptPubKey: string;
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
  /** HASH160 of the seed's public key, in display order; 0.21 only. */
  readonly hdseedid?: string;
  readonly keypoolsize_hd_internal: number;
  /** Of an encrypted wallet: UNIX time, or 0 while locked. */
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
  readonly lastprocessedblock?: BlockPlaceJson;
}

/** Balances of the outputs that a wallet owns or, in 0.21, watches, in coins. */
export interface OwnBalancesJson {
  readonly trusted: number;
  readonly untrusted_pending: number;
  readonly immature: number;
  /** core-31 only; at most 0. */
  readonly nonmempool?: number;
  /** Of wallets with `avoid_reuse` only. */
  readonly used?: number;
}

/** The answer of `getbalances`. */
export interface BalancesJson {
  readonly mine: OwnBalancesJson;
  readonly watchonly?: OwnBalancesJson;
  readonly lastprocessedblock?: BlockPlaceJson;
}

/** The answer of `getaddressesbylabel`, by address. */
export type LabelledAddressesJson = Readonly<Record<string, { readonly purpose: 'receive' | 'send' }>>;

/** An address in `listaddressgroupings`, with its balance in coins. */
export type GroupedAddressJson = readonly [address: string, balance: number, label?: string];

/** An element of `listreceivedbylabel`. */
export interface ReceivedJson {
  readonly involvesWatchonly?: boolean;
  /** In coins. */
  readonly amount: number;
  /** The fewest of its transactions; 0 without any. */
  readonly confirmations: number;
  readonly label: string;
}

/** An element of `listreceivedbyaddress`. */
export interface ReceivedByAddressJson extends ReceivedJson {
  readonly address: string;
  /** One for each output. */
  readonly txids: readonly string[];
}

/** The answer to one request of `importdescriptors` or `importmulti`. */
export interface ImportedJson {
  readonly success: boolean;
  readonly error?: { readonly code: number; readonly message: string };
  readonly warnings?: readonly string[];
}

/** A descriptor in `listdescriptors`. */
export interface ListedDescriptorJson {
  readonly desc: string;
  readonly timestamp: number;
  readonly active: boolean;
  readonly internal?: boolean;
  readonly range?: readonly [first: number, last: number];
  readonly next?: number;
  readonly next_index?: number;
}

/** An extended key of a wallet. @see Bitcoin Core 31 `gethdkeys` */
export interface HdKeyJson {
  readonly xpub: string;
  readonly has_private: boolean;
  /** Only on request. */
  readonly xprv?: string;
  readonly descriptors: readonly { readonly desc: string; readonly active: boolean }[];
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

/** The answer of `rescanblockchain`: the heights of the first and the last block. */
export interface RescanJson {
  readonly start_height: number;
  readonly stop_height: number;
}

/** The answer of `sendtoaddress` and `sendmany`: the transaction id, or with `verbose` an object. */
export type SentJson = string | { readonly txid: string; readonly fee_reason: string };

/** The answer of `send` and `sendall`. */
export interface PaidJson {
  /** Base64; present unless the payment was sent. */
  readonly psbt?: string;
  /** Present if complete. */
  readonly txid?: string;
  /** Present if complete and not sent. */
  readonly hex?: string;
  readonly complete: boolean;
}

/** The answer of `bumpfee` and `psbtbumpfee`. */
export interface BumpedFeeJson {
  /** `bumpfee` only. */
  readonly txid?: string;
  /** `psbtbumpfee` only. */
  readonly psbt?: string;
  readonly origfee: number;
  readonly fee: number;
  readonly errors: readonly string[];
}

/** The fee of a funded transaction, and the place of its change. */
export interface FundingJson {
  readonly fee: number;
  /** -1 without change. */
  readonly changepos: number;
}

/** The answer of `fundrawtransaction`. */
export interface FundedTransactionJson extends FundingJson {
  readonly hex: string;
}

/** The answer of `walletcreatefundedpsbt`. */
export interface FundedPsbtJson extends FundingJson {
  readonly psbt: string;
}

/** The answer of `setwalletflag`. */
export interface WalletFlagJson {
  readonly flag_name: string;
  readonly flag_state: boolean;
  /** Present if the flag was set. */
  readonly warnings?: string;
}
