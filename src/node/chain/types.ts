import type { OutpointKey, Transaction, Txid, TxKey, TxOut } from '../../core/tx/types.ts';
import type { BlockKey } from './blockHeader.ts';

export interface ChainTx {
  readonly tx: Transaction;
  readonly id: Txid;
  readonly key: TxKey;
  readonly isCoinbase: boolean;
  /** Empty for a coinbase. */
  readonly spends: readonly OutpointKey[];
}

/** A block, active or not, without its transactions. */
export interface ChainBlock {
  /** In wire order. */
  readonly hash: Uint8Array;
  readonly key: BlockKey;
  /** `undefined` for the first block of the chain. */
  readonly previous: BlockKey | undefined;
  /** 80 bytes; zeros for the genesis block of a caller's own network. */
  readonly header: Uint8Array;
  readonly height: number;
  readonly time: number;
  /** `nBits` in Core. */
  readonly bits: number;
  /** Of this block and its ancestors. */
  readonly maxTime: number;
  /** In the order of submission. */
  readonly order: number;
  /** From the chain's first block on. @see Bitcoin Core `CBlockIndex::nChainWork` */
  readonly work: bigint;
}

/** @see Bitcoin Core `CTxMemPoolEntry` */
export interface PoolEntry extends ChainTx {
  /** UNIX time of entry. */
  readonly time: number;
  /** Height of the tip at entry. */
  readonly height: number;
  /** `undefined` if the chain lacks a coin that it spends. */
  readonly fee: bigint | undefined;
  /** What `prioritisetransaction` adds to the fee, for miners. */
  readonly feeDelta?: bigint;
  /** As policy counts it: many signature checks can outweigh the bytes. */
  readonly policyWeight: number;
  /** False if a block that left the chain returned it. */
  readonly isUnbroadcast: boolean;
}

/** @see Bitcoin Core `Coin` */
export interface ChainCoin extends TxOut {
  /** `undefined` for an output of a mempool transaction. */
  readonly height: number | undefined;
  readonly isCoinbase: boolean;
}

/** Other than being mined. */
export type RemovalReason = 'replaced' | 'conflict' | 'reorg' | 'dropped';

/**
 * Core assumes that unconfirmed coins are mined in the next block, and remembers the tip at entry as the minimum. If
 * a reorg leaves the chain below it, Core evicts the transaction, even where a fresh check would find its locks
 * satisfied.
 * @see Bitcoin Core `LockPoints`, `CTxMemPool::removeForReorg`
 */
export interface LockPoints {
  /** Minimum height of the tip; 0 without a height-based lock on an unconfirmed coin. */
  readonly height: number;
  /** Minimum median time past of the tip; 0 without a time-based lock on an unconfirmed coin. */
  readonly time: number;
  /**
   * The block of the youngest confirmed coin that is spent; outside the active chain, it voids the points. `undefined`
   * before the first block of a chain that was started at a later one.
   */
  readonly block: BlockKey | undefined;
}

/** The fee rate that confirms a transaction within a number of blocks. */
export interface FeeEstimate {
  /** In blocks. */
  readonly target: number;
  /** In satoshi per 1000 virtual bytes. */
  readonly rate: number;
}
