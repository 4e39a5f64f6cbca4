import { bytesKey } from '../bytes/compare.ts';
import { BtcError } from '../errors.ts';
import { isUnspendable } from '../script/instructions.ts';
import { outputKey } from '../tx/txid.ts';
import type { Block } from './block.ts';
import {
  activeBlock,
  branchOf,
  type Chain,
  type ChainBlock,
  type ChainCoin,
  type ChainTx,
  chainTx,
  isActive,
  tipOf,
  txKeyOf,
} from './chainState.ts';
import { MISSING_INPUTS, removeMined, restoreMempool } from './mempool.ts';

type FaultOf = (chain: Chain, block: Block) => string | undefined;

/**
 * Reports a block that was submitted before, as a BIP22 rejection reason.
 * @see BIP22 "Appendix: Example Rejection Reasons"
 */
export const knownFault: FaultOf = (chain, { hash }) => {
  const key = bytesKey(hash);
  if (chain.invalid.has(key)) return 'duplicate-invalid';
  return chain.blocks.has(key) ? 'duplicate' : undefined;
};

/** Reports an unknown or invalid parent block, as a rejection reason. */
export const parentFault: FaultOf = (chain, { previous }) => {
  const parent = chain.blocks.get(bytesKey(previous));
  if (!parent) return 'prev-blk-not-found';
  return chain.invalid.has(parent.key) ? 'bad-prevblk' : undefined;
};

function toChainBlock(block: Block, parent: ChainBlock): ChainBlock {
  return {
    hash: block.hash,
    key: bytesKey(block.hash),
    previous: parent.key,
    height: parent.height + 1,
    time: block.time,
    maxTime: Math.max(parent.maxTime, block.time),
    txs: block.txs.map((tx, index) => chainTx(tx, block.txids[index])),
  };
}

/** Adds a block that passed all checks but those of its inputs, and activates the longest chain. */
export function submitBlock(chain: Chain, block: Block): void {
  const parent = chain.blocks.get(bytesKey(block.previous));
  if (!parent) throw new BtcError('block/unknown', {}, 'The parent of the block is unknown: submit it first');
  const entry = toChainBlock(block, parent);
  chain.blocks.set(entry.key, entry);
  const tip = tipOf(chain);
  if (parent === tip && !canConnect(chain, entry)) chain.invalid.add(entry.key);
  else if (parent === tip) connect(chain, entry);
  else if (entry.height > tip.height) activate(chain, entry);
}

/**
 * Reports why a submitted block is not in the active chain, as a BIP22 rejection reason; `undefined` if it is.
 * `inconclusive` for a block on a side branch or after an invalid block.
 * @see Bitcoin Core `submitblock_StateCatcher`
 */
export function blockOutcome(chain: Chain, block: Block): string | undefined {
  const { blocks, invalid } = chain;
  const key = bytesKey(block.hash);
  const entry = blocks.get(key);
  if (entry && isActive(chain, entry)) return undefined;
  return invalid.has(key) && !invalid.has(bytesKey(block.previous)) ? MISSING_INPUTS : 'inconclusive';
}

/** The number of invalidated blocks whose transactions return to the mempool. @see Bitcoin Core `InvalidateBlock` */
const MAX_RESTORED_BLOCKS = 10;

/**
 * Marks a block and its descendants invalid, and activates the longest remaining chain.
 * @throws `block/unknown`, also for the genesis block
 */
export function invalidateBlock(chain: Chain, key: string): void {
  const block = chain.blocks.get(key);
  if (!block || block.height === 0) {
    throw new BtcError(
      'block/unknown',
      {},
      'The block was never submitted, or is the genesis block, which stays valid',
    );
  }
  // Core's invalidateblock disconnects and updates the mempool one block at a time.
  for (let count = 1; isActive(chain, block); count += 1) {
    restoreMempool(chain, disconnectTip(chain), count <= MAX_RESTORED_BLOCKS);
  }
  markInvalid(chain, key);
  activate(chain, bestBlock(chain));
}

/**
 * Clears the invalid mark of a block, its ancestors and its descendants, and activates the longest chain.
 * @throws `block/unknown`
 * @see Bitcoin Core `ResetBlockFailureFlags`
 */
export function reconsiderBlock(chain: Chain, key: string): void {
  const block = chain.blocks.get(key);
  if (!block) throw new BtcError('block/unknown', {}, 'The block was never submitted');
  for (let at: ChainBlock | undefined = block; at; at = chain.blocks.get(at.previous ?? '')) {
    chain.invalid.delete(at.key);
  }
  const family = new Set([key]);
  for (const other of chain.blocks.values()) {
    if (!family.has(other.previous ?? '')) continue;
    family.add(other.key);
    chain.invalid.delete(other.key);
  }
  activate(chain, bestBlock(chain));
}

/**
 * Returns the tip of the longest valid chain; among equals, the block submitted first.
 * @see Core `CBlockIndexWorkComparator`
 */
function bestBlock(chain: Chain): ChainBlock {
  let best = activeBlock(chain, 0);
  for (const other of chain.blocks.values()) {
    if (other.height > best.height && !chain.invalid.has(other.key)) best = other;
  }
  return best;
}

/** Activates the chain that ends with a block; if a block of it is invalid, returns to the previous chain. */
function activate(chain: Chain, best: ChainBlock): void {
  const before = tipOf(chain);
  const bad = switchTo(chain, branchTo(chain, best));
  if (!bad) return;
  markInvalid(chain, bad.key);
  if (!isActive(chain, before)) switchTo(chain, branchTo(chain, before));
}

/** Returns the blocks from the fork with the active chain up to a block, in chain order. */
const branchTo = (chain: Chain, best: ChainBlock): readonly ChainBlock[] => [...branchOf(chain, best)].reverse();

/** Marks a block and its descendants invalid; `blocks` lists parents before their children. */
function markInvalid(chain: Chain, key: string): void {
  chain.invalid.add(key);
  for (const block of chain.blocks.values()) {
    if (chain.invalid.has(block.previous ?? '')) chain.invalid.add(block.key);
  }
}

/** Reorganizes the active chain to a branch. @returns the first block that cannot be connected, if any */
function switchTo(chain: Chain, branch: readonly ChainBlock[]): ChainBlock | undefined {
  const [first] = branch;
  if (!first) return undefined;
  const returned: ChainTx[] = [];
  while (chain.active.length > first.height) returned.unshift(...disconnectTip(chain));
  const bad = branch.find((block) => {
    if (!canConnect(chain, block)) return true;
    connect(chain, block);
    return false;
  });
  const mined = new Set(branch.flatMap(({ txs }) => txs.map(({ key }) => key)));
  if (returned.length > 0)
    restoreMempool(
      chain,
      returned.filter(({ key }) => bad || !mined.has(key)),
    );
  return bad;
}

/** Tells whether all coins that a block spends exist and are spent only once. */
function canConnect({ coins }: Chain, { txs }: ChainBlock): boolean {
  const made = new Set<string>();
  const spent = new Set<string>();
  for (const { tx, key, spends } of txs) {
    for (const outpoint of spends) {
      if (spent.has(outpoint) || !(made.has(outpoint) || coins.has(outpoint))) return false;
      spent.add(outpoint);
    }
    for (const vout of tx.outputs.keys()) made.add(outputKey(key, vout));
  }
  return true;
}

function connect(chain: Chain, block: ChainBlock): void {
  const undo: (readonly [string, ChainCoin])[] = [];
  for (const tx of block.txs) {
    undo.push(...moveCoins(chain, tx, block.height));
    removeMined(chain, tx);
  }
  chain.undo.set(block.key, undo);
  chain.active.push(block.key);
  for (const listener of chain.listeners) listener.blockConnected(block);
}

/** Removes the coins that a transaction spends and adds its outputs. @returns the spent coins */
function moveCoins(
  { coins }: Chain,
  { tx, key, isCoinbase, spends }: ChainTx,
  height: number,
): readonly (readonly [string, ChainCoin])[] {
  const spent = spends.flatMap((outpoint): readonly (readonly [string, ChainCoin])[] => {
    const coin = coins.get(outpoint);
    coins.delete(outpoint);
    return coin ? [[outpoint, coin]] : [];
  });
  for (const [vout, output] of tx.outputs.entries()) {
    if (isUnspendable(output.scriptPubKey)) continue;
    coins.set(outputKey(key, vout), { ...output, height, isCoinbase });
  }
  return spent;
}

/** Disconnects the tip. @returns its transactions @see Bitcoin Core `DisconnectTip` */
function disconnectTip(chain: Chain): readonly ChainTx[] {
  const block = tipOf(chain);
  for (const { tx, key } of block.txs) {
    for (const vout of tx.outputs.keys()) chain.coins.delete(outputKey(key, vout));
  }
  // Coins created and spent within this block are not restored.
  const made = new Set(block.txs.map(({ key }) => key));
  for (const [key, coin] of chain.undo.get(block.key) ?? []) {
    if (!made.has(txKeyOf(key))) chain.coins.set(key, coin);
  }
  chain.undo.delete(block.key);
  chain.active.pop();
  for (const listener of chain.listeners) listener.blockDisconnected(block);
  return block.txs;
}
