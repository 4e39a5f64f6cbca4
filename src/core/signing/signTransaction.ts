import { assertKnownOptions, assertList, type OptionNames } from '../bytes/knownOptions.ts';
import type { Ecc } from '../crypto/ecc.ts';
import type { ScriptFailure } from '../interpreter/result.ts';
import { assertPrevouts } from '../sighash/midstate.ts';
import { assertSighashType, isTaprootSighashType, SIGHASH, undefinedSighashType } from '../sighash/sighashType.ts';
import { assertTransaction } from '../tx/assertTransaction.ts';
import type { Transaction, TxIn } from '../tx/types.ts';
import { extractSignatureData } from './extractSignatureData.ts';
import { findKeys, NO_ENTROPY } from './keySigner.ts';
import { SESSION_OPTIONS, type SessionOptions } from './sessionOptions.ts';
import { createSignatures, type KeyFinder } from './signatureCreator.ts';
import { createSignatureData, type Missing } from './signatureData.ts';
import { type InputContext, isLoneSingle, scriptChecks, signInput, verifyInput } from './signInput.ts';
import { createSigningProvider, type SigningKey, type SigningProvider } from './signingProvider.ts';
import { CURRENT_RULES, type SigningRules } from './signingRules.ts';
import { createTxContext, type SpentOutput } from './txContext.ts';

/** A transaction, the coins that it spends, and the keys and scripts to sign with. */
export interface SignTransactionInput extends SigningInput {
  readonly keys: readonly SigningKey[];
  /** Redeem scripts and witness scripts. */
  readonly scripts?: readonly Uint8Array[];
}

export interface SigningInput extends SessionOptions {
  /** Unsigned or partly signed. */
  readonly tx: Transaction;
  /** The outputs being spent, one per input. */
  readonly prevouts: readonly (SpentOutput | undefined)[];
  /** Default: DEFAULT, which is ALL for ECDSA. */
  readonly sighashType?: number;
  /** 32 bytes. Default: zeros, so that Schnorr signatures repeat, as Core's do. */
  readonly auxRand?: Uint8Array;
  readonly rules?: SigningRules;
  /** After each input. */
  readonly onProgress?: (done: number, inputs: number) => void;
}

const SIGN_INPUT: OptionNames<SignTransactionInput> = {
  ...SESSION_OPTIONS,
  keys: 'needed',
  scripts: true,
  tx: 'needed',
  prevouts: 'needed',
  sighashType: true,
  auxRand: true,
  rules: true,
  onProgress: true,
};

/** The outcome of an input. */
export type SigningOutcome =
  | { readonly kind: 'complete'; readonly signed: readonly Uint8Array[] }
  | {
      readonly kind: 'incomplete';
      /** Of the input's scripts, if they could be run. */
      readonly failure: ScriptFailure | undefined;
      /** Public keys. */
      readonly signed: readonly Uint8Array[];
      readonly missing: readonly Missing[];
    };

/** A transaction with its new signatures, and the outcome of each input. */
export interface SignedTransaction {
  readonly tx: Transaction;
  readonly isComplete: boolean;
  /** One per input. */
  readonly inputs: readonly SigningOutcome[];
}

/**
 * Signs as far as possible, beside existing signatures, and verifies every input. The outcomes report missing data.
 * @throws `sighash/prevouts`, `sighash/type`, `ecc/secret-key`
 * @see Core `SignTransaction`
 *
 * @example
 * ```ts
 * import {
 *   createDeriver,
 *   decodeTransaction,
 *   formatHex,
 *   networks,
 *   nobleEcc,
 *   parseDescriptor,
 *   parseHex,
 *   signTransaction,
 * } from 'countersign';
 *
 * const hex = `0200000001${'11'.repeat(32)}0000000000ffffffff0100100000000000000000000000`;
 * const secretKey = new Uint8Array(32).fill(1);
 * const tx = decodeTransaction(parseHex(hex));
 * const descriptor = parseDescriptor(`wpkh(${formatHex(nobleEcc.publicKey(secretKey, true))})`, networks.regtest);
 * const [scriptPubKey = new Uint8Array()] = createDeriver(descriptor)(0).scriptPubKeys;
 * const keys = [{ secretKey, isCompressed: true }];
 * signTransaction({ tx, prevouts: [{ value: 5000n, scriptPubKey }], keys }).isComplete; // true
 * ```
 */
export function signTransaction(input: SignTransactionInput): SignedTransaction {
  assertKnownOptions(input, SIGN_INPUT);
  assertTransaction(input.tx);
  assertList('prevouts', input.prevouts);
  assertSighashType(input.sighashType);
  const { keys, scripts = [], ...signing } = input;
  return signTransactionWith((ecc, rules) => createSigningProvider({ keys, scripts }, { rules, ecc }), signing);
}

/** Signs with any provider. */
export function signTransactionWith(
  createProvider: (ecc: Ecc, rules: SigningRules) => SigningProvider,
  signing: SigningInput,
): SignedTransaction {
  const { tx, prevouts, sighashType = SIGHASH.DEFAULT, rules = CURRENT_RULES, auxRand = NO_ENTROPY } = signing;
  assertPrevouts(tx, prevouts);
  if (!isTaprootSighashType(sighashType)) throw undefinedSighashType(sighashType, 'any');
  const context = createTxContext(tx, prevouts, signing);
  const provider = createProvider(context.ecc, rules);
  const keys = findKeys(provider, { ecc: context.ecc, auxRand });
  const signed = tx.inputs.map((input, inputIndex) => {
    const coin = prevouts[inputIndex];
    const result = coin
      ? signTxIn(input, { inputIndex, coin, rules, ...context }, { provider, keys, sighashType })
      : { input, outcome: incomplete([], [{ kind: 'coin' }]) };
    signing.onProgress?.(inputIndex + 1, tx.inputs.length);
    return result;
  });
  const inputs = signed.map(({ outcome }) => outcome);
  return {
    tx: { ...tx, inputs: signed.map(({ input }) => input) },
    isComplete: inputs.every(({ kind }) => kind === 'complete'),
    inputs,
  };
}

interface SignedTxIn {
  readonly input: TxIn;
  readonly outcome: SigningOutcome;
}

function signTxIn(
  input: TxIn,
  context: InputContext,
  { keys, ...signing }: { readonly provider: SigningProvider; readonly keys: KeyFinder; readonly sighashType: number },
): SignedTxIn {
  const hasAmount = context.coin.value !== undefined;
  // Keeps signatures that cannot be verified.
  if (!hasAmount && input.witness.length > 0) return { input, outcome: incomplete([], [{ kind: 'amount' }]) };
  // Treats a Schnorr signature that the input already holds as invalid, like Core.
  const checks = scriptChecks({ ...context, prevouts: undefined });
  const existing = extractSignatureData(input, checks, context.rules.templates);
  if (existing.isComplete) return { input, outcome: { kind: 'complete', signed: [] } };

  const data = createSignatureData(existing);
  const { scriptSig, witness } = isLoneSingle(context, signing.sighashType)
    ? input
    : signInput(context, {
        ...signing,
        data,
        makeCreator: (digests) => createSignatures(digests, keys),
        before: input.witness,
      });
  const signedInput = { ...input, scriptSig, witness };
  const { signed, missing } = data;
  if (!hasAmount && signedInput.witness.length > 0) {
    return { input: signedInput, outcome: incomplete(signed, [{ kind: 'amount' }, ...missing]) };
  }
  const outcome = verifyInput(context, signedInput);
  if (outcome.kind === 'valid') return { input: signedInput, outcome: { kind: 'complete', signed } };
  return { input: signedInput, outcome: incomplete(signed, missing, outcome) };
}

function incomplete(
  signed: readonly Uint8Array[],
  missing: readonly Missing[],
  failure?: ScriptFailure,
): SigningOutcome {
  return { kind: 'incomplete', failure, signed, missing };
}
