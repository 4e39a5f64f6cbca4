import type { NodeContext } from './context.ts';
import { readmit } from './submitTransaction.ts';

/**
 * Judges the transactions of the mempool anew, since the options of the node may have changed.
 * @see Bitcoin Core `LoadMempool`
 */
export function reloadMempool(context: NodeContext): void {
  const { node } = context;
  const { chain } = node;
  const entries = [...chain.mempool.values()];
  for (const { key, id } of entries) {
    // A transaction goes with its descendants.
    if (chain.mempool.has(key)) node.change({ type: 'drop', txid: id });
  }
  for (const { tx, key, id, isCoinbase, spends, time, isUnbroadcast } of entries) {
    readmit({ tx, key, id, isCoinbase, spends }, { time, isUnbroadcast }, context);
  }
}
