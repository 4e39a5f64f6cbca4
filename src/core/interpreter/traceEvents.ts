import type { SigVersion } from './checker.ts';
import type { LeafCommitment } from './machine.ts';
import type { ScriptError, ScriptOutcome, ScriptRole } from './result.ts';

/**
 * A script begins: whose it is, the rules that it runs under, and the items on its stack, bottom first. `sigOps` counts a script
 * before tapscript, `budget` is the weight for signatures of a tapscript.
 */
export interface TraceScript {
  readonly kind: 'script';
  readonly script: ScriptRole;
  readonly sigVersion: SigVersion;
  readonly bytes: Uint8Array;
  readonly stack: readonly Uint8Array[];
  /** @see Core `GetSigOpCount`, accurate */
  readonly sigOps?: number;
  readonly budget?: number;
}

/** How a step changed a stack: so many items popped, then these pushed, the last on top. */
export interface StackChange {
  readonly popped: number;
  readonly pushed: readonly Uint8Array[];
}

/**
 * A check of one signature with one key.
 *
 * - `rules`: those of the digest; `taproot` is the key path
 * - `hashType`: of the signature, unless it is empty; 0 is DEFAULT
 * - `digest`: what the signature must sign; left out where an encoding, a hash type or an unknown kind of key decided
 * - `scriptCode`: what the digest commits to of the script; not in taproot, which commits to leaf and code separator
 * - `verdict`: whether the check passed, or the error that ended the script
 */
export interface TraceCheck {
  readonly rules: SigVersion | 'taproot';
  readonly signature: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly hashType?: number;
  readonly digest?: Uint8Array;
  readonly scriptCode?: Uint8Array;
  readonly verdict: boolean | ScriptError;
}

/** Names an instruction of a run. */
export interface TracePlace {
  /** Counted from 0 through all scripts of the input. */
  readonly step: number;
  readonly script: ScriptRole;
  /** In bytes. */
  readonly offset: number;
  readonly opcode: number;
}

/**
 * An instruction has run, or failed.
 *
 * - `position`: counted in instructions of its script
 * - `data`: what it pushes, or would in a branch that runs
 * - `isExecuted`: false in a branch that does not run, until its OP_ELSE or OP_ENDIF, included
 * - `conditions`: the open IFs after it, and the index of the first whose branch does not run, or -1
 * - `opCount`: so far, of 201; not in tapscript
 * - `budget`: weight left for signatures; in tapscript only
 * - `codeStart`: where the signed script begins: the offset after the last executed OP_CODESEPARATOR
 * - `codeSeparatorPosition`: its position, if there was one
 */
export interface TraceStep extends TracePlace {
  readonly kind: 'step';
  readonly position: number;
  readonly data: Uint8Array | undefined;
  readonly isExecuted: boolean;
  readonly stack: StackChange;
  readonly altstack: StackChange;
  readonly conditions: { readonly depth: number; readonly firstFalse: number };
  readonly checks: readonly TraceCheck[];
  readonly opCount: number | undefined;
  readonly budget: number | undefined;
  readonly codeStart: number;
  readonly codeSeparatorPosition: number | undefined;
  readonly error: ScriptError | undefined;
}

/** All instructions of a script have run; `stack` is what they left, bottom first. */
export interface TraceEnd {
  readonly kind: 'end';
  readonly script: ScriptRole;
  readonly stack: readonly Uint8Array[];
}

/** The scriptPubKey or redeemScript is a witness program, which decides from here on. */
export interface TraceProgram {
  readonly kind: 'program';
  readonly version: number;
  readonly program: Uint8Array;
}

/** The witness shows a leaf of a taproot output: its place in the tree, and whether the output commits to it. */
export interface TraceLeaf extends LeafCommitment {
  readonly kind: 'leaf';
}

/** The signature of taproot's key path, which no script checks. */
export interface TraceKeyPath {
  readonly kind: 'key-path';
  readonly check: TraceCheck;
}

/** An event of a traced verification. */
export type TraceEvent = TraceScript | TraceStep | TraceEnd | TraceProgram | TraceLeaf | TraceKeyPath;

/** A conditional whose other branch, or a check whose other result, leads elsewhere. */
export interface TraceDecision extends TracePlace {
  /** Of a conditional, whether the item was true; of a check, false. */
  readonly result: boolean;
}

/**
 * How a traced verification ended.
 *
 * - `steps`: how many instructions ran, the failed one included
 * - `failedIn`: of an invalid spend, the script that failed, or the part of the input that is not as the output demands
 * - `decidedBy`: the last executed OP_IF or OP_NOTIF; where a false item made the spend fail, also the last check that pushed
 *   one (OP_EQUAL, OP_CHECKSIG ...), if it came later. The failing step itself is `outcome.at`
 */
export interface TraceResult {
  readonly outcome: ScriptOutcome;
  readonly steps: number;
  readonly failedIn?: ScriptRole | 'witness';
  readonly decidedBy?: TraceDecision;
}
