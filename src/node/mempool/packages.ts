import { outpointTxKey, outputKey } from '../../core/tx/txid.ts';
import type { OutpointKey } from '../../core/tx/types.ts';
import { transactionSize } from '../../core/tx/weight.ts';
import { coinAt } from '../chain/chainState.ts';
import type { ChainCoin, ChainTx } from '../chain/types.ts';
import { type Admission, type Gate, preCheck, type Verdict } from './acceptance.ts';
import { ephemeralFault } from './ephemeral.ts';
import { packageFamilyFault } from './familyLimits.ts';
import { because, type Rejection } from './mempoolPolicy.ts';
import { clusterFault } from './replacement.ts';
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
 * Judges transactions that may spend each other's outputs, but replace none.
 * @see Bitcoin Core `MemPoolAccept::AcceptMultipleTransactions`
 */
export function judgePackage(gate: Gate, txs: readonly ChainTx[]): PackageVerdict {
  const rejection = because(packageFault(txs));
  if (rejection) return { rejection, verdicts: new Map() };
  const admissions: Admission[] = [];
  const created = new Map<OutpointKey, ChainCoin>();
  for (const [index, tx] of txs.entries()) {
    const findCoin = (key: OutpointKey): ChainCoin | undefined => created.get(key) ?? coinAt(gate.chain, key);
    const verdict = preCheck(gate, tx, { replaces: false, findCoin, isInPackage: true });
    if (verdict.kind !== 'accepted') return { verdicts: new Map([[index, verdict]]) };
    admissions.push(verdict.admission);
    for (const [vout, output] of tx.tx.outputs.entries()) {
      created.set(outputKey(tx.key, vout), { ...output, height: undefined, isCoinbase: false });
    }
  }
  return judgeTogether(gate, admissions);
}

/** @see Bitcoin Core `IsWellFormedPackage` */
function packageFault(txs: readonly ChainTx[]): string | undefined {
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

function judgeTogether(gate: Gate, admissions: readonly Admission[]): PackageVerdict {
  const { chain, policy, scriptFault } = gate;
  const entries = admissions.map(({ entry }) => entry);
  for (const entry of entries) {
    const detail = packageTrucFault(chain, entry, entries);
    if (detail !== undefined) return { rejection: { reason: 'TRUC-violation', detail }, verdicts: new Map() };
  }
  const rejection = policy.rules.cluster ? clusterFault(gate, entries) : packageFamilyFault(chain, entries);
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
