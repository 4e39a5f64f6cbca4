import { UsageError } from '../terminal/usageError.ts';

/** The last block of a chain: its height, and its hash in display byte order. */
export interface Tip {
  readonly height: number;
  readonly hash: string;
}

export interface SourceTip extends Tip {
  /** True while the source is in initial block download, so that its tip is not yet that of the chain. */
  readonly isCatchingUp: boolean;
}

/** The part of a node by which two chains are compared. */
interface ChainView {
  readonly tip: () => Promise<Tip>;
  /** Returns the block hashes at these heights; `undefined` above the tip. */
  readonly hashesAt: (heights: readonly number[]) => Promise<readonly (string | undefined)[]>;
}

/** The node that blocks and transactions are read from. Every function may throw `SyncFault`. */
export interface Source extends ChainView {
  /** The source's name in error texts. */
  readonly name: string;
  readonly tip: () => Promise<SourceTip>;
  /** Yields the blocks with these hashes in hex, in order, in pieces of a few megabytes. */
  readonly blocks: (hashes: readonly string[]) => AsyncIterable<readonly string[]>;
  /** Returns the txids of the mempool. */
  readonly mempool: () => Promise<readonly string[]>;
  /** Yields these transactions of the mempool in hex, in order, in pieces; `undefined` for one that has left it. */
  readonly transactions: (txids: readonly string[]) => AsyncIterable<readonly (string | undefined)[]>;
}

/** The outcome of feeding a transaction. */
export type Sent =
  | { readonly kind: 'taken' }
  /** With the node's error code and text. */
  | { readonly kind: 'refused'; readonly code: number; readonly reason: string };

/** The destination of blocks and transactions. Every function may throw `SyncFault`. */
export interface Sink extends ChainView {
  readonly name: string;
  /**
   * Feeds a block in hex.
   * @returns the BIP 22 reason for rejection; `null` if the block was accepted; `undefined` if it cannot be decoded
   */
  readonly submitBlock: (hex: string) => Promise<string | null | undefined>;
  /** Invalidates a block and its descendants. */
  readonly invalidate: (hash: string) => Promise<void>;
  /** Undoes `invalidate`. */
  readonly reconsider: (hash: string) => Promise<void>;
  /** Returns the txids of the mempool. */
  readonly mempool: () => Promise<readonly string[]>;
  /** Feeds a transaction in hex. */
  readonly send: (hex: string) => Promise<Sent>;
  /** Removes a transaction that has left the source's mempool without being mined. @returns whether the sink had it */
  readonly drop: (txid: string) => Promise<boolean>;
}

/** The reason why a sync cannot continue, as a text for the user. What was fed before is kept. */
export class SyncFault extends UsageError {
  /** True if a retry may succeed: the node is unreachable, busy or slow. */
  readonly isPassing: boolean;

  constructor(message: string, { isPassing = false }: { readonly isPassing?: boolean } = {}) {
    super(message);
    this.isPassing = isPassing;
  }
}
