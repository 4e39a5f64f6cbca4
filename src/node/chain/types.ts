import type { Transaction, Txid, TxOut } from '../../core/tx/types.ts';

/** A transaction with its txid and the derived data that the chain looks up. */
export interface ChainTx {
  readonly tx: Transaction;
  readonly id: Txid;
  /** The txid as a map key. */
  readonly key: string;
  readonly isCoinbase: boolean;
  /** Keys of the outpoints that it spends; empty for a coinbase. */
  readonly spends: readonly string[];
}

/** A block without its transactions, in the active chain or not. */
export interface ChainBlock {
  /** In wire order. */
  readonly hash: Uint8Array;
  /** The hash as a map key. */
  readonly key: string;
  /** The parent's key; `undefined` for the first block of the chain. */
  readonly previous: string | undefined;
  /** The header, 80 bytes; zeros for the genesis block of a caller's own network. */
  readonly header: Uint8Array;
  readonly height: number;
  /** UNIX time of the header. */
  readonly time: number;
  /** The latest header time of this block and its ancestors. */
  readonly maxTime: number;
  /** Its position in the order of submission. */
  readonly order: number;
  /**
   * The hashes that this block and its ancestors took on average. A chain that begins above the genesis block counts from
   * its first block on. @see Bitcoin Core `CBlockIndex::nChainWork`
   */
  readonly work: bigint;
}

/** A transaction of the mempool, with what a node remembers of its entry. @see Bitcoin Core `CTxMemPoolEntry` */
export interface PoolEntry extends ChainTx {
  /** UNIX time at which it entered. */
  readonly time: number;
  /** Height of the tip when it entered. */
  readonly height: number;
  /** In satoshi; `undefined` if the chain lacks a coin that it spends. */
  readonly fee: bigint | undefined;
  /** In the units in which policy counts it: many signature checks can outweigh the bytes. */
  readonly policyWeight: number;
  /** True if it was sent, rather than returned by a block that left the chain. */
  readonly isUnbroadcast: boolean;
}

/** An unspent output. @see Bitcoin Core `Coin` */
export interface ChainCoin extends TxOut {
  /** Height of the block that created it; `undefined` for a mempool transaction. */
  readonly height: number | undefined;
  readonly isCoinbase: boolean;
}

/** The reason why a transaction leaves the mempool, other than being mined. */
export type RemovalReason = 'replaced' | 'conflict' | 'reorg' | 'dropped';

/**
 * The lock points of a mempool transaction with relative locks. Core assumes that unconfirmed coins are mined in the
 * next block, and remembers the tip's height and median time past as the minimum for it. If a reorg leaves the chain
 * below that minimum, Core evicts the transaction, even where a fresh check would find its locks satisfied.
 * @see Bitcoin Core `LockPoints`, `CTxMemPool::removeForReorg`
 */
export interface LockPoints {
  /** The minimum height of the tip; 0 without a height-based lock on an unconfirmed coin. */
  readonly height: number;
  /** The minimum median time past of the tip, UNIX time; 0 without a time-based lock on an unconfirmed coin. */
  readonly time: number;
  /**
   * The block of the youngest confirmed coin that the transaction spends; outside the active chain, it voids these
   * points.
   */
  readonly block: string;
}
