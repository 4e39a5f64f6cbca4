import type { SignatureChecker } from '../interpreter/checker.ts';
import type { ScriptOutcome } from '../interpreter/result.ts';
import { ecdsaDigests, meetsLock, transactionChecker } from '../interpreter/transactionChecker.ts';
import { type VerifyScriptInput, verifyScript } from '../interpreter/verifyScript.ts';
import { classifyScript } from '../script/template.ts';
import { inputAt } from '../sighash/midstate.ts';
import { isTaprootSighashType, outputMode, SIGHASH } from '../sighash/sighashType.ts';
import { taprootSighash } from '../sighash/taproot.ts';
import type { TxIn } from '../tx/types.ts';
import { type Produced, produceSignature } from './produceSignature.ts';
import type { InputDigests, SignatureCreator } from './signatureCreator.ts';
import type { SignatureData } from './signatureData.ts';
import type { SigningProvider } from './signingProvider.ts';
import type { SigningRules } from './signingRules.ts';
import type { SpentOutput, TxContext } from './txContext.ts';

export interface InputContext extends TxContext {
  readonly inputIndex: number;
  readonly coin: SpentOutput;
  readonly rules: SigningRules;
}

/** Never hashed: without an amount, no segwit signature is made or verified. */
const UNKNOWN_VALUE = 0n;

export function isLoneSingle({ tx, inputIndex }: InputContext, sighashType: number): boolean {
  return outputMode(sighashType) === 'single' && inputIndex >= tx.outputs.length;
}

export function inputDigests(input: InputContext, sighashType: number): InputDigests {
  const { tx, inputIndex, midstate, prevouts, coin, ecc, assembler } = input;
  const txIn = inputAt(tx, inputIndex);
  const template = classifyScript(coin.scriptPubKey);
  const outputKey = template.type === 'witness_v1_taproot' ? template.program : undefined;
  const isLone = isLoneSingle(input, sighashType);
  const schnorrDigest: InputDigests['schnorrDigest'] = (leafHash) =>
    prevouts && !isLone && isTaprootSighashType(sighashType)
      ? taprootSighash({
          tx,
          inputIndex,
          midstate,
          prevouts,
          sighashType,
          ...(leafHash && { tapscript: { leafHash } }),
        })
      : undefined;
  return {
    inputIndex,
    ecc,
    ecdsaType: sighashType || SIGHASH.ALL,
    schnorrType: sighashType,
    ecdsaDigest: ecdsaDigests({ tx, inputIndex, midstate, value: coin.value ?? UNKNOWN_VALUE }),
    schnorrDigest,
    hasAmount: coin.value !== undefined,
    isLoneSingle: isLone,
    isMet: (kind, lock) => meetsLock(tx, txIn, { kind, lock }),
    outputKey,
    assemble: outputKey && assembler?.(outputKey, schnorrDigest),
  };
}

export interface SignInputOptions {
  readonly sighashType: number;
  readonly provider: SigningProvider;
  /** Signing adds to it. */
  readonly data: SignatureData;
  readonly makeCreator: (digests: InputDigests) => SignatureCreator;
  readonly before?: readonly Uint8Array[];
}

export function signInput(input: InputContext, options: SignInputOptions): Produced {
  const { sighashType, provider, data, makeCreator, before } = options;
  const creator = makeCreator(inputDigests(input, sighashType));
  return produceSignature({ provider, data, creator, rules: input.rules }, input.coin.scriptPubKey, before);
}

type Spend = Pick<TxIn, 'scriptSig' | 'witness'>;

export function scriptChecks(input: InputContext): Omit<VerifyScriptInput, keyof Spend | 'flags'> {
  const { tx, inputIndex, midstate, prevouts, coin, ecc, rules } = input;
  const { scriptPubKey, value = UNKNOWN_VALUE } = coin;
  const checker = transactionChecker({
    tx,
    inputIndex,
    value,
    midstate,
    ecc,
    ...(prevouts && { prevouts }),
  });
  return { scriptPubKey, checker, ecc, knowsAnchors: rules.templates.anchor };
}

export function verifyInput(
  input: InputContext,
  { scriptSig, witness }: Spend,
  checker?: SignatureChecker,
): ScriptOutcome {
  return verifyScript({ ...scriptChecks(input), ...(checker && { checker }), scriptSig, witness });
}
