import { BtcError } from '../../core/errors.ts';
import { isUnspendable } from '../../core/script/instructions.ts';
import { outpointTxKey, outputKey } from '../../core/tx/txid.ts';
import type { OutpointKey } from '../../core/tx/types.ts';
import { orderKey } from '../store/orderKey.ts';
import { type Block, HEADER_SIZE } from './block.ts';
import { type BlockKey, blockHash, blockKey } from './blockHeader.ts';
import { type BlockBody, headerWork, placeHeader, type Undo } from './chainCodec.ts';
import {
  activeBlock,
  activeTip,
  type Chain,
  findFork,
  findParent,
  inactiveBranch,
  isActive,
  txsInBlock,
} from './chainState.ts';
import { chainTx } from './chainTx.ts';
import { connectFault } from './connectRules.ts';
import { blockDiskSize, undoDiskSize } from './diskSize.ts';
import type { Fault } from './fault.ts';
import { removeMined, restoreMempool } from './mempool.ts';
import { loosenFloor } from './mempoolFloor.ts';
import { markPartial } from './partialChain.ts';
import type { ChainBlock, ChainCoin, ChainTx } from './types.ts';

/**
 * Adds a block that passed all checks but those of its inputs, and activates the chain with the most work. If the
 * header was known, adds only the transactions; for an active block, `updateCoins` must follow.
 */
export function submitBlock(chain: Chain, block: Block, bytes: Uint8Array): void {
  const key = blockKey(block.hash);
  const txs = block.txs.map((tx, index) => chainTx(tx, block.txids[index]));
  setBody(chain, key, { bytes, txs });
  const known = chain.blocks.get(key);
  if (!known) add(chain, newBlock(chain, bytes.slice(0, HEADER_SIZE), block.hash));
  else if (!chain.awaited.get(key)) return;
  else {
    chain.awaited.delete(key);
    link(chain, known);
  }
  activateBest(chain);
}

/**
 * Gives a block and those after it the next places, unless they still wait for others: among equals, the one that could
 * be connected first wins.
 * @see Bitcoin Core `ReceivedBlockTransactions`
 */
function link(chain: Chain, block: ChainBlock): void {
  const waits = ({ key }: ChainBlock): boolean => chain.awaited.get(key) === true;
  const isLinked = (at: ChainBlock): boolean => !waits(at) && !inactiveBranch(chain, at).some(waits);
  if (!isLinked(block)) return;
  const later = blockDescendants(chain, block).filter(isLinked);
  later.sort((a, b) => a.height - b.height || a.order - b.order);
  for (const each of [block, ...later]) {
    const entry = { ...each, order: nextOrder(chain) };
    chain.blocks.set(each.key, entry);
    if (chain.leaves.has(each.key)) chain.leaves.set(each.key, entry);
  }
}

/** Adds a header that passed all checks, as a block that is awaited, or as an invalid one. Skips a known one. */
export function submitHeader(chain: Chain, header: Uint8Array, isInvalid: boolean): void {
  const hash = blockHash(header);
  const key = blockKey(hash);
  if (!chain.blocks.get(key)) {
    add(chain, newBlock(chain, header, hash));
    chain.awaited.set(key, true);
  }
  const block = isInvalid ? chain.blocks.get(key) : undefined;
  if (block) markInvalid(chain, block);
}

function setBody(chain: Chain, key: BlockKey, body: BlockBody): void {
  if (!chain.bodies.has(key)) countDiskSize(chain, blockDiskSize(body.bytes.length));
  chain.bodies.set(key, body);
}

/** Sets the undo data of a block, which Core writes once, and keeps when the block leaves the active chain. */
function setUndo(chain: Chain, { key }: ChainBlock, undo: Undo): void {
  const txs = txsInBlock(chain, { key });
  const before = chain.undo.get(key);
  countDiskSize(chain, undoDiskSize(txs, undo) - (before ? undoDiskSize(txs, before) : 0));
  chain.undo.set(key, undo);
}

function countDiskSize(chain: Chain, added: number): void {
  chain.counts = { ...chain.counts, diskSize: chain.counts.diskSize + added };
}

/**
 * Adds blocks of which only the headers are known, parents first, as blocks without coins of interest. Skips known
 * ones.
 */
export function submitHeaders(chain: Chain, headers: readonly Uint8Array[]): void {
  for (const header of headers) {
    const hash = blockHash(header);
    if (chain.blocks.get(blockKey(hash))) continue;
    markPartial(chain);
    add(chain, newBlock(chain, header, hash));
    activateBest(chain);
  }
}

interface NewBlock {
  readonly entry: ChainBlock;
  readonly parent: ChainBlock;
}

const newBlock = (chain: Chain, header: Uint8Array, hash: Uint8Array): NewBlock =>
  createBlockEntry(chain, { header, hash, order: nextOrder(chain) });

/** Returns a block as it would follow its parent. @throws `block/unknown` without it */
export const placeBlock = (chain: Chain, header: Uint8Array, hash: Uint8Array): ChainBlock =>
  createBlockEntry(chain, { header, hash, order: chain.counts.blocks }).entry;

/** @throws `block/unknown` without its parent */
function createBlockEntry(
  chain: Chain,
  { header, hash, order }: Pick<ChainBlock, 'header' | 'hash' | 'order'>,
): NewBlock {
  const own = placeHeader(header, hash);
  const parent = chain.blocks.get(own.previous);
  if (!parent) throw new BtcError('block/unknown', {}, 'The parent of the block is unknown: submit it first');
  const entry = {
    height: parent.height + 1,
    maxTime: Math.max(parent.maxTime, own.time),
    order,
    work: parent.work + headerWork(own),
    ...own,
  };
  return { entry, parent };
}

/** Takes the next place in the order of blocks. */
function nextOrder(chain: Chain): number {
  const order = chain.counts.blocks;
  chain.counts = { ...chain.counts, blocks: order + 1 };
  return order;
}

function add(chain: Chain, { entry, parent }: NewBlock): void {
  chain.blocks.set(entry.key, entry);
  moveLeaf(chain, parent, entry);
  if (chain.invalid.get(parent.key)) chain.invalid.set(entry.key, true);
}

/** Updates the coins after transactions of active blocks came late, from a height up. */
export function updateCoins(chain: Chain, from: number): void {
  for (let height = Math.max(from, chain.first.height); height <= chain.counts.height; height += 1) {
    const block = activeBlock(chain, height);
    const txs = txsInBlock(chain, block);
    if (txs.length === 0) continue;
    const before = chain.undo.get(block.key);
    const restored = new Set(before?.map(([key]) => key));
    const spent = txs.flatMap((tx) => moveCoins(chain, tx, height));
    const added = spent.filter(([key]) => !restored.has(key));
    if (added.length > 0 || !before) setUndo(chain, block, [...(before ?? []), ...added]);
  }
}

function moveLeaf({ leaves, leafMarks }: Chain, parent: ChainBlock, block: ChainBlock): void {
  if (leaves.delete(parent.key)) leafMarks.delete(parent.key);
  leaves.set(block.key, block);
  leafMarks.set(block.key, true);
}

/** Reports why a submitted block is not active: without a reason, it is on a side branch or after an invalid block. */
export function blockOutcome(chain: Chain, block: Block): Fault | 'inconclusive' | undefined {
  const key = blockKey(block.hash);
  const entry = chain.blocks.get(key);
  if (entry && isActive(chain, entry)) return undefined;
  return chain.refusals.get(key) ?? 'inconclusive';
}

/** @see Bitcoin Core `InvalidateBlock` */
const MAX_RESTORED_BLOCKS = 10;

/** @throws `block/unknown`, also for the first block of the chain */
export function invalidateBlock(chain: Chain, key: BlockKey): void {
  const block = chain.blocks.get(key);
  if (!block || block.key === chain.first.key) {
    throw new BtcError(
      'block/unknown',
      {},
      'The block was never submitted, or is the first of the chain, which stays valid',
    );
  }
  const wasActive = isActive(chain, block);
  // Core's invalidateblock, too, updates the mempool after each block.
  for (let count = 1; isActive(chain, block); count += 1) {
    restoreMempool(chain, disconnectTip(chain), count <= MAX_RESTORED_BLOCKS);
  }
  markInvalid(chain, block);
  if (wasActive) tellTip(chain, false);
  activateBest(chain);
}

/**
 * Clears the invalid mark of a block, its ancestors and its descendants.
 * @throws `block/unknown`
 * @see Bitcoin Core `ResetBlockFailureFlags`
 */
export function reconsiderBlock(chain: Chain, key: BlockKey): void {
  const block = chain.blocks.get(key);
  if (!block) throw new BtcError('block/unknown', {}, 'The block was never submitted');
  // Above a valid ancestor no mark is left: descendants of an invalid block are invalid, too.
  for (let at: ChainBlock | undefined = block; at && chain.invalid.get(at.key); ) {
    chain.invalid.delete(at.key);
    chain.refusals.delete(at.key);
    at = findParent(chain, at);
  }
  for (const descendant of blockDescendants(chain, block)) chain.invalid.delete(descendant.key);
  activateBest(chain);
}

function blockDescendants(chain: Chain, block: ChainBlock): readonly ChainBlock[] {
  const descendants = new Map<BlockKey, ChainBlock>();
  for (const leaf of chain.leaves.values()) {
    const branch: ChainBlock[] = [];
    let at: ChainBlock | undefined = leaf;
    while (at && at.height > block.height && !descendants.has(at.key)) {
      branch.push(at);
      at = findParent(chain, at);
    }
    if (!at || !(at.key === block.key || descendants.has(at.key))) continue;
    for (const descendant of branch) descendants.set(descendant.key, descendant);
  }
  return [...descendants.values()];
}

/** Preferred blocks, whose places are below 0, that of the last one lowest. */
interface Preferences {
  readonly places: Map<BlockKey, number>;
  next: number;
  /** That of the last block at the last preference. */
  work: bigint;
}

const preferences = new WeakMap<Chain, Preferences>();

/**
 * Prefers a block to others with as much work. Does nothing for one with less work than the last block has.
 * @throws `block/unknown`
 * @see Bitcoin Core `Chainstate::PreciousBlock`
 */
export function preferBlock(chain: Chain, key: BlockKey): void {
  const block = chain.blocks.get(key);
  if (!block) throw new BtcError('block/unknown', {}, 'The block was never submitted');
  const { work } = activeTip(chain);
  if (block.work < work) return;
  const preferred = preferences.get(chain) ?? { places: new Map<BlockKey, number>(), next: -1, work };
  preferences.set(chain, preferred);
  // Earlier preferences are for less work.
  if (work > preferred.work) preferred.next = -1;
  preferred.work = work;
  preferred.places.set(key, preferred.next);
  preferred.next -= 1;
  activateBest(chain);
}

/** Among equals, the last preferred or else the first submitted wins. @see Bitcoin Core `CBlockIndexWorkComparator` */
function bestBlock(chain: Chain): ChainBlock {
  const preferred = preferences.get(chain)?.places;
  const orderOf = ({ key, order }: ChainBlock): number => preferred?.get(key) ?? order;
  let best = chain.first;
  for (const leaf of chain.leaves.values()) {
    const tip = validPart(chain, leaf);
    if (tip.work > best.work || (tip.work === best.work && orderOf(tip) < orderOf(best))) best = tip;
  }
  return best;
}

/** Returns the last block of a branch that can be active: no block up to it is invalid or awaited. */
function validPart(chain: Chain, leaf: ChainBlock): ChainBlock {
  let last = leaf;
  for (let at: ChainBlock | undefined = leaf; at && !isActive(chain, at); ) {
    const parent = findParent(chain, at);
    if (chain.invalid.get(at.key) || chain.awaited.get(at.key)) last = parent ?? chain.first;
    at = parent;
  }
  return last;
}

/** @see Bitcoin Core `ActivateBestChain` */
function activateBest(chain: Chain): void {
  let told = activeTip(chain);
  const tellNew = (): void => {
    if (findFork(chain, told).key !== activeTip(chain).key) tellTip(chain, true);
    told = activeTip(chain);
  };
  let branch = branchTo(chain, bestBlock(chain));
  while (branch.length > 0) {
    const { connected, bad } = advance(chain, branch);
    if (bad) {
      chain.refusals.set(bad.block.key, bad.fault);
      markInvalid(chain, bad.block);
    } else tellNew();
    branch = bad ? branchTo(chain, bestBlock(chain)) : branch.slice(connected);
  }
  tellNew();
}

function tellTip(chain: Chain, isNew: boolean): void {
  for (const listener of chain.listeners) listener.tipChanged?.(isNew);
}

const branchTo = (chain: Chain, best: ChainBlock): readonly ChainBlock[] => [...inactiveBranch(chain, best)].reverse();

function markInvalid(chain: Chain, block: ChainBlock): void {
  for (const { key } of [block, ...blockDescendants(chain, block)]) chain.invalid.set(key, true);
}

interface BadBlock {
  readonly block: ChainBlock;
  readonly fault: Fault;
}

/**
 * Moves to a branch as far as it takes to have more work than before, or to the first block that cannot be connected.
 * @returns how many blocks it connected
 * @see Bitcoin Core `ActivateBestChainStep`
 */
function advance(
  chain: Chain,
  branch: readonly ChainBlock[],
): { readonly connected: number; readonly bad?: BadBlock | undefined } {
  const { work } = activeTip(chain);
  const fork = (branch[0]?.height ?? 0) - 1;
  const returned: ChainTx[] = [];
  while (chain.counts.height > fork) returned.unshift(...disconnectTip(chain));
  let bad: BadBlock | undefined;
  for (const block of branch) {
    bad = tryToConnect(chain, block);
    if (bad || block.work > work) break;
  }
  const connected = branch.slice(0, chain.counts.height - fork);
  if (returned.length === 0) return { connected: connected.length, bad };
  const mined = new Set(connected.flatMap((block) => txsInBlock(chain, block).map(({ key }) => key)));
  restoreMempool(
    chain,
    returned.filter(({ key }) => !mined.has(key)),
  );
  return { connected: connected.length, bad };
}

function tryToConnect(chain: Chain, block: ChainBlock): BadBlock | undefined {
  const fault = connectFault(chain, block, txsInBlock(chain, block));
  if (fault) return { block, fault };
  connect(chain, block);
  return undefined;
}

function connect(chain: Chain, block: ChainBlock): void {
  const undo: (readonly [OutpointKey, ChainCoin])[] = [];
  const txs = txsInBlock(chain, block);
  for (const tx of txs) {
    undo.push(...moveCoins(chain, tx, block.height));
    removeMined(chain, tx);
  }
  if (txs.length > 0) setUndo(chain, block, undo);
  chain.active.set(orderKey(block.height), block.key);
  chain.counts = { ...chain.counts, height: block.height };
  loosenFloor(chain);
  chain.poolTotals.updates += 1;
  for (const listener of chain.listeners) listener.blockConnected?.(block, txs);
}

/** @returns the spent coins */
function moveCoins(
  { coins }: Chain,
  { tx, key, isCoinbase, spends }: ChainTx,
  height: number,
): readonly (readonly [OutpointKey, ChainCoin])[] {
  const spent = spends.flatMap((outpoint): readonly (readonly [OutpointKey, ChainCoin])[] => {
    const coin = coins.get(outpoint);
    coins.delete(outpoint);
    return coin ? [[outpoint, coin]] : [];
  });
  for (const [vout, output] of tx.outputs.entries()) {
    if (isUnspendable(output.scriptPubKey)) continue;
    coins.set(outputKey(key, vout), { height, isCoinbase, ...output });
  }
  return spent;
}

/** @returns the block's transactions @see Bitcoin Core `DisconnectTip` */
function disconnectTip(chain: Chain): readonly ChainTx[] {
  const block = activeTip(chain);
  const txs = txsInBlock(chain, block);
  for (const { tx, key } of txs) {
    for (const vout of tx.outputs.keys()) chain.coins.delete(outputKey(key, vout));
  }
  // Coins created and spent within this block are not restored.
  const txKeys = new Set(txs.map(({ key }) => key));
  for (const [key, coin] of chain.undo.get(block.key) ?? []) {
    if (!txKeys.has(outpointTxKey(key))) chain.coins.set(key, coin);
  }
  chain.active.delete(orderKey(block.height));
  chain.counts = { ...chain.counts, height: block.height - 1 };
  chain.poolTotals.updates += 1;
  for (const listener of chain.listeners) listener.blockDisconnected?.(block, txs);
  return txs;
}
