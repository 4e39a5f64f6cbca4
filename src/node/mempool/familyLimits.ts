import { formatTxid } from '../../core/tx/txid.ts';
import type { TxKey } from '../../core/tx/types.ts';
import { sizeOfWeight } from '../../core/tx/weight.ts';
import type { Chain } from '../chain/chainState.ts';
import { mempoolAncestors, mempoolDescendants } from '../chain/mempool.ts';
import type { PoolEntry } from '../chain/types.ts';
import { poolLinks } from './clusters.ts';
import type { MempoolPolicy, Rejection } from './mempoolPolicy.ts';
import type { FamilyLimits } from './mempoolRules.ts';
import { isTruc } from './truc.ts';

interface FamilyGate {
  readonly chain: Chain;
  readonly policy: MempoolPolicy;
}

/** CPFP carve-out: a transaction up to this size with one ancestor may be one descendant too many, but none of BIP431. */
const EXTRA_SIZE = 10_000;

export const virtualSize = ({ policyWeight }: PoolEntry): number => sizeOfWeight(policyWeight);
const sum = (entries: readonly PoolEntry[]): number => entries.reduce((total, entry) => total + virtualSize(entry), 0);

interface FamilyTerms {
  readonly conflicts: readonly PoolEntry[];
  readonly hasCarveOut?: boolean;
  /** The transactions that count as descendants. Default: all. */
  readonly counted?: ReadonlySet<TxKey>;
}

/** Checks the limits of relatives. @see Bitcoin Core 30 `MemPoolAccept::PreChecks` */
export function familyFault(
  { chain, policy: { family, rules } }: FamilyGate,
  entry: PoolEntry,
  { conflicts, hasCarveOut = true, counted }: FamilyTerms,
): Rejection | undefined {
  const limits = hasCarveOut ? raiseLimits(chain, family, conflicts) : family;
  const detail = limitExceeded(chain, [entry], limits, counted);
  if (detail === undefined) return undefined;
  const extended = {
    ...limits,
    ancestors: 2,
    descendants: limits.descendants + 1,
    descendantSize: limits.descendantSize + EXTRA_SIZE,
  };
  const isSmall = virtualSize(entry) <= EXTRA_SIZE && !(rules.knowsTruc && isTruc(entry));
  const isCarvedOut = hasCarveOut && isSmall && limitExceeded(chain, [entry], extended, counted) === undefined;
  return isCarvedOut ? undefined : { reason: 'too-long-mempool-chain', detail };
}

/** Raises the limits by what a single conflict frees. */
function raiseLimits(chain: Chain, limits: FamilyLimits, conflicts: readonly PoolEntry[]): FamilyLimits {
  const [conflict, ...others] = conflicts;
  if (!conflict || others.length > 0) return limits;
  const size = sum([conflict, ...mempoolDescendants(chain, [conflict])]);
  return { ...limits, descendants: limits.descendants + 1, descendantSize: limits.descendantSize + size };
}

/** Counts transactions that may spend each other's outputs as one. @see Bitcoin Core 30 `CheckPackageLimits` */
export function packageFamilyFault(
  { chain, policy: { family } }: FamilyGate,
  entries: readonly PoolEntry[],
): Rejection | undefined {
  const whole = wholeExceeds(entries, family);
  if (whole !== undefined) return { reason: 'package-mempool-limits', detail: whole };
  const detail = limitExceeded(chain, entries, family);
  if (detail === undefined) return undefined;
  const isCertain = detail.startsWith('too many unconfirmed parents');
  return { reason: 'package-mempool-limits', detail: isCertain ? detail : `possibly ${detail}` };
}

/** Returns Core's text for a package that exceeds a limit by itself. */
function wholeExceeds(entries: readonly PoolEntry[], limits: FamilyLimits): string | undefined {
  const [count, size] = [entries.length, sum(entries)];
  const exceeds = (what: string, kind: string, limit: number): string =>
    `package ${what} exceeds ${kind} limit [limit: ${limit}]`;
  if (count > limits.ancestors) return exceeds(`count ${count}`, 'ancestor count', limits.ancestors);
  if (count > limits.descendants) return exceeds(`count ${count}`, 'descendant count', limits.descendants);
  if (size > limits.ancestorSize) return exceeds(`size ${size}`, 'ancestor size', limits.ancestorSize);
  if (size > limits.descendantSize) return exceeds(`size ${size}`, 'descendant size', limits.descendantSize);
  return undefined;
}

/**
 * Lists the descendants of transactions that returned from a disconnected block which have too many ancestors by now.
 * @see Bitcoin Core 30 `CTxMemPool::UpdateForDescendants`
 */
export function tooDeep({ chain, policy: { family } }: FamilyGate, returned: ReadonlySet<TxKey>): readonly TxKey[] {
  const roots = [...returned].flatMap((key) => chain.mempool.get(key) ?? []);
  return mempoolDescendants(chain, roots)
    .filter((entry) => {
      const all = [entry, ...mempoolAncestors(chain, entry)];
      return !returned.has(entry.key) && (all.length > family.ancestors || sum(all) > family.ancestorSize);
    })
    .map(({ key }) => key);
}

/** Returns Core's text for the first exceeded limit. @see Bitcoin Core 30 `CalculateMemPoolAncestors` */
function limitExceeded(
  chain: Chain,
  added: readonly PoolEntry[],
  limits: FamilyLimits,
  counted?: ReadonlySet<TxKey>,
): string | undefined {
  const { findParents } = poolLinks(chain);
  const staged = new Map(added.flatMap(findParents).map((parent) => [parent.key, parent]));
  if (staged.size + added.length > limits.ancestors) return `too many unconfirmed parents [limit: ${limits.ancestors}]`;
  const done = new Set<TxKey>();
  let total = sum(added);
  for (let at = lowest(staged); at; at = lowest(staged)) {
    staged.delete(at.key);
    done.add(at.key);
    total += virtualSize(at);
    const fault = descendantsFault(chain, at, { added, limits, counted });
    if (fault !== undefined) return fault;
    if (total > limits.ancestorSize) return `exceeds ancestor size limit [limit: ${limits.ancestorSize}]`;
    for (const parent of findParents(at)) if (!done.has(parent.key)) staged.set(parent.key, parent);
    if (staged.size + done.size + added.length > limits.ancestors)
      return `too many unconfirmed ancestors [limit: ${limits.ancestors}]`;
  }
  return undefined;
}

/** Returns the entry with the lowest id, which Core visits first. */
function lowest(entries: ReadonlyMap<TxKey, PoolEntry>): PoolEntry | undefined {
  let first: PoolEntry | undefined;
  for (const entry of entries.values()) if (!first || entry.key < first.key) first = entry;
  return first;
}

function descendantsFault(
  chain: Chain,
  at: PoolEntry,
  {
    added,
    limits,
    counted,
  }: {
    readonly added: readonly PoolEntry[];
    readonly limits: FamilyLimits;
    readonly counted: ReadonlySet<TxKey> | undefined;
  },
): string | undefined {
  const family = [at, ...mempoolDescendants(chain, [at]).filter(({ key }) => counted?.has(key) ?? true)];
  const id = formatTxid(at.id);
  if (sum(family) + sum(added) > limits.descendantSize) {
    return `exceeds descendant size limit for tx ${id} [limit: ${limits.descendantSize}]`;
  }
  if (family.length + added.length <= limits.descendants) return undefined;
  return `too many descendants for tx ${id} [limit: ${limits.descendants}]`;
}
