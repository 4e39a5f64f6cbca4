import { encodeScriptNumber, isMinimalNumber, readScriptNumber } from '../script/number.ts';
import type { TapLeafHash } from '../script/taproot.ts';
import type { SignatureChecker, SigVersion } from './checker.ts';
import type { ScriptFlags } from './flags.ts';
import type { ScriptError } from './result.ts';

/** What stays the same while one script runs. */
export interface ScriptContext {
  readonly flags: ScriptFlags;
  readonly checker: SignatureChecker;
  readonly sigVersion: SigVersion;
  /** Of a tapscript: its leaf, the spend's annex, and what it may spend on signature checks. */
  readonly tapscript?: TapscriptContext;
}

export interface TapscriptContext {
  readonly leafHash: TapLeafHash;
  readonly annex: Uint8Array | undefined;
  /** Weight units left for signature checks; each one costs 50. @see BIP342 "Resource limits" */
  budget: number;
}

/**
 * A script being run. Everything that instructions change is here, and nowhere else.
 *
 * - `stack`, `altstack`: bottom first; items are never changed in place, so they may be shared
 * - `conditions`: see `Conditions`
 * - `opCount`: instructions that count against the limit of 201
 * - `next`: offset behind the instruction being run
 * - `codeStart`: offset behind the last OP_CODESEPARATOR that was executed
 * - `position`: of the instruction being run, counted in instructions; `codeSeparatorPosition`: of that OP_CODESEPARATOR
 */
export interface Machine extends ScriptContext {
  readonly script: Uint8Array;
  readonly stack: Uint8Array[];
  readonly altstack: Uint8Array[];
  readonly conditions: Conditions;
  opCount: number;
  next: number;
  codeStart: number;
  position: number;
  codeSeparatorPosition: number | undefined;
}

/** The open IFs: how many, and which is the first (from 0) whose branch is not taken, or -1. @see Bitcoin Core `ConditionStack` */
interface Conditions {
  depth: number;
  firstFalse: number;
}

/** An opcode's effect; returns what is wrong. */
export interface Operation {
  /** How many items must be on the stack. */
  readonly needs: number;
  readonly run: (machine: Machine) => ScriptError | undefined;
}

/** Operations by opcode. */
export type Operations = Readonly<Record<number, Operation>>;

/** An operation on a stack of at least `needs` items. */
export function operation(needs: number, run: Operation['run']): Operation {
  return { needs, run };
}

const TRUE = Uint8Array.of(1);
export const EMPTY: Uint8Array = new Uint8Array(0);

/** The item `depth` below the top, which is 0. The caller has made sure that it is there. */
export function peek({ stack }: Machine, depth = 0): Uint8Array {
  return stack[stack.length - 1 - depth] ?? EMPTY;
}

/** Takes the top item away. The caller has made sure that it is there. */
export function pop({ stack }: Machine): Uint8Array {
  return stack.pop() ?? EMPTY;
}

export function push({ stack }: Machine, item: Uint8Array): undefined {
  stack.push(item);
}

export function pushBool(machine: Machine, value: boolean): undefined {
  push(machine, value ? TRUE : EMPTY);
}

export function pushNumber(machine: Machine, value: number): undefined {
  push(machine, encodeScriptNumber(value));
}

/** Whether an item counts as true: any byte that is not zero, but for the sign of minus zero. */
export function isTruthy(item: Uint8Array): boolean {
  const last = item.length - 1;
  return item.some((byte, i) => byte !== 0 && !(i === last && byte === 0x80));
}

/** The item `depth` below the top as a number; `undefined` where it is too long, or longer than needed and that matters. */
export function numberAt(machine: Machine, depth: number, maxSize = 4): number | undefined {
  const item = peek(machine, depth);
  if (item.length > maxSize) return undefined;
  if (machine.flags.has('MINIMALDATA') && !isMinimalNumber(item)) return undefined;
  return readScriptNumber(item);
}
