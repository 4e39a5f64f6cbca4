import { formatHex } from '../../bytes/hex.ts';
import { assertKnownOptions } from '../../bytes/knownOptions.ts';
import { BtcError } from '../../errors.ts';
import { SESSION_OPTIONS, type SessionOptions } from '../../signing/sessionOptions.ts';
import { encodeTransaction } from '../../tx/codec.ts';
import { formatTxid, txid } from '../../tx/txid.ts';
import type { Transaction } from '../../tx/types.ts';
import { type AnyPsbt, readPsbt } from '../format/parsePsbt.ts';
import type { PsbtInput } from '../format/types.ts';
import { beginSession } from '../session.ts';
import { assertSilentPayments } from '../silentPayments/verify.ts';
import { isInputVerified } from '../solveInput.ts';

const NOTHING = new Uint8Array(0);

/** Does not verify the final fields. */
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
 * Extracts the signed transaction, after running the scripts of every input.
 * @throws `psbt/not-final` with the first invalid input; `psbt/silent-payment`, `psbt/locktime-conflict`,
 * `psbt/field-required`
 * @see BIP174 "Transaction Extractor"
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, extractTransaction, signWith, transactionSize } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * const { psbt: signed } = signWith(me, psbt);
 * transactionSize(extractTransaction(signed)).vsize; // 141
 * ```
 */
export function extractTransaction(given: AnyPsbt, options: SessionOptions = {}): Transaction {
  const psbt = readPsbt(given);
  assertKnownOptions(options, SESSION_OPTIONS);
  const session = beginSession(psbt, options);
  for (const [index, input] of psbt.inputs.entries()) {
    if (isInputVerified({ session, input, index })) continue;
    const message = `Input ${index} is not final, or does not validly spend its coin: sign and finalize it first`;
    throw new BtcError('psbt/not-final', { inputIndex: index }, message);
  }
  assertSilentPayments(psbt, session);
  return assemble(session.tx, psbt.inputs);
}

/**
 * Extracts the signed transaction as the hex that nodes take, with its txid.
 * @throws as `extractTransaction`
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, extractHex, signWith } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * const { psbt: signed } = signWith(me, psbt);
 * extractHex(signed).hex.slice(0, 12); // 020000000001
 * ```
 */
export function extractHex(
  psbt: AnyPsbt,
  options: SessionOptions = {},
): { readonly hex: string; readonly txid: string } {
  const tx = extractTransaction(psbt, options);
  return { hex: formatHex(encodeTransaction(tx)), txid: formatTxid(txid(tx)) };
}
