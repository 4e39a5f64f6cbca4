import type { Transaction, Txid } from '../tx/types.ts';
import type { ChainTx } from './chainState.ts';
import type { DescriptorStore } from './descriptorStore.ts';
import type { LegacyStore } from './legacyStore.ts';
import type { WalletRules } from './rules.ts';
import { lockVault, type Vault } from './vault.ts';

/** An output that is not to be spent. */
interface LockedCoin {
  readonly txid: Txid;
  readonly vout: number;
  /** Whether it stays locked while the wallet is not loaded. */
  readonly isPersistent: boolean;
}

/** Where a block stands in a chain. */
export interface BlockPlace {
  readonly hash: Uint8Array;
  readonly name: string;
  readonly height: number;
}

/**
 * What has become of a transaction: mined; in conflict with one that was mined in `block`; neither; or given up by its
 * wallet.
 * @see Bitcoin Core 0.21 `CWalletTx::Status`, 31 `TxState`
 */
export type TxState =
  | { readonly kind: 'confirmed'; readonly block: BlockPlace; readonly index: number; readonly time: number }
  | { readonly kind: 'conflicted'; readonly block: BlockPlace }
  | { readonly kind: 'unconfirmed' }
  | { readonly kind: 'abandoned' };

/** A transaction that concerns a wallet. */
export interface WalletTx extends Omit<ChainTx, 'tx'> {
  /** The copy that stands for it, where several with different witnesses are known. */
  tx: Transaction;
  /** The other copies, which newer wallets keep; always none in 0.21. */
  alternates: readonly Transaction[];
  state: TxState;
  isInMempool: boolean;
  /** Its number in the order of coming. */
  readonly order: number;
  /** UNIX times: when it came, and when it seems to have been made. */
  readonly timeReceived: number;
  timeSmart: number;
  /** Of transactions in the mempool that spend the same coins, or coins of its ancestors. @see Bitcoin Core 31 */
  readonly mempoolConflicts: Map<string, Txid>;
}

/** What is noted of an address. */
export interface BookEntry {
  /** Absent until somebody has given one; only then does the entry count. */
  label?: string;
  isUsed: boolean;
}

/**
 * When an unlocked wallet locks itself, in seconds of two clocks: the first to get there counts. The wall clock can be
 * set back, and the steady one may stop while the machine is suspended.
 */
export interface Deadlines {
  /** UNIX time. */
  readonly wall: number;
  readonly steady: number;
}

/** A wallet. It changes in place, by events only. */
export interface Wallet {
  readonly name: string;
  readonly rules: WalletRules;
  readonly disablesPrivateKeys: boolean;
  readonly avoidsReuse: boolean;
  /** Whether it has no keys of its own making, though it may. */
  readonly isBlank: boolean;
  readonly vault: Vault;
  readonly legacy: LegacyStore | undefined;
  readonly descriptors: DescriptorStore | undefined;
  /** By the script of the address. */
  readonly book: Map<string, BookEntry>;
  /** Outpoints by name. */
  readonly locked: Map<string, LockedCoin>;
  readonly records: Map<string, WalletTx>;
  /** The same in the order of coming. */
  readonly ordered: WalletTx[];
  /** The same in the order of their ids' bytes, as far as somebody has asked for it: see `recordsById`. */
  readonly byId: WalletTx[];
  /** Names of the recorded transactions that spend an outpoint. */
  readonly spenders: Map<string, Set<string>>;
  /** The last block that it has seen. */
  tip: BlockPlace;
  /** In 0.21, the block up to which it is known to have looked through the chain: where it began, or was last loaded. */
  written: BlockPlace;
  /** UNIX time of the oldest descriptor or transaction; infinity while it has neither. @see `CWallet::m_birth_time` */
  birth: number;
  /** When it locks itself again. */
  deadlines: Deadlines;
  /** The same as `unlocked_until` gives it: by mocktime, where that is set. @see Bitcoin Core `nRelockTime` */
  relockTime: number;
}

/** Locks a wallet whose time is over. */
export function lockWallet(wallet: Wallet): void {
  lockVault(wallet.vault);
  wallet.relockTime = 0;
}
