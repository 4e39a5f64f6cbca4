import { parseHex } from '../../core/bytes/hex.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { BtcError } from '../../core/errors.ts';
import type { ScriptFlags } from '../../core/interpreter/flags.ts';
import type { ScriptFailure } from '../../core/interpreter/result.ts';
import type { Network } from '../../core/network/networks.ts';
import { outpointTxKey, outpointVout } from '../../core/tx/txid.ts';
import type { OutpointKey, Transaction, TxKey } from '../../core/tx/types.ts';
import { BYTES_PER_SIGOP, sizeOfWeight } from '../../core/tx/weight.ts';
import { flagCodec, plainCodec } from '../store/codecs.ts';
import { KINDS } from '../store/kinds.ts';
import { orderKey, parseOrderKey } from '../store/orderKey.ts';
import type { Table, Tables } from '../store/tables.ts';
import { HEADER_SIZE } from './block.ts';
import { type BlockKey, blockKey } from './blockHeader.ts';
import {
  type BlockBody,
  blockCodec,
  blockKeyCodec,
  bodyCodec,
  type ChainCounts,
  coinCodec,
  countsCodec,
  feeDeltaCodec,
  filterHeaderCodec,
  type KeptFilterHeader,
  type PooledTx,
  pooledCodec,
  type Undo,
  undoCodec,
} from './chainCodec.ts';
import type { Fault } from './fault.ts';
import { genesisBody, genesisHeader } from './genesis.ts';
import type { MempoolFloor } from './mempoolFloor.ts';
import { mempoolMemory } from './mempoolMemory.ts';
import { blockProof } from './proofOfWork.ts';
import type { ChainBlock, ChainCoin, ChainTx, FeeEstimate, LockPoints, PoolEntry, RemovalReason } from './types.ts';

interface ChainListener {
  /** `sequence`: the number of the change of the mempool. */
  readonly transactionAdded?: (tx: ChainTx, sequence: number) => void;
  readonly transactionRemoved?: (tx: ChainTx, reason: RemovalReason, sequence: number) => void;
  readonly blockConnected?: (block: ChainBlock, txs: readonly ChainTx[]) => void;
  readonly blockDisconnected?: (block: ChainBlock, txs: readonly ChainTx[]) => void;
  /** Tells of another last block, once the mempool fits it. `isNew`: false if blocks were only disconnected. */
  readonly tipChanged?: (isNew: boolean) => void;
}

/** How a node validates blocks, beyond what its network says. */
export interface BlockValidation {
  /** The hash of a block, `0` for none, or `all`. Default: the known block of the network. @see `skipsScripts` */
  readonly assumevalid?: string | undefined;
  /** Says more than the reason of rules that depend on coins, and in which transaction. */
  readonly explainsFaults: boolean;
  /** Reports an input of a block whose script fails. */
  readonly scriptFault: (tx: ChainTx, inputIndex: number, failure: ScriptFailure) => Fault;
}

type Validation = BlockValidation & { readonly ecc: Ecc };

interface PoolTotals {
  /** In virtual bytes, as policy counts them. */
  size: number;
  /** Without unknown fees. */
  fees: bigint;
  unbroadcast: number;
  /** Of memory, in bytes: an estimate. */
  usage: number;
  /** Counts changes of the mempool, blocks too, for miners that wait. @see Bitcoin Core `GetTransactionsUpdated` */
  updates: number;
  /** The number of the next addition or removal, since the node was opened. @see Bitcoin Core `CTxMemPool::GetSequence` */
  sequence: number;
}

/** Transactions that leave a full mempool together. */
export interface Excess {
  /** In the order of their ids. */
  readonly entries: readonly PoolEntry[];
  /** The fee rate that the mempool asks for from then on, in satoshi per 1000 virtual bytes. */
  readonly rate: number;
}

export function countPooled(
  { poolTotals }: Chain,
  { tx, policyWeight, fee = 0n, isUnbroadcast }: PoolEntry,
  sign: 1 | -1,
): void {
  poolTotals.size += sign * sizeOfWeight(policyWeight);
  poolTotals.fees += BigInt(sign) * fee;
  poolTotals.usage += sign * mempoolMemory(tx);
  poolTotals.unbroadcast += isUnbroadcast ? sign : 0;
}

/**
 * The block chain, in records, and the mempool, also in memory. Only this folder changes them, in place.
 */
export interface Chain {
  readonly network: Network;
  readonly validation: Validation;
  readonly tables: Tables;
  /** The genesis block, or the block that the chain was started at. */
  first: ChainBlock;
  /** Holds `first` unless it is the genesis block. */
  readonly starts: Table<BlockKey, ChainBlock>;
  /** Marks that blocks are missing which may have created coins. */
  readonly partial: Table<string, true>;
  readonly blocks: Table<BlockKey, ChainBlock>;
  readonly bodies: Table<BlockKey, BlockBody>;
  readonly invalid: Table<BlockKey, true>;
  /** Blocks of which only the headers came so far, so that no chain with them can be active. */
  readonly awaited: Table<BlockKey, true>;
  /** Why blocks could not be connected, since the node was opened. */
  readonly refusals: Map<BlockKey, Fault>;
  /** Blocks without a known child. */
  readonly leaves: Map<BlockKey, ChainBlock>;
  readonly leafMarks: Table<BlockKey, true>;
  /** By {@link orderKey} of the height. */
  readonly active: Table<string, BlockKey>;
  /** The UTXO set of the active chain. */
  readonly coins: Table<OutpointKey, ChainCoin>;
  /** The coins that each active block spent. */
  readonly undo: Table<BlockKey, Undo>;
  readonly mempool: Map<TxKey, PoolEntry>;
  readonly poolTotals: PoolTotals;
  readonly floor: MempoolFloor;
  /** UNIX time of the change in progress. */
  now: number;
  /** The spending mempool transaction. */
  readonly spends: Map<OutpointKey, TxKey>;
  readonly lockPoints: Map<TxKey, LockPoints>;
  /** By {@link orderKey} of {@link pooledOrders}. */
  readonly pooled: Table<string, PooledTx>;
  readonly pooledOrders: Map<TxKey, number>;
  /** What is added to the fees of transactions, whether in the mempool or not; in satoshi. */
  readonly feeDeltas: Table<TxKey, bigint>;
  counts: ChainCounts;
  /** The transactions whose scripts have all succeeded, and under which flags. */
  readonly verified: WeakMap<Transaction, ScriptFlags>;
  /** Scripts, in hex, whose coins anybody may spend. */
  readonly waived: Table<string, true>;
  /** The fee estimates, if they were set: a node alone makes none. */
  readonly estimates: Table<'', readonly FeeEstimate[]>;
  readonly filterHeaders: Table<string, KeptFilterHeader>;
  readonly listeners: Set<ChainListener>;
  /** Tells whether a transaction of a disconnected block may return to the mempool. The node replaces it. */
  mayReturn: (entry: ChainTx, returned: ReadonlySet<TxKey>) => boolean;
  /** Lists what has to leave the mempool after transactions of a disconnected block have returned. The node replaces it. */
  overflowing: (returned: ReadonlySet<TxKey>) => readonly TxKey[];
  /** The virtual bytes for which each signature check counts in the mempool. The node replaces it. */
  bytesPerSigOp: number;
  /** Returns what leaves next of a mempool that takes too much memory. The node replaces it. */
  excess: () => Excess | undefined;
}

/** The most values kept decoded. */
const KEPT = { blocks: 20_000, bodies: 4, coins: 50_000, undo: 4 };
const ONLY = '';

/**
 * Opens the chain in a record store; a new one consists of the genesis block.
 * @throws `network/invalid` without one, `store/*`
 */
export function openChain(network: Network, tables: Tables, validation: Validation): Chain {
  const { table } = tables;
  const starts = table<BlockKey, ChainBlock>(KINDS['first block'], blockCodec, 1);
  const first = storedFirst(starts) ?? genesisBlock(network);
  const countsTable = table(KINDS.counts, countsCodec, Number.POSITIVE_INFINITY);
  const blocks = table<BlockKey, ChainBlock>(KINDS.block, blockCodec, KEPT.blocks);
  const chain: Chain = {
    network,
    validation,
    tables,
    first,
    starts,
    partial: table(KINDS['mark of missing blocks'], flagCodec, 1),
    blocks: { ...blocks, get: (key) => (key === chain.first.key ? chain.first : blocks.get(key)) },
    bodies: table(KINDS['block body'], bodyCodec(network), KEPT.bodies),
    invalid: table(KINDS['invalid mark'], flagCodec, Number.POSITIVE_INFINITY),
    awaited: table(KINDS['mark of a header'], flagCodec, Number.POSITIVE_INFINITY),
    refusals: new Map(),
    leaves: new Map(),
    leafMarks: table(KINDS['branch end'], flagCodec, KEPT.blocks),
    active: table(KINDS.height, blockKeyCodec, KEPT.blocks),
    coins: table(KINDS.coin, coinCodec, KEPT.coins),
    undo: table(KINDS['undo data'], undoCodec, KEPT.undo),
    mempool: new Map(),
    poolTotals: { size: 0, fees: 0n, unbroadcast: 0, usage: 0, updates: 0, sequence: 1 },
    floor: { rate: 0, time: 0, isFalling: false },
    now: 0,
    spends: new Map(),
    lockPoints: new Map(),
    pooled: table(KINDS['mempool transaction'], pooledCodec(network), 1),
    pooledOrders: new Map(),
    feeDeltas: table(KINDS['fee delta'], feeDeltaCodec, Number.POSITIVE_INFINITY),
    get counts() {
      return countsTable.get(ONLY) ?? emptyCounts(chain.first);
    },
    set counts(counts) {
      countsTable.set(ONLY, counts);
    },
    verified: new WeakMap(),
    waived: table(KINDS['waived script'], flagCodec, Number.POSITIVE_INFINITY),
    estimates: table(KINDS['fee estimates'], plainCodec<readonly FeeEstimate[]>(), 1),
    filterHeaders: table(KINDS['filter header'], filterHeaderCodec, 1),
    listeners: new Set(),
    mayReturn: () => true,
    overflowing: () => [],
    bytesPerSigOp: BYTES_PER_SIGOP,
    excess: () => undefined,
  };
  loadChain(chain);
  // A new chain counts its first block.
  if (chain.counts.blocks === 1) chain.poolTotals.updates += 1;
  return chain;
}

/** Reads again what is kept in memory, after another process has changed records or a change was dropped. */
export function refreshChain(chain: Chain): void {
  for (const map of [chain.leaves, chain.mempool, chain.spends, chain.lockPoints, chain.pooledOrders]) map.clear();
  Object.assign(chain.poolTotals, { size: 0, fees: 0n, unbroadcast: 0, usage: 0 });
  loadChain(chain);
}

const emptyCounts = ({ height }: Pick<ChainBlock, 'height'>): ChainCounts => ({
  height,
  blocks: 1,
  pooled: 0,
  diskSize: 0,
});

function storedFirst(starts: Table<BlockKey, ChainBlock>): ChainBlock | undefined {
  for (const [, block] of starts.entries()) return { ...block, previous: undefined };
  return undefined;
}

function loadChain(chain: Chain): void {
  chain.first = storedFirst(chain.starts) ?? genesisBlock(chain.network);
  for (const [key] of chain.leafMarks.entries()) {
    const block = chain.blocks.get(key);
    if (block) chain.leaves.set(key, block);
  }
  if (chain.leaves.size === 0) chain.leaves.set(chain.first.key, chain.first);
  for (const [key, { entry: pooled, points }] of chain.pooled.entries()) {
    const entry = withFeeDelta(chain, pooled);
    chain.mempool.set(entry.key, entry);
    countPooled(chain, entry, 1);
    for (const spent of entry.spends) chain.spends.set(spent, entry.key);
    if (points) chain.lockPoints.set(entry.key, points);
    chain.pooledOrders.set(entry.key, parseOrderKey(key));
  }
}

export function withFeeDelta({ feeDeltas }: Chain, entry: PoolEntry): PoolEntry {
  const { feeDelta: _, ...plain } = entry;
  const feeDelta = feeDeltas.get(entry.key);
  return feeDelta === undefined ? plain : { ...plain, feeDelta };
}

/** @throws `network/invalid` */
export function genesisBlock(network: Network): ChainBlock {
  const { genesis } = network;
  if (!genesis) {
    const reason = 'is required for a wallet';
    throw new BtcError('network/invalid', { member: 'genesis', reason }, `The genesis of the network ${reason}`);
  }
  const hash = parseHex(genesis.hash).reverse();
  const { time } = genesis;
  const bits = genesis.header?.bits ?? 0;
  const header = genesisHeader(network) ?? new Uint8Array(HEADER_SIZE);
  const work = genesis.header ? blockProof(bits) : 0n;
  const place = { height: 0, time, maxTime: time, order: 0 };
  return { hash, key: blockKey(hash), previous: undefined, header, bits, work, ...place };
}

export const activeTip = (chain: Chain): ChainBlock => activeBlock(chain, chain.counts.height);

export function activeKey({ active, counts, first }: Chain, height: number): BlockKey | undefined {
  if (height === first.height) return first.key;
  const isWithin = Number.isInteger(height) && height > first.height && height <= counts.height;
  return isWithin ? active.get(orderKey(height)) : undefined;
}

export function findActiveBlock(chain: Chain, height: number): ChainBlock | undefined {
  const key = activeKey(chain, height);
  return key === undefined ? undefined : chain.blocks.get(key);
}

/** @throws `block/unknown` */
export function activeBlock(chain: Chain, height: number): ChainBlock {
  const block = findActiveBlock(chain, height);
  if (!block) throw new BtcError('block/unknown', {}, `The active chain has no block at height ${height}`);
  return block;
}

/** Returns none for a genesis block, or a block of which only the header is known. */
export const txsInBlock = ({ bodies }: Chain, { key }: Pick<ChainBlock, 'key'>): readonly ChainTx[] =>
  bodies.get(key)?.txs ?? [];

/** Finds a block with its transactions, the genesis block included; `undefined` if only the header is known. */
export const findBody = ({ bodies, network }: Chain, { key, height }: ChainBlock): BlockBody | undefined =>
  bodies.get(key) ?? (height === 0 ? genesisBody(network) : undefined);

export const isActive = (chain: Chain, { height, key }: Pick<ChainBlock, 'height' | 'key'>): boolean =>
  activeKey(chain, height) === key;

export const knowsCoins = ({ counts, first, mempool }: Chain): boolean =>
  counts.height > first.height || mempool.size > 0;

/** Returns `undefined` for the first block of the chain. */
export const findParent = ({ blocks }: Chain, { previous }: ChainBlock): ChainBlock | undefined =>
  previous === undefined ? undefined : blocks.get(previous);

/** Returns a block and its ancestors down to the fork with the active chain, newest first. */
export function inactiveBranch(chain: Chain, block: ChainBlock): readonly ChainBlock[] {
  const branch: ChainBlock[] = [];
  for (let at: ChainBlock | undefined = block; at && !isActive(chain, at); at = findParent(chain, at)) {
    branch.push(at);
  }
  return branch;
}

/** @see Bitcoin Core `CChain::FindFork` */
export function findFork(chain: Chain, block: ChainBlock): ChainBlock {
  const first = inactiveBranch(chain, block).at(-1);
  return first ? activeBlock(chain, first.height - 1) : block;
}

/** The blocks of a median time. @see BIP113 */
export const MEDIAN_SPAN = 11;

/** Returns the times of a block and its ancestors, the last ones first, as many as a median takes. */
export function lastTimes(chain: Chain, block: ChainBlock): readonly number[] {
  const times: number[] = [];
  for (let at: ChainBlock | undefined = block; at && times.length < MEDIAN_SPAN; at = findParent(chain, at)) {
    times.push(at.time);
  }
  return times;
}

export const medianOf = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;

/** @see BIP113 */
export const medianTimePast = (chain: Chain, block: ChainBlock): number => medianOf(lastTimes(chain, block));

/** Returns `undefined` where the chain lacks blocks that count. @see BIP113 */
export function knownMedianTime(chain: Chain, block: ChainBlock): number | undefined {
  const times = lastTimes(chain, block);
  return times.length < Math.min(block.height + 1, MEDIAN_SPAN) ? undefined : medianOf(times);
}

/** Returns the block itself at its own height. @see Bitcoin Core `CBlockIndex::GetAncestor` */
export function ancestorAt(chain: Chain, block: ChainBlock, height: number): ChainBlock | undefined {
  let at: ChainBlock | undefined = block;
  while (at && at.height > height && !isActive(chain, at)) at = findParent(chain, at);
  return at && (at.height === height ? at : at.height > height ? findActiveBlock(chain, height) : undefined);
}

/** Returns the last block of the valid branch with the most work, whether or not its transactions are there. */
export function bestHeader(chain: Chain): ChainBlock {
  let best = activeTip(chain);
  for (const leaf of chain.leaves.values()) {
    let at: ChainBlock | undefined = leaf;
    while (at && at.work > best.work && chain.invalid.get(at.key)) at = findParent(chain, at);
    if (at && at.work > best.work) best = at;
  }
  return best;
}

/** Finds a coin of the UTXO set; if the mempool counts, it adds coins and takes those that it spends. */
export function findUnspent(chain: Chain, key: OutpointKey, seesMempool: boolean): ChainCoin | undefined {
  if (!seesMempool) return chain.coins.get(key);
  return chain.spends.has(key) ? undefined : coinAt(chain, key);
}

/** Finds a coin of the UTXO set, or an output of a mempool transaction even if the mempool spends it. */
export function coinAt({ coins, mempool }: Chain, outpoint: OutpointKey): ChainCoin | undefined {
  const coin = coins.get(outpoint);
  if (coin) return coin;
  const output = mempool.get(outpointTxKey(outpoint))?.tx.outputs[outpointVout(outpoint)];
  return output && { height: undefined, isCoinbase: false, ...output };
}
