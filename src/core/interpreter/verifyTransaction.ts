import { assertKnownOptions, assertList, type OptionNames } from '../bytes/knownOptions.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { inputAt, missingPrevouts, type SighashMidstate, sighashMidstate } from '../sighash/midstate.ts';
import { assertOutline, assertTransaction } from '../tx/assertTransaction.ts';
import type { Transaction, TxIn, TxOut } from '../tx/types.ts';
import type { ScriptFlags } from './flags.ts';
import type { Watch } from './machine.ts';
import type { ScriptOutcome } from './result.ts';
import { createChecker } from './transactionChecker.ts';
import { runScripts } from './verifyScript.ts';

/** Options of verification. */
export interface VerifyTransactionOptions {
  /** Default: `STANDARD_FLAGS`. */
  readonly flags?: ScriptFlags;
  readonly ecc?: Ecc;
  /** See `VerifyScriptInput`. */
  readonly knowsAnchors?: boolean;
}

/** An input of a transaction, and the coins being spent. */
export interface VerifyInputInput extends VerifyTransactionOptions {
  readonly tx: Transaction;
  /** The outputs being spent, one per input. */
  readonly prevouts: readonly TxOut[];
  /** 0-based. */
  readonly inputIndex: number;
  readonly midstate?: SighashMidstate;
}

const VERIFY_OPTIONS: OptionNames<VerifyTransactionOptions> = { flags: true, ecc: true, knowsAnchors: true };
const INPUT: OptionNames<VerifyInputInput> = {
  ...VERIFY_OPTIONS,
  tx: 'needed',
  prevouts: 'needed',
  inputIndex: 'needed',
  midstate: true,
};

/**
 * Runs the scripts of an input against the output that it spends; the outcome reports faults of the spend.
 * @throws `sighash/input-index`, `sighash/prevouts`, `sighash/midstate`
 * @see Core `VerifyScript`
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, decodeTransaction, parseHex, signWith, verifyInput } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * const tx = decodeTransaction(parseHex(signWith(me, psbt).hex ?? ''));
 * const prevouts = [{ value: coin.value, scriptPubKey: coin.from.scriptPubKey }];
 * verifyInput({ tx, inputIndex: 0, prevouts }).kind; // valid
 * ```
 */
export function verifyInput(options: VerifyInputInput): ScriptOutcome {
  return runInput(options);
}

/** Returns the input that options name, and the output that it spends. @throws as `verifyInput` */
export function spentBy(options: VerifyInputInput): { readonly input: TxIn; readonly prevout: TxOut } {
  assertKnownOptions(options, INPUT);
  assertOutline(options.tx);
  assertList('prevouts', options.prevouts);
  const { tx, prevouts, inputIndex } = options;
  const input = inputAt(tx, inputIndex);
  const prevout = prevouts[inputIndex];
  if (!prevout) throw missingPrevouts(tx, prevouts.length);
  return { input, prevout };
}

export function runInput(options: VerifyInputInput, watch?: Watch): ScriptOutcome {
  const { input, prevout } = spentBy(options);
  const { tx, prevouts, inputIndex, flags, ecc, midstate, knowsAnchors = true } = options;
  const withEcc = ecc && { ecc };
  const { value, scriptPubKey } = prevout;
  const checker = createChecker({ tx, inputIndex, prevouts, value, ...(midstate && { midstate }), ...withEcc }, watch);
  const { scriptSig, witness } = input;
  const given = { ...withEcc, ...(flags && { flags }) };
  return runScripts({ scriptSig, scriptPubKey, witness, checker, knowsAnchors, ...given }, watch);
}

/** The result of verifying a transaction. */
export interface TransactionOutcome {
  readonly isValid: boolean;
  /** One per input. */
  readonly inputs: readonly ScriptOutcome[];
}

/**
 * Verifies every input, but not the structure and amounts of the transaction; see `checkTransaction` and
 * `checkInputValues`.
 * @throws `sighash/prevouts`
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, decodeTransaction, parseHex, signWith, verifyTransaction } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * const tx = decodeTransaction(parseHex(signWith(me, psbt).hex ?? ''));
 * verifyTransaction(tx, [{ value: coin.value, scriptPubKey: coin.from.scriptPubKey }]).isValid; // true
 * ```
 */
export function verifyTransaction(
  tx: Transaction,
  prevouts: readonly TxOut[],
  options: VerifyTransactionOptions = {},
): TransactionOutcome {
  assertTransaction(tx);
  assertList('prevouts', prevouts);
  assertKnownOptions(options, VERIFY_OPTIONS);
  const midstate = sighashMidstate(tx, prevouts);
  const inputs = tx.inputs.map((_, inputIndex) => verifyInput({ tx, prevouts, inputIndex, midstate, ...options }));
  return { isValid: inputs.every(({ kind }) => kind === 'valid'), inputs };
}
