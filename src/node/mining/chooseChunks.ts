import { sizeOfWeight } from '../../core/tx/weight.ts';
import type { Chain } from '../chain/chainState.ts';
import { mergeChunks } from '../mempool/chunks.ts';
import { allClusters } from '../mempool/clusters.ts';
import { type ChosenTransaction, createFilling, type MiningLimits } from './chooseTransactions.ts';

/** Fills a block with the chunks of the mempool's clusters, by fee rate. @see Bitcoin Core `BlockAssembler::addChunks` */
export function chooseChunks(chain: Chain, limits: MiningLimits): readonly ChosenTransaction[] {
  const { chosen, add, isFull } = createFilling(chain, limits);
  const clusters = allClusters(chain);
  const clusterOf = new Map(
    clusters.flatMap((chunks, index) => chunks.flatMap(({ keys }) => keys.map((key) => [key, index] as const))),
  );
  /** Of which a chunk was left out, and with it all that may depend on it. */
  const skipped = new Set<number | undefined>();
  let failures = 0;
  for (const { keys, fee, weight } of mergeChunks(clusters)) {
    if (fee * 1000n < BigInt(limits.minFee) * BigInt(sizeOfWeight(weight))) break;
    const cluster = keys[0] && clusterOf.get(keys[0]);
    if (skipped.has(cluster)) continue;
    const entries = keys.flatMap((key) => chain.mempool.get(key) ?? []);
    if (add({ entries, weight }) === undefined) {
      failures = 0;
      continue;
    }
    skipped.add(cluster);
    failures += 1;
    if (isFull(failures)) break;
  }
  return chosen;
}
