import { activeTip } from '../chain/chainState.ts';
import type { Node } from '../state/node.ts';

/** In seconds. @see Bitcoin Core `DEFAULT_MAX_TIP_AGE` */
const MAX_TIP_AGE = 86_400;

const finished = new WeakSet<Node>();

/**
 * Tells whether the last block is too old to be the last of the network, and was so ever since.
 * @see Bitcoin Core `IsInitialBlockDownload`
 */
export function isCatchingUp(node: Node): boolean {
  if (activeTip(node.chain).time >= node.now() - MAX_TIP_AGE) finished.add(node);
  return !finished.has(node);
}
