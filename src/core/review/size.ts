import { isFinal } from '../psbt/format/nodeOrder.ts';
import { recordedTypes } from '../psbt/format/recordedTypes.ts';
import type { PsbtInput } from '../psbt/format/types.ts';
import { inputSignatureData } from '../psbt/inputSignatureData.ts';
import { fillForSize, finalSize } from '../psbt/roles/analyzer.ts';
import type { PsbtSession, SessionInput } from '../psbt/session.ts';
import { solveInput } from '../psbt/solveInput.ts';
import type { ScriptTemplate } from '../script/template.ts';
import { produceSignature } from '../signing/produceSignature.ts';
import { dummySignatures, NO_KEYS } from '../signing/signatureCreator.ts';
import { forgetSignatures } from '../signing/signatureData.ts';
import { NO_PROVIDER } from '../signing/signingProvider.ts';
import { CURRENT_RULES } from '../signing/signingRules.ts';
import type { TxOut } from '../tx/types.ts';
import type { ReviewedInput } from './inputs.ts';

/** A lower bound unless `isWhole`. */
export interface Size {
  readonly vsize: number;
  readonly isWhole: boolean;
}

/**
 * Measures the signed size: by the signatures of an input if they suffice, else with dummies of the usual sizes. Inputs that
 * are final but invalid, or cannot be filled in, count without signatures: another signer's input must not make the fee rate
 * look low by claiming to be large.
 */
export function estimateSize(
  session: PsbtSession,
  reviewed: readonly ReviewedInput[],
  publicKey: ((hash: Uint8Array) => Uint8Array | undefined) | undefined,
): Size {
  // A claimed coin takes as many bytes to spend as a proven one.
  const coins = session.coins.map((coin) => coin && { ...coin, trust: 'proven' as const });
  const filled = reviewed.map(({ input, review, unwrapped }, index) => {
    if (isFinal(input)) return review.isFinalValid ? input : undefined;
    const place = { session: { ...session, coins }, input, index };
    const signed = recordedTypes(input).length > 0 ? finalIfSigned(place) : undefined;
    const solved = signed ?? fillForSize(place, { sighashType: input.sighashType });
    const isKeyHash = unwrapped !== undefined && KEY_HASHES.has(unwrapped.template.type);
    return solved ?? (isKeyHash ? fillKeyHash(input, review.coin, publicKey) : undefined);
  });
  return {
    vsize: finalSize(
      session,
      filled.map((input) => input ?? {}),
    ),
    isWhole: !filled.includes(undefined),
  };
}

/** Finalizes an input by the signatures that it holds, if they suffice. */
function finalIfSigned(place: SessionInput): PsbtInput | undefined {
  const { sighashType } = place.input;
  const solved = solveInput(place, { signs: NO_KEYS, sighashType, finalizes: true });
  return solved.status === 'complete' ? solved.input : undefined;
}

const KEY_HASHES: ReadonlySet<string> = /* @__PURE__ */ new Set<ScriptTemplate['type']>([
  'pubkeyhash',
  'witness_v0_keyhash',
]);

const COMPRESSED_KEY: Uint8Array = /* @__PURE__ */ new Uint8Array(33).fill(2);

/** Fills in a spend by a key hash; an unknown key counts as compressed. */
function fillKeyHash(
  input: PsbtInput,
  coin: TxOut | undefined,
  publicKey: ((hash: Uint8Array) => Uint8Array | undefined) | undefined,
): PsbtInput | undefined {
  if (!coin) return undefined;
  const data = inputSignatureData(input);
  forgetSignatures(data, () => false);
  const provider = { ...NO_PROVIDER, publicKey: (hash: Uint8Array) => publicKey?.(hash) ?? COMPRESSED_KEY };
  const solver = { provider, data, creator: dummySignatures, rules: CURRENT_RULES };
  const { isSolved, scriptSig, witness } = produceSignature(solver, coin.scriptPubKey);
  return isSolved ? { finalScriptSig: scriptSig, finalScriptWitness: witness } : undefined;
}
