import type { ChainTx } from '../chain/types.ts';
import type { Transaction, Txid } from '../tx/types.ts';
import type { DescriptorStore } from './descriptorStore.ts';
import type { LegacyStore } from './legacyStore.ts';
import type { NodeRules } from './rules.ts';
import { lockVault, type Vault } from './vault.ts';

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
}

/** Finds records by what is asked most, so that an answer costs what it returns and not what the wallet holds. */
export interface RecordIndex {
  /** Keys of the records that may hold coins of the wallet. Records leave it when a query finds that they hold none. */
  readonly open: Set<string>;
  /** The records of `open` in the order of a node, but for those in `opened`; and some that have left `open`. */
  sorted: WalletTx[];
  /** Keys of the records that joined `open` since `sorted` was completed. */
  opened: string[];
  /** Keys of records that left `open`, by the scripts of others that they pay: a script may become the wallet's. */
  readonly foreign: Map<string, Set<string>>;
  /** The records that a block confirms or conflicts with, by its height. */
  readonly byHeight: Map<number, Set<WalletTx>>;
  /** The other records. */
  readonly unmined: Set<WalletTx>;
  /** True if any output may have become the wallet's, so that all records must be opened. */
  isStale: boolean;
}

/** An address book entry. @see Bitcoin Core `CAddressBookData` */
export interface BookEntry {
  /** An entry without a label is ignored. */
  label?: string;
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
  readonly avoidsReuse: boolean;
  /** True if it has not generated any keys, although it could. @see Bitcoin Core `WALLET_FLAG_BLANK_WALLET` */
  readonly isBlank: boolean;
  readonly vault: Vault;
  readonly legacy: LegacyStore | undefined;
  readonly descriptors: DescriptorStore | undefined;
  /** The address book, by the key of the script of the address. */
  readonly book: Map<string, BookEntry>;
  /** Locked outputs by outpoint key. */
  readonly locked: Map<string, LockedCoin>;
  /** Transactions by key. */
  readonly records: Map<string, WalletTx>;
  /** The records in the order of arrival. */
  readonly ordered: WalletTx[];
  /** The records sorted by the bytes of their txids; `recordsById` completes it on demand. */
  readonly byId: WalletTx[];
  readonly index: RecordIndex;
  /** Keys of the recorded transactions that spend an outpoint, by outpoint key. */
  readonly spenders: Map<string, Set<string>>;
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
