import { UsageError } from '../terminal/usageError.ts';

/** `hash` is in display byte order. */
export interface Tip {
  readonly height: number;
  readonly hash: string;
}

export interface SourceTip extends Tip {
  /** In initial block download, when the tip is not yet that of the chain. */
  readonly isCatchingUp: boolean;
}

interface ChainView {
  readonly tip: () => Promise<Tip>;
  /** Returns `undefined` above the tip. */
  readonly hashesAt: (heights: readonly number[]) => Promise<readonly (string | undefined)[]>;
}

/** The node to read from. Every function may throw `SyncFault`. */
export interface Source extends ChainView {
  /** For error texts. */
  readonly name: string;
  readonly tip: () => Promise<SourceTip>;
  /** Yields hex, in order, in pieces of a few megabytes. */
  readonly blocks: (hashes: readonly string[]) => AsyncIterable<readonly string[]>;
  /** Returns txids. */
  readonly mempool: () => Promise<readonly string[]>;
  /** Yields hex, in order, in pieces; `undefined` for a transaction that has left the mempool. */
  readonly transactions: (txids: readonly string[]) => AsyncIterable<readonly (string | undefined)[]>;
}

export type Sent =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused'; readonly code: number; readonly reason: string };

/** The node to feed. Every function may throw `SyncFault`. */
export interface Sink extends ChainView {
  readonly name: string;
  /** Returns the BIP22 rejection reason; `null` for an accepted block; `undefined` for one that cannot be decoded. */
  readonly submitBlock: (hex: string) => Promise<string | null | undefined>;
  /** Also invalidates descendants. */
  readonly invalidate: (hash: string) => Promise<void>;
  readonly reconsider: (hash: string) => Promise<void>;
  /** Returns txids. */
  readonly mempool: () => Promise<readonly string[]>;
  readonly send: (hex: string) => Promise<Sent>;
  /** For a transaction that has left the source's mempool unmined. Returns false if the sink lacked it. */
  readonly drop: (txid: string) => Promise<boolean>;
}

/** The reason for the user why a sync cannot continue. What was fed before is kept. */
export class SyncFault extends UsageError {
  /** A retry may succeed: the node is unreachable, busy or slow. */
  readonly isPassing: boolean;

  constructor(message: string, { isPassing = false }: { readonly isPassing?: boolean } = {}) {
    super(message);
    this.isPassing = isPassing;
  }
}
