/** A block's place in a chain; its hash as people see it. */
export interface Tip {
  readonly height: number;
  readonly hash: string;
}

export interface SourceTip extends Tip {
  /** Whether the source knows that it lacks blocks, so that its tip says nothing of the chain's. */
  readonly isCatchingUp: boolean;
}

/** What can be compared of two chains. */
interface ChainView {
  /** The last block. */
  readonly tip: () => Promise<Tip>;
  /** The hashes at these heights; `undefined` above the tip. */
  readonly hashesAt: (heights: readonly number[]) => Promise<readonly (string | undefined)[]>;
}

/** Where blocks and transactions come from. Every function may throw `SyncFault`. */
export interface Source extends ChainView {
  /** What it is called in errors. */
  readonly name: string;
  readonly tip: () => Promise<SourceTip>;
  /** Blocks in hex, by hash, in order and in pieces of a few megabytes. */
  readonly blocks: (hashes: readonly string[]) => AsyncIterable<readonly string[]>;
  /** The txids of the mempool. */
  readonly mempool: () => Promise<readonly string[]>;
  /** Transactions of the mempool in hex, in order and in pieces; `undefined` for one that is not there any more. */
  readonly transactions: (txids: readonly string[]) => AsyncIterable<readonly (string | undefined)[]>;
}

/** What has become of a transaction that was fed. */
export type Sent =
  | { readonly kind: 'taken' }
  /** The node's own code and text. */
  | { readonly kind: 'refused'; readonly code: number; readonly reason: string };

/** Where they go. Every function may throw `SyncFault`. */
export interface Sink extends ChainView {
  readonly name: string;
  /**
   * Feeds a block in hex.
   * @returns BIP22's reason against it; `null` where there is none; `undefined` for what is no block
   */
  readonly submitBlock: (hex: string) => Promise<string | null | undefined>;
  /** Takes a block and all after it out of its chain. */
  readonly invalidate: (hash: string) => Promise<void>;
  /** Takes that back. */
  readonly reconsider: (hash: string) => Promise<void>;
  /** The txids of its mempool. */
  readonly mempool: () => Promise<readonly string[]>;
  /** Feeds a transaction in hex. */
  readonly send: (hex: string) => Promise<Sent>;
  /** Feeds that a transaction has left the mempool without being mined. @returns whether it was there */
  readonly drop: (txid: string) => Promise<boolean>;
}
