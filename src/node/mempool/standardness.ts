import { isPushOnly, isUnspendable } from '../../core/script/instructions.ts';
import { classifyScript, type ScriptTemplate } from '../../core/script/template.ts';
import { dustThreshold } from '../../core/tx/dust.ts';
import type { Transaction, TxOut } from '../../core/tx/types.ts';
import { transactionSize } from '../../core/tx/weight.ts';
import type { MempoolPolicy } from './mempoolPolicy.ts';

const MAX_WEIGHT = 400_000;
const MAX_SCRIPT_SIG_SIZE = 1650;
const MAX_BARE_KEYS = 3;

/** Checks a transaction, whatever it spends. @see Bitcoin Core `IsStandardTx` */
export function standardFault(tx: Transaction, policy: MempoolPolicy): string | undefined {
  const { maxVersion } = policy.rules;
  if (tx.version < 1 || tx.version > maxVersion) return 'version';
  if (transactionSize(tx).weight > MAX_WEIGHT) return 'tx-size';
  for (const { scriptSig } of tx.inputs) {
    if (scriptSig.length > MAX_SCRIPT_SIG_SIZE) return 'scriptsig-size';
    if (!isPushOnly(scriptSig)) return 'scriptsig-not-pushonly';
  }
  return policy.rules.sumsDataCarriers ? outputsFault(tx, policy) : singleCarrierFault(tx, policy);
}

/** Core 30 limits the data of all outputs together, and allows one to be dust. */
function outputsFault(tx: Transaction, policy: MempoolPolicy): string | undefined {
  let remaining = policy.rules.maxDataCarrier;
  for (const { scriptPubKey } of tx.outputs) {
    const template = classifyScript(scriptPubKey, policy.templates);
    if (!isStandard(template)) return 'scriptpubkey';
    if (isRefusedMultisig(template, policy)) return 'bare-multisig';
    if (template.type !== 'nulldata') continue;
    remaining -= scriptPubKey.length;
    if (remaining < 0) return 'datacarrier';
  }
  return hasSeveralDust(tx, policy) ? 'dust' : undefined;
}

const hasSeveralDust = (tx: Transaction, policy: MempoolPolicy): boolean =>
  tx.outputs.filter((output) => isDust(output, policy)).length > 1;

/** Core 29 allows one output to hold data, and one to be dust; 0.21 none. */
function singleCarrierFault(tx: Transaction, policy: MempoolPolicy): string | undefined {
  let carriers = 0;
  for (const output of tx.outputs) {
    const { scriptPubKey } = output;
    const template = classifyScript(scriptPubKey, policy.templates);
    const isCarrier = template.type === 'nulldata';
    if (!isStandard(template) || (isCarrier && scriptPubKey.length > policy.rules.maxDataCarrier))
      return 'scriptpubkey';
    if (isCarrier) carriers += 1;
    else if (isRefusedMultisig(template, policy)) return 'bare-multisig';
    else if (!policy.rules.knowsEphemeralDust && isDust(output, policy)) return 'dust';
  }
  if (hasSeveralDust(tx, policy)) return 'dust';
  return carriers > 1 ? 'multi-op-return' : undefined;
}

const isRefusedMultisig = ({ type }: ScriptTemplate, { permitsBareMultisig }: MempoolPolicy): boolean =>
  type === 'multisig' && !permitsBareMultisig;

/** @see Bitcoin Core `IsStandard` */
function isStandard(template: ScriptTemplate): boolean {
  if (template.type === 'multisig') return template.pubkeys.length <= MAX_BARE_KEYS;
  return template.type !== 'nonstandard';
}

/** @see Bitcoin Core `IsDust` */
export function isDust({ value, scriptPubKey }: TxOut, { dustRate }: Pick<MempoolPolicy, 'dustRate'>): boolean {
  if (isUnspendable(scriptPubKey)) return false;
  return Number(value) < dustThreshold(scriptPubKey, dustRate);
}
