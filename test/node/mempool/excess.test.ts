import { describe, expect, test } from 'vitest';
import type { Chain } from '../../../src/node/chain/chainState.ts';
import { chainTx } from '../../../src/node/chain/chainTx.ts';
import type { PoolEntry } from '../../../src/node/chain/types.ts';
import { findExcess } from '../../../src/node/mempool/excess.ts';
import type { MempoolPolicy } from '../../../src/node/mempool/mempoolPolicy.ts';
import { spend } from '../../support/blocks.ts';
import { type Txid, txid } from '../../support/library.ts';

const INCREMENT = 100;
const policyOf = (cluster: unknown): MempoolPolicy =>
  ({ isSkipped: false, maxMemory: 0, rules: { cluster, incrementalFee: INCREMENT } }) as unknown as MempoolPolicy;
const CLUSTERS = policyOf({ count: 64, size: 101_000 });
const FAMILIES = policyOf(undefined);

/** The same numbers for the same seed, from 0 to below 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Node {
  readonly name: string;
  readonly fee: number;
  readonly weight: number;
  readonly parents: readonly number[];
}

/** Parents come first. Fees of many digits keep two sets from the same rate. */
function randomNodes(seed: number): readonly Node[] {
  const random = randomFrom(seed);
  return Array.from({ length: 4 + Math.floor(random() * 9) }, (_, i) => ({
    name: `${i}`,
    fee: 1000 + Math.floor(random() * 1e6),
    weight: 400 + Math.floor(random() * 2000),
    parents: i === 0 ? [] : [...new Set([0, 1].flatMap(() => (random() < 0.4 ? [Math.floor(random() * i)] : [])))],
  }));
}

/** A mempool of such transactions. */
function poolOf(nodes: readonly Node[]): { readonly chain: Chain; readonly names: ReadonlyMap<string, string> } {
  const mempool = new Map<string, PoolEntry>();
  const spends = new Map<string, string>();
  const names = new Map<string, string>();
  const ids: Txid[] = [];
  for (const [i, { name, fee, weight, parents }] of nodes.entries()) {
    const confirmed = { txid: new Uint8Array(32).fill(i + 1) as Txid, vout: i };
    const inputs = [confirmed, ...parents.map((parent) => ({ txid: ids[parent] as Txid, vout: i }))];
    const made = spend(inputs, '51', 1n);
    const tx = chainTx({ ...made, outputs: nodes.flatMap(() => made.outputs) });
    ids.push(txid(tx.tx));
    names.set(tx.key, name);
    const facts = { time: 1_700_000_000, height: 1, isUnbroadcast: true };
    mempool.set(tx.key, { ...tx, ...facts, fee: BigInt(fee), policyWeight: weight });
    for (const spent of tx.spends) spends.set(spent, tx.key);
  }
  return { chain: { mempool, spends, poolTotals: { usage: 1 } } as unknown as Chain, names };
}

const total = (nodes: readonly Node[], of: (node: Node) => number): number =>
  nodes.reduce((sum, node) => sum + of(node), 0);
const feesOf = (nodes: readonly Node[]): number => total(nodes, ({ fee }) => fee);
const vsize = ({ weight }: Node): number => Math.ceil(weight / 4);

/** What must leave next, and the rate from then on. */
interface Expected {
  readonly leaving: readonly Node[];
  readonly rate: number;
}

type Model = (all: readonly Node[], left: readonly Node[]) => Expected;

/** Core 29 and 30: the lowest of max(own rate, rate with descendants). */
const byDescendants: Model = (all, left) => {
  const family = (root: Node): readonly Node[] => {
    const found = new Set([root]);
    for (const node of left) {
      if (node.parents.some((parent) => found.has(all[parent] as Node))) found.add(node);
    }
    return [...found];
  };
  const rate = (nodes: readonly Node[]): number => feesOf(nodes) / total(nodes, vsize);
  const [worst] = left
    .map((node) => ({ node, score: Math.max(rate([node]), rate(family(node))) }))
    .sort((a, b) => a.score - b.score);
  const leaving = family(worst?.node as Node);
  return { leaving, rate: Math.floor((feesOf(leaving) * 1000) / total(leaving, vsize)) + INCREMENT };
};

/** Core 31: of each cluster, what is left after all better sets that hold their parents; tries every set. */
const byChunks: Model = (all, left) => {
  const weightRate = (nodes: readonly Node[]): number => feesOf(nodes) / total(nodes, ({ weight }) => weight);
  const worstOf = (cluster: readonly Node[]): readonly Node[] => {
    let best: readonly Node[] = cluster;
    for (let mask = 1; mask < 2 ** cluster.length; mask += 1) {
      const set = cluster.filter((_, i) => mask & (2 ** i));
      const isClosed = set.every(({ parents }) =>
        parents.every((parent) => !cluster.includes(all[parent] as Node) || set.includes(all[parent] as Node)),
      );
      if (isClosed && weightRate(set) > weightRate(best)) best = set;
    }
    return best.length === cluster.length ? best : worstOf(cluster.filter((node) => !best.includes(node)));
  };
  const clusters: (readonly Node[])[] = [];
  for (const node of left) {
    const own = node.parents.map((parent) => all[parent] as Node).filter((parent) => left.includes(parent));
    const linked = clusters.filter((cluster) => own.some((parent) => cluster.includes(parent)));
    for (const cluster of linked) clusters.splice(clusters.indexOf(cluster), 1);
    clusters.push([...linked.flat(), node]);
  }
  const [leaving = []] = clusters.map(worstOf).sort((a, b) => weightRate(a) - weightRate(b));
  const size = Math.ceil(total(leaving, ({ weight }) => weight) / 4);
  return { leaving, rate: Math.floor((feesOf(leaving) * 1000) / size) + INCREMENT };
};

function evictAll(nodes: readonly Node[], policy: MempoolPolicy, model: Model): void {
  const { chain, names } = poolOf(nodes);
  let left = nodes;
  while (left.length > 0) {
    const { leaving, rate } = model(nodes, left);
    const excess = findExcess(chain, policy);
    const found = excess?.entries.map(({ key }) => names.get(key) ?? '');
    expect(found?.sort()).toEqual(leaving.map(({ name }) => name).sort());
    expect(excess?.rate).toBe(rate);
    for (const { key, spends } of excess?.entries ?? []) {
      chain.mempool.delete(key);
      for (const spent of spends) chain.spends.delete(spent);
    }
    left = left.filter((node) => !leaving.includes(node));
  }
  expect(findExcess(chain, policy)).toBeUndefined();
}

describe('a full mempool', () => {
  test.each([
    ['before Core 31, the transaction of the lowest score with its descendants', FAMILIES, byDescendants],
    ['since Core 31, the worst chunk', CLUSTERS, byChunks],
  ] as const)('evicts, %s: 200 random mempools', (_, policy, model) => {
    for (let seed = 1; seed <= 200; seed += 1) evictAll(randomNodes(seed), policy, model);
  });

  test('of the same score, evicts the newest before Core 31', () => {
    const { chain, names } = poolOf(['a', 'b', 'c'].map((name) => ({ name, fee: 1000, weight: 400, parents: [] })));
    expect(findExcess(chain, FAMILIES)?.entries.map(({ key }) => names.get(key))).toEqual(['c']);
  });

  test('is one that takes more memory than it may, unless it follows another mempool', () => {
    const { chain } = poolOf(randomNodes(1));
    expect(findExcess(chain, { ...FAMILIES, maxMemory: 1 })).toBeUndefined();
    expect(findExcess(chain, { ...FAMILIES, isSkipped: true })).toBeUndefined();
  });
});
