import { scriptErrorIn } from '../../answers/views/inputErrors.ts';
import { type ScriptFlags, STANDARD_FLAGS } from '../../core/interpreter/flags.ts';
import { scriptErrorText } from '../../core/interpreter/result.ts';
import { verifyInput, verifyTransaction } from '../../core/interpreter/verifyTransaction.ts';
import { formatTxid, wtxid } from '../../core/tx/txid.ts';
import type { TxOut } from '../../core/tx/types.ts';
import type { ChainTx } from '../chain/types.ts';
import type { Gate } from '../mempool/acceptance.ts';
import type { Rejection } from '../mempool/mempoolPolicy.ts';
import { nodeMethodRules } from './chainRules.ts';
import type { NodeContext } from './context.ts';

export const createGate = (context: NodeContext): Gate => ({
  chain: context.node.chain,
  policy: context.mempool,
  scriptFault: (tx, coins) => scriptFault(tx, coins, context),
});

/** The mandatory flags of 0.21, whose error text says whether they alone make a script fail. */
const MANDATORY_IN_021: ScriptFlags = new Set(['P2SH']);

/** @see Bitcoin Core `CheckInputScripts` */
function scriptFault(
  { tx, id }: ChainTx,
  prevouts: readonly TxOut[],
  { dialect, ecc }: NodeContext,
): Rejection | undefined {
  const withEcc = ecc && { ecc };
  const options = { flags: STANDARD_FLAGS, knowsAnchors: dialect.templates.anchor, ...withEcc };
  const { inputs } = verifyTransaction(tx, prevouts, options);
  const inputIndex = inputs.findIndex(({ kind }) => kind === 'invalid');
  const [failure, input] = [inputs[inputIndex], tx.inputs[inputIndex]];
  if (failure?.kind !== 'invalid' || !input) return undefined;
  const text = scriptErrorText(scriptErrorIn(failure, dialect));
  if (nodeMethodRules[dialect.generation].locatesScriptFailures) {
    const { txid: spent, vout } = input.outpoint;
    const where = `input ${inputIndex} of ${formatTxid(id)} (wtxid ${formatTxid(wtxid(tx))})`;
    return {
      reason: `mempool-script-verify-flag-failed (${text})`,
      detail: `${where}, spending ${formatTxid(spent)}:${vout}`,
    };
  }
  const { kind } = verifyInput({ tx, prevouts, inputIndex, flags: MANDATORY_IN_021, ...withEcc });
  const isMandatory = kind === 'invalid';
  return {
    reason: `${isMandatory ? 'mandatory-script-verify-flag-failed' : 'non-mandatory-script-verify-flag'} (${text})`,
  };
}
