import type { FinishedPsbt } from '../../core/job/job.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import { unsignedTransaction } from '../../core/psbt/format/version.ts';
import { isCommitment } from '../../core/review/purpose.ts';
import { type PsbtReview, reviewPsbt } from '../../core/review/reviewPsbt.ts';
import type { SessionOptions } from '../../core/signing/sessionOptions.ts';
import { paysNothing } from '../../core/tx/message.ts';
import { formatMessagePsbt } from '../../kit/message/messagePsbt.ts';

/** Says what is signed of a PSBT that is not a payment, which nobody broadcasts; `undefined` while signatures are missing. */
export function messageText(
  { psbt, isComplete, inputs }: FinishedPsbt,
  { purpose }: Pick<PsbtReview, 'purpose'>,
  name = 'the PSBT',
): string | undefined {
  if (purpose.kind === 'message' && isComplete) {
    return `the message is signed. Next: give this signature to whoever asked for it (verifymessage --bip322 verifies it): ${formatMessagePsbt(psbt)}`;
  }
  const isProven = inputs.every((input) => input.isComplete || isCommitment(purpose, input.inputIndex));
  return purpose.kind === 'proof-of-reserves' && isProven
    ? `all coins of the proof are signed. Next: give ${name} to whoever asked for it`
    : undefined;
}

/** Returns the signature of a message that a final PSBT holds; `undefined` for a payment. */
export const messageSignature = (psbt: Psbt, options: SessionOptions): string | undefined =>
  paysNothing(unsignedTransaction(psbt)) && reviewPsbt(psbt, options).purpose.kind === 'message'
    ? formatMessagePsbt(psbt, options)
    : undefined;
