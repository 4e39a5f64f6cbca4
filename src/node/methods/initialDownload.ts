import { activeTip } from '../chain/chainState.ts';
import type { Node } from '../state/node.ts';

const finished = new WeakSet<Node>();

/**
 * Tells whether the last block is too old to be the last of the network, and was so ever since.
 * @see Bitcoin Core `IsInitialBlockDownload`
 */
export function isCatchingUp(node: Node): boolean {
  if (activeTip(node.chain).time >= node.now() - node.maxTipAge) finished.add(node);
  return !finished.has(node);
}
