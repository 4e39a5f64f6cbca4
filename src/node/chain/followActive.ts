import type { BlockKey } from './blockHeader.ts';
import { activeTip, type Chain, findActiveBlock, findFork, inactiveBranch } from './chainState.ts';
import type { ChainBlock } from './types.ts';

export interface BlockHandlers {
  /** Takes a block after the genesis block that has become active. */
  readonly add: (block: ChainBlock) => void;
  /** Takes a block that is no longer active. */
  readonly drop?: (block: ChainBlock) => void;
}

/**
 * Creates a function that makes up for the blocks since its last call. A chain that has only lost blocks counts when the
 * next block joins it, as for Core's indexes.
 * @see Bitcoin Core `BaseIndex::BlockConnected`
 */
export function followActive(chain: Chain, { add, drop }: BlockHandlers): () => void {
  let last: BlockKey | undefined;
  return () => {
    const tip = activeTip(chain);
    const before = last === undefined ? undefined : chain.blocks.get(last);
    const fork = before && findFork(chain, before);
    if (fork?.key === tip.key) return;
    if (before && drop) inactiveBranch(chain, before).forEach(drop);
    for (let height = (fork?.height ?? 0) + 1; height <= tip.height; height += 1) {
      const block = findActiveBlock(chain, height);
      if (block) add(block);
    }
    last = tip.key;
  };
}
