import type { Ecc } from '../crypto/ecc.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { createSignatureCache, type SignatureCache, withSignatureCache } from '../crypto/signatureCache.ts';
import { BtcError } from '../errors.ts';
import type { ScriptFailure } from '../interpreter/result.ts';
import { meetsLockTime, meetsSequence } from '../interpreter/timelock.ts';
import { ecdsaDigests, transactionChecker } from '../interpreter/transactionChecker.ts';
import { verifyScript } from '../interpreter/verifyScript.ts';
import { type SighashMidstate, sighashMidstate } from '../sighash/midstate.ts';
import { isTaprootSighashType, outputModeOf, SIGHASH } from '../sighash/sighashType.ts';
import { taprootSighash } from '../sighash/taproot.ts';
import type { Transaction, TxIn, TxOut } from '../tx/types.ts';
import { extractSignatureData } from './extractSignatureData.ts';
import type { Missing } from './missing.ts';
import { type Produced, produceSignature } from './produceSignature.ts';
import { signsLocally } from './signatureCreator.ts';
import { createSignatureData } from './signatureData.ts';
import { createSigningProvider, type SigningKey, type SigningProvider } from './signingProvider.ts';
import { CURRENT_RULES, type SigningRules } from './signingRules.ts';

/** An output being spent; `value` in satoshi, left out where it is not known. */
export interface SpentOutput {
  readonly scriptPubKey: Uint8Array;
  readonly value?: bigint;
}

export interface SignTransactionInput extends SigningInput {
  readonly keys: readonly SigningKey[];
  /** RedeemScripts and witnessScripts. */
  readonly scripts?: readonly Uint8Array[];
}

/** What is signed, and how, whoever holds the keys. */
export interface SigningInput {
  /** Signed in part or not at all. */
  readonly tx: Transaction;
  /** The outputs being spent, one an input, in their order; `undefined` where one is not known. */
  readonly prevouts: readonly (SpentOutput | undefined)[];
  /** Default DEFAULT: ALL for ECDSA, and for taproot the type that takes no byte. */
  readonly sighashType?: number;
  readonly ecc?: Ecc;
  /** For Schnorr signatures, 32 bytes; default zeros, as nodes have it, so that signatures repeat. */
  readonly auxRand?: Uint8Array;
  readonly rules?: SigningRules;
  /** Remembers which signatures are valid, from call to call. Default a new one. */
  readonly cache?: SignatureCache;
  /** Called after each input. */
  readonly onProgress?: (done: number, inputs: number) => void;
}

/** What became of an input. */
export type SigningOutcome =
  | { readonly kind: 'complete'; readonly signed: readonly Uint8Array[] }
  | {
      readonly kind: 'incomplete';
      /** What running the input's scripts has shown, as far as they could be run. */
      readonly failure: ScriptFailure | undefined;
      /** Public keys that signatures were made for. */
      readonly signed: readonly Uint8Array[];
      readonly missing: readonly Missing[];
    };

export interface SignedTransaction {
  readonly tx: Transaction;
  /** Whether every input is valid. */
  readonly isComplete: boolean;
  /** One an input, in their order. */
  readonly inputs: readonly SigningOutcome[];
}

const ZERO = new Uint8Array(32);

/**
 * Signs what can be signed with these keys, puts it beside the signatures that are there, and verifies every input.
 * An input that is valid already is left as it is. Nothing is thrown for what is missing: the outcomes tell.
 * @throws `sighash/prevouts`, `sighash/type`, `ecc/secret-key`
 * @see Bitcoin Core `SignTransaction`
 */
export function signTransaction({ keys, scripts = [], ...given }: SignTransactionInput): SignedTransaction {
  return signTransactionWith((ecc, rules) => createSigningProvider({ keys, scripts }, rules, ecc), given);
}

/**
 * The same, with all that somebody knows.
 *
 * - `providerOf`: called once, with the arithmetic and the rules in use
 */
export function signTransactionWith(
  providerOf: (ecc: Ecc, rules: SigningRules) => SigningProvider,
  given: SigningInput,
): SignedTransaction {
  const { tx, prevouts, sighashType = SIGHASH.DEFAULT, rules = CURRENT_RULES } = given;
  if (prevouts.length !== tx.inputs.length) {
    throw new BtcError('sighash/prevouts', { expected: tx.inputs.length, found: prevouts.length });
  }
  if (!isTaprootSighashType(sighashType)) throw new BtcError('sighash/type', { sighashType, algorithm: 'any' });
  const ecc = withSignatureCache(given.ecc ?? nobleEcc, given.cache ?? createSignatureCache());
  const coins = prevouts.every(isKnown) ? prevouts : undefined;
  const session: Session = {
    tx,
    coins,
    midstate: sighashMidstate(tx, coins),
    provider: providerOf(ecc, rules),
    sighashType,
    ecc,
    rules,
    auxRand: given.auxRand ?? ZERO,
  };
  const signed = tx.inputs.map((_, inputIndex) => {
    const result = signInput(session, inputIndex, prevouts[inputIndex]);
    given.onProgress?.(inputIndex + 1, tx.inputs.length);
    return result;
  });
  const inputs = signed.map(({ outcome }) => outcome);
  return {
    tx: { ...tx, inputs: signed.map(({ input }) => input) },
    isComplete: inputs.every(({ kind }) => kind === 'complete'),
    inputs,
  };
}

interface Session {
  readonly tx: Transaction;
  /** All outputs being spent, if all are known. */
  readonly coins: readonly TxOut[] | undefined;
  readonly midstate: SighashMidstate;
  readonly provider: SigningProvider;
  readonly sighashType: number;
  readonly ecc: Ecc;
  readonly rules: SigningRules;
  readonly auxRand: Uint8Array;
}

const isKnown = (prevout: SpentOutput | undefined): prevout is TxOut => prevout?.value !== undefined;

interface SignedInput {
  readonly input: TxIn;
  readonly outcome: SigningOutcome;
}

function signInput(session: Session, inputIndex: number, coin: SpentOutput | undefined): SignedInput {
  const { tx, coins, midstate, ecc, rules } = session;
  const input = tx.inputs[inputIndex];
  if (!input) throw new BtcError('sighash/input-index', { inputIndex, inputs: tx.inputs.length });
  if (!coin) return { input, outcome: incomplete([], [{ kind: 'coin' }]) };
  // Signatures that cannot be checked are left alone.
  if (coin.value === undefined && input.witness.length > 0) {
    return { input, outcome: incomplete([], [{ kind: 'amount' }]) };
  }
  const { scriptPubKey, value = UNKNOWN_VALUE } = coin;
  const { anchor: knowsAnchors } = rules.templates;
  const shared = { tx, inputIndex, value, midstate };
  const digestOf = ecdsaDigests(shared);
  const checker = transactionChecker({ ...shared, ecc, digestOf });
  const existing = extractSignatureData(input, { scriptPubKey, checker, ecc, knowsAnchors }, rules.templates);
  if (existing.isComplete) return { input, outcome: { kind: 'complete', signed: [] } };

  const known = createSignatureData(existing);
  const creator = signsLocally({
    ...session,
    digestOf,
    ecdsaType: session.sighashType || SIGHASH.ALL,
    schnorrType: session.sighashType,
    schnorrDigest: (leafHash) =>
      coins &&
      taprootSighash({
        ...{ tx, prevouts: coins, inputIndex, midstate, sighashType: session.sighashType },
        ...(leafHash && { tapscript: { leafHash } }),
      }),
    hasAmount: coin.value !== undefined,
    isMet: (kind, lock) => (kind === 'older' ? meetsSequence : meetsLockTime)(tx, input, lock),
  });
  const signsNothing = outputModeOf(session.sighashType) === 'single' && inputIndex >= tx.outputs.length;
  const context = { provider: session.provider, known, creator, rules };
  const made = signsNothing ? input : { ...input, ...holding(produceSignature(context, scriptPubKey, input.witness)) };
  const { signed, missing } = known;
  if (coin.value === undefined && made.witness.length > 0) {
    return { input: made, outcome: incomplete(signed, [{ kind: 'amount' }, ...missing]) };
  }
  const whole = coins ? transactionChecker({ ...shared, prevouts: coins, ecc, digestOf }) : checker;
  const outcome = verifyScript({ ...made, scriptPubKey, checker: whole, ecc, knowsAnchors });
  if (outcome.kind === 'valid') return { input: made, outcome: { kind: 'complete', signed } };
  return { input: made, outcome: incomplete(signed, missing, outcome) };
}

const holding = ({ scriptSig, witness }: Produced): Pick<TxIn, 'scriptSig' | 'witness'> => ({ scriptSig, witness });

/** Never hashed: without an amount, no segwit signature is made or looked at. */
const UNKNOWN_VALUE = 0n;

function incomplete(
  signed: readonly Uint8Array[],
  missing: readonly Missing[],
  failure?: ScriptFailure,
): SigningOutcome {
  return { kind: 'incomplete', failure, signed, missing };
}
