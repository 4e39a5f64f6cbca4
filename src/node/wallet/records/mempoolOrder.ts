import { outpointTxKey } from '../../../core/tx/txid.ts';
import type { TxKey } from '../../../core/tx/types.ts';
import type { Chain } from '../../chain/chainState.ts';
import type { ChainTx } from '../../chain/types.ts';

/** Lists the mempool, where a block that left the chain may have put a parent after its child. */
export function* parentsFirst({ mempool }: Chain): Generator<ChainTx> {
  const listed = new Set<TxKey>();
  for (const entry of mempool.values()) {
    const open: ChainTx[] = [entry];
    for (let next = open.at(-1); next; next = open.at(-1)) {
      const { key, spends } = next;
      const parents = listed.has(key) ? [] : spends.flatMap((spent) => mempool.get(outpointTxKey(spent)) ?? []);
      const missing = parents.filter((parent) => !listed.has(parent.key));
      open.push(...missing);
      if (missing.length > 0) continue;
      open.pop();
      if (!listed.has(key)) yield next;
      listed.add(key);
    }
  }
}
