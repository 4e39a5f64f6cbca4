import { formatTxid, wtxid } from '../../core/tx/txid.ts';
import type { TxKey } from '../../core/tx/types.ts';
import { sizeOfWeight } from '../../core/tx/weight.ts';
import type { Chain } from '../chain/chainState.ts';
import { compareById, mempoolAncestors, mempoolDescendants } from '../chain/mempool.ts';
import type { ChainTx, PoolEntry } from '../chain/types.ts';
import { poolLinks } from './clusters.ts';
import type { MempoolPolicy } from './mempoolPolicy.ts';

/** @see BIP431 */
export const TRUC_VERSION = 3;
/** In virtual bytes. */
const MAX_SIZE = 10_000;
const MAX_CHILD_SIZE = 1000;
/** @see Bitcoin Core `TRUC_MAX_WEIGHT`, `TRUC_CHILD_MAX_WEIGHT` */
export const TRUC_MAX_WEIGHT = 4 * MAX_SIZE;
export const TRUC_CHILD_MAX_WEIGHT = 4 * MAX_CHILD_SIZE;
/** A parent and a child. */
const MAX_FAMILY = 2;

export interface TrucViolation {
  readonly text: string;
  /** The parent's other child, which may be evicted although it spends other coins. */
  readonly sibling?: PoolEntry;
}

const names = ({ id, tx }: Pick<ChainTx, 'id' | 'tx'>): string => `${formatTxid(id)} (wtxid=${formatTxid(wtxid(tx))})`;

/** Returns the parents in the mempool, or all ancestors, in the order of their ids. */
function pooledRelatives({ chain, policy }: TrucTerms, entry: PoolEntry): readonly PoolEntry[] {
  const relatives =
    policy.rules.trucRelatives === 'parents' ? poolLinks(chain).findParents(entry) : mempoolAncestors(chain, entry);
  return [...relatives].sort(compareById);
}

interface TrucTerms {
  readonly chain: Chain;
  readonly policy: MempoolPolicy;
}

export const isTruc = ({ tx }: Pick<ChainTx, 'tx'>): boolean => tx.version === TRUC_VERSION;
const tooManyAncestors = (entry: PoolEntry): TrucViolation => ({
  text: `tx ${names(entry)} would have too many ancestors`,
});
const tooManyDescendants = (parent: ChainTx): string => `tx ${names(parent)} would exceed descendant count limit`;

/**
 * Checks a transaction against its parents in the mempool. `conflicts`: those that it replaces.
 * @see BIP431; Bitcoin Core `SingleTRUCChecks`
 */
export function trucViolation(
  terms: TrucTerms,
  entry: PoolEntry,
  conflicts: ReadonlySet<TxKey>,
): TrucViolation | undefined {
  const { chain } = terms;
  const parents = pooledRelatives(terms, entry);
  const text = versionFault(entry, parents) ?? (isTruc(entry) ? sizeFault(entry) : undefined);
  if (!isTruc(entry) || text !== undefined) return text === undefined ? undefined : { text };
  const [parent] = parents;
  if (!parent) return undefined;
  if (parents.length + 1 > MAX_FAMILY || mempoolAncestors(chain, parent).length > 0) return tooManyAncestors(entry);
  if (sizeOfWeight(entry.policyWeight) > MAX_CHILD_SIZE) return { text: childSizeText(entry) };
  const descendants = mempoolDescendants(chain, [parent]);
  const isReplacing = descendants.some(({ key }) => conflicts.has(key));
  if (descendants.length === 0 || isReplacing) return undefined;
  const [sibling] = descendants;
  const canEvict = descendants.length === 1 && sibling && mempoolAncestors(chain, sibling).length === 1;
  return { text: tooManyDescendants(parent), ...(canEvict && { sibling }) };
}

function versionFault(entry: ChainTx, parents: readonly ChainTx[]): string | undefined {
  const other = parents.find((parent) => isTruc(parent) !== isTruc(entry));
  if (!other) return undefined;
  return isTruc(entry)
    ? `version=3 tx ${names(entry)} cannot spend from non-version=3 tx ${names(other)}`
    : `non-version=3 tx ${names(entry)} cannot spend from version=3 tx ${names(other)}`;
}

function sizeFault(entry: PoolEntry): string | undefined {
  const size = sizeOfWeight(entry.policyWeight);
  return size > MAX_SIZE ? `version=3 tx ${names(entry)} is too big: ${size} > ${MAX_SIZE} virtual bytes` : undefined;
}

const childSizeText = (entry: PoolEntry): string =>
  `version=3 child tx ${names(entry)} is too big: ${sizeOfWeight(entry.policyWeight)} > ${MAX_CHILD_SIZE} virtual bytes`;

/**
 * Checks a transaction against its parents in the mempool and the package. `others`: the package, in order.
 * @see Bitcoin Core `PackageTRUCChecks`
 */
export function packageTrucFault(terms: TrucTerms, entry: PoolEntry, others: readonly PoolEntry[]): string | undefined {
  const { chain } = terms;
  const spent = new Set(entry.tx.inputs.map(({ outpoint }) => formatTxid(outpoint.txid)));
  const before = others.slice(0, others.indexOf(entry)).filter(({ id }) => spent.has(formatTxid(id)));
  const pooled = pooledRelatives(terms, entry);
  const parents = [...pooled, ...before];
  if (!isTruc(entry)) return versionFault(entry, parents);
  const [parent] = parents;
  const above = pooled[0] ? mempoolAncestors(chain, pooled[0]).length : 0;
  if (parents.length + above + 1 > MAX_FAMILY) return tooManyAncestors(entry).text;
  if (!parent) return undefined;
  if (sizeOfWeight(entry.policyWeight) > MAX_CHILD_SIZE) return childSizeText(entry);
  return versionFault(entry, [parent]) ?? familyFault(chain, entry, { parent, others, isPooled: pooled.length > 0 });
}

interface Family {
  readonly parent: PoolEntry;
  readonly others: readonly PoolEntry[];
  readonly isPooled: boolean;
}

function familyFault(chain: Chain, entry: PoolEntry, { parent, others, isPooled }: Family): string | undefined {
  for (const other of others) {
    if (other === entry) continue;
    for (const { outpoint } of other.tx.inputs) {
      const spent = formatTxid(outpoint.txid);
      if (spent === formatTxid(parent.id)) return tooManyDescendants(parent);
      if (spent === formatTxid(entry.id)) return tooManyAncestors(other).text;
    }
  }
  return isPooled && mempoolDescendants(chain, [parent]).length > 0 ? tooManyDescendants(parent) : undefined;
}
