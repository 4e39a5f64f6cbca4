import { equalBytes } from '../../bytes/compare.ts';
import { assertKnownOptions, assertShape, isObject, type OptionNames } from '../../bytes/knownOptions.ts';
import { parseWitnessProgram } from '../../script/template.ts';
import { assertSighashType, isAnyoneCanPay } from '../../sighash/sighashType.ts';
import { findKeys, NO_ENTROPY } from '../../signing/keySigner.ts';
import { produceSignature } from '../../signing/produceSignature.ts';
import { SESSION_OPTIONS, type SessionOptions } from '../../signing/sessionOptions.ts';
import { NO_KEYS, noSignatures } from '../../signing/signatureCreator.ts';
import type { SigningProvider } from '../../signing/signingProvider.ts';
import { CURRENT_RULES, type SigningRules } from '../../signing/signingRules.ts';
import { inputCoin, readWitnessUtxo } from '../format/inputCoin.ts';
import { isFinal } from '../format/nodeOrder.ts';
import { type AnyPsbt, readPsbt } from '../format/parsePsbt.ts';
import type { Psbt, PsbtInput, PsbtOutput } from '../format/types.ts';
import { withPlaceholderScripts } from '../format/version.ts';
import { outputSignatureData, withOutputSignatureData } from '../inputSignatureData.ts';
import { addPreimages } from '../preimages.ts';
import { beginSession, type PsbtSession } from '../session.ts';
import { type SolvedInput, type SolveOptions, solveInput } from '../solveInput.ts';

export interface PlaceProviders {
  readonly ofInput: (index: number) => SigningProvider;
  /** Returns none for an output that stays as it is. */
  readonly ofOutput: (index: number) => SigningProvider | undefined;
}

export interface ProcessOptions extends SessionOptions, Omit<SolveOptions, 'provider' | 'signs'> {
  readonly provider: SigningProvider | PlaceProviders;
  readonly signs: boolean;
  /** Stands for the type of the call where that decides whether previous transactions are needed. */
  readonly neededForType?: number | undefined;
  readonly onProgress?: ((done: number, inputs: number) => void) | undefined;
}

export interface ProcessedPsbt {
  readonly psbt: Psbt;
  readonly inputs: readonly SolvedInput[];
  readonly session: PsbtSession;
}

/** Options for updating a PSBT. */
export interface UpdateOptions extends SessionOptions {
  /** From `createDescriptorProvider` or `createSigningProvider`. */
  readonly provider: SigningProvider;
  /** As in `SignOptions`. */
  readonly sighashType?: number;
  /** Those whose hashes the scripts have, for everyone who gets the PSBT to see. */
  readonly preimages?: readonly Uint8Array[];
}

const UPDATE_OPTIONS: OptionNames<UpdateOptions> = {
  ...SESSION_OPTIONS,
  provider: 'needed',
  sighashType: true,
  preimages: true,
};

/**
 * Adds a provider's scripts, public keys with origins, and taproot trees to a PSBT, and preimages. Signs nothing. Drops previous
 * transactions that prove nothing, but keeps one that contradicts its input's witness UTXO: a review reports it.
 * @throws `psbt/locktime-conflict`, `psbt/field-required`; `argument/invalid` for a preimage that no script asks for
 * @see BIP174 "Updater"
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, createDescriptorProvider, deriveForPsbt, updatePsbt } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * const provider = createDescriptorProvider(deriveForPsbt(psbt, me.descriptors));
 * updatePsbt(psbt, { provider }).outputs[1]?.bip32Derivations?.length; // 1
 * ```
 */
export function updatePsbt(given: AnyPsbt, options: UpdateOptions): Psbt {
  const psbt = readPsbt(given);
  assertKnownOptions(options, UPDATE_OPTIONS);
  const { preimages, ...others } = options;
  const { provider } = options;
  assertSighashType(options.sighashType);
  assertShape(
    'provider',
    isObject(provider) && typeof provider.origin === 'function',
    'what createSigningProvider or createDescriptorProvider returns',
  );
  const updated = withProvided(psbt, others);
  return preimages ? addPreimages(updated, preimages) : updated;
}

function withProvided(psbt: Psbt, options: Omit<UpdateOptions, 'preimages'>): Psbt {
  const processed = process(psbt, { ...options, signs: false, finalizes: false });
  const contradictory = psbt.inputs.map((_, index) => contradictsItself(psbt, index));
  if (!contradictory.includes(true)) return withoutUnneededTransactions(processed, options);
  const { psbt: updated } = processed;
  const inputs = updated.inputs.map((input, index) => {
    const { witnessUtxo } = psbt.inputs[index] ?? {};
    return contradictory[index] && witnessUtxo ? { ...input, witnessUtxo } : input;
  });
  return { ...updated, inputs };
}

function contradictsItself(psbt: Psbt, index: number): boolean {
  const { nonWitnessUtxo, witnessUtxo } = psbt.inputs[index] ?? {};
  if (!nonWitnessUtxo || !witnessUtxo) return false;
  const coin = inputCoin(psbt, index)?.coin;
  return !coin || coin.value !== witnessUtxo.value || !equalBytes(coin.scriptPubKey, witnessUtxo.scriptPubKey);
}

/**
 * Updates a PSBT, signs and finalizes it on request, and leaves final inputs alone. Applies no policy: for callers that
 * answer as Core does.
 * @see Bitcoin Core `ProcessPSBT`
 */
export function processPsbt(psbt: Psbt, options: ProcessOptions): ProcessedPsbt {
  const processed = process(psbt, options);
  return { ...processed, psbt: withoutUnneededTransactions(processed, options) };
}

function process(psbt: Psbt, options: ProcessOptions): ProcessedPsbt {
  const { provider, rules = CURRENT_RULES, onProgress } = options;
  const session = beginSession(options.signs ? psbt : withPlaceholderScripts(psbt), options);
  const { ecc } = session;
  const { ofInput, ofOutput } =
    'ofInput' in provider ? provider : { ofInput: () => provider, ofOutput: () => provider };
  const solve = (input: PsbtInput, index: number): SolvedInput => {
    const own = ofInput(index);
    const signs = options.signs ? findKeys(own, { ecc, auxRand: NO_ENTROPY }) : NO_KEYS;
    return solveInput({ session, input, index }, { ...options, provider: own, signs });
  };
  const inputs = psbt.inputs.map((input, index): SolvedInput => {
    const solved = isFinal(input)
      ? ({ input, status: 'complete', missing: [], signed: [], sighashType: input.sighashType } as const)
      : solve(input, index);
    onProgress?.(index + 1, psbt.inputs.length);
    return solved;
  });
  const outputs = session.tx.outputs.map(({ scriptPubKey }, index) => {
    const [output, own] = [psbt.outputs[index] ?? {}, ofOutput(index)];
    return own ? updateOutput(output, scriptPubKey, { provider: own, rules, ecc }) : output;
  });
  return { psbt: { ...psbt, inputs: inputs.map(({ input }) => input), outputs }, inputs, session };
}

/** Solves an output as if it were spent, for the records that its spender needs. @see Core `UpdatePSBTOutput` */
function updateOutput(
  output: PsbtOutput,
  scriptPubKey: Uint8Array,
  { provider, rules, ecc }: { provider: SigningProvider; rules: SigningRules; ecc: SessionOptions['ecc'] & object },
): PsbtOutput {
  const data = outputSignatureData(output, ecc);
  produceSignature({ provider, data, creator: noSignatures, rules }, scriptPubKey);
  return withOutputSignatureData(output, data);
}

/**
 * Drops previous transactions once every signature commits to all amounts.
 * @see Bitcoin Core `RemoveUnnecessaryTransactions`
 */
function withoutUnneededTransactions(
  { psbt, inputs }: ProcessedPsbt,
  {
    rules = CURRENT_RULES,
    sighashType,
    neededForType = sighashType,
  }: Pick<ProcessOptions, 'rules' | 'sighashType' | 'neededForType'>,
): Psbt {
  if (!rules.dropsTransactions) return psbt;
  // Where PSBTs do not record it, the type of the call counts for all inputs.
  const typeOf = (input: SolvedInput): number | undefined =>
    rules.writesSighashTypes ? input.sighashType : neededForType;
  const needsNone = inputs.every((input) => commitsToAllAmounts(input, typeOf(input)));
  return needsNone ? { ...psbt, inputs: psbt.inputs.map(withoutTransaction) } : psbt;
}

function commitsToAllAmounts({ input }: SolvedInput, sighashType = 0): boolean {
  const program = parseWitnessProgram(readWitnessUtxo(input)?.scriptPubKey ?? new Uint8Array(0));
  return program !== undefined && program.version > 0 && !isAnyoneCanPay(sighashType);
}

function withoutTransaction({ nonWitnessUtxo: _transaction, ...input }: PsbtInput): PsbtInput {
  return input;
}
