import type { Transaction, Txid } from '../../core/tx/types.ts';
import type { Block } from '../chain/block.ts';
import type { FilterHeader } from '../chain/filterHeaders.ts';
import type { RemovalReason } from '../chain/types.ts';
import type { Findings, FoundBlock, FoundTx, WalletEvent } from '../wallet/records/events.ts';
import type { BlockPlace } from '../wallet/records/walletState.ts';

/** A change of the chain or the mempool, as a caller asks for it. */
export type ChainCommand =
  /** `bytes`: the block as submitted, including any bytes after its transactions. */
  | { readonly type: 'block'; readonly block: Block; readonly bytes: Uint8Array }
  /** Begins a new chain at a block; `header`: 80 bytes. */
  | { readonly type: 'start'; readonly header: Uint8Array; readonly height: number }
  /** Blocks before the first of the chain, up to its parent, of which only the headers are known, 80 bytes each. */
  | { readonly type: 'prepend'; readonly headers: readonly Uint8Array[] }
  /** Forgets the transactions of all blocks but the last `kept`. */
  | { readonly type: 'prune'; readonly kept: number }
  /** Blocks of which only the headers are known, 80 bytes each, parents first. */
  | { readonly type: 'headers'; readonly headers: readonly Uint8Array[] }
  /** Brings the coins up to date after the transactions of blocks from a height on came late. */
  | { readonly type: 'coins'; readonly from: number }
  /** Keeps the headers of block filters, in ascending order; an empty list forgets all. */
  | { readonly type: 'filters'; readonly headers: readonly FilterHeader[] }
  | { readonly type: 'invalidate' | 'reconsider'; readonly hash: Uint8Array }
  | { readonly type: 'transaction'; readonly tx: Transaction }
  | { readonly type: 'drop'; readonly txid: Txid };

/** A change of the chain or the mempool, as far as it concerns wallets. */
export type ChainNews =
  | ({ readonly type: 'connected' } & FoundBlock)
  /** `before`: the parent of the block. */
  | ({ readonly type: 'disconnected'; readonly before: BlockPlace } & FoundBlock)
  | { readonly type: 'added'; readonly tx: FoundTx }
  | { readonly type: 'removed'; readonly tx: FoundTx; readonly reason: RemovalReason };

/** The changes of the chain that concern a wallet and came while it was not loaded. */
export interface Missed extends Findings {
  /** The blocks of its records that are no longer in the active chain. */
  readonly left: readonly Uint8Array[];
  readonly tip: BlockPlace;
}

/** A change of the wallets of a node. */
type WalletsEvent =
  /** The first event: the network and the rules of the node. */
  | { readonly type: 'begin'; readonly network: string; readonly rules: string; readonly keeps?: 'findings' }
  | {
      readonly type: 'create';
      readonly name: string;
      readonly disablesPrivateKeys: boolean;
      readonly avoidsReuse: boolean;
      /** Default true, for journals of older versions. */
      readonly isBlank?: boolean;
    }
  /** `missed`: missing until it is applied. */
  | { readonly type: 'load'; readonly name: string; readonly missed?: Missed }
  /**
   * A wallet comes from a backup, and is loaded.
   *
   * - `history`: its events from its creation until it was unloaded, under its new name
   * - `missed`: as of `load`
   */
  | {
      readonly type: 'restore';
      readonly name: string;
      readonly history: readonly TimedEvent[];
      readonly missed?: Missed;
    }
  | { readonly type: 'unload'; readonly name: string }
  | { readonly type: 'wallet'; readonly name: string; readonly event: WalletEvent };

/** A change of a node that a caller asks for. */
export type NodeEvent = WalletsEvent | ChainCommand;

/**
 * A change as the journal keeps it: whatever a wallet found in the chain is part of it, so that the wallets can be
 * restored without the chain.
 */
export type LoggedEvent = WalletsEvent | ChainNews;

export interface TimedEvent<E = LoggedEvent> {
  /** UNIX time of the node's clock. */
  readonly at: number;
  /** The tip that the loaded wallets had seen before the event, unless earlier events contain it. */
  readonly tip?: BlockPlace | undefined;
  readonly event: E;
}

const NEWS: ReadonlySet<string> = new Set<ChainNews['type']>(['connected', 'disconnected', 'added', 'removed']);

/** Tells whether an event is one of the chain. */
export const isNews = (event: LoggedEvent | ChainCommand): event is ChainNews => NEWS.has(event.type);

const COMMANDS: ReadonlySet<string> = new Set<ChainCommand['type']>([
  'start',
  'prepend',
  'prune',
  'block',
  'headers',
  'coins',
  'filters',
  'invalidate',
  'reconsider',
  'transaction',
  'drop',
]);

/** Tells whether an event is a command to the chain. */
export const isCommand = (event: LoggedEvent | ChainCommand): event is ChainCommand => COMMANDS.has(event.type);
