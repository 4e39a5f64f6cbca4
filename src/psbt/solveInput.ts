import type { SignatureChecker } from '../interpreter/checker.ts';
import { transactionChecker } from '../interpreter/transactionChecker.ts';
import { verifyScript } from '../interpreter/verifyScript.ts';
import { classifyScript, type ScriptTemplate } from '../script/template.ts';
import { SIGHASH } from '../sighash/sighashType.ts';
import type { Missing } from '../signing/missing.ts';
import { produceSignature } from '../signing/produceSignature.ts';
import {
  aggregatesWith,
  type SignatureCreator,
  signsForSize,
  signsLocally,
  signsNothing,
} from '../signing/signatureCreator.ts';
import type { SignatureData } from '../signing/signatureData.ts';
import { apparentTypes, type SpendSignatures, signaturesOfSpend } from '../signing/signatureTypes.ts';
import { NO_PROVIDER, type SigningProvider } from '../signing/signingProvider.ts';
import { CURRENT_RULES, type SigningRules } from '../signing/signingRules.ts';
import type { TxOut } from '../tx/types.ts';
import type { InputCoin } from './format/inputCoin.ts';
import { isFinal, withoutProducerRecords } from './format/nodeOrder.ts';
import type { PsbtInput } from './format/types.ts';
import { withoutInvalidKeySignature } from './heldSignatures.ts';
import { inputDigests } from './inputDigests.ts';
import { inputSignatureData, withInputSignatureData } from './inputSignatureData.ts';
import type { PsbtSession } from './session.ts';

/** How an input is to be solved. */
export interface SolveOptions {
  readonly provider?: SigningProvider;
  /**
   * `keys`: with the provider's private keys. `nothing`: with the signatures that are there. `size`: with worthless
   * signatures, to see what the input will weigh.
   */
  readonly signs: 'keys' | 'nothing' | 'size';
  /** Where none is asked for: DEFAULT for taproot, else ALL. An input that asks for another one is left alone. */
  readonly sighashType?: number | undefined;
  /** Whether an input that turns out to be complete becomes final. */
  readonly finalizes: boolean;
  readonly rules?: SigningRules;
  /** Final fields that are there are taken for right where they cannot be verified, as a node does. Default false. */
  readonly trustsFinal?: boolean;
}

/** What came of it. */
export interface SolvedInput {
  readonly input: PsbtInput;
  /**
   * `complete`: valid, and final if that was asked for. `skipped`: left as it was, because its coin is not known, its
   * hash type or that of a signature is another one, or its coin's script may not be trusted.
   */
  readonly status: 'complete' | 'incomplete' | 'no-coin' | 'sighash-mismatch' | 'not-witness';
  readonly missing: readonly Missing[];
  readonly signed: readonly Uint8Array[];
  /** The type that the input names, or was signed with if that is not the usual one: a final input no longer names it. */
  readonly sighashType?: number | undefined;
}

/** Finds nothing wrong: for inputs with worthless signatures. An older node takes even none for one. */
const acceptsAll = ({ trustsPsbts }: SigningRules): SignatureChecker => ({
  checkEcdsa: (signature) => trustsPsbts || signature.length > 0,
  checkSchnorr: () => undefined,
  checkLockTime: () => true,
  checkSequence: () => true,
});

/**
 * Solves one input with all that it tells and that a provider knows: signs, adds what it learns, finalizes.
 * @see Bitcoin Core `SignPSBTInput`
 */
export function solveInput(session: PsbtSession, input: PsbtInput, index: number, options: SolveOptions): SolvedInput {
  const { rules = CURRENT_RULES, trustsFinal = false } = options;
  const left = (status: SolvedInput['status']): SolvedInput => {
    return { input, status, missing: [], signed: [], sighashType: input.sighashType };
  };
  if (rules.trustsPsbts && isFinal(input)) return left('complete');
  const found = session.coins[index];
  if (!found) return left('no-coin');
  const checks = checksOf(session, index, found.coin, options);
  if (!rules.trustsPsbts && isVerified(input, found.coin, checks)) return left('complete');
  const sighashType = options.sighashType ?? usualType(found.coin, rules);
  if (!rules.trustsPsbts && !agreesOnType(input, sighashType)) return left('sighash-mismatch');
  const typed = isUsualType(found.coin, sighashType, rules) ? input : { ...input, sighashType };
  if (!isFinal(input)) {
    const creator = creatorOf(session, index, { ...options, rules, sighashType });
    const known = inputSignatureData(
      options.signs === 'size' ? input : withoutInvalidKeySignature(session, input, index),
    );
    return { ...solveWith(typed, found, creator, { ...options, checks, known }), sighashType: typed.sighashType };
  }
  // A node takes the word of final fields that it cannot verify, but only for coins that it can.
  if (!trustsFinal || found.trust === 'claimed') return left('incomplete');
  return { ...left('complete'), input: withoutProducerRecords(typed), sighashType: typed.sighashType };
}

const isTaproot = ({ scriptPubKey }: TxOut, { templates }: SigningRules): boolean =>
  classifyScript(scriptPubKey, templates).type === 'witness_v1_taproot';

/** The type to sign with where none is asked for. */
export function usualType(coin: TxOut, rules: SigningRules): number {
  return isTaproot(coin, rules) ? SIGHASH.DEFAULT : SIGHASH.ALL;
}

/** Whether a type goes without saying. */
function isUsualType(coin: TxOut, sighashType: number, rules: SigningRules): boolean {
  return sighashType === SIGHASH.DEFAULT || sighashType === usualType(coin, rules);
}

/** Solves an input that is not final with signatures of a creator, and verifies what comes of it. */
function solveWith(
  input: PsbtInput,
  { coin, trust }: InputCoin,
  creator: SignatureCreator,
  options: SolveOptions & { readonly checks: Checks; readonly known: SignatureData },
): SolvedInput {
  const { provider = NO_PROVIDER, rules = CURRENT_RULES, checks, known, signs, finalizes } = options;
  const { scriptSig, witness, ...produced } = produceSignature({ provider, known, creator, rules }, coin.scriptPubKey);
  const { signed, missing } = known;
  // Only signatures of witnesses commit to the amount, which is claimed.
  if (trust === 'claimed' && !produced.isWitness) return { input, status: 'not-witness', missing, signed };
  const final = finalFields(scriptSig, witness);
  const finalChecks = signs === 'size' ? { ...checks, checker: acceptsAll(rules) } : checks;
  const needsNoRun = signs === 'size' && !input.partialSigs && isKeyHashSpend(coin, witness);
  const isComplete = produced.isSolved && (needsNoRun || isVerified(final, coin, finalChecks));
  const base =
    isComplete && finalizes ? { ...withoutProducerRecords(input), ...final } : withInputSignatureData(input, known);
  const next = produced.isWitness ? { ...base, witnessUtxo: coin } : base;
  return { input: next, status: isComplete ? 'complete' : 'incomplete', missing, signed };
}

/** With a signature that is made to be taken for valid, this is. */
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

/** How what an input holds is verified. */
type Checks = Pick<Parameters<typeof verifyScript>[0], 'checker' | 'ecc' | 'knowsAnchors'>;

/** To see what inputs weigh, nobody looks at other inputs' coins: Schnorr signatures are never found valid. */
function checksOf(session: PsbtSession, index: number, { value }: TxOut, { signs, rules }: SolveOptions): Checks {
  const { tx, midstate, ecc, prevouts } = session;
  const shared = { tx, inputIndex: index, value, midstate, ecc };
  const checker = transactionChecker({ ...shared, ...(prevouts && signs !== 'size' && { prevouts }) });
  return { checker, ecc, knowsAnchors: (rules ?? CURRENT_RULES).templates.anchor };
}

/** Coins that no empty input spends: their scripts need not be run to know. */
const NEVER_EMPTY: ReadonlySet<ScriptTemplate['type']> = /* @__PURE__ */ new Set<ScriptTemplate['type']>([
  'pubkey',
  'pubkeyhash',
  'scripthash',
  'multisig',
  'witness_v0_keyhash',
  'witness_v0_scripthash',
  'witness_v1_taproot',
]);

/** Whether what an input holds as final spends its coin. @see Bitcoin Core `PSBTInputSignedAndVerified` */
function isVerified(
  { finalScriptSig: scriptSig = NOTHING, finalScriptWitness: witness = [] }: PsbtInput,
  { scriptPubKey }: TxOut,
  checks: Checks,
): boolean {
  const isEmpty = scriptSig.length === 0 && witness.length === 0;
  if (isEmpty && NEVER_EMPTY.has(classifyScript(scriptPubKey).type)) return false;
  return verifyScript({ ...checks, scriptSig, witness, scriptPubKey }).kind === 'valid';
}

const NOTHING = new Uint8Array(0);

/** Whether what an input holds as final spends its coin, as far as that is known. */
export function isInputVerified(session: PsbtSession, input: PsbtInput, index: number, rules?: SigningRules): boolean {
  const coin = session.coins[index]?.coin;
  if (rules?.trustsPsbts) return coin !== undefined && isFinal(input);
  const options = { signs: 'nothing', finalizes: false, ...(rules && { rules }) } as const;
  return coin !== undefined && isVerified(input, coin, checksOf(session, index, coin, options));
}

/** Runs the final fields of an input; without its coin, reads the hash types that they show. */
export function finalSignatures(session: PsbtSession, input: PsbtInput, index: number): SpendSignatures {
  const coin = session.coins[index]?.coin;
  const spend = { scriptSig: input.finalScriptSig ?? NOTHING, witness: input.finalScriptWitness ?? [] };
  if (!coin) return { isValid: false, sighashTypes: apparentTypes(spend) };
  const checks = checksOf(session, index, coin, { signs: 'nothing', finalizes: false });
  return signaturesOfSpend({ ...checks, ...spend, scriptPubKey: coin.scriptPubKey });
}

/** Whether the type that an input asks for, and those of its signatures, are the one to be used. */
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

const NO_ENTROPY = new Uint8Array(32);

function creatorOf(
  session: PsbtSession,
  index: number,
  { provider = NO_PROVIDER, signs, sighashType, rules }: SolveOptions & { sighashType: number; rules: SigningRules },
): SignatureCreator {
  const digests = signs === 'size' ? undefined : inputDigests(session, index, sighashType);
  if (!digests) return signsForSize;
  const refuses = digests.isLoneSingle && !rules.signsLoneSingle;
  if (signs === 'nothing' || refuses) return signsNothing(digests.isMet, aggregatesWith(digests));
  return signsLocally({ ...digests, provider, auxRand: NO_ENTROPY, hasAmount: true });
}
