import type { Holder } from '../holder/holder.ts';
import { holdPsbt } from '../holder/owner.ts';
import type { Psbt, PsbtInput } from '../psbt/format/types.ts';
import { withInputSignatureData } from '../psbt/inputSignatureData.ts';
import { beginSession, type PsbtSession, type SessionInput } from '../psbt/session.ts';
import { extractSignatureData } from '../signing/extractSignatureData.ts';
import { produceSignature } from '../signing/produceSignature.ts';
import { noSignatures } from '../signing/signatureCreator.ts';
import { createSignatureData } from '../signing/signatureData.ts';
import { apparentTypes } from '../signing/signatureTypes.ts';
import { scriptChecks } from '../signing/signInput.ts';
import type { SigningProvider } from '../signing/signingProvider.ts';
import { CURRENT_RULES } from '../signing/signingRules.ts';
import type { SpentOutput } from '../signing/txContext.ts';
import type { Transaction, TxIn } from '../tx/types.ts';
import { type PsbtReview, type ReviewOptions, reviewInSession } from './reviewPsbt.ts';

export interface TransactionToReview {
  readonly tx: Transaction;
  /** One per input; `undefined` for unknown ones. */
  readonly prevouts: readonly (SpentOutput | undefined)[];
  /** These prove the amounts. */
  readonly previousTransactions?: readonly (Transaction | undefined)[];
  readonly provider: SigningProvider;
}

/**
 * Reviews a raw transaction as the PSBT that holds the same facts. It cannot carry previous transactions, so by default
 * `legacy-unproven` only warns.
 */
export function reviewTransaction(
  transaction: TransactionToReview,
  options: ReviewOptions & { readonly holder: Holder },
): PsbtReview {
  const { provider } = transaction;
  const policy = { 'legacy-unproven': 'warn', ...options.policy } as const;
  const unsigned = unsignedPsbt(transaction);
  const session = beginSession(unsigned, options);
  const psbt = withHeld(session, unsigned, transaction);
  const held = holdPsbt(options.holder, psbt);
  const review = reviewInSession(session, psbt, { publicKey: provider.publicKey, ...options, held, policy });
  const inputs = review.inputs.map((input) => ({
    ...input,
    scriptPubKey: input.scriptPubKey ?? transaction.prevouts[input.inputIndex]?.scriptPubKey,
  }));
  return { ...review, inputs };
}

const NOTHING = new Uint8Array(0);

function unsignedPsbt({ tx, prevouts, previousTransactions }: TransactionToReview): Psbt {
  const inputs = tx.inputs.map((_, index): PsbtInput => {
    const { scriptPubKey, value } = prevouts[index] ?? {};
    const nonWitnessUtxo = previousTransactions?.[index];
    return {
      ...(nonWitnessUtxo && { nonWitnessUtxo }),
      ...(scriptPubKey && value !== undefined && { witnessUtxo: { scriptPubKey, value } }),
    };
  });
  const unsignedTx = { ...tx, inputs: tx.inputs.map((input) => ({ ...input, scriptSig: NOTHING, witness: [] })) };
  return { global: { unsignedTx }, inputs, outputs: tx.outputs.map(() => ({})) };
}

function withHeld(session: PsbtSession, psbt: Psbt, { tx, prevouts, provider }: TransactionToReview): Psbt {
  const inputs = psbt.inputs.map((input, index) => {
    const txIn = tx.inputs[index];
    const spent = prevouts[index];
    if (!txIn) return input;
    return spent ? withHeldInput({ session, input, index }, { txIn, spent, provider }) : withFinal(input, txIn);
  });
  return { ...psbt, inputs };
}

function withFinal(input: PsbtInput, { scriptSig, witness }: TxIn): PsbtInput {
  return { ...input, finalScriptSig: scriptSig, finalScriptWitness: witness };
}

/**
 * Adds the scriptSig and witness of an input: as final fields if they spend the output, else as partial signatures. If
 * they hold further signatures, they stay final, and the review refuses them: one may be valid for another output or
 * amount than the caller was shown.
 */
function withHeldInput(
  { session, input, index }: SessionInput,
  { txIn, spent, provider }: { readonly txIn: TxIn; readonly spent: SpentOutput; readonly provider: SigningProvider },
): PsbtInput {
  const rules = CURRENT_RULES;
  const checks = scriptChecks({ ...session, inputIndex: index, coin: spent, rules });
  const { isComplete, ...existing } = extractSignatureData(txIn, checks, rules.templates);
  if (isComplete || apparentTypes(txIn).length > existing.signatures.size) return withFinal(input, txIn);
  const data = createSignatureData(existing);
  produceSignature({ provider, data, creator: noSignatures, rules }, spent.scriptPubKey);
  return withInputSignatureData(input, data);
}
