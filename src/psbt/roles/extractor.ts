import { BtcError } from '../../errors.ts';
import type { SessionOptions } from '../../signing/txContext.ts';
import type { Transaction } from '../../tx/types.ts';
import type { Psbt, PsbtInput } from '../format/types.ts';
import { openSession } from '../session.ts';
import { isInputVerified } from '../solveInput.ts';

const NOTHING = new Uint8Array(0);

/** The transaction with what final inputs hold, verified or not. */
export function assemble(tx: Transaction, inputs: readonly PsbtInput[]): Transaction {
  return {
    ...tx,
    inputs: tx.inputs.map((input, index) => {
      const { finalScriptSig = NOTHING, finalScriptWitness = [] } = inputs[index] ?? {};
      return { ...input, scriptSig: finalScriptSig, witness: finalScriptWitness };
    }),
  };
}

/**
 * Takes the signed transaction out of a PSBT whose inputs are final. Every input's scripts are run first.
 * @throws `psbt/not-final` with the first input that is not valid; `psbt/locktime-conflict`, `psbt/field-required`
 * @see BIP174 "Transaction Extractor"
 */
export function extractTransaction(psbt: Psbt, options: SessionOptions = {}): Transaction {
  const session = openSession(psbt, options);
  for (const [inputIndex, input] of psbt.inputs.entries()) {
    if (!isInputVerified(session, input, inputIndex)) throw new BtcError('psbt/not-final', { inputIndex });
  }
  return assemble(session.tx, psbt.inputs);
}
