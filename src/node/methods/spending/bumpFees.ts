import { outpointKey, txKey } from '../../../core/tx/txid.ts';
import type { Outpoint } from '../../../core/tx/types.ts';
import { sizeOfWeight } from '../../../core/tx/weight.ts';
import { feeFor } from '../../../kit/coins/feeRate.ts';
import { mempoolAncestors, mempoolDescendants, modifiedFee } from '../../chain/mempool.ts';
import type { PoolEntry } from '../../chain/types.ts';
import { linearize } from '../../mempool/chunks.ts';
import { clusterTx, findCluster, poolLinks } from '../../mempool/clusters.ts';
import type { WalletContext } from '../context.ts';
import { spendingRules } from './spendingRules.ts';

/**
 * Returns the satoshi that the mempool transactions of coins and their ancestors together lack to reach a fee rate,
 * unless others pay for them. Transactions that spend the coins already count as replaced.
 * @see Bitcoin Core 31 `MiniMiner::CalculateTotalBumpFees`
 */
export function computeBumpFee(
  outpoints: readonly Outpoint[],
  feeRate: bigint,
  { node: { chain }, dialect }: Pick<WalletContext, 'node' | 'dialect'>,
): bigint {
  if (!spendingRules[dialect.generation].paysForAncestors) return 0n;
  const spenders = outpoints.flatMap((outpoint) => {
    const key = chain.spends.get(outpointKey(outpoint));
    return (key && chain.mempool.get(key)) ?? [];
  });
  const removed = new Set([...spenders, ...mempoolDescendants(chain, spenders)].map(({ key }) => key));
  const entries = outpoints.flatMap(({ txid }) => chain.mempool.get(txKey(txid)) ?? []);
  const spent = entries.filter(({ key }) => !removed.has(key));
  const family = new Set(spent.flatMap((entry) => [entry, ...mempoolAncestors(chain, entry)]));
  const chunks = linearize(findCluster(poolLinks(chain, { removed }), spent).map(clusterTx));
  const lacking = chunks.map(({ keys }) => keys.flatMap((key) => chain.mempool.get(key) ?? []));
  const unpaid = lacking.filter((chunk) => missingFee(chunk, feeRate) > 0n).flat();
  const missing = missingFee(
    unpaid.filter((entry) => family.has(entry)),
    feeRate,
  );
  return missing > 0n ? missing : 0n;
}

function missingFee(entries: readonly PoolEntry[], feeRate: bigint): bigint {
  const vsize = entries.reduce((sum, { policyWeight }) => sum + sizeOfWeight(policyWeight), 0);
  return entries.reduce((sum, entry) => sum - modifiedFee(entry), feeFor(feeRate, vsize, 'up'));
}
