import { bytesKey } from '../../core/bytes/compare.ts';
import { parseHex } from '../../core/bytes/hex.ts';
import { BtcError } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';
import { sizeOfWeight } from '../../core/tx/weight.ts';
import { HEADER_SIZE } from './block.ts';
import {
  type BlockBody,
  blockCodec,
  bodyCodec,
  type ChainCounts,
  coinCodec,
  countsCodec,
  filterHeaderCodec,
  flagCodec,
  type KeptFilterHeader,
  keyCodec,
  numberOf,
  orderKey,
  type PooledTx,
  pooledCodec,
  type Undo,
  undoCodec,
} from './chainCodec.ts';
import { txKeyOf } from './chainTx.ts';
import { genesisHeader } from './genesis.ts';
import { blockProof } from './proofOfWork.ts';
import type { Table, Tables } from './tables.ts';
import type { ChainBlock, ChainCoin, ChainTx, LockPoints, PoolEntry, RemovalReason } from './types.ts';

/** Callbacks for chain and mempool changes, called in the order of the changes. */
interface ChainListener {
  readonly transactionAdded: (tx: ChainTx) => void;
  readonly transactionRemoved: (tx: ChainTx, reason: RemovalReason) => void;
  readonly blockConnected: (block: ChainBlock, txs: readonly ChainTx[]) => void;
  readonly blockDisconnected: (block: ChainBlock, txs: readonly ChainTx[]) => void;
}

/** Sums over the transactions of the mempool. */
interface PoolTotals {
  /** In virtual bytes, as policy counts them. */
  size: number;
  /** The known fees, in satoshi. */
  fees: bigint;
  /** The number of transactions that were sent and not mined. */
  unbroadcast: number;
}

/** Counts a transaction that enters the mempool, or with `sign` -1 one that leaves it. */
export function countPooled(
  { poolTotals }: Chain,
  { policyWeight, fee = 0n, isUnbroadcast }: PoolEntry,
  sign: 1 | -1,
): void {
  poolTotals.size += sign * sizeOfWeight(policyWeight);
  poolTotals.fees += BigInt(sign) * fee;
  poolTotals.unbroadcast += isUnbroadcast ? sign : 0;
}

/**
 * The block chain, in records, and the mempool, which is also in memory. Only `connect.ts` and `mempool.ts` change it, in
 * place; {@link saveChain} writes the changes.
 */
export interface Chain {
  readonly tables: Tables;
  /** The first block of the chain: the genesis block, or the one that the chain was started at. */
  first: ChainBlock;
  /** The record of a first block other than the genesis block, by its key. */
  readonly starts: Table<ChainBlock>;
  /** Holds a mark once blocks are missing that may have created coins. @see isPartial in `partialChain.ts` */
  readonly partial: Table<true>;
  readonly blocks: Table<ChainBlock>;
  readonly bodies: Table<BlockBody>;
  /** The blocks that are marked invalid. */
  readonly invalid: Table<true>;
  /** The blocks without a known child, by key. */
  readonly leaves: Map<string, ChainBlock>;
  readonly leafMarks: Table<true>;
  /** Keys of the blocks of the active chain, by {@link orderKey} of their height. */
  readonly active: Table<string>;
  /** The UTXO set of the active chain, by outpoint key. */
  readonly coins: Table<ChainCoin>;
  /** Undo data: the coins that each active block spent, by block key. */
  readonly undo: Table<Undo>;
  readonly mempool: Map<string, PoolEntry>;
  /** The sums over the mempool. */
  readonly poolTotals: PoolTotals;
  /** UNIX time of the change that is being applied. */
  now: number;
  /** Keys of the mempool transactions that spend an outpoint, by outpoint key. */
  readonly spends: Map<string, string>;
  /** Lock points of the mempool transactions with relative locks, by transaction key. */
  readonly lockPoints: Map<string, LockPoints>;
  /** The mempool's records, by {@link orderKey} of their order of entry. */
  readonly pooled: Table<PooledTx>;
  /** The order of entry of each mempool transaction, by its key. */
  readonly pooledOrders: Map<string, number>;
  readonly countsTable: Table<ChainCounts>;
  counts: ChainCounts;
  /** The headers of the last block filters that a sync got. @see filterHeaders.ts */
  readonly filterHeaders: Table<KeptFilterHeader>;
  readonly listeners: Set<ChainListener>;
}

/** The most decoded values kept in memory of each kind. */
const KEPT = { blocks: 20_000, bodies: 4, coins: 50_000, undo: 4 };
/** The key of the only record of a kind. */
const ONLY = '';

/** The prefixes of the keys of each kind of record. */
const PREFIXES = {
  counts: 'n',
  block: 'b',
  'block body': 't',
  'invalid mark': 'i',
  'branch end': 'l',
  height: 'a',
  coin: 'c',
  'undo data': 'u',
  'first block': 's',
  'mark of missing blocks': 'm',
  'mempool transaction': 'p',
  'filter header': 'f',
} as const;

/** Names the kind of a record by its key. */
export const kindOfRecord = (key: string): string =>
  Object.entries(PREFIXES).find(([, prefix]) => key.startsWith(prefix))?.[0] ?? 'unknown';

/**
 * Opens the chain in a record store; a new one consists of the genesis block.
 * @throws BtcError `network/invalid` if the network does not define a genesis block, `store/*`
 */
export function openChain(network: Network, tables: Tables): Chain {
  const { table } = tables;
  const starts = table(PREFIXES['first block'], blockCodec, 1);
  const first = storedFirst(starts) ?? genesisBlock(network);
  const countsTable = table(PREFIXES.counts, countsCodec, 1);
  const blocks = table(PREFIXES.block, blockCodec, KEPT.blocks);
  const chain: Chain = {
    tables,
    first,
    starts,
    partial: table(PREFIXES['mark of missing blocks'], flagCodec, 1),
    blocks: { ...blocks, get: (key) => (key === chain.first.key ? chain.first : blocks.get(key)) },
    bodies: table(PREFIXES['block body'], bodyCodec(network), KEPT.bodies),
    invalid: table(PREFIXES['invalid mark'], flagCodec, KEPT.blocks),
    leaves: new Map(),
    leafMarks: table(PREFIXES['branch end'], flagCodec, KEPT.blocks),
    active: table(PREFIXES.height, keyCodec, KEPT.blocks),
    coins: table(PREFIXES.coin, coinCodec, KEPT.coins),
    undo: table(PREFIXES['undo data'], undoCodec, KEPT.undo),
    mempool: new Map(),
    poolTotals: { size: 0, fees: 0n, unbroadcast: 0 },
    now: 0,
    spends: new Map(),
    lockPoints: new Map(),
    pooled: table(PREFIXES['mempool transaction'], pooledCodec(network), 1),
    pooledOrders: new Map(),
    countsTable,
    counts: emptyCounts(first),
    filterHeaders: table(PREFIXES['filter header'], filterHeaderCodec, 1),
    listeners: new Set(),
  };
  loadChain(chain);
  return chain;
}

/** Forgets what a chain keeps of records that another process has changed. @throws BtcError `store/*` */
export function refreshChain(chain: Chain, changed: readonly string[]): void {
  for (const key of changed) chain.tables.forget(key);
  for (const map of [chain.leaves, chain.mempool, chain.spends, chain.lockPoints, chain.pooledOrders]) map.clear();
  Object.assign(chain.poolTotals, { size: 0, fees: 0n, unbroadcast: 0 });
  loadChain(chain);
}

const emptyCounts = ({ height }: Pick<ChainBlock, 'height'>): ChainCounts => ({
  height,
  blocks: 1,
  pooled: 0,
  diskSize: 0,
  commits: 0,
  entries: 0,
});

function storedFirst(starts: Table<ChainBlock>): ChainBlock | undefined {
  for (const [, block] of starts.stored()) return { ...block, previous: undefined };
  return undefined;
}

/** Reads what a chain keeps in memory. @throws BtcError `store/*` */
function loadChain(chain: Chain): void {
  chain.first = storedFirst(chain.starts) ?? chain.first;
  chain.counts = chain.countsTable.get(ONLY) ?? emptyCounts(chain.first);
  for (const [key] of chain.leafMarks.stored()) {
    const block = chain.blocks.get(key);
    if (block) chain.leaves.set(key, block);
  }
  if (chain.leaves.size === 0) chain.leaves.set(chain.first.key, chain.first);
  for (const [key, { entry, points }] of chain.pooled.stored()) {
    chain.mempool.set(entry.key, entry);
    countPooled(chain, entry, 1);
    for (const spent of entry.spends) chain.spends.set(spent, entry.key);
    if (points) chain.lockPoints.set(entry.key, points);
    chain.pooledOrders.set(entry.key, numberOf(key));
  }
}

/** Tells whether a chain was ever saved. */
export const isSaved = ({ countsTable }: Chain): boolean => countsTable.get(ONLY) !== undefined;

/**
 * Saves a chain that was never saved, as it was before its first change: the change may never be saved.
 *
 * - `commits`: the number of commits that a lost chain has had
 *
 * @throws BtcError `store/*`
 */
export function beginChain(chain: Chain, commits = 0): void {
  const empty = { ...emptyCounts({ height: 0 }), commits };
  chain.tables.writeAtOnce([[PREFIXES.counts + ONLY, countsCodec.encode(empty)]]);
  chain.counts = { ...chain.counts, commits };
}

/** Tells whether changes of the chain wait to be saved. */
export const isChainChanged = ({ tables }: Chain): boolean => tables.isChanged();

/**
 * Writes the changes of a chain, all or none, and counts the commit.
 *
 * - `entries`: the number of the journal's entries. Default: as at the last commit
 *
 * @throws BtcError `store/*`
 */
export function saveChain(chain: Chain, entries: number = chain.counts.entries): void {
  const { counts } = chain;
  const next = { ...counts, commits: counts.commits + 1, entries };
  chain.countsTable.set(ONLY, next);
  chain.tables.commit();
  chain.counts = next;
}

/** Tells whether a commit that failed has left the records as they were; false if they cannot be read. */
export function isUnchanged({ countsTable, counts }: Chain): boolean {
  try {
    for (const [, { commits }] of countsTable.stored()) return commits === counts.commits;
  } catch {
    // The store may or may not have made the change.
  }
  return false;
}

/** Returns the genesis block of a network. @throws BtcError `network/invalid` */
export function genesisBlock(network: Network): ChainBlock {
  const { genesis } = network;
  if (!genesis) {
    const reason = 'is required for a wallet';
    throw new BtcError('network/invalid', { member: 'genesis', reason }, `The genesis of the network ${reason}`);
  }
  const hash = parseHex(genesis.hash).reverse();
  const { time } = genesis;
  const header = genesisHeader(network) ?? new Uint8Array(HEADER_SIZE);
  const work = genesis.header ? blockProof(genesis.header.bits) : 0n;
  return { hash, key: bytesKey(hash), previous: undefined, header, height: 0, time, maxTime: time, order: 0, work };
}

export const tipOf = (chain: Chain): ChainBlock => activeBlock(chain, chain.counts.height);

/** Returns the key of the block of the active chain at a height, if there is one. */
export function activeKey({ active, counts, first }: Chain, height: number): string | undefined {
  if (height === first.height) return first.key;
  const isWithin = Number.isInteger(height) && height > first.height && height <= counts.height;
  return isWithin ? active.get(orderKey(height)) : undefined;
}

/** Returns the block of the active chain at a height, if there is one. */
export function findActiveBlock(chain: Chain, height: number): ChainBlock | undefined {
  const key = activeKey(chain, height);
  return key === undefined ? undefined : chain.blocks.get(key);
}

/** Returns the block of the active chain at a height. @throws `block/unknown` */
export function activeBlock(chain: Chain, height: number): ChainBlock {
  const block = findActiveBlock(chain, height);
  if (!block) throw new BtcError('block/unknown', {}, `The active chain has no block at height ${height}`);
  return block;
}

/** Returns the transactions of a block; none if they are unknown, or if it is a genesis block. */
export const txsOf = ({ bodies }: Chain, { key }: Pick<ChainBlock, 'key'>): readonly ChainTx[] =>
  bodies.get(key)?.txs ?? [];

/** Tells whether a block is in the active chain. */
export const isActive = (chain: Chain, { height, key }: Pick<ChainBlock, 'height' | 'key'>): boolean =>
  activeKey(chain, height) === key;

/** Tells whether the chain or the mempool has any coins. */
export const knowsCoins = ({ counts, first, mempool }: Chain): boolean =>
  counts.height > first.height || mempool.size > 0;

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
