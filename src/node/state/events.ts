import type { Transaction, Txid } from '../../core/tx/types.ts';
import type { Block } from '../chain/block.ts';
import type { FilterHeader } from '../chain/filterHeaders.ts';
import type { RemovalReason } from '../chain/types.ts';
import type { Findings, FoundBlock, FoundTx, WalletEvent } from '../wallet/records/events.ts';
import type { BlockPlace } from '../wallet/records/walletState.ts';

export type ChainCommand =
  /** `bytes`: the block as submitted, with any bytes after its transactions. */
  | { readonly type: 'block'; readonly block: Block; readonly bytes: Uint8Array }
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
  | { readonly type: 'invalidate' | 'reconsider'; readonly hash: Uint8Array }
  | { readonly type: 'transaction'; readonly tx: Transaction }
  | { readonly type: 'drop'; readonly txid: Txid };

/** A change of the chain or the mempool, as far as it concerns wallets. */
export type ChainNews =
  | ({ readonly type: 'connected' } & FoundBlock)
  | ({ readonly type: 'disconnected'; readonly before: BlockPlace } & FoundBlock)
  | { readonly type: 'added'; readonly tx: FoundTx }
  | { readonly type: 'removed'; readonly tx: FoundTx; readonly reason: RemovalReason };

/** Changes of the chain that concern a wallet and came while it was not loaded. */
export interface Missed extends Findings {
  /** Blocks of its records that have left the active chain. */
  readonly left: readonly Uint8Array[];
  readonly tip: BlockPlace;
}

type WalletsEvent =
  /** The first event. */
  | { readonly type: 'begin'; readonly network: string; readonly rules: string }
  | {
      readonly type: 'create';
      readonly name: string;
      readonly disablesPrivateKeys: boolean;
      readonly avoidsReuse: boolean;
      readonly isBlank: boolean;
    }
  /** `missed`: set once it is applied. */
  | { readonly type: 'load'; readonly name: string; readonly missed?: Missed }
  /** Restores a wallet from a backup. `history`: its events until it was unloaded, under the new name. */
  | {
      readonly type: 'restore';
      readonly name: string;
      readonly history: readonly TimedEvent[];
      readonly missed?: Missed;
    }
  | { readonly type: 'unload'; readonly name: string }
  | { readonly type: 'wallet'; readonly name: string; readonly event: WalletEvent };

export type NodeEvent = WalletsEvent | ChainCommand;

/** A change as journaled, with whatever a wallet found in the chain, so that wallets are restored without the chain. */
export type LoggedEvent = WalletsEvent | ChainNews;

export interface TimedEvent<E = LoggedEvent> {
  /** UNIX time of the node's clock. */
  readonly at: number;
  /** The tip of the loaded wallets before the event, unless earlier events contain it. */
  readonly tip?: BlockPlace | undefined;
  readonly event: E;
}

const NEWS: ReadonlySet<string> = new Set<ChainNews['type']>(['connected', 'disconnected', 'added', 'removed']);

export const isNews = (event: LoggedEvent | ChainCommand): event is ChainNews => NEWS.has(event.type);
