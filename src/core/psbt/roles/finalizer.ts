import { equalBytes } from '../../bytes/compare.ts';
import { assertKnownOptions, type OptionNames } from '../../bytes/knownOptions.ts';
import { decodeMiniscript } from '../../descriptors/miniscript/index.ts';
import { leafKeysIn } from '../../script/keysIn.ts';
import { tapLeafHash } from '../../script/tapTree.ts';
import { SESSION_OPTIONS, type SessionOptions } from '../../signing/sessionOptions.ts';
import { NO_KEYS } from '../../signing/signatureCreator.ts';
import { CURRENT_RULES, type SigningRules } from '../../signing/signingRules.ts';
import { isFinal, withoutProducerRecords } from '../format/nodeOrder.ts';
import { type AnyPsbt, readPsbt } from '../format/parsePsbt.ts';
import type { Psbt } from '../format/types.ts';
import { beginSession, type SessionInput } from '../session.ts';
import { isInputVerified, type SolvedInput, solveInput } from '../solveInput.ts';

/** Options for finalizing a PSBT. */
export interface FinalizeOptions extends SessionOptions {
  readonly rules?: SigningRules;
  /** Trusts final fields that cannot be verified, as Core does. Default false. */
  readonly trustsFinal?: boolean;
  /**
   * Spends a taproot leaf that is not a miniscript by its signatures alone, in the order in which it checks them, if that is
   * valid: an inscription, for example. Default true; a node does not.
   */
  readonly triesLeaves?: boolean;
}

const FINALIZE_OPTIONS: OptionNames<FinalizeOptions> = {
  ...SESSION_OPTIONS,
  rules: true,
  trustsFinal: true,
  triesLeaves: true,
};

/** A PSBT in which as many inputs as possible are final. */
export interface FinalizedPsbt {
  readonly psbt: Psbt;
  /** True if every input is final and valid. */
  readonly isComplete: boolean;
  readonly inputs: readonly FinalizedInput[];
}

/** The finalizer's result for an input. */
export interface FinalizedInput extends Pick<SolvedInput, 'status' | 'missing'> {
  /** The leaf that is not a miniscript, if its signatures alone spend the coin. */
  readonly triedLeaf?: Uint8Array;
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
export function finalizePsbt(given: AnyPsbt, options: FinalizeOptions = {}): FinalizedPsbt {
  const psbt = readPsbt(given);
  assertKnownOptions(options, FINALIZE_OPTIONS);
  const { rules = CURRENT_RULES, trustsFinal = false, triesLeaves = true } = options;
  const session = beginSession(psbt, options);
  const solved = psbt.inputs.map((input, index): FinalizedInput & Pick<SolvedInput, 'input'> => {
    const place = { session, input, index };
    const sighashType = rules.trustsPsbts ? undefined : input.sighashType;
    const result = solveInput(place, { signs: NO_KEYS, sighashType, finalizes: true, rules, trustsFinal });
    return (triesLeaves && result.status === 'incomplete' && tryLeaves(place)) || result;
  });
  return {
    psbt: { ...psbt, inputs: solved.map(({ input }) => input) },
    isComplete: solved.every(({ status }) => status === 'complete'),
    inputs: solved.map(({ status, missing, triedLeaf }) => ({ status, missing, ...(triedLeaf && { triedLeaf }) })),
  };
}

/** Finds a leaf that no miniscript reads, and its signatures alone satisfy. A script reads the last item of a witness first. */
function tryLeaves({ session, input, index }: SessionInput): (FinalizedInput & Pick<SolvedInput, 'input'>) | undefined {
  const { tapLeafScripts = [], tapScriptSigs = [] } = input;
  if (isFinal(input)) return undefined;
  for (const { script, leafVersion, controlBlock } of tapLeafScripts) {
    if (decodeMiniscript(script, () => undefined, 'tapscript')) continue;
    const leafHash = tapLeafHash(script, leafVersion);
    const ofLeaf = tapScriptSigs.filter((each) => equalBytes(each.leafHash, leafHash));
    const signatures = leafKeysIn(script).flatMap(
      (key) => ofLeaf.find(({ pubkey }) => equalBytes(pubkey, key))?.signature ?? [],
    );
    if (signatures.length === 0) continue;
    const finalScriptWitness = [...signatures.reverse(), script, controlBlock];
    const final = { ...withoutProducerRecords(input), finalScriptWitness };
    if (isInputVerified({ session, input: final, index }))
      return { input: final, status: 'complete', missing: [], triedLeaf: script };
  }
  return undefined;
}
