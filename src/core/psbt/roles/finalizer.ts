import { assertKnownOptions, type OptionNames } from '../../bytes/knownOptions.ts';
import { SESSION_OPTIONS, type SessionOptions } from '../../signing/sessionOptions.ts';
import { NO_KEYS } from '../../signing/signatureCreator.ts';
import { CURRENT_RULES, type SigningRules } from '../../signing/signingRules.ts';
import type { Psbt } from '../format/types.ts';
import { beginSession } from '../session.ts';
import { type SolvedInput, solveInput } from '../solveInput.ts';

/** Options for finalizing a PSBT. */
export interface FinalizeOptions extends SessionOptions {
  readonly rules?: SigningRules;
  /** Trusts final fields that cannot be verified, as Core does. Default false. */
  readonly trustsFinal?: boolean;
}

const FINALIZE_OPTIONS: OptionNames<FinalizeOptions> = { ...SESSION_OPTIONS, rules: true, trustsFinal: true };

/** A PSBT in which as many inputs as possible are final. */
export interface FinalizedPsbt {
  readonly psbt: Psbt;
  /** True if every input is final and valid. */
  readonly isComplete: boolean;
  readonly inputs: readonly Pick<SolvedInput, 'status' | 'missing'>[];
}

/**
 * Turns each input's signatures into final fields, if these verify. An input that lacks something does not hold up the
 * others.
 * @throws `psbt/locktime-conflict`, `psbt/field-required`
 * @see BIP174 "Input Finalizer"; Bitcoin Core `FinalizePSBT`
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, finalizePsbt } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * finalizePsbt(psbt).isComplete; // false
 * finalizePsbt(psbt).inputs[0]?.status; // incomplete
 * ```
 */
export function finalizePsbt(psbt: Psbt, options: FinalizeOptions = {}): FinalizedPsbt {
  assertKnownOptions(options, FINALIZE_OPTIONS);
  const { rules = CURRENT_RULES, trustsFinal = false } = options;
  const session = beginSession(psbt, options);
  const solved = psbt.inputs.map((input, index) => {
    const sighashType = rules.trustsPsbts ? undefined : input.sighashType;
    return solveInput({ session, input, index }, { signs: NO_KEYS, sighashType, finalizes: true, rules, trustsFinal });
  });
  return {
    psbt: { ...psbt, inputs: solved.map(({ input }) => input) },
    isComplete: solved.every(({ status }) => status === 'complete'),
    inputs: solved,
  };
}
