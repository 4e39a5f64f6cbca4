import type { TxKey } from '../../core/tx/types.ts';
import { sizeOfWeight, WITNESS_SCALE_FACTOR } from '../../core/tx/weight.ts';
import type { Chain } from '../chain/chainState.ts';
import { compareById, familyTotals, mempoolAncestors, mempoolDescendants, modifiedFee } from '../chain/mempool.ts';
import type { PoolEntry } from '../chain/types.ts';
import { feeOfSize } from '../mempool/mempoolPolicy.ts';
import type { MempoolRules } from '../mempool/mempoolRules.ts';
import { type ChosenTransaction, createFilling, type MiningLimits } from './chooseTransactions.ts';

/** A transaction with the ancestors that are not in the block yet; sizes are in virtual bytes. */
interface Candidate {
  readonly entry: PoolEntry;
  readonly fees: bigint;
  readonly size: number;
}

/**
 * Fills a block with transactions and their ancestors, by the lower of the fee rates of both.
 * @see Bitcoin Core 30 `BlockAssembler::addPackageTxs`
 */
export function chooseAncestors(chain: Chain, limits: MiningLimits, rules: MempoolRules): readonly ChosenTransaction[] {
  const { chosen, add, isFull } = createFilling(chain, limits);
  const queue = createQueue(chain);
  let failures = 0;
  for (let best = queue.take(); best; best = queue.take()) {
    if (best.fees < feeOfSize(BigInt(limits.minFee), best.size, rules)) break;
    const entries = queue.withAncestors(best.entry);
    const fault = add({ entries, weight: WITNESS_SCALE_FACTOR * best.size });
    if (!fault) {
      failures = 0;
      queue.remove(entries);
      continue;
    }
    if (fault === 'no room') failures += 1;
    if (isFull(failures)) break;
  }
  return chosen;
}

interface Queue {
  /** Takes the best transaction that is left. */
  readonly take: () => Candidate | undefined;
  /** Returns a transaction and its ancestors that are not in the block yet, parents first. */
  readonly withAncestors: (entry: PoolEntry) => readonly PoolEntry[];
  /** Removes transactions that the block takes, for which their descendants need no longer pay. */
  readonly remove: (entries: readonly PoolEntry[]) => void;
}

function createQueue(chain: Chain): Queue {
  const inBlock = new Set<TxKey>();
  const known = new Map<TxKey, readonly PoolEntry[]>();
  const ancestorsOf = (entry: PoolEntry): readonly PoolEntry[] => {
    const ancestors = known.get(entry.key) ?? mempoolAncestors(chain, entry);
    known.set(entry.key, ancestors);
    return ancestors;
  };
  const withAncestors = (entry: PoolEntry): readonly PoolEntry[] =>
    [entry, ...ancestorsOf(entry)]
      .filter(({ key }) => !inBlock.has(key))
      .sort((a, b) => ancestorsOf(a).length - ancestorsOf(b).length || compareById(a, b));
  const candidate = (entry: PoolEntry): Candidate => {
    const { fees, size } = familyTotals(withAncestors(entry));
    return { entry, fees, size };
  };
  const sorted = [...chain.mempool.values()].map(candidate).sort(compareCandidates).reverse();
  /** Those whose ancestors the block has taken in part. */
  const changed = new Map<TxKey, Candidate>();
  const done = new Set<TxKey>();
  const takeUnchanged = (): Candidate | undefined => {
    while (sorted.length > 0) {
      const last = sorted.at(-1);
      if (last && !changed.has(last.entry.key) && !done.has(last.entry.key)) return last;
      sorted.pop();
    }
    return undefined;
  };
  return {
    withAncestors,
    take: () => {
      const [first, best] = [takeUnchanged(), bestOf(changed.values())];
      if (!best || (first && compareCandidates(first, best) <= 0)) return sorted.pop();
      changed.delete(best.entry.key);
      done.add(best.entry.key);
      return best;
    },
    remove: (entries) => {
      for (const { key } of entries) {
        inBlock.add(key);
        done.add(key);
        changed.delete(key);
      }
      for (const entry of mempoolDescendants(chain, entries)) {
        if (!inBlock.has(entry.key)) changed.set(entry.key, candidate(entry));
      }
    },
  };
}

function bestOf(candidates: Iterable<Candidate>): Candidate | undefined {
  let best: Candidate | undefined;
  for (const candidate of candidates) if (!best || compareCandidates(candidate, best) < 0) best = candidate;
  return best;
}

/** @see Bitcoin Core 30 `CompareTxMemPoolEntryByAncestorFee` */
function compareCandidates(a: Candidate, b: Candidate): number {
  const [x, y] = [lowerRate(a), lowerRate(b)];
  const difference = y.fees * BigInt(x.size) - x.fees * BigInt(y.size);
  return difference > 0n ? 1 : difference < 0n ? -1 : compareById(a.entry, b.entry);
}

function lowerRate({ entry, fees, size }: Candidate): Pick<Candidate, 'fees' | 'size'> {
  const own = { fees: modifiedFee(entry), size: sizeOfWeight(entry.policyWeight) };
  return own.fees * BigInt(size) > fees * BigInt(own.size) ? { fees, size } : own;
}
