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

/** Whether a block was fed before, in BIP22's words. @see BIP22 "Appendix: Example Rejection Reasons" */
export const knownFault: FaultOf = (chain, { hash }) => {
  const name = byteName(hash);
  if (chain.invalid.has(name)) return 'duplicate-invalid';
  return chain.blocks.has(name) ? 'duplicate' : undefined;
};

/** Why a block cannot come after the one that it names, in BIP22's words. */
export const parentFault: FaultOf = (chain, { previous }) => {
  const parent = chain.blocks.get(byteName(previous));
  if (!parent) return 'prev-blk-not-found';
  return chain.invalid.has(parent.name) ? 'bad-prevblk' : undefined;
};

function entryOf(block: Block, parent: ChainBlock): ChainBlock {
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

/** Takes a block with which nothing is wrong but perhaps what it spends, and makes the longest chain the active one. */
export function submitBlock(chain: Chain, block: Block): void {
  const parent = chain.blocks.get(byteName(block.previous));
  if (!parent) throw new BtcError('block/unknown', {});
  const entry = entryOf(block, parent);
  chain.blocks.set(entry.name, entry);
  const tip = tipOf(chain);
  if (parent === tip && !canConnect(chain, entry)) chain.invalid.add(entry.name);
  else if (parent === tip) connect(chain, entry);
  else if (entry.height > tip.height) activate(chain, entry);
}

/**
 * Why a block that was fed is not in the active chain, in BIP22's words; `undefined` where it is.
 * @see Bitcoin Core `submitblock_StateCatcher`: of a block beside the chain, and of one after a bad one, nothing is known
 */
export function blockOutcome(chain: Chain, block: Block): string | undefined {
  const { blocks, invalid } = chain;
  const name = byteName(block.hash);
  const entry = blocks.get(name);
  if (entry && isActive(chain, entry)) return undefined;
  return invalid.has(name) && !invalid.has(byteName(block.previous)) ? MISSING_INPUTS : 'inconclusive';
}

/** Of how many blocks that are invalidated the transactions come back. @see Bitcoin Core `InvalidateBlock` */
const MAX_TAKEN_BACK = 10;

/**
 * Takes a block and all after it out of the active chain, until it is reconsidered.
 * @throws `block/unknown`, also for the first block
 */
export function invalidateBlock(chain: Chain, name: string): void {
  const block = chain.blocks.get(name);
  if (!block || block.height === 0) throw new BtcError('block/unknown', {});
  // One block at a time, as nodes do it when they are asked to.
  for (let count = 1; isActive(chain, block); count += 1) {
    restoreMempool(chain, disconnectTip(chain), count <= MAX_TAKEN_BACK);
  }
  markInvalid(chain, name);
  activate(chain, bestBlock(chain));
}

/**
 * Takes back that a block was invalid, with all before and after it, and makes the longest chain the active one.
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

/** The last block of the longest chain; of several, the one that was fed first. @see Core `CBlockIndexWorkComparator` */
function bestBlock(chain: Chain): ChainBlock {
  let best = activeBlock(chain, 0);
  for (const other of chain.blocks.values()) {
    if (other.height > best.height && !chain.invalid.has(other.name)) best = other;
  }
  return best;
}

/** Makes the chain that ends with a block the active one; if it cannot be, the one before stays. */
function activate(chain: Chain, best: ChainBlock): void {
  const before = tipOf(chain);
  const bad = switchTo(chain, branchTo(chain, best));
  if (!bad) return;
  markInvalid(chain, bad.name);
  if (!isActive(chain, before)) switchTo(chain, branchTo(chain, before));
}

/** The blocks from the active chain to a block, the first one first. */
const branchTo = (chain: Chain, best: ChainBlock): readonly ChainBlock[] => [...branchOf(chain, best)].reverse();

/** Marks a block as invalid, with all after it: blocks are known in an order in which parents come first. */
function markInvalid(chain: Chain, name: string): void {
  chain.invalid.add(name);
  for (const block of chain.blocks.values()) {
    if (chain.invalid.has(block.previous ?? '')) chain.invalid.add(block.name);
  }
}

/** Connects a branch where it leaves the active chain. @returns the block that cannot be connected, if there is one */
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

/** Whether all that a block spends is there. */
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
  for (const one of block.txs) {
    undo.push(...moveCoins(chain, one, block.height));
    removeMined(chain, one);
  }
  chain.undo.set(block.name, undo);
  chain.active.push(block.name);
  for (const listener of chain.listeners) listener.blockConnected(block);
}

/** Takes away what a transaction spends, and adds what it makes. @returns what it has spent */
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

/** @returns its transactions @see Bitcoin Core `DisconnectTip` */
function disconnectTip(chain: Chain): readonly ChainTx[] {
  const block = tipOf(chain);
  for (const { tx, name } of block.txs) {
    for (const vout of tx.outputs.keys()) chain.coins.delete(outputName(name, vout));
  }
  // What was made and spent in this very block stays away.
  const made = new Set(block.txs.map(({ name }) => name));
  for (const [name, coin] of chain.undo.get(block.name) ?? []) {
    if (!made.has(txOfOutpoint(name))) chain.coins.set(name, coin);
  }
  chain.undo.delete(block.name);
  chain.active.pop();
  for (const listener of chain.listeners) listener.blockDisconnected(block);
  return block.txs;
}
