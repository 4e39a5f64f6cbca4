import type { NodeContext } from './context.ts';

/**
 * Saves the last block in the files of all loaded wallets where the node writes its coins, as it does before it counts
 * them. Releases that save it when a wallet is unloaded need not.
 * @see Bitcoin Core 29 `Chainstate::ForceFlushStateToDisk`
 */
export function saveTips({ node }: NodeContext): void {
  if (node.rules.savesTip) return;
  for (const name of node.loaded) node.change({ type: 'wallet', name, event: { type: 'save-tip' } });
}
