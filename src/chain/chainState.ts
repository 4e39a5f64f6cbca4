import { bytesKey } from '../bytes/compare.ts';
import { parseHex } from '../bytes/hex.ts';
import { BtcError } from '../errors.ts';
import type { Network } from '../network/networks.ts';
import { isCoinbase } from '../tx/check.ts';
import { outpointKey, txid } from '../tx/txid.ts';
import type { Transaction, Txid, TxOut } from '../tx/types.ts';
import { genesisOf } from './block.ts';

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

/** A submitted block, in the active chain or not. */
export interface ChainBlock {
  /** In wire order. */
  readonly hash: Uint8Array;
  /** The hash as a map key. */
  readonly key: string;
  /** The parent's key; `undefined` for the genesis block. */
  readonly previous: string | undefined;
  readonly height: number;
  /** UNIX time of the header. */
  readonly time: number;
  /** The latest header time of this block and its ancestors. */
  readonly maxTime: number;
  readonly txs: readonly ChainTx[];
}

/** An unspent output. @see Bitcoin Core `Coin` */
export interface ChainCoin extends TxOut {
  /** Height of the block that created it; `undefined` for a mempool transaction. */
  readonly height: number | undefined;
  readonly isCoinbase: boolean;
}

/** The reason why a transaction leaves the mempool, other than being mined. */
export type RemovalReason = 'replaced' | 'conflict' | 'reorg' | 'dropped';

/** Callbacks for chain and mempool changes, called in the order of the changes. */
interface ChainListener {
  readonly transactionAdded: (tx: ChainTx) => void;
  readonly transactionRemoved: (tx: ChainTx, reason: RemovalReason) => void;
  readonly blockConnected: (block: ChainBlock) => void;
  readonly blockDisconnected: (block: ChainBlock) => void;
}

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

/** The block chain and the mempool. Only `connect.ts` and `mempool.ts` change it, in place. */
export interface Chain {
  readonly blocks: Map<string, ChainBlock>;
  readonly invalid: Set<string>;
  /** Keys of the blocks of the active chain, by height. */
  readonly active: string[];
  /** The UTXO set of the active chain, by outpoint key. */
  readonly coins: Map<string, ChainCoin>;
  /** Undo data: the coins that each active block spent, by block key. */
  readonly undo: Map<string, readonly (readonly [string, ChainCoin])[]>;
  readonly mempool: Map<string, ChainTx>;
  /** Keys of the mempool transactions that spend an outpoint, by outpoint key. */
  readonly spends: Map<string, string>;
  /** Lock points of the mempool transactions with relative locks, by transaction key. */
  readonly lockPoints: Map<string, LockPoints>;
  readonly listeners: Set<ChainListener>;
}

/** Creates a chain of only the genesis block. @throws `network/invalid` if the network does not define one */
export function createChain(network: Network): Chain {
  const genesis = genesisOf(network);
  if (!genesis) {
    const reason = 'is required for a wallet';
    throw new BtcError('network/invalid', { member: 'genesis', reason }, `The genesis of the network ${reason}`);
  }
  const hash = parseHex(genesis.hash).reverse();
  const { time } = genesis;
  const block = { hash, key: bytesKey(hash), previous: undefined, height: 0, time, maxTime: time, txs: [] };
  return {
    blocks: new Map([[block.key, block]]),
    invalid: new Set(),
    active: [block.key],
    coins: new Map(),
    undo: new Map(),
    mempool: new Map(),
    spends: new Map(),
    lockPoints: new Map(),
    listeners: new Set(),
  };
}

/** Wraps a transaction for the chain, computing its txid unless given. */
export function chainTx(tx: Transaction, id: Txid = txid(tx)): ChainTx {
  const isGenerated = isCoinbase(tx);
  const spends = isGenerated ? [] : tx.inputs.map(({ outpoint }) => outpointKey(outpoint));
  return { tx, id, key: bytesKey(id), isCoinbase: isGenerated, spends };
}

/** Returns the tip of the active chain. */
export function tipOf(chain: Chain): ChainBlock {
  return activeBlock(chain, chain.active.length - 1);
}

/** Returns the block of the active chain at a height. @throws `block/unknown` */
export function activeBlock({ active, blocks }: Chain, height: number): ChainBlock {
  const block = blocks.get(active[height] ?? '');
  if (!block) throw new BtcError('block/unknown', {}, `The active chain has no block at height ${height}`);
  return block;
}

/** Tells whether a block is in the active chain. */
export const isActive = ({ active }: Chain, { height, key }: Pick<ChainBlock, 'height' | 'key'>): boolean =>
  active[height] === key;

/**
 * Returns a block and its ancestors, newest first, down to the fork with the active chain; empty for an active block.
 */
export function branchOf(chain: Chain, block: ChainBlock): readonly ChainBlock[] {
  const branch: ChainBlock[] = [];
  for (let at: ChainBlock | undefined = block; at && !isActive(chain, at); at = chain.blocks.get(at.previous ?? '')) {
    branch.push(at);
  }
  return branch;
}

/** Returns the last common block of a block's chain and the active chain. @see Bitcoin Core `CChain::FindFork` */
export function forkOf(chain: Chain, block: ChainBlock): ChainBlock {
  const first = branchOf(chain, block).at(-1);
  return first ? activeBlock(chain, first.height - 1) : block;
}

const MEDIAN_SPAN = 11;

/** Returns the median time of a block and its ten ancestors, UNIX time. @see BIP113 */
export function medianTimePast({ blocks }: Chain, block: ChainBlock): number {
  const times: number[] = [];
  for (let at: ChainBlock | undefined = block; at && times.length < MEDIAN_SPAN; at = blocks.get(at.previous ?? '')) {
    times.push(at.time);
  }
  times.sort((a, b) => a - b);
  return times[times.length >> 1] ?? 0;
}

const KEY_SIZE = 32;

/**
 * Returns a coin of the UTXO set or an output of a mempool transaction, even if the mempool spends it.
 *
 * - `outpoint`: its key, from `outpointKey`
 */
export function coinAt({ coins, mempool }: Chain, outpoint: string): ChainCoin | undefined {
  const coin = coins.get(outpoint);
  if (coin) return coin;
  const output = mempool.get(txKeyOf(outpoint))?.tx.outputs[Number(outpoint.slice(KEY_SIZE + 1))];
  return output && { ...output, height: undefined, isCoinbase: false };
}

/** Returns the key of the transaction from the key of one of its outpoints. */
export const txKeyOf = (outpoint: string): string => outpoint.slice(0, KEY_SIZE);
