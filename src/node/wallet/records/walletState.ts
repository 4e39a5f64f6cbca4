import type { Transaction, Txid } from '../../../core/tx/types.ts';
import type { ChainTx } from '../../chain/types.ts';
import type { DescriptorStore } from '../keys/descriptorStore.ts';
import type { LegacyStore } from '../keys/legacyStore.ts';
import { lockVault, type Vault } from '../keys/vault.ts';
import type { NodeRules } from '../rules.ts';

/** An output that the user locked against spending. @see Bitcoin Core `lockunspent` */
interface LockedCoin {
  readonly txid: Txid;
  readonly vout: number;
  /** True if the lock survives unloading the wallet. */
  readonly isPersistent: boolean;
}

/** A block's hash and height. */
export interface BlockPlace {
  readonly hash: Uint8Array;
  readonly key: string;
  readonly height: number;
}

/**
 * The state of a transaction: mined; in conflict with `block`, where a rival was mined; neither; or abandoned by its
 * wallet.
 * @see Bitcoin Core 0.21 `CWalletTx::Status`, 31 `TxState`
 */
export type TxState =
  | { readonly kind: 'confirmed'; readonly block: BlockPlace; readonly index: number; readonly time: number }
  | { readonly kind: 'conflicted'; readonly block: BlockPlace }
  | { readonly kind: 'unconfirmed' }
  | { readonly kind: 'abandoned' };

/** Notes on a transaction: the user's, and its replacement. @see Bitcoin Core `CWalletTx::mapValue` */
export interface TxNotes {
  readonly comment?: string;
  /** The recipient, in the words of the user. */
  readonly to?: string;
  /** The transaction that it replaces with a higher fee. */
  readonly replaces?: Txid;
  /** The transaction that replaces it. */
  readonly replacedBy?: Txid;
}

/** A transaction that involves a wallet. @see Bitcoin Core `CWalletTx` */
export interface WalletTx extends Omit<ChainTx, 'tx'> {
  /** The canonical copy, if several with different witnesses are known. */
  tx: Transaction;
  /** The other copies; always empty in 0.21. */
  alternates: readonly Transaction[];
  /** Changed by `changeState`. */
  state: TxState;
  isInMempool: boolean;
  /** Its position in the order of arrival. */
  readonly order: number;
  /** UNIX time of arrival. */
  readonly timeReceived: number;
  /** Estimated UNIX time of its creation. */
  timeSmart: number;
  /**
   * Mempool transactions that spend the same coins as it or its ancestors, by key.
   * @see Bitcoin Core 31 `mempool_conflicts`
   */
  readonly mempoolConflicts: Map<string, Txid>;
  notes: TxNotes | undefined;
  /** Its coins at the time of the snapshot that it comes from, if it was settled. */
  readonly settled?: SettledRecord | undefined;
}

/** Finds records by the most frequent keys, so that an answer costs what it returns and not what the wallet holds. */
export interface RecordIndex {
  /** Keys of the records that may hold coins of the wallet. Records leave it when a query finds that they hold none. */
  readonly open: Set<string>;
  /** The records of `open` in the order of a node, but for those in `opened`; and some that have left `open`. */
  sorted: WalletTx[];
  /** Keys of the records that joined `open` since `sorted` was completed. */
  opened: string[];
  /** Keys of the records whose settled amounts must be computed again. */
  readonly touched: Set<string>;
  readonly settled: SettledAmounts;
  readonly payments: Payments;
  /** The records that a block confirms or conflicts with, by its height. */
  readonly byHeight: Map<number, Set<WalletTx>>;
  /** The other records. */
  readonly unmined: Set<WalletTx>;
  /** True if any output may have become the wallet's, so that all records must be opened. */
  isStale: boolean;
  /** True if coins of further addresses were spent, so that `avoid_reuse` leaves out more coins. */
  hasNewlyUsed: boolean;
  /** By the filter of a list. */
  readonly entryCounts: { readonly own: EntryCounts; readonly all: EntryCounts };
  /** Keys of the scripts of addresses that got their first label, if any entries are counted. */
  labelled: string[];
}

/** The entries of records in lists, by the order of the records; `undefined` where they are not counted. */
export interface EntryCounts {
  readonly sent: (number | undefined)[];
  /** Those of records that do not conflict with a block. */
  readonly received: (number | undefined)[];
}

/** The records by the addresses and scripts that they pay; completed on demand, as records never change these. */
export interface Payments {
  readonly byTarget: Map<string, WalletTx[]>;
  /** The number of records in the order of arrival that it holds. */
  count: number;
}

/** Amounts in satoshi, by the wallet's relation to the outputs, and whether `avoid_reuse` leaves them out. */
export interface Amounts {
  own: bigint;
  watched: bigint;
  usedOwn: bigint;
  usedWatched: bigint;
}

/**
 * Sums of the coins of settled records, so that balances need no walk over them. A record is settled if it is confirmed
 * and final, and each of its outputs is either unspent by any record or spent by a confirmed one.
 */
export interface SettledAmounts {
  /** Of the records that have changed since they came from a snapshot, or never did; `undefined` without coins. */
  readonly byRecord: Map<string, SettledRecord | undefined>;
  readonly sums: SettledSums;
  /** The records that are not settled. */
  readonly others: Set<WalletTx>;
}

/** The sums of the coins of settled records. */
export interface SettledSums {
  readonly total: Amounts;
  /** By height, of coinbases and of other transactions. */
  readonly byHeight: Map<number, Record<SettledRecord['kind'], Amounts>>;
}

/** The records that a snapshot holds, and the facts that calls need without them. */
export interface WaitingRecords {
  readonly count: number;
  /** The number of those that are not settled. */
  readonly others: number;
  readonly sums: () => SettledSums;
  /** Adds the records to the wallet. @throws Error for damaged ones */
  readonly restore: () => void;
}

export interface SettledRecord {
  readonly kind: 'coinbase' | 'payment';
  readonly height: number;
  readonly amounts: Amounts;
}

/** A change of a wallet's keys, indexes or address book that came with a transaction. */
export type TxEffect =
  /** A key of a seed was paid; `at`: UNIX time. */
  | { readonly type: 'key'; readonly hash: string; readonly at: number }
  /** An index of a descriptor was paid. */
  | { readonly type: 'index'; readonly descriptor: string; readonly index: number }
  /** An address got an empty label. */
  | { readonly type: 'label'; readonly script: string }
  /** Coins of an address were spent. */
  | { readonly type: 'spent'; readonly script: string };

/** An address book entry. @see Bitcoin Core `CAddressBookData` */
export interface BookEntry {
  /** The script of the address, or the two keys of a stealth address. */
  readonly script: Uint8Array;
  /** An entry without a label is ignored. */
  label?: string;
  /** Says if the wallet receives or sends on the address.  @see Bitcoin Core `AddressPurpose` */
  purpose: 'receive' | 'send';
  /** True once the wallet has spent from the address. */
  isUsed: boolean;
}

/**
 * The times at which an unlocked wallet locks itself, in seconds of two clocks; the earlier deadline counts. The wall
 * clock can be set back, and the steady one may stop while the machine is suspended.
 */
export interface Deadlines {
  /** UNIX time. */
  readonly wall: number;
  readonly steady: number;
}

/**
 * A wallet, changed in place by events. Unlocking and locking change `vault`, `deadlines` and `relockTime` without an
 * event, so that the journal never holds them.
 */
export interface Wallet {
  readonly name: string;
  readonly rules: NodeRules;
  readonly disablesPrivateKeys: boolean;
  /** Changed by `setwalletflag`. @see Bitcoin Core `WALLET_FLAG_AVOID_REUSE` */
  avoidsReuse: boolean;
  /** The fee rate of `settxfee`, in satoshi per 1000 virtual bytes; 0 for none. @see Bitcoin Core 0.21 `m_pay_tx_fee` */
  payTxFee: bigint;
  /** True if it was created without keys; in 0.21, until it has some. @see Bitcoin Core `WALLET_FLAG_BLANK_WALLET` */
  isBlank: boolean;
  readonly vault: Vault;
  readonly legacy: LegacyStore | undefined;
  readonly descriptors: DescriptorStore | undefined;
  /** The address book, by the key of the script of the address. */
  readonly book: Map<string, BookEntry>;
  /** The entries of the address book by their labels. */
  readonly labels: Map<string, Set<BookEntry>>;
  /** Locked outputs by outpoint key. */
  readonly locked: Map<string, LockedCoin>;
  /** The records that wait in a snapshot until one of the next five members is read. */
  waiting: WaitingRecords | undefined;
  /** Transactions by key. */
  readonly records: Map<string, WalletTx>;
  /** The records in the order of arrival. */
  readonly ordered: WalletTx[];
  /** The records sorted by the bytes of their txids; `recordsById` completes it on demand. */
  readonly byId: WalletTx[];
  readonly index: RecordIndex;
  /** Keys of the recorded transactions that spend an outpoint, each once, by outpoint key. Most outpoints have one. */
  readonly spenders: Map<string, readonly string[]>;
  /** Effects of the transactions since the last event; the node takes them. */
  readonly effects: TxEffect[];
  /** The last block that the wallet has processed. */
  tip: BlockPlace;
  /** In 0.21, the best block as saved: the tip when the wallet was created or last loaded. */
  written: BlockPlace;
  /** UNIX time of the oldest descriptor or transaction; infinity while it has neither. @see `CWallet::m_birth_time` */
  birth: number;
  /** The times at which it locks itself again. */
  deadlines: Deadlines;
  /**
   * The deadline for `unlocked_until`, UNIX time, by mock time if set; 0 while locked.
   * @see Bitcoin Core `nRelockTime`
   */
  relockTime: number;
}

/** Locks a wallet and clears its relock time. */
export function lockWallet(wallet: Wallet): void {
  lockVault(wallet.vault);
  wallet.relockTime = 0;
}
