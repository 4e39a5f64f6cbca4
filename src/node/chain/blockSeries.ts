import type { BlockKey } from './blockHeader.ts';
import { type Chain, findParent } from './chainState.ts';
import type { ChainBlock } from './types.ts';

/**
 * Creates a function that returns the value of a block: it computes each from that of the parent, and keeps it in memory.
 * A block that was never active has none.
 */
export function createBlockSeries<T>(
  chain: Chain,
  compute: (block: ChainBlock, before: T | undefined) => T,
): (wanted: ChainBlock) => T | undefined {
  const values = new Map<BlockKey, T>();
  return (wanted) => {
    const missing: ChainBlock[] = [];
    let at: ChainBlock | undefined = wanted;
    while (at && !values.has(at.key)) {
      if (at.height > 0 && !chain.undo.has(at.key)) return undefined;
      missing.push(at);
      at = findParent(chain, at);
    }
    let before = at && values.get(at.key);
    for (const block of missing.reverse()) {
      before = compute(block, before);
      values.set(block.key, before);
    }
    return before;
  };
}
