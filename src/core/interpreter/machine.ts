import { encodeScriptNumber, isMinimalNumber, readScriptNumber } from '../script/number.ts';
import type { ControlBlock, TapLeafHash } from '../script/tapTree.ts';
import type { SignatureChecker, SigVersion } from './checker.ts';
import type { ScriptFlags } from './flags.ts';
import type { ScriptError, ScriptRole } from './result.ts';

export interface ScriptContext {
  readonly flags: ScriptFlags;
  readonly checker: SignatureChecker;
  readonly sigVersion: SigVersion;
  readonly role: ScriptRole;
  readonly tapscript?: TapscriptContext;
  readonly watch?: Watch | undefined;
}

/**
 * Receives what a traced verification does while it runs, and only reads; without it the same code runs.
 *
 * - `digest`: what the next `check` verifies; `scriptCode`: what it commits to of an ECDSA signature's script
 */
export interface Watch {
  readonly begin: (script: Uint8Array, stack: readonly Uint8Array[], context: ScriptContext) => void;
  /** The instruction at `offset` has run, or failed. */
  readonly step: (machine: Machine, offset: number, error: ScriptError | undefined) => void;
  /** All instructions have run. */
  readonly end: (machine: Machine) => void;
  readonly program: (version: number, program: Uint8Array) => void;
  readonly leaf: (leaf: LeafCommitment) => void;
  readonly digest: (digest: Uint8Array, scriptCode?: Uint8Array) => void;
  /** A signature was checked: whether it is valid, or the error that ends the script. */
  readonly check: (signature: Uint8Array, publicKey: Uint8Array, verdict: boolean | ScriptError) => void;
}

/** A leaf of a taproot output as the witness shows it, and whether the output commits to it. */
export interface LeafCommitment extends ControlBlock {
  readonly leafHash: TapLeafHash;
  readonly merkleRoot: Uint8Array;
  /** X-only. */
  readonly outputKey: Uint8Array;
  readonly annex: Uint8Array | undefined;
  readonly isCommitted: boolean;
}

export interface TapscriptContext {
  readonly leafHash: TapLeafHash;
  readonly annex: Uint8Array | undefined;
  /** Weight units left for signature checks. */
  budget: number;
}

/**
 * The state of a running script.
 *
 * - `stack`, `altstack`: bottom first; items are never modified in place, so they may be shared
 * - `next`: offset after the current instruction
 * - `codeStart`: offset after the last executed OP_CODESEPARATOR
 * - `position`, `codeSeparatorPosition`: counted in instructions
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

/**
 * The open IFs: their number, and the index of the first whose current branch is not executed, or -1.
 * @see Core `ConditionStack`
 */
interface Conditions {
  depth: number;
  firstFalse: number;
}

export interface Operation {
  readonly needs: number;
  readonly run: (machine: Machine) => ScriptError | undefined;
}

export type Operations = Readonly<Record<number, Operation>>;

export function operation(needs: number, run: Operation['run']): Operation {
  return { needs, run };
}

const TRUE = Uint8Array.of(1);
export const EMPTY: Uint8Array = new Uint8Array(0);

/** Counts `depth` from the top. The caller has checked that the item exists. */
export function peek({ stack }: Machine, depth = 0): Uint8Array {
  return stack[stack.length - 1 - depth] ?? EMPTY;
}

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

/** Tells whether an item is neither zero nor negative zero. @see Core `CastToBool` */
export function isTruthy(item: Uint8Array): boolean {
  const last = item.length - 1;
  return item.some((byte, i) => byte !== 0 && !(i === last && byte === 0x80));
}

/** Returns `undefined` for a number that is too long or, under MINIMALDATA, not minimal. */
export function numberAt(machine: Machine, depth: number, maxSize = 4): number | undefined {
  const item = peek(machine, depth);
  if (item.length > maxSize) return undefined;
  if (machine.flags.has('MINIMALDATA') && !isMinimalNumber(item)) return undefined;
  return readScriptNumber(item);
}
