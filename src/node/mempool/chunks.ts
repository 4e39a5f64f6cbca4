import type { TxKey } from '../../core/tx/types.ts';
import { addArc, createNetwork, type FlowNetwork, maximizeFlow, reachedFrom } from './maxFlow.ts';

export interface ClusterTx {
  readonly key: TxKey;
  /** In satoshi. */
  readonly fee: bigint;
  /** Policy weight. */
  readonly weight: number;
  /** Those outside the cluster are ignored. */
  readonly parents: readonly TxKey[];
}

export interface Chunk {
  /** In the order of mining. */
  readonly keys: readonly TxKey[];
  readonly fee: bigint;
  readonly weight: number;
}

/**
 * Divides a cluster into the chunks of an optimal linearization, in the order of mining. Each is the smallest set with
 * the highest fee rate among those that hold all their parents.
 * @see Bitcoin Core `cluster_linearize.h`
 */
export function linearize(cluster: readonly ClusterTx[]): readonly Chunk[] {
  const sets: (readonly ClusterTx[])[] = [];
  let rest = cluster;
  while (rest.length > 0) {
    const chosen = bestSet(rest);
    sets.push(chosen);
    const taken = new Set(chosen);
    rest = rest.filter((tx) => !taken.has(tx));
  }
  if (cluster.length === 1) return chunksOf(cluster);
  const ordered = miningOrder(sets.map((txs) => miningOrder(txs.map((tx) => groupOf([tx])))));
  return chunksOf(smoothed(ordered.txs));
}

/** Transactions that stand together in an order. */
interface Group {
  readonly txs: readonly ClusterTx[];
  readonly fee: bigint;
  readonly weight: number;
}

const groupOf = (txs: readonly ClusterTx[]): Group => ({ txs, ...totals(txs) });
const joined = (before: Group, after: Group): Group => ({
  txs: [...before.txs, ...after.txs],
  fee: before.fee + after.fee,
  weight: before.weight + after.weight,
});

const lastKey = ({ txs }: Group): TxKey => txs.reduce((most, { key }) => (key > most ? key : most), '' as TxKey);
const byKey = (a: TxKey, b: TxKey): number => (a < b ? -1 : Number(a > b));

/** Puts parents first, then the higher fee rate, the smaller, the lower keys. @see Bitcoin Core `GetLinearization` */
function miningOrder(groups: readonly Group[]): Group {
  const missing = new Set(groups.flatMap(({ txs }) => txs.map(({ key }) => key)));
  let rest = [...groups].sort((a, b) => compareRates(a, b) || a.weight - b.weight || byKey(lastKey(a), lastKey(b)));
  let ordered = groupOf([]);
  while (rest.length > 0) {
    const isReady = ({ txs }: Group): boolean => {
      const own = new Set(txs.map(({ key }) => key));
      return !txs.some(({ parents }) => parents.some((parent) => missing.has(parent) && !own.has(parent)));
    };
    const next = rest.find(isReady) ?? groupOf(rest.flatMap(({ txs }) => txs));
    ordered = joined(ordered, next);
    for (const { key } of next.txs) missing.delete(key);
    rest = rest.filter((group) => group.txs.some(({ key }) => missing.has(key)));
  }
  return ordered;
}

/** Moves what pays more forward, past what it does not need. @see Bitcoin Core `PostLinearize` */
function smoothed(txs: readonly ClusterTx[]): readonly ClusterTx[] {
  const ancestors = new Map<TxKey, ReadonlySet<TxKey>>();
  for (const { key, parents } of txs)
    ancestors.set(key, new Set([key, ...parents.flatMap((parent) => [...(ancestors.get(parent) ?? [])])]));
  const needs = (later: Group, earlier: Group): boolean =>
    later.txs.some(({ key }) => earlier.txs.some((tx) => ancestors.get(key)?.has(tx.key)));
  const backward = regrouped([...txs].reverse(), {
    isBehind: (group, before) => compareRates(group, before) > 0,
    isTied: (group, before) => needs(before, group),
  });
  return regrouped(backward.reverse(), {
    isBehind: (group, before) => compareRates(group, before) < 0,
    isTied: needs,
  });
}

/** Adds each transaction at the end, and moves it forward while it is behind: with the group before it if tied to it. */
function regrouped(
  txs: readonly ClusterTx[],
  { isBehind, isTied }: Readonly<Record<'isBehind' | 'isTied', (group: Group, before: Group) => boolean>>,
): ClusterTx[] {
  const groups: Group[] = [];
  for (const tx of txs) {
    let group = groupOf([tx]);
    let place = groups.length;
    for (let before = groups[place - 1]; before && isBehind(group, before); before = groups[place - 1]) {
      place -= 1;
      if (!isTied(group, before)) continue;
      group = joined(before, group);
      groups.splice(place, 1);
    }
    groups.splice(place, 0, group);
  }
  return groups.flatMap((group) => group.txs);
}

/** Joins neighbours while the later one pays more. */
function chunksOf(txs: readonly ClusterTx[]): readonly Chunk[] {
  const groups: Group[] = [];
  for (const tx of txs) {
    let group = groupOf([tx]);
    for (let before = groups.at(-1); before && compareRates(group, before) < 0; before = groups.at(-1)) {
      group = joined(before, group);
      groups.pop();
    }
    groups.push(group);
  }
  return groups.map((group) => ({ keys: group.txs.map(({ key }) => key), fee: group.fee, weight: group.weight }));
}

function totals(txs: readonly ClusterTx[]): { readonly fee: bigint; readonly weight: number } {
  return txs.reduce((sum, { fee, weight }) => ({ fee: sum.fee + fee, weight: sum.weight + weight }), {
    fee: 0n,
    weight: 0,
  });
}

/** Finds the set with the highest fee rate, by Dinkelbach's method. */
function bestSet(txs: readonly ClusterTx[]): readonly ClusterTx[] {
  if (txs.length === 1) return txs;
  let best = txs;
  for (;;) {
    const { fee, weight } = totals(best);
    const gains = txs.map((tx) => tx.fee * BigInt(weight) - fee * BigInt(tx.weight));
    const { network, surplus } = saturated(txs, gains);
    if (surplus === 0n) return smallestTight(txs, network);
    const reached = reachedFrom(network, txs.length);
    best = txs.filter((_, index) => reached.has(index));
  }
}

/** Solves for the set with the highest gain that holds all its parents, as a minimum cut. `surplus`: that gain. */
function saturated(
  txs: readonly ClusterTx[],
  gains: readonly bigint[],
): { readonly network: FlowNetwork; readonly surplus: bigint } {
  const [source, sink] = [txs.length, txs.length + 1];
  const network = createNetwork(txs.length + 2);
  const indexes = new Map(txs.map(({ key }, index) => [key, index]));
  let positive = 0n;
  for (const [index, { parents }] of txs.entries()) {
    const gain = gains[index] ?? 0n;
    if (gain > 0n) {
      positive += gain;
      addArc(network, [source, index], gain);
    } else if (gain < 0n) addArc(network, [index, sink], -gain);
    for (const parent of parents) {
      const to = indexes.get(parent);
      if (to !== undefined) addArc(network, [index, to], undefined);
    }
  }
  return { network, surplus: positive - maximizeFlow(network, source, sink) };
}

/** Returns the smallest set without gain or loss: a transaction and all that the saturated network ties to it. */
function smallestTight(txs: readonly ClusterTx[], network: FlowNetwork): readonly ClusterTx[] {
  const sink = txs.length + 1;
  let smallest = txs;
  for (const index of txs.keys()) {
    const tied = reachedFrom(network, index);
    if (tied.has(sink)) continue;
    const members = txs.filter((_, other) => tied.has(other));
    if (members.length < smallest.length) smallest = members;
  }
  return smallest;
}

export type FeeFraction = Pick<Chunk, 'fee' | 'weight'>;

/** Puts the higher fee rate first. */
export const compareRates = (a: FeeFraction, b: FeeFraction): number => {
  const difference = b.fee * BigInt(a.weight) - a.fee * BigInt(b.weight);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
};

/**
 * Merges the chunks of clusters into the order of mining.
 * @see Bitcoin Core `CompareMainTransactions`
 */
export function mergeChunks(clusters: readonly (readonly Chunk[])[]): readonly Chunk[] {
  const ranked = clusters.flatMap((chunks) =>
    chunks.map((chunk, i) => ({
      chunk,
      // The weight of the chunks of the same rate in its cluster, up to it.
      prefix: chunks
        .slice(0, i + 1)
        .reduce((sum, each) => sum + (compareRates(each, chunk) === 0 ? each.weight : 0), 0),
      last: chunk.keys.reduce((most, key) => (key > most ? key : most)),
    })),
  );
  ranked.sort((a, b) => compareRates(a.chunk, b.chunk) || a.prefix - b.prefix || (a.last < b.last ? -1 : 1));
  return ranked.map(({ chunk }) => chunk);
}

/**
 * Tells whether the fee diagram of `after` is nowhere below that of `before`, and somewhere above.
 * @see Bitcoin Core `CompareChunks`
 */
export function improvesDiagram(after: readonly FeeFraction[], before: readonly FeeFraction[]): boolean {
  const [now, then] = [[...after].sort(compareRates), [...before].sort(compareRates)];
  const ends = [...cumulativeWeights(now), ...cumulativeWeights(then)];
  let isBetter = false;
  for (const weight of ends) {
    const [a, b] = [feeWithin(now, weight), feeWithin(then, weight)];
    const difference = a.fee * b.parts - b.fee * a.parts;
    if (difference < 0n) return false;
    if (difference > 0n) isBetter = true;
  }
  return isBetter;
}

function cumulativeWeights(chunks: readonly FeeFraction[]): readonly number[] {
  let end = 0;
  return chunks.map(({ weight }) => {
    end += weight;
    return end;
  });
}

/** Returns the fees of the first units of weight, as the fraction `fee / parts`. */
function feeWithin(chunks: readonly FeeFraction[], weight: number): { readonly fee: bigint; readonly parts: bigint } {
  let [fee, remaining] = [0n, weight];
  for (const chunk of chunks) {
    const parts = BigInt(chunk.weight);
    if (remaining < chunk.weight) return { fee: fee * parts + chunk.fee * BigInt(remaining), parts };
    fee += chunk.fee;
    remaining -= chunk.weight;
  }
  return { fee, parts: 1n };
}
