import { formatHex } from '../../core/bytes/hex.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { isBtcError } from '../../core/errors.ts';
import type { Network, NetworkName } from '../../core/network/networks.ts';
import { isFinal } from '../../core/psbt/format/nodeOrder.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { unsignedTransaction } from '../../core/psbt/format/version.ts';
import { extractTransaction } from '../../core/psbt/roles/extractor.ts';
import { isUnacceptable } from '../../core/review/openReason.ts';
import { createFindPlace } from '../../core/review/ownership.ts';
import type { PolicyCheck } from '../../core/review/policy.ts';
import { progressText, psbtProgress } from '../../core/review/progress.ts';
import type { PsbtReview } from '../../core/review/reviewPsbt.ts';
import { keyFinder } from '../../core/review/reviewTransaction.ts';
import { findOtherNetwork, otherMastersText } from '../../core/review/text/openingHints.ts';
import { reviewToJson } from '../../core/review/text/reviewJson.ts';
import { createFindOrigins } from '../../core/review/verifiedOrigins.ts';
import { encodeTransaction } from '../../core/tx/codec.ts';
import { formatTxid, txid } from '../../core/tx/txid.ts';
import type { Transaction } from '../../core/tx/types.ts';
import { transactionSize } from '../../core/tx/weight.ts';
import {
  type AccountKeys,
  reviewUpdated,
  signUpdated,
  type UpdatedPsbt,
  updateWithAccount,
} from '../../kit/account/accountPsbt.ts';
import { looksSigned, type OpenDocument } from './openDocument.ts';
import type { Wallets } from './pageWallets.ts';
import type { DocumentView, FinalView } from './protocol.ts';
import { sentence } from './refusals.ts';

export interface ReviewedDocument {
  readonly document: OpenDocument;
  readonly keys: AccountKeys;
  readonly updated: UpdatedPsbt;
  readonly review: PsbtReview;
  readonly final: Transaction | undefined;
  readonly view: DocumentView;
}

export function reviewDocument(
  document: OpenDocument,
  { wallets, network, ecc }: { readonly wallets: Wallets; readonly network: Network; readonly ecc: Ecc },
): ReviewedDocument {
  const all = wallets.keysFor(network);
  const updated = updateWithAccount(document.psbt, all.keys);
  const review = reviewUpdated(updated, network);
  const { inputs, finalized, openReason } = psbtProgress(updated.psbt, {
    ...updated.shared,
    findOrigins: createFindOrigins(createFindPlace(updated.search)),
  });
  const extracted =
    finalized.isComplete && !isUnacceptable(openReason)
      ? extractTransaction(finalized.psbt, { ecc, cache: updated.shared.cache })
      : undefined;
  const final = extracted ?? (document.tx && looksSigned(document.tx) ? document.tx : undefined);
  const view: DocumentView = {
    kind: document.tx ? 'transaction' : 'psbt',
    name: document.name,
    txid: formatTxid(txid(final ?? document.tx ?? unsignedTransaction(document.psbt))),
    parts: document.parts,
    network: network.name as NetworkName,
    warnings: collectWarnings(document, review, all.keys),
    review: reviewToJson(review),
    descriptorWallets: all.owners,
    progress: inputs.map(progressText),
    canSign: !final && countSignatures({ updated, review }) > 0,
    final: final && finalView(final),
    ...(openReason && { openReason }),
  };
  return { document, keys: { ...all.keys, ecc }, updated, review, final, view };
}

function collectWarnings({ psbt, notes }: OpenDocument, review: PsbtReview, keys: AccountKeys): readonly string[] {
  const { network } = keys;
  const theirs = findOtherNetwork(psbt, network);
  const masters = otherMastersText(review, keys.masters);
  return [
    ...notes,
    ...(theirs === undefined
      ? []
      : [`This PSBT’s key paths are for ${theirs}, but addresses are shown for ${network.name}: choose its network.`]),
    ...(masters === undefined ? [] : [sentence(masters)]),
  ];
}

const finalView = (tx: Transaction): FinalView => ({
  txid: formatTxid(txid(tx)),
  hex: formatHex(encodeTransaction(tx)),
  vsize: transactionSize(tx).vsize,
});

export function countSignatures({
  updated: { psbt, provider },
  review,
}: Pick<ReviewedDocument, 'updated' | 'review'>): number {
  const holdsKey = keyFinder(provider);
  return review.inputs.reduce((count, { inputIndex, missingSignatures }) => {
    if (isFinal(psbt.inputs[inputIndex] ?? {})) return count;
    const own = missingSignatures.filter(({ publicKey }) => holdsKey(publicKey));
    // After a key path signature, no leaf is signed.
    return count + (own.some(({ publicKey, leafHash }) => publicKey.length === 32 && !leafHash) ? 1 : own.length);
  }, 0);
}

/**
 * Signs with all keys, with the refusals in `overrides` as warnings.
 * @throws `policy/refused`; `account/nothing-signed` if no key could sign
 */
export function signDocument(
  { document, updated, review, keys }: ReviewedDocument,
  overrides: readonly PolicyCheck[],
): OpenDocument {
  const accepted = new Set(overrides);
  const findings = review.findings.map((finding) =>
    accepted.has(finding.check) ? { ...finding, action: 'warn' as const } : finding,
  );
  const types = accepted.has('sighash-unnamed') ? unnamedTypes(review) : [];
  const judged = { ...review, findings };
  if (types.length === 0) return { ...document, psbt: signUpdated(updated, judged).psbt };
  // Accepting the hash types that the PSBT asks for names them: each is signed in turn.
  let psbt: Psbt | undefined;
  let refusal: unknown;
  for (const sighashType of [undefined, ...types]) {
    const again = updateWithAccount(psbt ?? document.psbt, keys, sighashType === undefined ? {} : { sighashType });
    try {
      psbt = signUpdated(again, judged).psbt;
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
