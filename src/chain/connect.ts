import { byteName } from '../bytes/compare.ts';
import { BtcError } from '../errors.ts';
import { isUnspendable } from '../script/instructions.ts';
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
  outputName,
  tipOf,
  txOfOutpoint,
} from './chainState.ts';
import { MISSING_INPUTS, removeMined, restoreMempool } from './mempool.ts';

type FaultOf = (chain: Chain, block: Block) => string | undefined;

/**
 * Reports a block that was submitted before, as a BIP22 rejection reason.
 * @see BIP22 "Appendix: Example Rejection Reasons"
 */
export const knownFault: FaultOf = (chain, { hash }) => {
  const name = byteName(hash);
  if (chain.invalid.has(name)) return 'duplicate-invalid';
  return chain.blocks.has(name) ? 'duplicate' : undefined;
};

/** Reports an unknown or invalid parent block, as a rejection reason. */
export const parentFault: FaultOf = (chain, { previous }) => {
  const parent = chain.blocks.get(byteName(previous));
  if (!parent) return 'prev-blk-not-found';
  return chain.invalid.has(parent.name) ? 'bad-prevblk' : undefined;
};

function toChainBlock(block: Block, parent: ChainBlock): ChainBlock {
  return {
    hash: block.hash,
    name: byteName(block.hash),
    previous: parent.name,
    height: parent.height + 1,
    time: block.time,
    maxTime: Math.max(parent.maxTime, block.time),
    txs: block.txs.map((tx, index) => chainTx(tx, block.txids[index])),
  };
}

/** Adds a block that passed all checks but those of its inputs, and activates the longest chain. */
export function submitBlock(chain: Chain, block: Block): void {
  const parent = chain.blocks.get(byteName(block.previous));
  if (!parent) throw new BtcError('block/unknown', {});
  const entry = toChainBlock(block, parent);
  chain.blocks.set(entry.name, entry);
  const tip = tipOf(chain);
  if (parent === tip && !canConnect(chain, entry)) chain.invalid.add(entry.name);
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
  const name = byteName(block.hash);
  const entry = blocks.get(name);
  if (entry && isActive(chain, entry)) return undefined;
  return invalid.has(name) && !invalid.has(byteName(block.previous)) ? MISSING_INPUTS : 'inconclusive';
}

/** The number of invalidated blocks whose transactions return to the mempool. @see Bitcoin Core `InvalidateBlock` */
const MAX_RESTORED_BLOCKS = 10;

/**
 * Marks a block and its descendants invalid, and activates the longest remaining chain.
 * @throws `block/unknown`, also for the genesis block
 */
export function invalidateBlock(chain: Chain, name: string): void {
  const block = chain.blocks.get(name);
  if (!block || block.height === 0) throw new BtcError('block/unknown', {});
  // Core's invalidateblock disconnects and updates the mempool one block at a time.
  for (let count = 1; isActive(chain, block); count += 1) {
    restoreMempool(chain, disconnectTip(chain), count <= MAX_RESTORED_BLOCKS);
  }
  markInvalid(chain, name);
  activate(chain, bestBlock(chain));
}

/**
 * Clears the invalid mark of a block, its ancestors and its descendants, and activates the longest chain.
 * @throws `block/unknown`
 * @see Bitcoin Core `ResetBlockFailureFlags`
 */
export function reconsiderBlock(chain: Chain, name: string): void {
  const block = chain.blocks.get(name);
  if (!block) throw new BtcError('block/unknown', {});
  for (let at: ChainBlock | undefined = block; at; at = chain.blocks.get(at.previous ?? '')) {
    chain.invalid.delete(at.name);
  }
  const family = new Set([name]);
  for (const other of chain.blocks.values()) {
    if (!family.has(other.previous ?? '')) continue;
    family.add(other.name);
    chain.invalid.delete(other.name);
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
    if (other.height > best.height && !chain.invalid.has(other.name)) best = other;
  }
  return best;
}

/** Activates the chain that ends with a block; if a block of it is invalid, returns to the previous chain. */
function activate(chain: Chain, best: ChainBlock): void {
  const before = tipOf(chain);
  const bad = switchTo(chain, branchTo(chain, best));
  if (!bad) return;
  markInvalid(chain, bad.name);
  if (!isActive(chain, before)) switchTo(chain, branchTo(chain, before));
}

/** Returns the blocks from the fork with the active chain up to a block, in chain order. */
const branchTo = (chain: Chain, best: ChainBlock): readonly ChainBlock[] => [...branchOf(chain, best)].reverse();

/** Marks a block and its descendants invalid; `blocks` lists parents before their children. */
function markInvalid(chain: Chain, name: string): void {
  chain.invalid.add(name);
  for (const block of chain.blocks.values()) {
    if (chain.invalid.has(block.previous ?? '')) chain.invalid.add(block.name);
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
  const mined = new Set(branch.flatMap(({ txs }) => txs.map(({ name }) => name)));
  if (returned.length > 0)
    restoreMempool(
      chain,
      returned.filter(({ name }) => bad || !mined.has(name)),
    );
  return bad;
}

/** Tells whether all coins that a block spends exist and are spent only once. */
function canConnect({ coins }: Chain, { txs }: ChainBlock): boolean {
  const made = new Set<string>();
  const spent = new Set<string>();
  for (const { tx, name, spends } of txs) {
    for (const outpoint of spends) {
      if (spent.has(outpoint) || !(made.has(outpoint) || coins.has(outpoint))) return false;
      spent.add(outpoint);
    }
    for (const vout of tx.outputs.keys()) made.add(outputName(name, vout));
  }
  return true;
}

function connect(chain: Chain, block: ChainBlock): void {
  const undo: (readonly [string, ChainCoin])[] = [];
  for (const tx of block.txs) {
    undo.push(...moveCoins(chain, tx, block.height));
    removeMined(chain, tx);
  }
  chain.undo.set(block.name, undo);
  chain.active.push(block.name);
  for (const listener of chain.listeners) listener.blockConnected(block);
}

/** Removes the coins that a transaction spends and adds its outputs. @returns the spent coins */
function moveCoins(
  { coins }: Chain,
  { tx, name, isCoinbase, spends }: ChainTx,
  height: number,
): readonly (readonly [string, ChainCoin])[] {
  const spent = spends.flatMap((outpoint): readonly (readonly [string, ChainCoin])[] => {
    const coin = coins.get(outpoint);
    coins.delete(outpoint);
    return coin ? [[outpoint, coin]] : [];
  });
  for (const [vout, output] of tx.outputs.entries()) {
    if (isUnspendable(output.scriptPubKey)) continue;
    coins.set(outputName(name, vout), { ...output, height, isCoinbase });
  }
  return spent;
}

/** Disconnects the tip. @returns its transactions @see Bitcoin Core `DisconnectTip` */
function disconnectTip(chain: Chain): readonly ChainTx[] {
  const block = tipOf(chain);
  for (const { tx, name } of block.txs) {
    for (const vout of tx.outputs.keys()) chain.coins.delete(outputName(name, vout));
  }
  // Coins created and spent within this block are not restored.
  const made = new Set(block.txs.map(({ name }) => name));
  for (const [name, coin] of chain.undo.get(block.name) ?? []) {
    if (!made.has(txOfOutpoint(name))) chain.coins.set(name, coin);
  }
  chain.undo.delete(block.name);
  chain.active.pop();
  for (const listener of chain.listeners) listener.blockDisconnected(block);
  return block.txs;
}
