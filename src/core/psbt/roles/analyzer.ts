import { assertKnownOptions, assertShape, type OptionNames } from '../../bytes/knownOptions.ts';
import { isUnspendable } from '../../script/instructions.ts';
import { SESSION_OPTIONS, type SessionOptions } from '../../signing/sessionOptions.ts';
import { NO_KEYS } from '../../signing/signatureCreator.ts';
import type { Missing } from '../../signing/signatureData.ts';
import { CURRENT_RULES, type SigningRules } from '../../signing/signingRules.ts';
import type { TxOut } from '../../tx/types.ts';
import { policySize } from '../../tx/weight.ts';
import { isFinal } from '../format/nodeOrder.ts';
import { type AnyPsbt, readPsbt } from '../format/parsePsbt.ts';
import type { Psbt, PsbtInput } from '../format/types.ts';
import { hasLocktimeConflict } from '../format/version.ts';
import { beginSession, type PsbtSession, type SessionInput } from '../session.ts';
import { isInputVerified, type SolveOptions, solveInput } from '../solveInput.ts';
import { assemble } from './extractor.ts';

/** The role that must act next on a PSBT. @see BIP174 "Roles" */
export type PsbtRole = 'creator' | 'updater' | 'signer' | 'finalizer' | 'extractor';

const ROLES: readonly PsbtRole[] = ['creator', 'updater', 'signer', 'finalizer', 'extractor'];

/** The state of an input. */
export interface InputAnalysis {
  readonly hasUtxo: boolean;
  readonly isFinal: boolean;
  readonly next: PsbtRole;
  readonly missing: readonly Missing[];
}

/** The state of a PSBT. @see Bitcoin Core `PSBTAnalysis` */
export interface PsbtAnalysis {
  readonly inputs: readonly InputAnalysis[];
  readonly next: PsbtRole;
  /** In satoshi, if all coins are known. */
  readonly fee?: bigint;
  /** Estimate for the signed transaction, if every input can be filled. */
  readonly vsize?: number;
  /** Reason, in Core's words, for which it can never become valid. */
  readonly fault?: string;
}

/** Options for analyzing a PSBT. */
export interface AnalyzeOptions extends SessionOptions {
  /** The network's maximum, in satoshi. */
  readonly maxMoney: bigint;
  readonly rules?: SigningRules;
  /** Trusts final fields that cannot be verified, as Core does. Default false. */
  readonly trustsFinal?: boolean;
  /** As a node's `-bytespersigop`. Default 20. */
  readonly bytesPerSigOp?: number | undefined;
}

const ANALYZE_OPTIONS: OptionNames<AnalyzeOptions> = {
  ...SESSION_OPTIONS,
  maxMoney: 'needed',
  rules: true,
  trustsFinal: true,
  bytesPerSigOp: true,
};

/**
 * Analyzes a PSBT: the role that must act next, and missing data.
 * @throws `psbt/field-required`
 * @see Bitcoin Core `AnalyzePSBT`
 *
 * @example
 * ```ts
 * import { accountFromWords, analyzePsbt, buildPsbt } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * analyzePsbt(psbt, { maxMoney: me.network.maxMoney }).next; // signer
 * ```
 */
export function analyzePsbt(given: AnyPsbt, options: AnalyzeOptions): PsbtAnalysis {
  assertShape('maxMoney', typeof options?.maxMoney === 'bigint', 'a bigint in satoshi');
  const psbt = readPsbt(given);
  assertKnownOptions(options, ANALYZE_OPTIONS);
  if (hasLocktimeConflict(psbt)) {
    return { inputs: [], next: 'creator', fault: 'PSBT cannot be made into a valid transaction' };
  }
  const { maxMoney, rules = CURRENT_RULES, trustsFinal = false, bytesPerSigOp } = options;
  const session = beginSession(psbt, options);
  const isMoney = (value: bigint): boolean => value >= 0n && value <= maxMoney;
  const fault = inputFault(session, psbt, isMoney);
  if (fault !== undefined) return { inputs: [], next: 'creator', fault };
  const analyzed = psbt.inputs.map((input, index) => analyzeInput({ session, input, index }, { rules, trustsFinal }));
  const inputs = analyzed.map(({ analysis }) => analysis);
  const next = ROLES.find((role) => inputs.some((input) => input.next === role)) ?? 'extractor';
  if (!session.prevouts) return { inputs, next };
  const paid = sumOutputs(session.tx.outputs, isMoney);
  if (paid === undefined) return { inputs: [], next: 'creator', fault: 'PSBT is not valid. Output amount invalid' };
  const fee = session.prevouts.reduce((sum, { value }) => sum + value, 0n) - paid;
  const filled = analyzed.flatMap(({ input }, index) => fillForSize({ session, input, index }, { rules }) ?? []);
  const isFilled = filled.length === inputs.length;
  return { inputs, next, fee, ...(isFilled && { vsize: finalSize(session, filled, bytesPerSigOp) }) };
}

function inputFault({ coins }: PsbtSession, psbt: Psbt, isMoney: (value: bigint) => boolean): string | undefined {
  let total = 0n;
  for (const [index] of psbt.inputs.entries()) {
    const coin = coins[index]?.coin;
    if (!coin) continue;
    if (!isMoney(coin.value) || !isMoney(total + coin.value)) {
      return `PSBT is not valid. Input ${index} has invalid value`;
    }
    total += coin.value;
    if (isUnspendable(coin.scriptPubKey)) return `PSBT is not valid. Input ${index} spends unspendable output`;
  }
  return undefined;
}

function sumOutputs(outputs: readonly TxOut[], isMoney: (value: bigint) => boolean): bigint | undefined {
  let sum = 0n;
  for (const { value } of outputs) {
    if (!isMoney(value) || !isMoney(sum + value)) return undefined;
    sum += value;
  }
  return sum;
}

/** Also returns the input as a finalizer would leave it. */
function analyzeInput(
  sessionInput: SessionInput,
  { rules, trustsFinal }: Required<Pick<AnalyzeOptions, 'rules' | 'trustsFinal'>>,
): { analysis: InputAnalysis; input: PsbtInput } {
  const { session, input, index } = sessionInput;
  const hasUtxo = session.coins[index] !== undefined;
  if (rules.trustsPsbts && isFinal(input) && !hasUtxo) {
    return { input, analysis: { hasUtxo, isFinal: false, next: 'updater', missing: [] } };
  }
  if (isInputVerified(sessionInput, rules)) {
    return { input, analysis: { hasUtxo, isFinal: true, next: 'extractor', missing: [] } };
  }
  const solved = solveInput(sessionInput, { signs: NO_KEYS, finalizes: true, rules, trustsFinal });
  if (solved.status === 'complete') {
    return { input: solved.input, analysis: { hasUtxo, isFinal: false, next: 'finalizer', missing: [] } };
  }
  // An input that was left alone reports nothing missing.
  const missing = solved.status === 'incomplete' ? solved.missing.filter(isReported) : [];
  const next = missing.length > 0 && missing.every(isSignature) ? 'signer' : 'updater';
  return { input: solved.input, analysis: { hasUtxo, isFinal: false, next, missing } };
}

const isSignature = ({ kind }: Missing): boolean => kind === 'private-key' || kind === 'compressed-key';
/** Core reports no missing taproot data, locks or preimages. */
const isReported = (missing: Missing): boolean =>
  isSignature(missing) || ['key', 'redeem-script', 'witness-script'].includes(missing.kind);

/** Fills in dummy signatures of the usual sizes. */
export function fillForSize(
  sessionInput: SessionInput,
  options: Pick<SolveOptions, 'rules' | 'sighashType'>,
): PsbtInput | undefined {
  const solved = solveInput(sessionInput, { ...options, signs: 'size', finalizes: true, trustsFinal: true });
  return solved.status === 'complete' ? solved.input : undefined;
}

/** Counts sigops as policy does. */
export function finalSize(session: PsbtSession, inputs: readonly PsbtInput[], bytesPerSigOp?: number): number {
  const tx = assemble(session.tx, inputs);
  return policySize(tx, session.prevouts?.map(({ scriptPubKey }) => scriptPubKey) ?? [], bytesPerSigOp);
}
