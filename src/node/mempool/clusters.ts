import { outpointTxKey, outputKey } from '../../core/tx/txid.ts';
import type { TxKey } from '../../core/tx/types.ts';
import type { Chain } from '../chain/chainState.ts';
import { modifiedFee } from '../chain/mempool.ts';
import type { ChainTx, PoolEntry } from '../chain/types.ts';
import { type Chunk, type ClusterTx, linearize } from './chunks.ts';

export interface PoolLinks {
  readonly findParents: (tx: Pick<ChainTx, 'spends'>) => readonly PoolEntry[];
  readonly findChildren: (tx: Pick<ChainTx, 'key' | 'tx'>) => readonly PoolEntry[];
}

interface PoolChanges {
  readonly added?: readonly PoolEntry[];
  readonly removed?: ReadonlySet<TxKey>;
}

const NONE: ReadonlySet<TxKey> = new Set();

export function poolLinks({ mempool, spends }: Chain, { added = [], removed = NONE }: PoolChanges = {}): PoolLinks {
  const extra = new Map(added.map((entry) => [entry.key, entry]));
  const spenders = new Map(added.flatMap((entry) => entry.spends.map((key) => [key, entry] as const)));
  const find = (key: TxKey | undefined): PoolEntry | undefined =>
    key && (extra.get(key) ?? (removed.has(key) ? undefined : mempool.get(key)));
  const distinct = (entries: readonly PoolEntry[]): readonly PoolEntry[] => [...new Set(entries)];
  return {
    findParents: (tx) => distinct(tx.spends.flatMap((key) => find(outpointTxKey(key)) ?? [])),
    findChildren: ({ key, tx }) =>
      distinct(
        [...tx.outputs.keys()].flatMap((vout) => {
          const output = outputKey(key, vout);
          return spenders.get(output) ?? find(spends.get(output)) ?? [];
        }),
      ),
  };
}

/** Returns these entries, and all that spending links to them. */
export function findCluster(
  { findParents, findChildren }: PoolLinks,
  entries: readonly PoolEntry[],
): readonly PoolEntry[] {
  const cluster = new Map(entries.map((entry) => [entry.key, entry]));
  // The loop visits the entries that it adds.
  for (const entry of cluster.values()) {
    for (const other of [...findParents(entry), ...findChildren(entry)]) cluster.set(other.key, other);
  }
  return [...cluster.values()];
}

export const clusterTx = (entry: PoolEntry): ClusterTx => ({
  key: entry.key,
  fee: modifiedFee(entry),
  weight: entry.policyWeight,
  parents: entry.spends.map(outpointTxKey),
});

/** Returns the chunks of each cluster of the mempool, in the order of mining. */
export function allClusters(chain: Chain): readonly (readonly Chunk[])[] {
  const links = poolLinks(chain);
  const seen = new Set<TxKey>();
  const clusters: (readonly PoolEntry[])[] = [];
  for (const entry of chain.mempool.values()) {
    if (seen.has(entry.key)) continue;
    const cluster = findCluster(links, [entry]);
    for (const { key } of cluster) seen.add(key);
    clusters.push(cluster);
  }
  return clusters.map((cluster) => linearize(cluster.map(clusterTx)));
}
