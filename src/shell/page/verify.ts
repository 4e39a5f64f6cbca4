import type { Ecc } from '../../core/crypto/ecc.ts';
import { type ScriptOutcome, scriptErrorText } from '../../core/interpreter/result.ts';
import { verifyTransaction } from '../../core/interpreter/verifyTransaction.ts';
import type { Network } from '../../core/network/networks.ts';
import { isFinal } from '../../core/psbt/format/nodeOrder.ts';
import { assemble } from '../../core/psbt/roles/extractor.ts';
import type { InputReview } from '../../core/review/inputReview.ts';
import { checkInputValues, checkTransaction } from '../../core/tx/check.ts';
import { formatTxid } from '../../core/tx/txid.ts';
import type { Transaction, TxOut } from '../../core/tx/types.ts';
import { failureReason } from '../../kit/trace/failureReasons.ts';
import { knownPrevouts } from '../../kit/trace/knownPrevouts.ts';
import { formatEnding, writeSteps } from '../../kit/trace/traceText.ts';
import type { TraceView, VerdictView } from './protocol.ts';
import { refuse } from './refusals.ts';
import type { ReviewedDocument } from './reviewDocument.ts';

type Reason = readonly [kind: Exclude<VerdictView['kind'], 'valid'>, text: string];

export function verifyDocument(
  reviewed: ReviewedDocument,
  { network, ecc }: { readonly network: Network; readonly ecc: Ecc },
): VerdictView {
  const { document, review, final } = reviewed;
  const { tx, coins } = spendOf(reviewed);
  const known = coins.flatMap((coin) => coin ?? []);
  const prevouts = known.length === tx.inputs.length ? known : undefined;
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

/** Traces the scripts of an input. @throws `page/refused` if there is no such input, or a coin is not known */
export function traceDocument(reviewed: ReviewedDocument, inputIndex: number, ecc: Ecc): TraceView {
  const { tx, coins } = spendOf(reviewed);
  if (inputIndex >= tx.inputs.length) {
    refuse(`There is no input ${inputIndex}: the last one is ${tx.inputs.length - 1}`);
  }
  const prevouts = knownPrevouts(coins, inputIndex);
  if (typeof prevouts === 'number') {
    return refuse('Not all coins are known: open the transactions they come from, or the PSBT');
  }
  let steps = '';
  const { result, ending } = writeSteps({ tx, inputIndex, prevouts, ecc }, {}, (lines) => {
    steps += lines;
  });
  const [sentence] = ending;
  const reason = result.outcome.kind === 'invalid' ? failureReason(result.outcome.error) : undefined;
  return {
    isValid: !reason,
    explanation: [sentence.text, ...(reason ? [reason.meaning, reason.advice] : [])],
    steps: steps + formatEnding(ending),
  };
}

/** Returns the transaction as far as it is signed, and for each input the coin that it spends, if that is known. */
function spendOf({ document, job: { session }, final }: ReviewedDocument): {
  readonly tx: Transaction;
  readonly coins: readonly (TxOut | undefined)[];
} {
  const tx = final ?? document.tx ?? assemble(session.tx, document.psbt.inputs);
  return { tx, coins: session.coins.map((inputCoin) => inputCoin?.coin) };
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
