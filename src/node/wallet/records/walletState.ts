import type { ScriptKey } from '../../../core/script/scriptKey.ts';
import type { OutpointKey, Transaction, Txid, TxKey } from '../../../core/tx/types.ts';
import type { BlockKey } from '../../chain/blockHeader.ts';
import type { ChainTx } from '../../chain/types.ts';
import type { DescriptorStore } from '../keys/descriptorStore.ts';
import type { LegacyStore } from '../keys/legacyStore.ts';
import { lockVault, type Vault } from '../keys/vault.ts';
import type { NodeRules } from '../rules.ts';

/** @see `lockunspent` */
interface LockedCoin {
  readonly txid: Txid;
  readonly vout: number;
  /** True if the lock survives unloading. */
  readonly isPersistent: boolean;
}

export interface BlockPlace {
  readonly hash: Uint8Array;
  readonly key: BlockKey;
  readonly height: number;
}

/** `conflicted`: a rival was mined in `block`. @see Bitcoin Core 0.21 `CWalletTx::Status`, 31 `TxState` */
export type TxState =
  | { readonly kind: 'confirmed'; readonly block: BlockPlace; readonly index: number; readonly time: number }
  | { readonly kind: 'conflicted'; readonly block: BlockPlace }
  | { readonly kind: 'unconfirmed' }
  | { readonly kind: 'abandoned' };

/** @see Bitcoin Core `CWalletTx::mapValue` */
export interface TxNotes {
  readonly comment?: string;
  /** The recipient, in the user's words. */
  readonly to?: string;
  readonly replaces?: Txid;
  readonly replacedBy?: Txid;
}

/** @see Bitcoin Core `CWalletTx` */
export interface WalletTx extends Omit<ChainTx, 'tx'> {
  /** The canonical copy of those with different witnesses. */
  tx: Transaction;
  /** The other copies; empty in 0.21. */
  alternates: readonly Transaction[];
  /** Changed by `changeState`. */
  state: TxState;
  isInMempool: boolean;
  /** Position in the order of arrival. */
  readonly order: number;
  /** UNIX time of arrival. */
  readonly timeReceived: number;
  /** Estimated UNIX time of creation. */
  timeSmart: number;
  /**
   * Mempool transactions that spend the same coins as it or its ancestors.
   * @see Bitcoin Core 31 `mempool_conflicts`
   */
  readonly mempoolConflicts: Map<TxKey, Txid>;
  notes: TxNotes | undefined;
  /** Its coins at the time of its snapshot, if it was settled. */
  readonly settled?: SettledRecord | undefined;
}

/** Spares queries a walk over all records. */
export interface RecordIndex {
  /** The records that may hold coins, until a query finds none. */
  readonly open: Set<TxKey>;
  /** In Core's order; lacks `opened`, and may hold records that left `open`. */
  sorted: WalletTx[];
  /** Those that joined `open` since `sorted` was completed. */
  opened: TxKey[];
  /** The records whose settled amounts are out of date. */
  readonly touched: Set<TxKey>;
  readonly settled: SettledAmounts;
  readonly payments: Payments;
  /** Records that a block confirms or conflicts with. */
  readonly byHeight: Map<number, Set<WalletTx>>;
  readonly unmined: Set<WalletTx>;
  /** True if any output may have become the wallet's, so that all records must be opened. */
  isStale: boolean;
  /** True if further addresses were spent from, so that `avoid_reuse` leaves out more coins. */
  hasNewlyUsed: boolean;
  readonly entryCounts: { readonly own: EntryCounts; readonly all: EntryCounts };
  /** Addresses that got their first label, if any entries are counted. */
  labelled: ScriptKey[];
}

/** Entries in lists, by the order of the records; `undefined` where they are not counted. */
interface EntryCounts {
  readonly sent: (number | undefined)[];
  /** Of records that do not conflict with a block. */
  readonly received: (number | undefined)[];
}

/** Completed on demand: the targets of a record never change. */
export interface Payments {
  readonly byTarget: Map<ScriptKey, WalletTx[]>;
  /** The number of records that it holds, in the order of arrival. */
  count: number;
}

/** In satoshi; `avoid_reuse` leaves out the used ones. */
export interface Amounts {
  own: bigint;
  watched: bigint;
  usedOwn: bigint;
  usedWatched: bigint;
}

/**
 * Sums of settled records, which balances need not walk over. A record is settled if it is confirmed and final, and
 * each output is either unspent by any record or spent by a confirmed one.
 */
export interface SettledAmounts {
  /** Records that changed since their snapshot, or come from none; `undefined` without coins. */
  readonly byRecord: Map<TxKey, SettledRecord | undefined>;
  readonly sums: SettledSums;
  /** The records that are not settled. */
  readonly others: Set<WalletTx>;
}

export interface SettledSums {
  readonly total: Amounts;
  readonly byHeight: Map<number, Record<SettledRecord['kind'], Amounts>>;
}

/** Unread records of a snapshot, and facts that calls need without reading them. */
export interface WaitingRecords {
  readonly count: number;
  /** The number of records that are not settled. */
  readonly others: number;
  readonly sums: () => SettledSums;
  /** @throws Error for damaged records */
  readonly restore: () => void;
}

export interface SettledRecord {
  readonly kind: 'coinbase' | 'payment';
  readonly height: number;
  readonly amounts: Amounts;
}

/** A change of keys, indexes or address book that came with a transaction. */
export type TxEffect =
  /** A key of a seed was paid; `at`: UNIX time. */
  | { readonly type: 'key'; readonly hash: string; readonly at: number }
  | { readonly type: 'index'; readonly descriptor: string; readonly index: number }
  /** An address got an empty label. */
  | { readonly type: 'label'; readonly script: string }
  | { readonly type: 'spent'; readonly script: string };

/** @see Bitcoin Core `CAddressBookData` */
export interface BookEntry {
  /** The script of the address, or the two keys of a stealth address. */
  readonly script: Uint8Array;
  /** An entry without a label is ignored. */
  label?: string;
  /** @see Bitcoin Core `AddressPurpose` */
  purpose: 'receive' | 'send';
  /** True once the wallet has spent from it. */
  isUsed: boolean;
}

/**
 * The times at which an unlocked wallet locks itself, in seconds; the earlier one counts. The wall clock can be set
 * back, and the steady one may stop while the machine is suspended.
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
  /** @see Bitcoin Core `WALLET_FLAG_AVOID_REUSE` */
  avoidsReuse: boolean;
  /** In satoshi per 1000 virtual bytes; 0 for none. @see Bitcoin Core 0.21 `m_pay_tx_fee` */
  payTxFee: bigint;
  /** True if created without keys; in 0.21, until it has some. @see Bitcoin Core `WALLET_FLAG_BLANK_WALLET` */
  isBlank: boolean;
  readonly vault: Vault;
  readonly legacy: LegacyStore | undefined;
  readonly descriptors: DescriptorStore | undefined;
  /** By the script of the address. */
  readonly book: Map<ScriptKey, BookEntry>;
  readonly labels: Map<string, Set<BookEntry>>;
  readonly locked: Map<OutpointKey, LockedCoin>;
  /** Set until one of the next five members is read. */
  waiting: WaitingRecords | undefined;
  readonly records: Map<TxKey, WalletTx>;
  /** In the order of arrival. */
  readonly ordered: WalletTx[];
  /** Sorted by txid bytes; `recordsById` completes it on demand. */
  readonly byId: WalletTx[];
  readonly index: RecordIndex;
  /** Recorded spenders, each once. */
  readonly spenders: Map<OutpointKey, readonly TxKey[]>;
  /** Since the last event; the node takes them. */
  readonly effects: TxEffect[];
  /** The last processed block. */
  tip: BlockPlace;
  /** In 0.21, the saved best block: the tip when the wallet was created or last loaded. */
  written: BlockPlace;
  /** UNIX time of the oldest descriptor or transaction; infinity without. @see Bitcoin Core `CWallet::m_birth_time` */
  birth: number;
  deadlines: Deadlines;
  /** UNIX time, by mock time if set; 0 while locked. @see Bitcoin Core `nRelockTime` */
  relockTime: number;
}

export function lockWallet(wallet: Wallet): void {
  lockVault(wallet.vault);
  wallet.relockTime = 0;
}
