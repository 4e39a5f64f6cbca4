import { formatHex } from '../../core/bytes/hex.ts';
import { isBtcError } from '../../core/errors.ts';
import type { Holder } from '../../core/holder/holder.ts';
import { type Job, openJob, reviewJob, signJob } from '../../core/job/job.ts';
import { type Musig2Source, nextMusig2Round } from '../../core/job/musig2Round.ts';
import { findNextStep } from '../../core/job/nextStep.ts';
import { isUnacceptable } from '../../core/job/openReason.ts';
import { progressText, psbtProgress, type Standing } from '../../core/job/progress.ts';
import type { Network, NetworkName } from '../../core/network/networks.ts';
import { isFinal } from '../../core/psbt/format/nodeOrder.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { lacksScripts, unsignedTransaction } from '../../core/psbt/format/version.ts';
import { extractTransaction } from '../../core/psbt/roles/extractor.ts';
import { otherMastersText } from '../../core/report/openingHints.ts';
import { reviewToJson } from '../../core/report/reviewJson.ts';
import type { PolicyCheck } from '../../core/review/finding.ts';
import type { ProveName } from '../../core/review/paymentName.ts';
import type { PsbtReview } from '../../core/review/reviewPsbt.ts';
import { encodeTransaction } from '../../core/tx/codec.ts';
import { formatTxid, txid } from '../../core/tx/txid.ts';
import type { Transaction } from '../../core/tx/types.ts';
import { transactionSize } from '../../core/tx/weight.ts';
import { formatMessagePsbt } from '../../kit/message/messagePsbt.ts';
import { proveName } from '../../kit/names/proveName.ts';
import { drawReview } from '../../kit/picture/drawReview.ts';
import { looksSigned, type OpenDocument } from './openDocument.ts';
import type { Wallets } from './pageWallets.ts';
import type { DocumentView, FinalView } from './protocol.ts';
import { sentence } from './refusals.ts';

export interface ReviewedDocument {
  readonly document: OpenDocument;
  readonly holder: Holder;
  readonly job: Job;
  readonly review: PsbtReview;
  readonly final: Transaction | undefined;
  readonly view: DocumentView;
}

/** Proves names by the clock of the machine. */
const proveNow: ProveName = (record, network) => proveName(record, { network, now: Math.floor(Date.now() / 1000) });

export function reviewDocument(
  document: OpenDocument,
  { wallets, network }: { readonly wallets: Pick<Wallets, 'holderFor'>; readonly network: Network },
): ReviewedDocument {
  const { holder } = wallets.holderFor(network);
  const job = openJob(document.psbt, holder, { addsShares: true });
  const review = reviewJob(job, { proveName: proveNow });
  const standing = psbtProgress(job.psbt, { ...job.shared, held: job.held });
  const { inputs, openReason } = standing;
  const { final, ...signed } = outcomeOf(document, standing, { job, review });
  const nextStep = findNextStep(inputs);
  const musig2 = lacksScripts(job.psbt) ? NO_ROUND : nextMusig2Round(job);
  const hasRound = musig2.nonces + musig2.partialSignatures > 0;
  const view: DocumentView = {
    kind: document.tx ? 'transaction' : 'psbt',
    name: document.name,
    txid: formatTxid(txid(final ?? document.tx ?? unsignedTransaction(document.psbt))),
    parts: document.parts,
    network: network.name as NetworkName,
    warnings: collectWarnings(document, review, holder),
    review: reviewToJson(review),
    pictures: { wide: drawReview(review, { width: 720 }), narrow: drawReview(review, { width: 280 }) },
    progress: inputs.map(progressText),
    canSign: !final && (hasRound || countSignatures({ job, review }) > 0),
    musig2,
    final: final && finalView(final),
    ...(openReason && { openReason }),
    ...(nextStep && { nextStep }),
    ...signed,
  };
  return { document, holder, job, review, final, view };
}

/** Returns what is passed on once all have signed: a transaction, or in its place the signature of a message. */
function outcomeOf(
  { tx }: OpenDocument,
  { finalized, openReason }: Standing,
  { job, review }: Pick<ReviewedDocument, 'job' | 'review'>,
): Pick<ReviewedDocument, 'final'> & Pick<DocumentView, 'signature'> {
  const { ecc, cache } = job.shared;
  if (!finalized.isComplete || isUnacceptable(openReason)) {
    return { final: tx && looksSigned(tx) ? tx : undefined };
  }
  return review.purpose.kind === 'message'
    ? { final: undefined, signature: formatMessagePsbt(finalized.psbt, { ecc, cache }) }
    : { final: extractTransaction(finalized.psbt, { ecc, cache }) };
}

const NO_ROUND = { nonces: 0, partialSignatures: 0, waiting: 0 } as const;

function collectWarnings({ notes }: OpenDocument, review: PsbtReview, holder: Holder): readonly string[] {
  const masters = otherMastersText(review, holder);
  return [...notes, ...(masters === undefined ? [] : [sentence(masters)])];
}

const finalView = (tx: Transaction): FinalView => ({
  txid: formatTxid(txid(tx)),
  hex: formatHex(encodeTransaction(tx)),
  vsize: transactionSize(tx).vsize,
});

export function countSignatures({ job: { psbt, held }, review }: Pick<ReviewedDocument, 'job' | 'review'>): number {
  return review.inputs.reduce((count, { inputIndex, missingSignatures }) => {
    if (isFinal(psbt.inputs[inputIndex] ?? {})) return count;
    const own = missingSignatures.filter(({ publicKey }) => held.canSign(publicKey));
    // After a key path signature, no leaf is signed.
    return count + (own.some(({ publicKey, leafHash }) => publicKey.length === 32 && !leafHash) ? 1 : own.length);
  }, 0);
}

/**
 * Signs with all keys, with the refusals in `overrides` as warnings.
 * @throws `policy/refused`; `account/nothing-signed` if no key could sign
 */
export function signDocument(
  { document, job, review, holder }: ReviewedDocument,
  { overrides, musig2 }: { readonly overrides: readonly PolicyCheck[]; readonly musig2?: Musig2Source },
): OpenDocument {
  const accepted = new Set(overrides);
  const findings = review.findings.map((finding) =>
    accepted.has(finding.check) ? { ...finding, action: 'warn' as const } : finding,
  );
  const types = accepted.has('sighash-unnamed') ? unnamedTypes(review) : [];
  const judged = { ...review, findings };
  const options = musig2 ? { musig2 } : {};
  if (types.length === 0) return { ...document, psbt: signJob(job, judged, options).psbt };
  // Accepting the hash types that the PSBT asks for names them: each is signed in turn.
  let psbt: Psbt | undefined;
  let refusal: unknown;
  for (const sighashType of [undefined, ...types]) {
    const again = openJob(psbt ?? document.psbt, holder, {
      addsShares: true,
      ...(sighashType !== undefined && { sighashType }),
    });
    try {
      psbt = signJob(again, judged, options).psbt;
    } catch (error) {
      if (!isBtcError(error, 'account/nothing-signed')) throw error;
      refusal = error;
    }
  }
  if (!psbt) throw refusal;
  return { ...document, psbt };
}

function unnamedTypes({ inputs, findings }: PsbtReview): readonly number[] {
  const asking = new Set(
    findings.filter(({ check }) => check === 'sighash-unnamed').map(({ inputIndex }) => inputIndex),
  );
  return [...new Set(inputs.filter(({ inputIndex }) => asking.has(inputIndex)).map(({ sighashType }) => sighashType))];
}
