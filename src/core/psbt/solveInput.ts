import type { SignatureChecker } from '../interpreter/checker.ts';
import { classifyScript, type ScriptTemplate } from '../script/template.ts';
import { SIGHASH } from '../sighash/sighashType.ts';
import { createSignatures, dummySignatures, type KeyFinder, NO_KEYS } from '../signing/signatureCreator.ts';
import type { Missing } from '../signing/signatureData.ts';
import { apparentTypes, type SpendSignatures, signaturesOfSpend } from '../signing/signatureTypes.ts';
import {
  type InputContext,
  type SignInputOptions,
  scriptChecks,
  signInput,
  verifyInput,
} from '../signing/signInput.ts';
import { NO_PROVIDER, type SigningProvider } from '../signing/signingProvider.ts';
import { CURRENT_RULES, type SigningRules } from '../signing/signingRules.ts';
import type { TxOut } from '../tx/types.ts';
import type { InputCoin } from './format/inputCoin.ts';
import { isFinal, withoutProducerRecords } from './format/nodeOrder.ts';
import type { PsbtInput } from './format/types.ts';
import { withoutInvalidKeySignature } from './heldSignatures.ts';
import { inputSignatureData, withInputSignatureData } from './inputSignatureData.ts';
import type { SessionInput } from './session.ts';

export interface SolveOptions {
  readonly provider?: SigningProvider;
  /** `size` signs with dummies. */
  readonly signs: KeyFinder | 'size';
  /** As in `SignOptions`. */
  readonly sighashType?: number | undefined;
  readonly finalizes: boolean;
  readonly rules?: SigningRules;
  /** As in `FinalizeOptions`. */
  readonly trustsFinal?: boolean;
}

export interface SolvedInput {
  readonly input: PsbtInput;
  /**
   * `complete`: valid, and final if `finalizes`. All but this and `incomplete` leave the input alone; `not-witness`:
   * the coin is only claimed and not segwit.
   */
  readonly status: 'complete' | 'incomplete' | 'no-coin' | 'sighash-mismatch' | 'not-witness';
  readonly missing: readonly Missing[];
  readonly signed: readonly Uint8Array[];
  /** The type that the input names, or was signed with if unusual. A final input no longer names it. */
  readonly sighashType?: number | undefined;
}

/** Core 0.21 accepts even an empty dummy. */
const acceptsAll = ({ trustsPsbts }: SigningRules): SignatureChecker => ({
  checkEcdsa: (signature) => trustsPsbts || signature.length > 0,
  checkSchnorr: () => undefined,
  checkLockTime: () => true,
  checkSequence: () => true,
});

/** Signs an input, adds what it learns, and finalizes. @see Bitcoin Core `SignPSBTInput` */
export function solveInput(sessionInput: SessionInput, options: SolveOptions): SolvedInput {
  const { session, input, index } = sessionInput;
  const { rules = CURRENT_RULES, trustsFinal = false } = options;
  const unchanged = (status: SolvedInput['status']): SolvedInput => {
    return { input, status, missing: [], signed: [], sighashType: input.sighashType };
  };
  if (rules.trustsPsbts && isFinal(input)) return unchanged('complete');
  const spent = session.coins[index];
  if (!spent) return unchanged('no-coin');
  const { coin, trust } = spent;
  const context = createSolveContext(sessionInput, coin, options);
  if (!rules.trustsPsbts && isVerified(context, input)) return unchanged('complete');
  const sighashType = options.sighashType ?? usualType(coin, rules);
  if (rules.comparesSighashTypes && !agreesOnType(input, sighashType)) return unchanged('sighash-mismatch');
  const isUnwritten = !rules.writesSighashTypes || isUsualType(coin, sighashType, rules);
  const typed = isUnwritten ? input : { ...input, sighashType };
  if (!isFinal(input)) {
    const data = inputSignatureData(options.signs === 'size' ? input : withoutInvalidKeySignature(sessionInput));
    return {
      ...signBeside(context, typed, { ...options, ...spent, sighashType, data }),
      sighashType: typed.sighashType,
    };
  }
  // Core trusts final fields that it cannot verify, but only of a proven coin.
  if (!trustsFinal || trust === 'claimed') return unchanged('incomplete');
  return { ...unchanged('complete'), input: withoutProducerRecords(typed), sighashType: typed.sighashType };
}

/** For a size, Core ignores the other coins, so that Schnorr signatures are invalid. */
function createSolveContext(
  { session, index }: SessionInput,
  coin: TxOut,
  { signs, rules = CURRENT_RULES }: SolveOptions,
): InputContext {
  const prevouts = signs === 'size' ? undefined : session.prevouts;
  return { ...session, prevouts, inputIndex: index, coin, rules };
}

const isTaproot = ({ scriptPubKey }: TxOut, { templates }: SigningRules): boolean =>
  classifyScript(scriptPubKey, templates).type === 'witness_v1_taproot';

export function usualType(coin: TxOut, rules: SigningRules): number {
  return isTaproot(coin, rules) ? SIGHASH.DEFAULT : SIGHASH.ALL;
}

function isUsualType(coin: TxOut, sighashType: number, rules: SigningRules): boolean {
  return sighashType === SIGHASH.DEFAULT || sighashType === usualType(coin, rules);
}

/** Signs beside the signatures in `data`, and verifies the result. */
function signBeside(
  context: InputContext,
  input: PsbtInput,
  options: SolveOptions & InputCoin & Pick<SignInputOptions, 'sighashType' | 'data'>,
): SolvedInput {
  const { provider = NO_PROVIDER, signs, sighashType, finalizes, coin, trust, data } = options;
  const { rules } = context;
  const { scriptSig, witness, ...produced } = signInput(context, {
    sighashType,
    provider,
    data,
    makeCreator: (digests) => {
      if (signs === 'size') return dummySignatures;
      return createSignatures(digests, digests.isLoneSingle && !rules.signsLoneSingle ? NO_KEYS : signs);
    },
  });
  const { signed, missing } = data;
  // Only witness signatures commit to the amount, which here only the PSBT asserts.
  if (trust === 'claimed' && !produced.isWitness) return { input, status: 'not-witness', missing, signed };
  const final = finalFields(scriptSig, witness);
  const needsNoRun = signs === 'size' && !input.partialSigs && isKeyHashSpend(coin, witness);
  const checker = signs === 'size' ? acceptsAll(rules) : undefined;
  const isComplete = produced.isSolved && (needsNoRun || isVerified(context, final, checker));
  const base =
    isComplete && finalizes ? { ...withoutProducerRecords(input), ...final } : withInputSignatureData(input, data);
  const next = produced.isWitness ? { ...base, witnessUtxo: coin } : base;
  return { input: next, status: isComplete ? 'complete' : 'incomplete', missing, signed };
}

/** With a dummy signature, a P2WPKH spend is valid if its key has the right size. */
function isKeyHashSpend({ scriptPubKey }: TxOut, [, publicKey]: readonly Uint8Array[]): boolean {
  return publicKey?.length === 33 && classifyScript(scriptPubKey).type === 'witness_v0_keyhash';
}

function finalFields(
  scriptSig: Uint8Array,
  witness: readonly Uint8Array[],
): Pick<PsbtInput, 'finalScriptSig' | 'finalScriptWitness'> {
  return {
    ...(scriptSig.length > 0 && { finalScriptSig: scriptSig }),
    ...(witness.length > 0 && { finalScriptWitness: witness }),
  };
}

/** Templates that an empty input never spends. */
const NEVER_EMPTY: ReadonlySet<ScriptTemplate['type']> = /* @__PURE__ */ new Set<ScriptTemplate['type']>([
  'pubkey',
  'pubkeyhash',
  'scripthash',
  'multisig',
  'witness_v0_keyhash',
  'witness_v0_scripthash',
  'witness_v1_taproot',
]);

/** @see Bitcoin Core `PSBTInputSignedAndVerified` */
function isVerified(
  context: InputContext,
  { finalScriptSig: scriptSig = NOTHING, finalScriptWitness: witness = [] }: PsbtInput,
  checker?: SignatureChecker,
): boolean {
  const isEmpty = scriptSig.length === 0 && witness.length === 0;
  if (isEmpty && NEVER_EMPTY.has(classifyScript(context.coin.scriptPubKey).type)) return false;
  return verifyInput(context, { scriptSig, witness }, checker).kind === 'valid';
}

const NOTHING = new Uint8Array(0);

export function isInputVerified({ session, input, index }: SessionInput, rules: SigningRules = CURRENT_RULES): boolean {
  const coin = session.coins[index]?.coin;
  if (rules.trustsPsbts) return coin !== undefined && isFinal(input);
  return coin !== undefined && isVerified({ inputIndex: index, coin, rules, ...session }, input);
}

/** Without the coin, only reads the hash types. */
export function finalSignatures({ session, input, index }: SessionInput): SpendSignatures {
  const coin = session.coins[index]?.coin;
  const spend = { scriptSig: input.finalScriptSig ?? NOTHING, witness: input.finalScriptWitness ?? [] };
  if (!coin) return { isValid: false, sighashTypes: apparentTypes(spend) };
  return signaturesOfSpend({
    ...scriptChecks({ inputIndex: index, coin, rules: CURRENT_RULES, ...session }),
    ...spend,
  });
}

/**
 * Returns the type that a signer signs with: the caller's, else the usual one. An input of taproot may ask for ALL, which
 * commits to what DEFAULT does: then it is signed as asked. Core's wallet refuses it unless the caller names it.
 * @see BIP341 "Signature validation rules"
 */
export function typeToSign({ sighashType }: PsbtInput, coin: TxOut, named: number | undefined): number {
  const usual = usualType(coin, CURRENT_RULES);
  return named ?? (sighashType === SIGHASH.ALL ? SIGHASH.ALL : usual);
}

/** Tells whether an input asks for no other type, and all its signatures have this one. */
export function agreesOnType(input: PsbtInput, sighashType: number): boolean {
  if (input.sighashType !== undefined && input.sighashType !== sighashType) return false;
  const ofLeaves = (input.tapScriptSigs ?? []).map(({ signature }) => signature);
  const schnorr = input.tapKeySig ? [input.tapKeySig, ...ofLeaves] : ofLeaves;
  if (sighashType === SIGHASH.DEFAULT) return schnorr.every(({ length }) => length === 64);
  const isOfType = (signature: Uint8Array): boolean => signature.at(-1) === sighashType;
  return (
    schnorr.every((signature) => signature.length === 65 && isOfType(signature)) &&
    (input.partialSigs ?? []).every(({ signature }) => isOfType(signature))
  );
}
