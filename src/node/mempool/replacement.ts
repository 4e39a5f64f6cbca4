import { formatAmount, formatMoney } from '../../core/encoding/amount.ts';
import { formatTxid } from '../../core/tx/txid.ts';
import type { TxKey } from '../../core/tx/types.ts';
import type { Chain } from '../chain/chainState.ts';
import { compareById, mempoolAncestors, mempoolDescendants, modifiedFee } from '../chain/mempool.ts';
import type { PoolEntry } from '../chain/types.ts';
import { improvesDiagram, linearize } from './chunks.ts';
import { clusterTx, findCluster, poolLinks } from './clusters.ts';
import { virtualSize } from './familyLimits.ts';
import { feeOfSize, type MempoolPolicy, type Rejection } from './mempoolPolicy.ts';

/** Limits clusters in Core 31, transactions in earlier ones. */
const MAX_REPLACED = 100;

export interface Replacement {
  readonly chain: Chain;
  readonly policy: MempoolPolicy;
  readonly entry: PoolEntry;
  /** The spenders of the same coins, and a sibling that it evicts. */
  readonly conflicts: readonly PoolEntry[];
  readonly evictsSibling: boolean;
}

export const replacedBy = ({ chain, conflicts }: Pick<Replacement, 'chain' | 'conflicts'>): readonly PoolEntry[] => [
  ...new Set([...conflicts, ...mempoolDescendants(chain, conflicts)]),
];

export function spendsConflictFault({ chain, entry, conflicts }: Replacement): Rejection | undefined {
  if (conflicts.length === 0) return undefined;
  const keys = new Set(conflicts.map(({ key }) => key));
  const needed = mempoolAncestors(chain, entry).find(({ key }) => keys.has(key));
  if (!needed) return undefined;
  const detail = `${formatTxid(entry.id)} spends conflicting transaction ${formatTxid(needed.id)}`;
  return { reason: 'bad-txns-spends-conflicting-tx', detail };
}

/** @see BIP125; Bitcoin Core 30 `MemPoolAccept::ReplacementChecks`, 0.21 `PreChecks` */
export function familyReplacementFault(replacement: Replacement): Rejection | undefined {
  const { conflicts } = replacement;
  if (conflicts.length === 0) return undefined;
  return (
    rateFault(replacement) ??
    countFault(replacement) ??
    newParentsFault(replacement) ??
    ownFeesFault(replacement, replacedBy(replacement))
  );
}

const rateText = (fee: bigint, size: number, { network, rules }: MempoolPolicy): string =>
  `${formatAmount((fee * 1000n) / BigInt(size))} ${network.ticker}/${rules.rateUnit}`;

/** Requires a higher fee rate than that of each direct conflict. */
function rateFault({ entry, conflicts, policy, evictsSibling }: Replacement): Rejection | undefined {
  const { comparesExactRates } = policy.rules;
  const feeRate = (pooled: PoolEntry): bigint => (modifiedFee(pooled) * 1000n) / BigInt(virtualSize(pooled));
  const formatRate = (pooled: PoolEntry): string => rateText(modifiedFee(pooled), virtualSize(pooled), policy);
  const isNoBetter = (conflict: PoolEntry): boolean =>
    comparesExactRates
      ? modifiedFee(entry) * BigInt(virtualSize(conflict)) <= modifiedFee(conflict) * BigInt(virtualSize(entry))
      : feeRate(entry) <= feeRate(conflict);
  // A node visits them in the order of their ids.
  const better = [...conflicts].sort(compareById).find(isNoBetter);
  if (!better) return undefined;
  const detail = `rejecting replacement ${formatTxid(entry.id)}; new feerate ${formatRate(entry)} <= old feerate ${formatRate(better)}`;
  return { reason: `insufficient fee${evictsSibling ? SIBLING_NOTE : ''}`, detail, isReconsiderable: true };
}

function countFault({ chain, entry, conflicts, policy, evictsSibling }: Replacement): Rejection | undefined {
  const count = conflicts.reduce((sum, conflict) => sum + 1 + mempoolDescendants(chain, [conflict]).length, 0);
  if (count <= MAX_REPLACED) return undefined;
  const what = `too many potential replacements (${count} > ${MAX_REPLACED})`;
  return {
    reason: `too many potential replacements${evictsSibling ? SIBLING_NOTE : ''}`,
    detail: `rejecting replacement ${formatTxid(entry.id)}; ${what}${policy.rules.replacesAny ? '' : '\n'}`,
  };
}

/** BIP125 rule 2: an unconfirmed parent must be a parent of a conflict, too; in Core 30, also of what is replaced. */
function newParentsFault(replacement: Replacement): Rejection | undefined {
  const { chain, entry, conflicts, policy } = replacement;
  const conflictParents = new Set(
    (policy.rules.replacesAny ? replacedBy(replacement) : conflicts).flatMap(({ tx }) =>
      tx.inputs.map(({ outpoint }) => formatTxid(outpoint.txid)),
    ),
  );
  const links = poolLinks(chain);
  const index = entry.tx.inputs.findIndex(
    ({ outpoint }, i) =>
      !conflictParents.has(formatTxid(outpoint.txid)) &&
      links.findParents({ spends: entry.spends.slice(i, i + 1) }).length > 0,
  );
  if (index < 0) return undefined;
  const detail = `replacement ${formatTxid(entry.id)} adds unconfirmed input, idx ${index}`;
  return { reason: 'replacement-adds-unconfirmed', detail };
}

function ownFeesFault(replacement: Replacement, replaced: readonly PoolEntry[]): Rejection | undefined {
  const { entry, policy, evictsSibling } = replacement;
  const detail = feesFault(policy, { entry, fee: modifiedFee(entry), size: virtualSize(entry) }, replaced);
  const reason = `insufficient fee${evictsSibling ? SIBLING_NOTE : ''}`;
  return detail === undefined ? undefined : { reason, detail, isReconsiderable: true };
}

/** What replaces others: `entry` is named in errors. */
interface Payer {
  readonly entry: PoolEntry;
  readonly fee: bigint;
  readonly size: number;
}

/** Requires fees for all that it removes, and for its own relay. @see Bitcoin Core `PaysForRBF` */
/** Returns Core's text for fees that do not pay for what they replace. @see BIP125 rules 3 and 4 */
export function feesFault(
  { rules }: MempoolPolicy,
  { entry, fee: own, size }: Payer,
  replaced: readonly PoolEntry[],
): string | undefined {
  const rejecting = `rejecting replacement ${formatTxid(entry.id)}`;
  const theirs = replaced.reduce((sum, pooled) => sum + modifiedFee(pooled), 0n);
  if (own < theirs) return `${rejecting}, less fees than conflicting txs; ${formatMoney(own)} < ${formatMoney(theirs)}`;
  const needed = feeOfSize(BigInt(rules.incrementalFee), size, rules);
  if (own - theirs >= needed) return undefined;
  return `${rejecting}, not enough additional fees to relay; ${formatMoney(own - theirs)} < ${formatMoney(needed)}`;
}

const SIBLING_NOTE = ' (including sibling eviction)';

/** @see Bitcoin Core `MemPoolAccept::ReplacementChecks` */
export function replacementFault(replacement: Replacement): Rejection | undefined {
  const { conflicts, evictsSibling } = replacement;
  if (conflicts.length === 0) return undefined;
  const replaced = replacedBy(replacement);
  return (
    clustersFault(replacement) ??
    ownFeesFault(replacement, replaced) ??
    clusterFault(replacement, [replacement.entry], replaced) ??
    (improves(replacement.chain, [replacement.entry], replaced)
      ? undefined
      : {
          reason: `replacement-failed${evictsSibling ? SIBLING_NOTE : ''}`,
          detail: NO_IMPROVEMENT,
          isReconsiderable: true,
        })
  );
}

const NO_IMPROVEMENT = 'insufficient feerate: does not improve feerate diagram';

/**
 * Checks a parent and its child that together replace others.
 * @see Bitcoin Core `MemPoolAccept::PackageRBFChecks`
 */
export function packageReplacementFault(
  { chain, policy }: Pick<Replacement, 'chain' | 'policy'>,
  entries: readonly PoolEntry[],
  conflicts: readonly PoolEntry[],
): Rejection | undefined {
  const failed = (reason: string, detail?: string): Rejection => ({
    reason: `package RBF failed: ${reason}`,
    ...(detail !== undefined && { detail }),
  });
  const [parent, child, ...others] = entries;
  if (!parent || !child || others.length > 0) return failed('package must be 1-parent-1-child');
  if (entries.some((entry) => poolLinks(chain).findParents(entry).length > 0))
    return failed('new transaction cannot have mempool ancestors');
  const replacement = { chain, policy, entry: child, conflicts, evictsSibling: false };
  const tooMany = policy.rules.cluster ? clustersFault(replacement) : countFault(replacement);
  if (tooMany) return failed('too many potential replacements', tooMany.detail);
  const replaced = replacedBy(replacement);
  const [fee, size] = [modifiedFee(parent) + modifiedFee(child), virtualSize(parent) + virtualSize(child)];
  const unpaid = feesFault(policy, { entry: child, fee, size }, replaced);
  if (unpaid !== undefined) return failed('insufficient anti-DoS fees', unpaid);
  if (fee * BigInt(virtualSize(parent)) <= modifiedFee(parent) * BigInt(size)) {
    const rates = [rateText(fee, size, policy), rateText(modifiedFee(parent), virtualSize(parent), policy)];
    return failed(
      'package feerate is less than or equal to parent feerate',
      `package feerate ${rates[0]} <= parent feerate is ${rates[1]}`,
    );
  }
  if (!policy.rules.cluster) {
    const detail = topologyFault(chain, replaced);
    if (detail !== undefined) return failed(detail);
  }
  const limits = policy.rules.cluster ? clusterFault({ chain, policy }, entries, replaced) : undefined;
  return limits ?? (improves(chain, entries, replaced) ? undefined : failed(NO_IMPROVEMENT));
}

/**
 * Says which of the replaced transactions has more relatives than a parent or a child: without clusters, nodes compare no
 * others.
 * @see Bitcoin Core 30 `CTxMemPool::CheckConflictTopology`
 */
function topologyFault(chain: Chain, replaced: readonly PoolEntry[]): string | undefined {
  const links = poolLinks(chain);
  const ancestorsOf = (entry: PoolEntry): number => mempoolAncestors(chain, entry).length;
  const descendantsOf = (entry: PoolEntry): number => mempoolDescendants(chain, [entry]).length;
  for (const entry of [...replaced].sort(compareById)) {
    const [id, ancestors, descendants] = [formatTxid(entry.id), ancestorsOf(entry), descendantsOf(entry)];
    if (ancestors > 1) return `${id} has ${ancestors} ancestors, max 1 allowed`;
    if (descendants > 1) return `${id} has ${descendants} descendants, max 1 allowed`;
    if (ancestors > 0 && descendants > 0) {
      return `${id} has both ancestor and descendant, exceeding cluster limit of 2`;
    }
    const [child] = links.findChildren(entry);
    if (child && ancestorsOf(child) > 1) return `${id} is not the only parent of child ${formatTxid(child.id)}`;
    const [parent] = links.findParents(entry);
    if (parent && descendantsOf(parent) > 1) return `${id} is not the only child of parent ${formatTxid(parent.id)}`;
  }
  return undefined;
}

function clustersFault({ chain, entry, conflicts, evictsSibling }: Replacement): Rejection | undefined {
  const links = poolLinks(chain);
  const seen = new Set<TxKey>();
  let count = 0;
  for (const conflict of conflicts) {
    if (seen.has(conflict.key)) continue;
    count += 1;
    for (const { key } of findCluster(links, [conflict])) seen.add(key);
  }
  if (count <= MAX_REPLACED) return undefined;
  const detail = `rejecting replacement ${formatTxid(entry.id)}; too many conflicting clusters (${count} > ${MAX_REPLACED})`;
  return { reason: `too many potential replacements${evictsSibling ? SIBLING_NOTE : ''}`, detail };
}

/** @see Bitcoin Core `ImprovesFeerateDiagram` */
function improves(chain: Chain, added: readonly PoolEntry[], replaced: readonly PoolEntry[]): boolean {
  const removed = new Set(replaced.map(({ key }) => key));
  const links = poolLinks(chain);
  const before = findCluster(links, [...replaced, ...added.flatMap(links.findParents)]);
  const changed = poolLinks(chain, { added, removed });
  const after = findCluster(changed, [...added, ...before.filter(({ key }) => !removed.has(key))]);
  return improvesDiagram(linearize(after.map(clusterTx)), linearize(before.map(clusterTx)));
}

/** @see Bitcoin Core `CheckMemPoolPolicyLimits` */
export function clusterFault(
  { chain, policy }: Pick<Replacement, 'chain' | 'policy'>,
  added: readonly PoolEntry[],
  replaced: readonly PoolEntry[] = [],
): Rejection | undefined {
  const limit = policy.rules.cluster;
  const links = poolLinks(chain, { added, removed: new Set(replaced.map(({ key }) => key)) });
  for (const entry of added) {
    const cluster = findCluster(links, [entry]);
    const weight = cluster.reduce((sum, { policyWeight }) => sum + policyWeight, 0);
    if (limit && (cluster.length > limit.count || weight > 4 * limit.size)) return { reason: 'too-large-cluster' };
  }
  return undefined;
}
