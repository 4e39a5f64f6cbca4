import { encode } from '../bytes/codec.ts';
import { equalBytes } from '../bytes/compare.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { sha256 } from '../crypto/hash.ts';
import { payToPubkeyHash } from '../script/build.ts';
import { instructions, MAX_SCRIPT_ELEMENT_SIZE } from '../script/instructions.ts';
import { isOpSuccess } from '../script/opcodeRules.ts';
import {
  computeMerkleRoot,
  isOutputKey,
  parseControlBlock,
  splitTaprootWitness,
  TAPSCRIPT_LEAF_VERSION,
  type TapLeafHash,
  tapLeafHash,
} from '../script/tapTree.ts';
import { ANCHOR_PROGRAM } from '../script/template.ts';
import { witnessCodec } from '../tx/codec.ts';
import type { SignatureChecker } from './checker.ts';
import { evaluate, MAX_STACK_SIZE } from './evaluate.ts';
import type { ScriptFlags } from './flags.ts';
import { isTruthy, type ScriptContext, type Watch } from './machine.ts';
import type { ScriptError, ScriptFailure } from './result.ts';

export interface WitnessRules {
  readonly flags: ScriptFlags;
  readonly checker: SignatureChecker;
  readonly ecc: Ecc;
  readonly knowsAnchors: boolean;
  readonly watch?: Watch | undefined;
}

export interface WitnessProgram {
  readonly version: number;
  readonly program: Uint8Array;
  /** The redeemScript of a P2SH output. */
  readonly isNested: boolean;
}

/**
 * Added to the size of the witness to make up a tapscript's budget for signature checks. @see BIP342 "Resource limits"
 */
const BUDGET_BASE = 50;

export const failure = (error: ScriptError): ScriptFailure => ({ kind: 'invalid', error });

/** @see BIP141 "Witness program"; BIP341 "Script validation rules"; Core `VerifyWitnessProgram` */
export function verifyWitnessProgram(
  witness: readonly Uint8Array[],
  { version, program, isNested }: WitnessProgram,
  rules: WitnessRules,
): ScriptFailure | undefined {
  rules.watch?.program(version, program);
  if (version === 0) return verifyVersion0(witness, program, rules);
  if (version === 1 && program.length === 32 && !isNested) {
    return rules.flags.has('TAPROOT') ? verifyTaproot(witness, program, rules) : undefined;
  }
  const isAnchor = rules.knowsAnchors && !isNested && version === 1 && equalBytes(program, ANCHOR_PROGRAM);
  if (isAnchor || !rules.flags.has('DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM')) return undefined;
  return failure('DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM');
}

function verifyVersion0(
  witness: readonly Uint8Array[],
  program: Uint8Array,
  rules: WitnessRules,
): ScriptFailure | undefined {
  const context = { sigVersion: 'witness-v0', ...rules } as const;
  if (program.length === 20) {
    if (witness.length !== 2) return failure('WITNESS_PROGRAM_MISMATCH');
    return runWitnessScript(payToPubkeyHash(program), witness, { role: 'scriptCode', ...context });
  }
  if (program.length !== 32) return failure('WITNESS_PROGRAM_WRONG_LENGTH');
  const script = witness[witness.length - 1];
  if (!script) return failure('WITNESS_PROGRAM_WITNESS_EMPTY');
  if (!equalBytes(sha256(script), program)) return failure('WITNESS_PROGRAM_MISMATCH');
  return runWitnessScript(script, witness.slice(0, -1), { role: 'witnessScript', ...context });
}

function verifyTaproot(
  witness: readonly Uint8Array[],
  outputKey: Uint8Array,
  rules: WitnessRules,
): ScriptFailure | undefined {
  if (witness.length === 0) return failure('WITNESS_PROGRAM_WITNESS_EMPTY');
  const { annex, leaf, items } = splitTaprootWitness(witness);
  if (leaf) return verifyLeaf({ witness, items, annex, ...leaf, outputKey }, rules);
  const signature = items[0] ?? new Uint8Array(0);
  const error = rules.checker.checkSchnorr(signature, outputKey, { annex });
  rules.watch?.check(signature, outputKey, error ?? true);
  return error && failure(error);
}

interface LeafSpend {
  /** Whole, as its size determines the budget for signature checks. */
  readonly witness: readonly Uint8Array[];
  readonly items: readonly Uint8Array[];
  readonly annex: Uint8Array | undefined;
  readonly script: Uint8Array;
  readonly controlBlock: Uint8Array;
  readonly outputKey: Uint8Array;
}

function verifyLeaf(spend: LeafSpend, rules: WitnessRules): ScriptFailure | undefined {
  const control = parseControlBlock(spend.controlBlock);
  if (!control) return failure('TAPROOT_WRONG_CONTROL_SIZE');
  const leafHash = tapLeafHash(spend.script, control.leafVersion);
  const merkleRoot = computeMerkleRoot(leafHash, control.path);
  const { outputKey, annex } = spend;
  const isCommitted = isOutputKey(outputKey, { ...control, merkleRoot }, rules.ecc);
  rules.watch?.leaf({ ...control, leafHash, merkleRoot, outputKey, annex, isCommitted });
  if (!isCommitted) return failure('WITNESS_PROGRAM_MISMATCH');
  if (control.leafVersion === TAPSCRIPT_LEAF_VERSION) return runTapscript(spend, leafHash, rules);
  return rules.flags.has('DISCOURAGE_UPGRADABLE_TAPROOT_VERSION')
    ? failure('DISCOURAGE_UPGRADABLE_TAPROOT_VERSION')
    : undefined;
}

/** Parses a tapscript to its end first, unlike other scripts, to find an OP_SUCCESSx anywhere in it. */
function runTapscript(
  { witness, items, annex, script }: LeafSpend,
  leafHash: TapLeafHash,
  rules: WitnessRules,
): ScriptFailure | undefined {
  const { flags } = rules;
  let offset = 0;
  for (const instruction of instructions(script)) {
    const at = { script: 'tapscript', offset, opcode: script[offset] ?? 0 } as const;
    if (!instruction) return { kind: 'invalid', error: 'BAD_OPCODE', at };
    if (isOpSuccess(instruction.opcode)) {
      return flags.has('DISCOURAGE_OP_SUCCESS') ? { kind: 'invalid', error: 'DISCOURAGE_OP_SUCCESS', at } : undefined;
    }
    offset = instruction.end;
  }
  if (items.length > MAX_STACK_SIZE) return failure('STACK_SIZE');
  const budget = encode(witnessCodec, witness).length + BUDGET_BASE;
  const tapscript = { leafHash, annex, budget };
  return runWitnessScript(script, items, { sigVersion: 'tapscript', role: 'tapscript', tapscript, ...rules });
}

/** Requires exactly one item, a true one, in the end. @see Core `ExecuteWitnessScript` */
function runWitnessScript(
  script: Uint8Array,
  items: readonly Uint8Array[],
  context: ScriptContext,
): ScriptFailure | undefined {
  if (items.some(({ length }) => length > MAX_SCRIPT_ELEMENT_SIZE)) return failure('PUSH_SIZE');
  const stack = [...items];
  const fault = evaluate(script, stack, context);
  if (fault) return fault;
  const [top] = stack;
  if (stack.length !== 1 || !top) return failure('CLEANSTACK');
  return isTruthy(top) ? undefined : failure('EVAL_FALSE');
}
