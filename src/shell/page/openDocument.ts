import { equalBytes } from '../../core/bytes/compare.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { isBtcError, unlessRefused } from '../../core/errors.ts';
import { encodePsbt } from '../../core/psbt/format/encodePsbt.ts';
import { psbtVersion } from '../../core/psbt/format/fields.ts';
import { inputOutpoint } from '../../core/psbt/format/inputCoin.ts';
import { isFinal } from '../../core/psbt/format/nodeOrder.ts';
import type { Psbt, PsbtInput } from '../../core/psbt/format/types.ts';
import { toPsbtV0, toPsbtV2, unsignedTransaction } from '../../core/psbt/format/version.ts';
import { combinePsbts } from '../../core/psbt/roles/combiner.ts';
import { createPsbt } from '../../core/psbt/roles/creator.ts';
import { beginSession } from '../../core/psbt/session.ts';
import { isInputVerified } from '../../core/psbt/solveInput.ts';
import { formatTxid, txid } from '../../core/tx/txid.ts';
import type { Transaction } from '../../core/tx/types.ts';
import { refuse } from './refusals.ts';

export interface OpenDocument {
  readonly name: string | undefined;
  /** A transaction's scriptSigs and witnesses are its final fields. */
  readonly psbt: Psbt;
  /** Absent if a PSBT for it was opened. */
  readonly tx?: Transaction;
  readonly parts: number;
  /** Sentences for the user. */
  readonly notes: readonly string[];
}

const NOTHING = new Uint8Array(0);

/** Converts scriptSigs and witnesses to final fields. */
export function psbtFromTransaction(tx: Transaction): Psbt {
  const unsigned = { ...tx, inputs: tx.inputs.map((input) => ({ ...input, scriptSig: NOTHING, witness: [] })) };
  const psbt = createPsbt(unsigned);
  const inputs = tx.inputs.map(({ scriptSig, witness }): PsbtInput => {
    return {
      ...(scriptSig.length > 0 && { finalScriptSig: scriptSig }),
      ...(witness.length > 0 && { finalScriptWitness: witness }),
    };
  });
  return { ...psbt, inputs };
}

export const looksSigned = (tx: Transaction): boolean =>
  tx.inputs.every(({ scriptSig, witness }) => scriptSig.length > 0 || witness.length > 0);

export function inputsSpending(psbt: Psbt, previous: Transaction): readonly number[] {
  const id = txid(previous);
  return psbt.inputs.flatMap((_, index) => {
    const outpoint = inputOutpoint(psbt, index);
    return outpoint && equalBytes(outpoint.txid, id) ? [index] : [];
  });
}

/** Adds known previous transactions to inputs that lack them. `find` takes a txid as displayed. */
export function withPrevious(psbt: Psbt, find: (id: string) => Transaction | undefined): Psbt {
  const inputs = psbt.inputs.map((input, index) => {
    const outpoint = input.nonWitnessUtxo ? undefined : inputOutpoint(psbt, index);
    const previous = outpoint && find(formatTxid(outpoint.txid));
    return previous ? { ...input, nonWitnessUtxo: previous } : input;
  });
  return { ...psbt, inputs };
}

const OTHER = 'Another transaction is open. Close it before opening this one';

/** @throws `page/refused` for another transaction */
export function combineWith(open: OpenDocument, other: Psbt): OpenDocument {
  const psbt = convertVersion(open.psbt, other);
  const combined = combineTwo(open.psbt, psbt);
  // The same PSBT again, such as a code that was read twice.
  if (combined.conflicts.length === 0 && equalBytes(encodePsbt(combined.psbt), encodePsbt(open.psbt))) return open;
  const fields = [...new Set(combined.conflicts.map(({ field }) => field))].join(', ');
  const notes =
    fields === ''
      ? []
      : [
          `The PSBT that was added differs from the open one in some records (${fields}): those of the open one are kept.`,
        ];
  return { name: open.name, psbt: combined.psbt, parts: open.parts + 1, notes: [...open.notes, ...notes] };
}

function combineTwo(open: Psbt, other: Psbt): ReturnType<typeof combinePsbts> {
  try {
    return combinePsbts([open, other]);
  } catch (error) {
    if (!isBtcError(error, 'psbt/different')) throw error;
    return refuse(OTHER);
  }
}

function convertVersion(open: Psbt, other: Psbt): Psbt {
  const version = psbtVersion(open);
  if (psbtVersion(other) === version) return other;
  return unlessRefused(() => (version === 2 ? toPsbtV2(other) : toPsbtV0(other))) ?? other;
}

/**
 * Adds a transaction's signatures to its PSBT.
 * @throws `page/refused` if it is another transaction, or spends the coins invalidly
 */
export function finishWith(open: OpenDocument, tx: Transaction, ecc: Ecc): OpenDocument {
  const signed = convertVersion(open.psbt, psbtFromTransaction(tx));
  const ofOpen = unsignedTransaction(open.psbt);
  // Compares unsigned transactions, since sequences may differ in PSBT version 2.
  if (!equalBytes(txid(ofOpen), txid(unsignedTransaction(signed)))) refuse(OTHER);
  const { psbt } = combineTwo(open.psbt, signed);
  const session = beginSession(psbt, { ecc });
  const bad = psbt.inputs.findIndex((input, index) => {
    const isNew = isFinal(signed.inputs[index] ?? {});
    return isNew && session.coins[index] !== undefined && !isInputVerified({ session, input, index });
  });
  if (bad >= 0) {
    refuse(`Input ${bad} of this signed transaction does not validly spend its coin: the open PSBT stays as it is`);
  }
  return { ...open, psbt, parts: open.parts + 1 };
}
