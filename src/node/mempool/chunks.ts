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
  readonly keys: readonly TxKey[];
  readonly fee: bigint;
  readonly weight: number;
}

/**
 * Divides a cluster into the chunks of an optimal linearization, best first. Each is the smallest set with the highest
 * fee rate among those that hold all their parents.
 * @see Bitcoin Core `cluster_linearize.h`
 */
export function linearize(cluster: readonly ClusterTx[]): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let rest = cluster;
  while (rest.length > 0) {
    const chosen = bestSet(rest);
    chunks.push({ keys: chosen.map(({ key }) => key), ...totals(chosen) });
    const taken = new Set(chosen);
    rest = rest.filter((tx) => !taken.has(tx));
  }
  return chunks;
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
