import type { Transaction, Txid } from '../../core/tx/types.ts';
import type { Block } from '../chain/block.ts';
import type { FilterHeader } from '../chain/filterHeaders.ts';
import type { Arrival } from '../chain/mempool.ts';
import type { FeeEstimate } from '../chain/types.ts';
import type { WalletEvent } from '../wallet/records/events.ts';
import type { WalletTerms } from '../wallet/records/walletRow.ts';
import type { Wallet } from '../wallet/records/walletState.ts';

type ChainCommand =
  /** `bytes`: the block as submitted, with any bytes after its transactions. */
  | { readonly type: 'block'; readonly block: Block; readonly bytes: Uint8Array }
  /** A header alone, of a block that may follow unless it is invalid. */
  | { readonly type: 'header'; readonly header: Uint8Array; readonly isInvalid: boolean }
  /** Begins a new chain at a block. */
  | { readonly type: 'start'; readonly header: Uint8Array; readonly height: number }
  /** Headers before the first block of the chain, up to its parent. */
  | { readonly type: 'prepend'; readonly headers: readonly Uint8Array[] }
  /** Forgets the transactions of all blocks but the last `kept`. */
  | { readonly type: 'prune'; readonly kept: number }
  /** Headers without transactions, parents first. */
  | { readonly type: 'headers'; readonly headers: readonly Uint8Array[] }
  /** Updates the coins after transactions of blocks from a height on came late. */
  | { readonly type: 'coins'; readonly from: number }
  /** Stores block filter headers, in ascending order; an empty list forgets all. */
  | { readonly type: 'filters'; readonly headers: readonly FilterHeader[] }
  | { readonly type: 'invalidate' | 'reconsider' | 'prefer'; readonly hash: Uint8Array }
  /** `mayExceed`: others of its package follow, and then `limit`. */
  | ({ readonly type: 'transaction'; readonly tx: Transaction; readonly mayExceed?: boolean } & Partial<Arrival>)
  /** Keeps the limit of the mempool's memory. */
  | { readonly type: 'limit' }
  /** Lets anybody spend the coins of a script, or no longer. */
  | { readonly type: 'waive'; readonly scriptPubKey: Uint8Array; readonly isOn: boolean }
  /** Sets what estimators answer. */
  | { readonly type: 'estimate'; readonly estimates: readonly FeeEstimate[] }
  | { readonly type: 'drop'; readonly txid: Txid }
  /** Adds satoshi to the fee of a transaction for policy and miners; `keepsZero`: even if the sum is 0. */
  | { readonly type: 'prioritise'; readonly txid: Txid; readonly added: bigint; readonly keepsZero: boolean };

type WalletsEvent =
  | ({ readonly type: 'create' } & WalletTerms)
  | { readonly type: 'load' | 'unload'; readonly name: string }
  /** Makes a wallet from one that a backup holds, and loads it. */
  | { readonly type: 'restore'; readonly name: string; readonly from: Wallet }
  | { readonly type: 'wallet'; readonly name: string; readonly event: WalletEvent };

export type NodeEvent = WalletsEvent | ChainCommand;
