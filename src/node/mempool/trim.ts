import type { TxKey } from '../../core/tx/types.ts';
import { WITNESS_SCALE_FACTOR } from '../../core/tx/weight.ts';
import type { Chain } from '../chain/chainState.ts';
import type { PoolEntry } from '../chain/types.ts';
import { type Chunk, compareRates, linearize } from './chunks.ts';
import { clusterTx, findCluster, type PoolLinks, poolLinks } from './clusters.ts';
import { tooDeep } from './familyLimits.ts';
import type { MempoolPolicy } from './mempoolPolicy.ts';

/** A transaction that waits for others to be kept first. */
interface Waiting {
  readonly entry: PoolEntry;
  /** Of the cluster that it was in before. */
  readonly chunk: Chunk;
  /** Its parents, and what precedes it in its former cluster. */
  readonly needs: Set<TxKey>;
}

/** Transactions that form a cluster so far. */
interface Part {
  count: number;
  weight: number;
  readonly members: Waiting[];
}

/**
 * Lists what has to leave the mempool, since the transactions that a disconnected block returned join clusters to ones
 * that are too large; before Core 31, since they give others too many ancestors.
 *
 * - `returned`: in the mempool already
 *
 * @see Bitcoin Core 31 `TxGraphImpl::Trim`
 */
export function overflowing(chain: Chain, policy: MempoolPolicy, returned: ReadonlySet<TxKey>): readonly TxKey[] {
  const { cluster: limits, limitsReturned } = policy.rules;
  if (!limits) return limitsReturned ? tooDeep({ chain, policy }, returned) : [];
  const links = poolLinks(chain);
  const seen = new Set<TxKey>();
  const dropped: TxKey[] = [];
  for (const key of returned) {
    const entry = seen.has(key) ? undefined : chain.mempool.get(key);
    if (!entry) continue;
    const cluster = findCluster(links, [entry]);
    for (const member of cluster) seen.add(member.key);
    const weight = cluster.reduce((sum, { policyWeight }) => sum + policyWeight, 0);
    const most = limits.size * WITNESS_SCALE_FACTOR;
    if (cluster.length <= limits.count && weight <= most) continue;
    const kept = keepBest(waitingOf(cluster, returned, links), { count: limits.count, weight: most });
    dropped.push(...cluster.map((member) => member.key).filter((member) => !kept.has(member)));
  }
  return dropped;
}

/** Divides a cluster into those that the returned transactions, and the others, form by themselves. */
function waitingOf(
  cluster: readonly PoolEntry[],
  returned: ReadonlySet<TxKey>,
  { findParents, findChildren }: PoolLinks,
): readonly Waiting[] {
  const isBeside = (a: PoolEntry) => (b: PoolEntry) => returned.has(a.key) === returned.has(b.key);
  const own: PoolLinks = {
    findParents: (tx) => findParents(tx).filter(isBeside(tx as PoolEntry)),
    findChildren: (tx) => findChildren(tx).filter(isBeside(tx as PoolEntry)),
  };
  const done = new Set<TxKey>();
  return cluster.flatMap((entry) => {
    if (done.has(entry.key)) return [];
    const part = findCluster(own, [entry]);
    for (const { key } of part) done.add(key);
    const entries = new Map(part.map((member) => [member.key, member]));
    let before: TxKey | undefined;
    return linearize(part.map(clusterTx)).flatMap((chunk) =>
      chunk.keys.flatMap((key): Waiting[] => {
        const member = entries.get(key);
        if (!member) return [];
        const needs = new Set(findParents(member).map((parent) => parent.key));
        if (before !== undefined) needs.add(before);
        before = key;
        return [{ entry: member, chunk, needs }];
      }),
    );
  });
}

/** Keeps transactions by fee rate, unless the cluster that they would form is too large. */
function keepBest(
  all: readonly Waiting[],
  limits: { readonly count: number; readonly weight: number },
): ReadonlySet<TxKey> {
  const parts = new Map<TxKey, Part>();
  let rest = [...all].sort((a, b) => compareRates(a.chunk, b.chunk) || a.entry.policyWeight - b.entry.policyWeight);
  for (;;) {
    const next = rest.find(({ needs }) => [...needs].every((key) => parts.has(key)));
    if (!next) return new Set(parts.keys());
    rest = rest.filter((each) => each !== next);
    const joined = new Set([...next.needs].flatMap((key) => parts.get(key) ?? []));
    const whole: Part = { count: 1, weight: next.entry.policyWeight, members: [next] };
    for (const { count, weight, members } of joined) {
      whole.count += count;
      whole.weight += weight;
      whole.members.push(...members);
    }
    if (whole.count > limits.count || whole.weight > limits.weight) continue;
    for (const { entry } of whole.members) parts.set(entry.key, whole);
  }
}
