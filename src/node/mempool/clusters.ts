import { outputKey } from '../../core/tx/txid.ts';
import type { Chain } from '../chain/chainState.ts';
import { txKeyOf } from '../chain/chainTx.ts';
import type { ChainTx, PoolEntry } from '../chain/types.ts';
import type { ClusterTx } from './chunks.ts';

export interface PoolLinks {
  readonly parentsOf: (tx: Pick<ChainTx, 'spends'>) => readonly PoolEntry[];
  readonly childrenOf: (tx: Pick<ChainTx, 'key' | 'tx'>) => readonly PoolEntry[];
}

interface PoolChanges {
  readonly added?: readonly PoolEntry[];
  /** Transaction keys. */
  readonly removed?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

export function poolLinks({ mempool, spends }: Chain, { added = [], removed = NONE }: PoolChanges = {}): PoolLinks {
  const extra = new Map(added.map((entry) => [entry.key, entry]));
  const spenders = new Map(added.flatMap((entry) => entry.spends.map((key) => [key, entry] as const)));
  const find = (key: string): PoolEntry | undefined =>
    extra.get(key) ?? (removed.has(key) ? undefined : mempool.get(key));
  const distinct = (found: readonly PoolEntry[]): readonly PoolEntry[] => [...new Set(found)];
  return {
    parentsOf: (tx) => distinct(tx.spends.flatMap((key) => find(txKeyOf(key)) ?? [])),
    childrenOf: ({ key, tx }) =>
      distinct(
        [...tx.outputs.keys()].flatMap((vout) => {
          const output = outputKey(key, vout);
          return spenders.get(output) ?? find(spends.get(output) ?? '') ?? [];
        }),
      ),
  };
}

/** Returns these entries, and all that spending links to them. */
export function clusterOf({ parentsOf, childrenOf }: PoolLinks, entries: readonly PoolEntry[]): readonly PoolEntry[] {
  const found = new Map(entries.map((entry) => [entry.key, entry]));
  // The loop visits the entries that it adds.
  for (const entry of found.values()) {
    for (const other of [...parentsOf(entry), ...childrenOf(entry)]) found.set(other.key, other);
  }
  return [...found.values()];
}

export const clusterTx = ({ key, fee = 0n, policyWeight: weight, spends }: PoolEntry): ClusterTx => ({
  key,
  fee,
  weight,
  parents: spends.map(txKeyOf),
});
