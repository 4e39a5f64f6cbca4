import type { Ecc } from '../../core/crypto/ecc.ts';
import { type ScriptOutcome, scriptErrorText } from '../../core/interpreter/result.ts';
import { verifyTransaction } from '../../core/interpreter/verifyTransaction.ts';
import type { Network } from '../../core/network/networks.ts';
import { isFinal } from '../../core/psbt/format/nodeOrder.ts';
import { assemble } from '../../core/psbt/roles/extractor.ts';
import type { InputReview } from '../../core/review/inputReview.ts';
import { checkInputValues, checkTransaction } from '../../core/tx/check.ts';
import { formatTxid } from '../../core/tx/txid.ts';
import type { Transaction } from '../../core/tx/types.ts';
import { explainSpend } from '../../kit/trace/explainSpend.ts';
import { failureReason } from '../../kit/trace/failureReasons.ts';
import { writeTrace } from '../../kit/trace/traceText.ts';
import type { TraceView, VerdictView } from './protocol.ts';
import type { ReviewedDocument } from './reviewDocument.ts';

type Reason = readonly [kind: Exclude<VerdictView['kind'], 'valid'>, text: string];

export function verifyDocument(
  reviewed: ReviewedDocument,
  { network, ecc }: { readonly network: Network; readonly ecc: Ecc },
): VerdictView {
  const { document, review, final } = reviewed;
  const { tx, prevouts } = spendOf(reviewed);
  const { inputs: outcomes } = prevouts ? verifyTransaction(tx, prevouts, { ecc }) : { inputs: [] };
  return verdict([
    ...nodeReasons(tx, prevouts, network),
    ...review.inputs.flatMap((input) => {
      const outcome = outcomes[input.inputIndex];
      if (outcome ? outcome.kind === 'valid' : input.isFinalValid) return [];
      const isSigned = final !== undefined || isFinal(document.psbt.inputs[input.inputIndex] ?? {});
      return [isSigned ? refusalReason(input, outcome) : unsignedReason(input)];
    }),
  ]);
}

/** Traces the scripts of an input. @throws Error with what to do if a coin is not known */
export function traceDocument(reviewed: ReviewedDocument, inputIndex: number, ecc: Ecc): TraceView {
  const { tx, prevouts } = spendOf(reviewed);
  if (inputIndex >= tx.inputs.length) {
    throw new Error(`There is no input ${inputIndex}: the last one is ${tx.inputs.length - 1}.`);
  }
  if (!prevouts) throw new Error('Not all coins are known: open the transactions they come from, or the PSBT.');
  const options = { tx, inputIndex, prevouts, ecc };
  let steps = '';
  const { outcome } = writeTrace(options, {}, (lines) => {
    steps += lines;
  });
  const reason = outcome.kind === 'invalid' ? failureReason(outcome.error) : undefined;
  return {
    isValid: !reason,
    explanation: [explainSpend(options), ...(reason ? [reason.meaning, reason.advice] : [])],
    steps,
  };
}

/** Returns the transaction as far as it is signed, and the coins that it spends if all are known. */
function spendOf({ document, job: { session }, final }: ReviewedDocument): {
  readonly tx: Transaction;
  readonly prevouts: Prevouts | undefined;
} {
  const tx = final ?? document.tx ?? assemble(session.tx, document.psbt.inputs);
  const prevouts = session.coins.flatMap((inputCoin) => inputCoin?.coin ?? []);
  return { tx, prevouts: prevouts.length === tx.inputs.length ? prevouts : undefined };
}

/** The worst kind first. */
const KINDS = ['invalid', 'incomplete', 'unknown'] as const;

const verdict = (reasons: readonly Reason[]): VerdictView => ({
  kind: KINDS.find((kind) => reasons.some(([each]) => each === kind)) ?? 'valid',
  reasons: reasons.map(([, text]) => text),
});

type Prevouts = Parameters<typeof verifyTransaction>[1];

function nodeReasons(tx: Transaction, prevouts: Prevouts | undefined, { maxMoney }: Network): readonly Reason[] {
  const fault = checkTransaction(tx, { maxMoney }) ?? (prevouts && checkInputValues(tx, prevouts, { maxMoney }));
  return fault === undefined ? [] : [['invalid', `A node would refuse the transaction: ${fault}.`]];
}

const unsignedReason = ({ inputIndex, signatures }: InputReview): Reason => [
  'incomplete',
  `Input ${inputIndex} is not ${signatures.length > 0 ? 'completely ' : ''}signed.`,
];

function refusalReason({ inputIndex, coin, outpoint }: InputReview, outcome: ScriptOutcome | undefined): Reason {
  if (!coin) {
    const place = outpoint ? ` (${formatTxid(outpoint.txid)}, output ${outpoint.vout})` : '';
    const text = `Input ${inputIndex} spends an unknown coin${place}: open the transaction it comes from, or the PSBT.`;
    return ['unknown', text];
  }
  const why = outcome?.kind === 'invalid' ? `: ${scriptErrorText(outcome.error)}` : '';
  return ['invalid', `Input ${inputIndex} does not validly spend its coin${why}.`];
}
