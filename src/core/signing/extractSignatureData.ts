import { bytesKey } from '../bytes/compare.ts';
import type { EcdsaVersion, SignatureChecker } from '../interpreter/checker.ts';
import { evaluate } from '../interpreter/evaluate.ts';
import { type ScriptFlags, STANDARD_FLAGS } from '../interpreter/flags.ts';
import type { VerifyScriptInput } from '../interpreter/verifyScript.ts';
import { verifyScript } from '../interpreter/verifyScript.ts';
import type { ScriptTemplate, TemplateRules } from '../script/template.ts';
import { unwrap } from '../script/unwrap.ts';
import type { TxIn } from '../tx/types.ts';
import type { KnownSignature } from './signatureData.ts';

export interface ExtractedSignatureData {
  readonly isComplete: boolean;
  /** By public key. Signing adds to it. */
  readonly signatures: Map<string, KnownSignature>;
  /** Empty if the input has none: to a node, the empty script is always known. */
  readonly redeemScript: Uint8Array;
  readonly witnessScript: Uint8Array;
}

const EMPTY = new Uint8Array(0);

/** The scriptSig runs only for the items it pushes. */
const NOTHING_CHECKS: SignatureChecker = {
  checkEcdsa: () => false,
  checkSchnorr: () => 'SCHNORR_SIG',
  checkLockTime: () => false,
  checkSequence: () => false,
};
const PUSH_FLAGS: ScriptFlags = /* @__PURE__ */ new Set(['STRICTENC'] as const);

/**
 * Runs an input and, in multisig spends, tries each item with each key, in any order and encoding.
 * @see Core `DataFromTransaction`
 */
export function extractSignatureData(
  txIn: TxIn,
  spent: Omit<VerifyScriptInput, 'scriptSig' | 'witness' | 'flags'>,
  templates: TemplateRules,
): ExtractedSignatureData {
  const { scriptSig, witness } = txIn;
  const signatures = new Map<string, KnownSignature>();
  const checker = recording(spent.checker, signatures);
  const outcome = verifyScript({ ...spent, scriptSig, witness, checker, flags: STANDARD_FLAGS });
  if (outcome.kind === 'valid') {
    return { isComplete: true, signatures, redeemScript: EMPTY, witnessScript: EMPTY };
  }
  const spend = scriptOfSpend(txIn, spent.scriptPubKey, templates);
  gather(spend, checker, signatures);
  const { redeemScript = EMPTY, witnessScript = EMPTY } = spend;
  return { isComplete: false, signatures, redeemScript, witnessScript };
}

function recording(checker: SignatureChecker, signatures: Map<string, KnownSignature>): SignatureChecker {
  return {
    ...checker,
    checkEcdsa: (signature, publicKey, scriptCode, sigVersion) => {
      const isValid = checker.checkEcdsa(signature, publicKey, scriptCode, sigVersion);
      // Keeps the first of several signatures of one key.
      if (isValid && !signatures.has(bytesKey(publicKey)))
        signatures.set(bytesKey(publicKey), { publicKey, signature });
      return isValid;
    },
  };
}

interface SpendScript {
  readonly template: ScriptTemplate;
  readonly script: Uint8Array;
  readonly sigVersion: EcdsaVersion;
  readonly items: readonly Uint8Array[];
  readonly redeemScript?: Uint8Array | undefined;
  readonly witnessScript?: Uint8Array | undefined;
}

function scriptOfSpend({ scriptSig, witness }: TxIn, scriptPubKey: Uint8Array, templates: TemplateRules): SpendScript {
  const stack: Uint8Array[] = [];
  evaluate(scriptSig, stack, { flags: PUSH_FLAGS, checker: NOTHING_CHECKS, sigVersion: 'base', role: 'scriptSig' });
  const unwrapped = unwrap(
    scriptPubKey,
    { redeemScript: () => stack.at(-1), witnessScript: () => witness.at(-1) },
    templates,
  );
  if (unwrapped.witnessScript) return { ...unwrapped, sigVersion: 'witness-v0', items: witness.slice(0, -1) };
  return { ...unwrapped, sigVersion: 'base', items: unwrapped.redeemScript ? stack.slice(0, -1) : stack };
}

/** Looks for signatures of multisig: they follow the order of their keys, so each item is tried from the key after the last match on. */
function gather(
  { template, items, script, sigVersion }: SpendScript,
  checker: SignatureChecker,
  signatures: Map<string, KnownSignature>,
): void {
  if (template.type !== 'multisig') return;
  let next = 0;
  for (const signature of items) {
    const match = template.pubkeys.findIndex((publicKey, position) => {
      if (position < next) return false;
      return signatures.has(bytesKey(publicKey)) || checker.checkEcdsa(signature, publicKey, script, sigVersion);
    });
    if (match >= 0) next = match + 1;
  }
}
