import type { ScriptKey } from '../../../core/script/scriptKey.ts';
import type { OutpointKey, TxKey } from '../../../core/tx/types.ts';
import type { Table } from '../../store/tables.ts';
import type { DescriptorStore } from '../keys/descriptorStore.ts';
import type { LegacyStore } from '../keys/legacyStore.ts';
import { lockVault, type Vault } from '../keys/vault.ts';
import type { NodeRules } from '../rules.ts';
import type { Amounts } from './amounts.ts';
import type { WalletSettings } from './walletRow.ts';
import type { WalletTx } from './walletTx.ts';

/** @see Bitcoin Core `CAddressBookData` */
export interface BookEntry {
  /** The script of the address, or the two keys of a stealth address. */
  readonly script: Uint8Array;
  /** An entry without a label is ignored. */
  readonly label?: string | undefined;
  /** @see Bitcoin Core `AddressPurpose` */
  readonly purpose: 'receive' | 'send';
  /** True once the wallet has spent from it. */
  readonly isUsed: boolean;
}

/**
 * The coins of settled records, summed up, so that balances need not walk over them. A record is settled if it is
 * confirmed and final, and each output is either unspent by any record or spent by a confirmed one.
 */
export interface HeightSums {
  readonly coinbase: Readonly<Amounts>;
  readonly payment: Readonly<Amounts>;
}

/** @see `lockunspent` */
export interface LockedCoin {
  /** True if the lock survives unloading. */
  readonly isPersistent: boolean;
}

/** Indexes, which spare queries a walk over all recorded transactions. Only this folder changes them. */
interface RecordTables {
  /** In the order of arrival, by `orderKey`. */
  readonly arrivals: Table<string, TxKey>;
  /** By the height of the block that a record is in or conflicts with. @see `recordIndex.ts` */
  readonly byHeight: Table<string, true>;
  /** By the scripts of the outputs. @see `payments.ts` */
  readonly payments: Table<string, TxKey>;
  /** Records that hold coins: outputs of the wallet that no confirmed transaction spends. */
  readonly open: Table<TxKey, true>;
  /** Records that are not settled. @see `settledAmounts.ts` */
  readonly unsettled: Table<TxKey, true>;
  /** Sums of settled records by height, and of all. @see `settledAmounts.ts` */
  readonly sums: Table<string, HeightSums>;
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

/** A wallet in the records of a store. Unlocking and locking change memory only. */
export interface Wallet extends WalletSettings {
  readonly rules: NodeRules;
  /** By the letter of the kind. */
  readonly tables: ReadonlyMap<string, Table<string, unknown>>;
  readonly vault: Vault;
  readonly legacy: LegacyStore | undefined;
  readonly descriptors: DescriptorStore | undefined;
  /** By the script of the address. */
  readonly book: Table<ScriptKey, BookEntry>;
  readonly locked: Table<OutpointKey, LockedCoin>;
  readonly records: Table<TxKey, WalletTx>;
  /** Recorded spenders, each once. */
  readonly spenders: Table<OutpointKey, readonly TxKey[]>;
  readonly index: RecordTables;
  /** The records whose coins are to be computed anew, because they, their spenders or the wallet's scripts changed. */
  touched: Set<TxKey> | 'each';
  /** Hear of each transaction that is added or updated, whether it changes or not. */
  readonly recorded: Set<(wallet: Wallet, wtx: WalletTx) => void>;
  deadlines: Deadlines;
  /** UNIX time, by mock time if set; 0 while locked. @see Bitcoin Core `nRelockTime` */
  relockTime: number;
}

export function lockWallet(wallet: Wallet): void {
  lockVault(wallet.vault);
  wallet.relockTime = 0;
}
