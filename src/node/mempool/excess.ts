import { sizeOfWeight } from '../../core/tx/weight.ts';
import type { Chain, Excess } from '../chain/chainState.ts';
import { compareById, familyTotals, mempoolDescendants } from '../chain/mempool.ts';
import type { PoolEntry } from '../chain/types.ts';
import { compareRates, type FeeFraction, mergeChunks } from './chunks.ts';
import { allClusters } from './clusters.ts';
import type { MempoolPolicy } from './mempoolPolicy.ts';

/**
 * Returns what leaves the mempool next, if it takes more memory than it may: the worst chunk; before Core 31, the
 * transaction with the lowest score, with its descendants.
 * @see Bitcoin Core `CTxMemPool::TrimToSize`
 */
export function findExcess(chain: Chain, { isSkipped, maxMemory, rules }: MempoolPolicy): Excess | undefined {
  if (isSkipped || chain.mempool.size === 0 || chain.poolTotals.usage <= maxMemory) return undefined;
  const entries = rules.cluster ? worstChunk(chain) : worstFamily(chain);
  const { fees, size } = rules.cluster ? chunkTotals(entries) : familyTotals(entries);
  const rate = Number((fees * 1000n) / BigInt(size)) + rules.incrementalFee;
  return { entries: [...entries].sort(compareById), rate };
}

function worstChunk(chain: Chain): readonly PoolEntry[] {
  const keys = mergeChunks(allClusters(chain)).at(-1)?.keys ?? [];
  return keys.flatMap((key) => chain.mempool.get(key) ?? []);
}

/** Rounds the size once, rather than that of each transaction. */
function chunkTotals(entries: readonly PoolEntry[]): { readonly fees: bigint; readonly size: number } {
  const weight = entries.reduce((sum, { policyWeight }) => sum + policyWeight, 0);
  return { fees: familyTotals(entries).fees, size: sizeOfWeight(weight) };
}

/** Of those with the same score, the newest. @see Bitcoin Core 30 `CompareTxMemPoolEntryByDescendantScore` */
function worstFamily(chain: Chain): readonly PoolEntry[] {
  let worst: (FeeFraction & { readonly time: number; readonly family: readonly PoolEntry[] }) | undefined;
  for (const entry of chain.mempool.values()) {
    const family = [entry, ...mempoolDescendants(chain, [entry])];
    const [own, whole] = [scoreOf([entry]), scoreOf(family)];
    const score = compareRates(own, whole) > 0 ? whole : own;
    const order = worst ? compareRates(score, worst) : 1;
    if (!worst || order > 0 || (order === 0 && entry.time >= worst.time))
      worst = { ...score, time: entry.time, family };
  }
  return worst?.family ?? [];
}

function scoreOf(family: readonly PoolEntry[]): FeeFraction {
  const { fees, size } = familyTotals(family);
  return { fee: fees, weight: size };
}
