import { recordedTypes } from '../psbt/format/recordedTypes.ts';
import type { Psbt } from '../psbt/format/types.ts';
import type { FinalizedPsbt } from '../psbt/roles/finalizer.ts';
import type { PsbtSession } from '../psbt/session.ts';
import { finalSignatures } from '../psbt/solveInput.ts';
import { isAnyoneCanPay, leavesOpen, outputMode } from '../sighash/sighashType.ts';

/**
 * Reason why a signed transaction is not ready to broadcast. `no-inputs`: it spends nothing; `inputs-missing`: it pays
 * more than it spends, and others can add inputs; `overspends`: they cannot; `outputs-open`: others can change outputs;
 * `inputs-open`: others can add inputs.
 */
export type OpenReason = 'no-inputs' | 'inputs-missing' | 'overspends' | 'outputs-open' | 'inputs-open';

/** One signature that commits to everything fixes the transaction. */
export function findOpenReason({ inputs }: Psbt, session: PsbtSession): OpenReason | undefined {
  if (inputs.length === 0) return 'no-inputs';
  const spent = session.coins.reduce((sum, prevout) => sum + (prevout?.coin.value ?? 0n), 0n);
  const paid = session.tx.outputs.reduce((sum, { value }) => sum + value, 0n);
  const types: number[] = [];
  for (const [index, input] of inputs.entries()) {
    const { sighashTypes } = finalSignatures({ session, input, index });
    if (!sighashTypes.every(leavesOpen)) return spent < paid ? 'overspends' : undefined;
    types.push(...sighashTypes);
  }
  if (types.length === 0) return 'outputs-open';
  if (spent < paid && types.every(isAnyoneCanPay)) return 'inputs-missing';
  return types.every((type) => outputMode(type) === 'all') ? 'inputs-open' : 'outputs-open';
}

/** Tells whether no node can accept the transaction as it is. */
export const isUnacceptable = (reason: OpenReason | undefined): reason is OpenReason =>
  reason === 'no-inputs' || reason === 'inputs-missing' || reason === 'overspends';

/**
 * Keeps inputs without final fields: all if `finalize` is false, by default those with open signatures unless the
 * transaction is ready: the last signer may need their records.
 */
export function withoutEarlyFinals(
  signed: Psbt,
  finalized: FinalizedPsbt,
  { finalize, isReady }: { readonly finalize: boolean | undefined; readonly isReady: boolean },
): Psbt {
  if (finalize ?? isReady) return finalized.psbt;
  const inputs = finalized.psbt.inputs.map((input, index) => {
    const before = signed.inputs[index] ?? {};
    const isEarly = finalize === false || recordedTypes(before).some(leavesOpen);
    return isEarly && finalized.inputs[index]?.status === 'complete' ? before : input;
  });
  return { ...finalized.psbt, inputs };
}
