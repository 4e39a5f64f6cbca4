import { outpointTxKey, outputKey } from '../../core/tx/txid.ts';
import type { OutpointKey } from '../../core/tx/types.ts';
import { transactionSize } from '../../core/tx/weight.ts';
import { coinAt } from '../chain/chainState.ts';
import { familyTotals } from '../chain/mempool.ts';
import type { ChainCoin, ChainTx, PoolEntry } from '../chain/types.ts';
import { type Admission, type Gate, type PackageTerms, preCheck, relayFeeFault, type Verdict } from './acceptance.ts';
import { ephemeralFault } from './ephemeral.ts';
import { packageFamilyFault } from './familyLimits.ts';
import { because, type Rejection, rateLimitFault } from './mempoolPolicy.ts';
import { clusterFault, packageReplacementFault, replacedBy } from './replacement.ts';
import { packageTrucFault } from './truc.ts';

export const MAX_PACKAGE_COUNT = 25;
const MAX_PACKAGE_WEIGHT = 404_000;

export interface PackageVerdict {
  /** Set if the package is refused as a whole. */
  readonly rejection?: Rejection;
  /** Verdicts on the first transactions, by position; a refused one ends the list, or is the only one. */
  readonly verdicts: ReadonlyMap<number, Verdict>;
}

/**
 * Judges transactions that may spend each other's outputs.
 * @see Bitcoin Core `MemPoolAccept::AcceptMultipleTransactionsInternal`
 */
export function judgePackage(gate: Gate, txs: readonly ChainTx[], terms: PackageTerms = {}): PackageVerdict {
  const { isSubmitted = false, maxFeeRate } = terms;
  const rejection = because(packageFault(txs));
  if (rejection) return { rejection, verdicts: new Map() };
  const admissions: Admission[] = [];
  const created = new Map<OutpointKey, ChainCoin>();
  for (const [index, tx] of txs.entries()) {
    const findCoin = (key: OutpointKey): ChainCoin | undefined => created.get(key) ?? coinAt(gate.chain, key);
    const replaces = isSubmitted && gate.policy.replaceable !== 'none';
    const verdict = preCheck(gate, tx, {
      replaces,
      findCoin,
      hasCarveOut: false,
      isInPackage: true,
      sharesFees: isSubmitted,
    });
    if (verdict.kind !== 'accepted') return { verdicts: new Map([[index, verdict]]) };
    const expensive = rateLimitFault(verdict.admission.entry, maxFeeRate);
    if (expensive) return { verdicts: new Map([[index, { kind: 'refused', rejection: expensive }]]) };
    admissions.push(verdict.admission);
    for (const [vout, output] of tx.tx.outputs.entries()) {
      created.set(outputKey(tx.key, vout), { ...output, height: undefined, isCoinbase: false });
    }
  }
  return judgeTogether(gate, admissions, isSubmitted);
}

function relationsFault(
  gate: Gate,
  entries: readonly PoolEntry[],
  conflicts: readonly PoolEntry[],
): Rejection | undefined {
  const { chain, policy } = gate;
  const hasClusters = policy.rules.cluster !== undefined;
  return (
    (hasClusters ? undefined : packageFamilyFault(gate, entries)) ??
    (conflicts.length > 0 ? packageReplacementFault(gate, entries, conflicts) : undefined) ??
    (hasClusters ? clusterFault(gate, entries, replacedBy({ chain, conflicts })) : undefined)
  );
}

function sharedFeeFault(gate: Gate, entries: readonly PoolEntry[]): Rejection | undefined {
  if (gate.policy.isSkipped) return undefined;
  const { size, fees } = familyTotals(entries);
  return relayFeeFault(gate, size, fees);
}

/** @see Bitcoin Core `IsWellFormedPackage` */
export function packageFault(txs: readonly ChainTx[]): string | undefined {
  const weight = txs.reduce((sum, { tx }) => sum + transactionSize(tx).weight, 0);
  if (weight > MAX_PACKAGE_WEIGHT) return 'package-too-large';
  if (new Set(txs.map(({ key }) => key)).size < txs.length) return 'package-contains-duplicates';
  const later = new Set(txs.map(({ key }) => key));
  for (const { key, spends } of txs) {
    if (spends.some((spent) => later.has(outpointTxKey(spent)))) return 'package-not-sorted';
    later.delete(key);
  }
  // A transaction that spends a coin twice gets its own verdict.
  const spent = txs.flatMap(({ spends }) => [...new Set(spends)]);
  const isConsistent = new Set(spent).size === spent.length && txs.every(({ tx }) => tx.inputs.length > 0);
  return isConsistent ? undefined : 'conflict-in-package';
}

function judgeTogether(gate: Gate, admissions: readonly Admission[], isSubmitted: boolean): PackageVerdict {
  const { chain, policy, scriptFault } = gate;
  const entries = admissions.map(({ entry }) => entry);
  for (const entry of entries) {
    const detail = packageTrucFault(gate, entry, entries);
    if (detail !== undefined) return { rejection: { reason: 'TRUC-violation', detail }, verdicts: new Map() };
  }
  const unpaid = isSubmitted ? sharedFeeFault(gate, entries) : undefined;
  if (unpaid) return { verdicts: new Map([[entries.length - 1, { kind: 'refused', rejection: unpaid }]]) };
  const conflicts = [...new Set(admissions.flatMap(({ replacement }) => replacement.conflicts))];
  const rejection = relationsFault(gate, entries, conflicts);
  if (rejection) return { rejection, verdicts: new Map() };
  const dust = policy.requiresStandard ? ephemeralFault(chain, policy, entries) : undefined;
  if (dust) {
    return { verdicts: new Map([[entries.indexOf(dust.entry), { kind: 'refused', rejection: dust.rejection }]]) };
  }
  const verdicts = new Map<number, Verdict>();
  for (const [index, admission] of admissions.entries()) {
    const fault = scriptFault(admission.entry, admission.coins);
    verdicts.set(index, fault ? { kind: 'refused', rejection: fault } : { kind: 'accepted', admission });
    if (fault) break;
  }
  return { verdicts };
}
