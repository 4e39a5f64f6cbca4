import type { Ecc } from '../../core/crypto/ecc.ts';
import { scriptErrorText } from '../../core/interpreter/result.ts';
import { verifyTransaction } from '../../core/interpreter/verifyTransaction.ts';
import type { Network } from '../../core/network/networks.ts';
import { isFinal } from '../../core/psbt/format/nodeOrder.ts';
import { assemble } from '../../core/psbt/roles/extractor.ts';
import { checkInputValues, checkTransaction } from '../../core/tx/check.ts';
import { formatTxid } from '../../core/tx/txid.ts';
import type { Transaction } from '../../core/tx/types.ts';
import type { VerdictView } from './protocol.ts';
import type { ReviewedDocument } from './reviewDocument.ts';

export function verifyDocument(
  { document, job, review, final }: ReviewedDocument,
  { network, ecc }: { readonly network: Network; readonly ecc: Ecc },
): VerdictView {
  const { session } = job;
  const tx = final ?? document.tx ?? assemble(session.tx, document.psbt.inputs);
  const prevouts = session.coins.flatMap((inputCoin) => inputCoin?.coin ?? []);
  if (prevouts.length === tx.inputs.length) return verdict(verifyWhole(tx, prevouts, { network, ecc }));
  const faults = review.inputs.flatMap(({ inputIndex, coin, isFinalValid, outpoint }) => {
    if (!coin) {
      const place = outpoint ? ` (${formatTxid(outpoint.txid)}, output ${outpoint.vout})` : '';
      return [`Input ${inputIndex} spends an unknown coin${place}: open the transaction it comes from, or the PSBT.`];
    }
    return isFinalValid
      ? []
      : [
          `Input ${inputIndex} ${isFinal(document.psbt.inputs[inputIndex] ?? {}) ? 'does not validly spend its coin' : 'is not signed'}.`,
        ];
  });
  return verdict(faults);
}

const verdict = (faults: readonly string[]): VerdictView => ({ isValid: faults.length === 0, faults });

function verifyWhole(
  tx: Transaction,
  prevouts: Parameters<typeof verifyTransaction>[1],
  { network: { maxMoney }, ecc }: { readonly network: Network; readonly ecc: Ecc },
): readonly string[] {
  const fault = checkTransaction(tx, { maxMoney }) ?? checkInputValues(tx, prevouts, { maxMoney });
  const { inputs } = verifyTransaction(tx, prevouts, { ecc });
  return [
    ...(fault === undefined ? [] : [`A node would refuse the transaction: ${fault}.`]),
    ...inputs.flatMap((outcome, index) => {
      if (outcome.kind === 'valid') return [];
      const { scriptSig, witness } = tx.inputs[index] ?? { scriptSig: { length: 0 }, witness: [] };
      if (scriptSig.length === 0 && witness.length === 0) return [`Input ${index} is not signed.`];
      return [`Input ${index} does not validly spend its coin: ${scriptErrorText(outcome.error)}.`];
    }),
  ];
}
