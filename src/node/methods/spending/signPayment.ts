import { rawTransactionRules } from '../../../answers/arguments/rawTransactionRules.ts';
import { signingDialects } from '../../../answers/dialect/signingDialect.ts';
import { RpcError } from '../../../core/errors.ts';
import type { Psbt } from '../../../core/psbt/format/types.ts';
import { createPsbt } from '../../../core/psbt/roles/creator.ts';
import { SIGHASH } from '../../../core/sighash/sighashType.ts';
import { txid } from '../../../core/tx/txid.ts';
import type { Transaction, Txid } from '../../../core/tx/types.ts';
import type { TxNotes } from '../../wallet/records/walletTx.ts';
import type { WalletContext } from '../context.ts';
import { fillPsbt, signedTransaction } from '../fillPsbt.ts';
import { applyToWallet } from '../importResult.ts';
import { submitTransaction } from '../submitTransaction.ts';

interface SignedPayment {
  readonly psbt: Psbt;
  /** `undefined` while signatures of others are missing. */
  readonly tx: Transaction | undefined;
}

/** Signs as far as the wallet can. `fillsOutputs`: adds what the wallet knows of the outputs to the PSBT. */
export function signPayment(
  tx: Transaction,
  { fillsOutputs }: { readonly fillsOutputs: boolean },
  context: WalletContext,
): SignedPayment {
  // 0.21 has no DEFAULT.
  const { knowsSighashDefault } = rawTransactionRules[context.dialect.generation];
  const sighashType = knowsSighashDefault ? undefined : SIGHASH.ALL;
  const { psbt, isComplete } = fillPsbt(
    createPsbt(tx, { version: signingDialects[context.dialect.name].psbtVersions[0] }),
    { signs: true, sighashType, fillsOutputs },
    context,
  );
  return { psbt, tx: isComplete ? signedTransaction(psbt) : undefined };
}

/**
 * Records a signed payment, and submits it to the mempool unless `-walletbroadcast` is off.
 * @see Bitcoin Core `CWallet::CommitTransaction`
 */
export function commitPayment(tx: Transaction, notes: TxNotes, context: WalletContext): Txid {
  const id = txid(tx);
  const note = { type: 'note', txid: id, ...notes } as const;
  applyToWallet(context, [{ type: 'payment', tx }, ...(Object.keys(notes).length > 0 ? [note] : [])]);
  if (!context.settings.broadcasts) return id;
  try {
    // The wallet has checked the fee.
    submitTransaction(tx, 0n, context);
  } catch (error) {
    // As in Core, a refused payment stays in the wallet; its outputs are unavailable until the mempool takes it.
    if (!(error instanceof RpcError)) throw error;
  }
  return id;
}
