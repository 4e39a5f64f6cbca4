import { byteName } from '../bytes/compare.ts';
import { parseHex } from '../bytes/hex.ts';
import { BtcError } from '../errors.ts';
import type { Network } from '../network/networks.ts';
import { isCoinbase } from '../tx/check.ts';
import { txid } from '../tx/txid.ts';
import type { Transaction, Txid, TxOut } from '../tx/types.ts';
import { genesisOf } from './genesis.ts';

/** A transaction with its id, and the name that the id is known by. */
export interface ChainTx {
  readonly tx: Transaction;
  readonly id: Txid;
  readonly name: string;
  readonly isCoinbase: boolean;
  /** Names of the outpoints that it spends; a coinbase spends none. */
  readonly spends: readonly string[];
}

/** A block that was fed, whether it is in the active chain or not. */
export interface ChainBlock {
  /** In wire order. */
  readonly hash: Uint8Array;
  readonly name: string;
  /** Absent for the first block. */
  readonly previous: string | undefined;
  readonly height: number;
  /** UNIX time of the header. */
  readonly time: number;
  /** The latest time of this block and all before it. */
  readonly maxTime: number;
  readonly txs: readonly ChainTx[];
}

/** An output that is there to be spent. */
export interface ChainCoin extends TxOut {
  /** Where it was made; `undefined` in the mempool. */
  readonly height: number | undefined;
  readonly isCoinbase: boolean;
}

/** Why a transaction leaves the mempool other than by being mined. */
export type RemovalReason = 'replaced' | 'conflict' | 'reorg' | 'dropped';

/** Who wants to know what happens, in the order in which it does. */
interface ChainListener {
  readonly transactionAdded: (tx: ChainTx) => void;
  readonly transactionRemoved: (tx: ChainTx, reason: RemovalReason) => void;
  readonly blockConnected: (block: ChainBlock) => void;
  readonly blockDisconnected: (block: ChainBlock) => void;
}

/**
 * What nodes remember of relative locks on coins of the mempool, which stand for ones of the next block: the chain must
 * not become shorter than it was then. Where it does, the transaction is thrown out of the mempool, though a new look
 * at it would find that its lock is past.
 * @see Bitcoin Core `LockPoints`, `CTxMemPool::removeForReorg`
 */
export interface LockPoints {
  /** The least height of the last block, if there is one. */
  readonly height: number;
  /** The least median time of the last block, UNIX time; 0 where there is none. */
  readonly time: number;
  /** The block with the youngest coin of the transaction that is in a block: without it, this means nothing. */
  readonly block: string;
}

/** What is known of the chain and of the mempool. It changes in place, by `chain.ts` and `mempool.ts` only. */
export interface Chain {
  readonly blocks: Map<string, ChainBlock>;
  readonly invalid: Set<string>;
  /** Names of the blocks of the active chain, by height. */
  readonly active: string[];
  /** Unspent in the active chain, by outpoint. */
  readonly coins: Map<string, ChainCoin>;
  /** What each active block has spent, to be put back. */
  readonly undo: Map<string, readonly (readonly [string, ChainCoin])[]>;
  readonly mempool: Map<string, ChainTx>;
  /** Who in the mempool spends an outpoint. */
  readonly spends: Map<string, string>;
  /** Of transactions in the mempool that have such. */
  readonly lockPoints: Map<string, LockPoints>;
  readonly listeners: Set<ChainListener>;
}

/** A chain with nothing but its first block. @throws `network/invalid` where the network does not say which that is */
export function createChain(network: Network): Chain {
  const genesis = genesisOf(network);
  if (!genesis) throw new BtcError('network/invalid', { member: 'genesis', reason: 'must be there for a wallet' });
  const hash = parseHex(genesis.hash).reverse();
  const { time } = genesis;
  const block = { hash, name: byteName(hash), previous: undefined, height: 0, time, maxTime: time, txs: [] };
  return {
    blocks: new Map([[block.name, block]]),
    invalid: new Set(),
    active: [block.name],
    coins: new Map(),
    undo: new Map(),
    mempool: new Map(),
    spends: new Map(),
    lockPoints: new Map(),
    listeners: new Set(),
  };
}

export function chainTx(tx: Transaction, id: Txid = txid(tx)): ChainTx {
  const isGenerated = isCoinbase(tx);
  const spends = isGenerated ? [] : tx.inputs.map(({ outpoint }) => outpointName(outpoint.txid, outpoint.vout));
  return { tx, id, name: byteName(id), isCoinbase: isGenerated, spends };
}

/** What an outpoint is known by. */
export const outpointName = (txid: Uint8Array, vout: number): string => outputName(byteName(txid), vout);

/** The same, by what the transaction is known by. */
export const outputName = (tx: string, vout: number): string => `${tx}:${vout}`;

/** The last block of the active chain. */
export function tipOf(chain: Chain): ChainBlock {
  return activeBlock(chain, chain.active.length - 1);
}

/** The block of the active chain at a height. @throws `block/unknown` */
export function activeBlock({ active, blocks }: Chain, height: number): ChainBlock {
  const block = blocks.get(active[height] ?? '');
  if (!block) throw new BtcError('block/unknown', {});
  return block;
}

/** Whether a block is in the active chain. */
export const isActive = ({ active }: Chain, { height, name }: Pick<ChainBlock, 'height' | 'name'>): boolean =>
  active[height] === name;

/** A block and those before it, back to the active chain: none where it is in it. */
export function branchOf(chain: Chain, block: ChainBlock): readonly ChainBlock[] {
  const branch: ChainBlock[] = [];
  for (let at: ChainBlock | undefined = block; at && !isActive(chain, at); at = chain.blocks.get(at.previous ?? '')) {
    branch.push(at);
  }
  return branch;
}

/** The last block that the chain of a block has in common with the active one. */
export function forkOf(chain: Chain, block: ChainBlock): ChainBlock {
  const first = branchOf(chain, block).at(-1);
  return first ? activeBlock(chain, first.height - 1) : block;
}

const MEDIAN_SPAN = 11;

/** The median time of a block and the ten before it. @see BIP113 */
export function medianTimePast({ blocks }: Chain, block: ChainBlock): number {
  const times: number[] = [];
  for (let at: ChainBlock | undefined = block; at && times.length < MEDIAN_SPAN; at = blocks.get(at.previous ?? '')) {
    times.push(at.time);
  }
  times.sort((a, b) => a - b);
  return times[times.length >> 1] ?? 0;
}

const NAME_SIZE = 32;

/** An output that is unspent in the chain, or made in the mempool; whether the mempool spends it does not count. */
export function coinAt({ coins, mempool }: Chain, name: string): ChainCoin | undefined {
  const coin = coins.get(name);
  if (coin) return coin;
  const output = mempool.get(name.slice(0, NAME_SIZE))?.tx.outputs[Number(name.slice(NAME_SIZE + 1))];
  return output && { ...output, height: undefined, isCoinbase: false };
}

/** The transaction that an outpoint's name begins with. */
export const txOfOutpoint = (name: string): string => name.slice(0, NAME_SIZE);
