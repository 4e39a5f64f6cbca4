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
  const chunks: Minable[] = [];
  let rest = cluster;
  while (rest.length > 0) {
    const chosen = bestSet(rest);
    chunks.push(minable(chosen));
    const taken = new Set(chosen);
    rest = rest.filter((tx) => !taken.has(tx));
  }
  return miningOrder(chunks);
}

/** A transaction or a chunk, with the greatest of its keys. */
interface Minable extends Chunk {
  readonly parents: readonly TxKey[];
  readonly last: TxKey;
}

function minable(txs: readonly ClusterTx[]): Minable {
  const ordered = txs.length === 1 ? txs : miningOrder(txs.map((tx) => ({ ...tx, keys: [tx.key], last: tx.key })));
  const keys = ordered.map(({ key }) => key);
  return {
    keys,
    ...totals(txs),
    parents: txs.flatMap(({ parents }) => parents).filter((parent) => !keys.includes(parent)),
    last: keys.reduce((most, key) => (key > most ? key : most)),
  };
}

/** Orders parents first, then by fee rate, then the smaller first. @see Bitcoin Core `GetLinearization` */
function miningOrder<T extends Minable>(given: readonly T[]): readonly T[] {
  const ordered: T[] = [];
  const missing = new Set(given.flatMap(({ keys }) => keys));
  let rest = [...given].sort(
    (a, b) => byRate(a, b) || a.weight - b.weight || (a.last < b.last ? -1 : Number(a.last > b.last)),
  );
  while (rest.length > 0) {
    const next = rest.find(({ parents }) => !parents.some((parent) => missing.has(parent))) as T;
    ordered.push(next);
    for (const key of next.keys) missing.delete(key);
    rest = rest.filter((each) => each !== next);
  }
  return ordered;
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

type FeeFraction = Pick<Chunk, 'fee' | 'weight'>;

const byRate = (a: FeeFraction, b: FeeFraction): number => {
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
      prefix: chunks.slice(0, i + 1).reduce((sum, each) => sum + (byRate(each, chunk) === 0 ? each.weight : 0), 0),
      last: chunk.keys.reduce((most, key) => (key > most ? key : most)),
    })),
  );
  ranked.sort((a, b) => byRate(a.chunk, b.chunk) || a.prefix - b.prefix || (a.last < b.last ? -1 : 1));
  return ranked.map(({ chunk }) => chunk);
}

/**
 * Tells whether the fee diagram of `after` is nowhere below that of `before`, and somewhere above.
 * @see Bitcoin Core `CompareChunks`
 */
export function improvesDiagram(after: readonly FeeFraction[], before: readonly FeeFraction[]): boolean {
  const [now, then] = [[...after].sort(byRate), [...before].sort(byRate)];
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
