import type { Dialect } from '../../answers/dialect/dialect.ts';
import { scriptErrorIn } from '../../answers/views/inputErrors.ts';
import { STANDARD_FLAGS } from '../../core/interpreter/flags.ts';
import { type ScriptFailure, scriptErrorText } from '../../core/interpreter/result.ts';
import { verifyInput } from '../../core/interpreter/verifyTransaction.ts';
import { inputAt } from '../../core/sighash/midstate.ts';
import { formatTxid, wtxid } from '../../core/tx/txid.ts';
import type { TxOut } from '../../core/tx/types.ts';
import type { BlockValidation } from '../chain/chainState.ts';
import { failedInput } from '../chain/failedInput.ts';
import { floorRate } from '../chain/mempoolFloor.ts';
import type { ChainTx } from '../chain/types.ts';
import type { Gate } from '../mempool/acceptance.ts';
import type { Rejection } from '../mempool/mempoolPolicy.ts';
import { refuseFor } from '../mempool/plannedRefusals.ts';
import { nodeMethodRules } from './chainRules.ts';
import type { NodeContext } from './context.ts';

export const createGate = (context: NodeContext): Gate => ({
  chain: context.node.chain,
  policy: context.mempool,
  floor: mempoolFloor(context),
  scriptFault: (tx, coins) => scriptFault(tx, coins, context),
});

/** Judges a broadcast, which a planned refusal may await. */
export const createBroadcastGate = (context: NodeContext): Gate => ({
  ...createGate(context),
  planned: (entry) => {
    const reason = context.refusals.shift();
    return reason && refuseFor(reason, entry, context.mempool);
  },
});

/** Returns what a mempool that was full asks for, in satoshi per 1000 virtual bytes; 0 for nothing. */
export const mempoolFloor = ({ node, mempool: { maxMemory, rules } }: NodeContext): number =>
  floorRate(node.chain, { now: node.now(), most: maxMemory, increment: rules.incrementalFee });

/** @see Bitcoin Core `CheckInputScripts` */
function scriptFault(
  { tx, id }: ChainTx,
  prevouts: readonly TxOut[],
  { node, dialect, ecc }: NodeContext,
): Rejection | undefined {
  const options = { flags: STANDARD_FLAGS, knowsAnchors: dialect.templates.anchor };
  const failed = failedInput(node.chain, { tx, coins: prevouts }, options);
  if (!failed) return undefined;
  const { index: inputIndex, failure } = failed;
  const withEcc = ecc && { ecc };
  const { locatesScriptFailures, mandatoryFlags } = nodeMethodRules[dialect.generation];
  const textOf = (shown: ScriptFailure): string => scriptErrorText(scriptErrorIn(shown, dialect));
  const again = mandatoryFlags && verifyInput({ tx, prevouts, inputIndex, flags: mandatoryFlags, ...withEcc });
  const reason = !again
    ? `mempool-script-verify-flag-failed (${textOf(failure)})`
    : again.kind === 'invalid'
      ? `mandatory-script-verify-flag-failed (${textOf(locatesScriptFailures ? again : failure)})`
      : `non-mandatory-script-verify-flag (${textOf(failure)})`;
  return {
    reason,
    ...(locatesScriptFailures && { detail: placeOf({ tx, id }, inputIndex) }),
  };
}

function placeOf({ tx, id }: Pick<ChainTx, 'tx' | 'id'>, inputIndex: number): string {
  const { txid, vout } = inputAt(tx, inputIndex).outpoint;
  return `input ${inputIndex} of ${formatTxid(id)} (wtxid ${formatTxid(wtxid(tx))}), spending ${formatTxid(txid)}:${vout}`;
}

/** Reports faults of blocks as a node does whose threads run the scripts. @see Bitcoin Core `ConnectBlock` */
export function createValidation(dialect: Dialect, assumevalid: string | undefined): BlockValidation {
  const { blockScriptReason, locatesScriptFailures, explainsBlockFaults } = nodeMethodRules[dialect.generation];
  return {
    assumevalid,
    explainsFaults: explainsBlockFaults,
    scriptFault: (tx, inputIndex, failure) => ({
      reason: blockScriptReason(scriptErrorText(scriptErrorIn(failure, dialect))),
      ...(locatesScriptFailures && { detail: placeOf(tx, inputIndex) }),
    }),
  };
}
