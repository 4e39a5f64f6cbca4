import { equalBytes } from '../bytes/compare.ts';
import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { encodePush } from '../script/build.ts';
import { isPushOnly } from '../script/instructions.ts';
import { isPayToScriptHash, parseWitnessProgram } from '../script/template.ts';
import type { SignatureChecker } from './checker.ts';
import { evaluate } from './evaluate.ts';
import { completeFlags, type ScriptFlags, STANDARD_FLAGS } from './flags.ts';
import { EMPTY, isTruthy, type ScriptContext, type Watch } from './machine.ts';
import type { ScriptFailure, ScriptOutcome } from './result.ts';
import { failure, verifyWitnessProgram, type WitnessRules } from './witness.ts';

/** A coin's script, and the scriptSig and witness that spend it. */
export interface VerifyScriptInput {
  readonly scriptSig: Uint8Array;
  readonly scriptPubKey: Uint8Array;
  /** Bottom first. */
  readonly witness: readonly Uint8Array[];
  readonly checker: SignatureChecker;
  /** Default: `STANDARD_FLAGS`. */
  readonly flags?: ScriptFlags;
  /** Verifies taproot commitments. Default: `nobleEcc`. */
  readonly ecc?: Ecc;
  /** Default: true. Core before 28 treats pay-to-anchor as an unknown witness program. */
  readonly knowsAnchors?: boolean;
}

const SCRIPT_INPUT: OptionNames<VerifyScriptInput> = {
  scriptSig: 'needed',
  scriptPubKey: 'needed',
  witness: 'needed',
  checker: 'needed',
  flags: true,
  ecc: true,
  knowsAnchors: true,
};

/** Runs the scripts of a spend; never throws for a fault in them. @see Core `VerifyScript` */
export function verifyScript(options: VerifyScriptInput): ScriptOutcome {
  assertKnownOptions(options, SCRIPT_INPUT);
  return runScripts(options);
}

export function runScripts(options: VerifyScriptInput, watch?: Watch): ScriptOutcome {
  const { flags = STANDARD_FLAGS, ecc = nobleEcc, knowsAnchors = true, checker } = options;
  const rules = { flags: completeFlags(flags), ecc, knowsAnchors, checker, watch };
  return findFailure(options, rules) ?? { kind: 'valid' };
}

function findFailure(spend: VerifyScriptInput, rules: WitnessRules): ScriptFailure | undefined {
  const { scriptSig, scriptPubKey } = spend;
  const { flags } = rules;
  if (flags.has('SIGPUSHONLY') && !isPushOnly(scriptSig)) return failure('SIG_PUSHONLY');
  const context = { sigVersion: 'base', ...rules } as const;
  const stack: Uint8Array[] = [];
  const sigFailure = evaluate(scriptSig, stack, { role: 'scriptSig', ...context });
  if (sigFailure) return sigFailure;
  const pushed = [...stack];
  const ownFailure = runToTrue(scriptPubKey, stack, { role: 'scriptPubKey', ...context });
  if (ownFailure) return ownFailure;
  if (!flags.has('P2SH') || !isPayToScriptHash(scriptPubKey)) return finish(spend, rules, { stack });

  if (!isPushOnly(scriptSig)) return failure('SIG_PUSHONLY');
  const redeemScript = pushed.pop() ?? EMPTY;
  const redeemFailure = runToTrue(redeemScript, pushed, { role: 'redeemScript', ...context });
  return redeemFailure ?? finish(spend, rules, { stack: pushed, redeemScript });
}

function finish(
  { scriptSig, scriptPubKey, witness }: VerifyScriptInput,
  rules: WitnessRules,
  { stack, redeemScript }: { readonly stack: readonly Uint8Array[]; readonly redeemScript?: Uint8Array },
): ScriptFailure | undefined {
  const { flags } = rules;
  const program = flags.has('WITNESS') ? parseWitnessProgram(redeemScript ?? scriptPubKey) : undefined;
  if (!program) {
    if (flags.has('CLEANSTACK') && stack.length !== 1) return failure('CLEANSTACK');
    return flags.has('WITNESS') && witness.length > 0 ? failure('WITNESS_UNEXPECTED') : undefined;
  }
  // A witness program fixes the scriptSig: empty or, in P2SH, a single push of the redeemScript.
  if (!equalBytes(scriptSig, redeemScript ? encodePush(redeemScript) : EMPTY)) {
    return failure(redeemScript ? 'WITNESS_MALLEATED_P2SH' : 'WITNESS_MALLEATED');
  }
  return verifyWitnessProgram(witness, { isNested: redeemScript !== undefined, ...program }, rules);
}

function runToTrue(script: Uint8Array, stack: Uint8Array[], context: ScriptContext): ScriptFailure | undefined {
  const scriptFailure = evaluate(script, stack, context);
  if (scriptFailure) return scriptFailure;
  const top = stack[stack.length - 1];
  return top && isTruthy(top) ? undefined : failure('EVAL_FALSE');
}
