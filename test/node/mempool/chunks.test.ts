import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TxKey } from '../../../src/core/tx/types.ts';
import { type ClusterTx, improvesDiagram, linearize } from '../../../src/node/mempool/chunks.ts';
import { campaign } from '../../support/campaign.ts';

const tx = (key: string, fee: number, weight: number, ...parents: readonly string[]): ClusterTx => ({
  key: key as TxKey,
  fee: BigInt(fee),
  weight,
  parents: parents as readonly TxKey[],
});

/** Clusters of up to six transactions, whose parents come before them. */
const clusters = fc.array(fc.record({ fee: fc.nat(20), weight: fc.integer({ min: 1, max: 6 }), parents: fc.nat(63) }), {
  minLength: 1,
  maxLength: 6,
});
const toCluster = (drafts: readonly { fee: number; weight: number; parents: number }[]): readonly ClusterTx[] =>
  drafts.map(({ fee, weight, parents }, i) =>
    tx(`${i}`, fee, weight, ...[...drafts.keys()].filter((j) => j < i && (parents >> j) & 1).map(String)),
  );

/** Finds the highest fee rate of a set that holds all its parents, by trying every set. */
function highestRate(cluster: readonly ClusterTx[]): number {
  let best = 0;
  for (let mask = 1; mask < 1 << cluster.length; mask += 1) {
    const members = cluster.filter((_, i) => (mask >> i) & 1);
    const keys = new Set(members.map(({ key }) => key));
    const known = new Set(cluster.map(({ key }) => key));
    if (!members.every(({ parents }) => parents.every((parent) => keys.has(parent) || !known.has(parent)))) continue;
    const fee = members.reduce((sum, member) => sum + Number(member.fee), 0);
    best = Math.max(best, fee / members.reduce((sum, { weight }) => sum + weight, 0));
  }
  return best;
}

describe('the chunks of a cluster', () => {
  test('join a child that pays well to its parent, and leave a poor one behind', () => {
    const chunks = linearize([tx('a', 1, 10), tx('rich', 50, 10, 'a'), tx('poor', 1, 10, 'a')]);
    expect(chunks.map(({ keys }) => keys)).toEqual([['a', 'rich'], ['poor']]);
    expect(chunks[0]).toMatchObject({ fee: 51n, weight: 20 });
  });

  test('are not joined where both pay the same rate', () => {
    expect(linearize([tx('a', 10, 10), tx('b', 20, 20, 'a')]).map(({ keys }) => keys)).toEqual([['a'], ['b']]);
    expect(linearize([tx('a', 10, 10), tx('b', 10, 10)])).toHaveLength(2);
  });

  test('begin with the best set that holds all its parents, and hold every transaction once', () => {
    fc.assert(
      fc.property(clusters.map(toCluster), (cluster) => {
        let rest = cluster;
        for (const { keys, fee, weight } of linearize(cluster)) {
          expect(Number(fee) / weight).toBeCloseTo(highestRate(rest), 9);
          rest = rest.filter(({ key }) => !keys.includes(key));
        }
        expect(rest).toEqual([]);
      }),
      campaign(300),
    );
  });

  test('of a long chain of equal transactions are found at once', () => {
    const chain = Array.from({ length: 64 }, (_, i) => tx(`${i}`, 600, 440 - i, ...(i > 0 ? [`${i - 1}`] : [])));
    expect(linearize(chain)).toHaveLength(1);
  });
});

describe('a diagram of fees by weight', () => {
  const chunk = (fee: number, weight: number): { fee: bigint; weight: number } => ({ fee: BigInt(fee), weight });

  test('improves if it is nowhere lower and somewhere higher', () => {
    expect(improvesDiagram([chunk(11, 10)], [chunk(10, 10)])).toBe(true);
    expect(improvesDiagram([chunk(10, 10)], [chunk(10, 10)])).toBe(false);
    // More fees, but less for the first units.
    expect(improvesDiagram([chunk(30, 30)], [chunk(20, 10)])).toBe(false);
    expect(improvesDiagram([chunk(20, 10)], [chunk(19, 30)])).toBe(true);
    expect(improvesDiagram([chunk(5, 5)], [])).toBe(true);
  });
});
