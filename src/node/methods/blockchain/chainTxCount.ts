import { type Chain, findParent } from '../../chain/chainState.ts';
import type { ChainBlock } from '../../chain/types.ts';
import type { Node } from '../../state/node.ts';
import { transactionCount } from './blockJson.ts';

/** Caches the last sum, so that the next one counts only the blocks between. */
const summed = new WeakMap<Chain, { readonly block: ChainBlock; readonly count: number }>();

/** Returns the transactions up to a block of the active chain; `undefined` if those of a block are missing. */
export function chainTxCount(node: Node, block: ChainBlock): number | undefined {
  const { chain } = node;
  const before = summed.get(chain);
  let count = 0;
  for (let at: ChainBlock | undefined = block; at; at = findParent(chain, at)) {
    if (before?.block.key === at.key) {
      count += before.count;
      break;
    }
    const own = transactionCount(at, node);
    if (own === 0) return undefined;
    count += own;
    if (at.height > 0 && !at.previous) return undefined;
  }
  summed.set(chain, { block, count });
  return count;
}
