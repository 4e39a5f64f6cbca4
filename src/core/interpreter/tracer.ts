import { copyBytes } from '../bytes/compare.ts';
import { instructionAt, isDataPush, pushedData } from '../script/instructions.ts';
import {
  OP_CHECKMULTISIG,
  OP_CHECKSIG,
  OP_EQUAL,
  OP_GREATERTHAN,
  OP_GREATERTHANOREQUAL,
  OP_IF,
  OP_LESSTHAN,
  OP_LESSTHANOREQUAL,
  OP_NOTIF,
  OP_NUMEQUAL,
  OP_NUMNOTEQUAL,
  OP_WITHIN,
} from '../script/opcodes.ts';
import { countSigOps } from '../script/sigops.ts';
import { SIGHASH } from '../sighash/sighashType.ts';
import type { SigVersion } from './checker.ts';
import type { Machine, ScriptContext, Watch } from './machine.ts';
import type { ScriptError, ScriptFailure, ScriptOutcome, ScriptRole } from './result.ts';
import type { StackChange, TraceCheck, TraceDecision, TraceEvent, TraceResult } from './traceEvents.ts';

/** Takes the events of a trace; `false` ends them, and the verification goes on without. */
export type OnTraceEvent = (event: TraceEvent) => unknown;

export interface Tracer {
  readonly watch: Watch;
  readonly result: (outcome: ScriptOutcome) => TraceResult;
}

/** The checks that push false rather than fail. */
const CHECKS: ReadonlySet<number> = /* @__PURE__ */ new Set([
  OP_EQUAL,
  OP_NUMEQUAL,
  OP_NUMNOTEQUAL,
  OP_LESSTHAN,
  OP_GREATERTHAN,
  OP_LESSTHANOREQUAL,
  OP_GREATERTHANOREQUAL,
  OP_WITHIN,
  OP_CHECKSIG,
  OP_CHECKMULTISIG,
]);

/** The errors of an item that is false. */
const FALSE_ITEM: ReadonlySet<ScriptError> = /* @__PURE__ */ new Set<ScriptError>([
  'EVAL_FALSE',
  'VERIFY',
  'NUMEQUALVERIFY',
]);

/** The parts of an input that an error names, whatever ran before. */
const PARTS: Partial<Readonly<Record<ScriptError, ScriptRole | 'witness'>>> = {
  SIG_PUSHONLY: 'scriptSig',
  WITNESS_MALLEATED: 'scriptSig',
  WITNESS_MALLEATED_P2SH: 'scriptSig',
  WITNESS_UNEXPECTED: 'witness',
};

/** Makes events of what a verification reports. Their bytes are copies, so that no reader changes what runs. */
export function createTracer(onEvent: OnTraceEvent): Tracer {
  let isWatched = true;
  const emit = (event: TraceEvent): void => {
    if (onEvent(event) === false) isWatched = false;
  };
  const decisions = createDecisions();
  let steps = 0;
  let running: SigVersion | undefined;
  let at: ScriptRole | 'witness' = 'scriptSig';
  let isExecuted = true;
  let stack = mirrorOf([]);
  let altstack = mirrorOf([]);
  let digested: Pick<TraceCheck, 'digest' | 'scriptCode'> = {};
  let checks: TraceCheck[] = [];

  const begin: Watch['begin'] = (script, items, context) => {
    running = context.sigVersion;
    at = context.role;
    isExecuted = true;
    if (!isWatched) return;
    stack = mirrorOf(items);
    altstack = mirrorOf([]);
    emit(beginning(script, stack.copies, context));
  };
  const step: Watch['step'] = (machine, offset, error) => {
    const { role: script, script: code, stack: items, altstack: apart, conditions } = machine;
    const opcode = code[offset] ?? 0;
    if (isExecuted && !error) decisions.note({ step: steps, script, offset, opcode }, machine);
    if (isWatched) {
      const { position, codeStart, codeSeparatorPosition, opCount, tapscript } = machine;
      // One literal, as spreads would cost more than the step itself.
      emit({
        kind: 'step',
        step: steps,
        script,
        offset,
        opcode,
        position,
        data: dataAt(code, offset),
        isExecuted,
        stack: follow(stack, items),
        altstack: follow(altstack, apart),
        conditions: { depth: conditions.depth, firstFalse: conditions.firstFalse },
        checks,
        opCount: tapscript ? undefined : opCount,
        budget: tapscript?.budget,
        codeStart,
        codeSeparatorPosition,
        error,
      });
    }
    steps += 1;
    isExecuted = machine.conditions.firstFalse === -1;
    checks = [];
  };
  const end: Watch['end'] = ({ role, stack: left }) => {
    running = undefined;
    if (isWatched) emit({ kind: 'end', script: role, stack: left.map(copyBytes) });
  };
  const program: Watch['program'] = (version, bytes) => {
    at = 'witness';
    if (isWatched) emit({ kind: 'program', version, program: copyBytes(bytes) });
  };
  const leaf: Watch['leaf'] = ({ outputKey, annex, ...shown }) => {
    if (!isWatched) return;
    const copies = { outputKey: copyBytes(outputKey), annex: annex && copyBytes(annex) };
    emit({ kind: 'leaf', ...shown, ...copies });
  };
  const digest: Watch['digest'] = (bytes, scriptCode) => {
    digested = { digest: copyBytes(bytes), ...(scriptCode && { scriptCode: copyBytes(scriptCode) }) };
  };
  const check: Watch['check'] = (signature, publicKey, verdict) => {
    const rules: TraceCheck['rules'] = running ?? 'taproot';
    const hashType = hashTypeOf(signature, rules);
    const given = { rules, signature: copyBytes(signature), publicKey: copyBytes(publicKey) };
    const checked = { ...given, ...(hashType !== undefined && { hashType }), ...digested, verdict };
    digested = {};
    if (!isWatched) return;
    if (running) checks.push(checked);
    else emit({ kind: 'key-path', check: checked });
  };
  const result = (outcome: ScriptOutcome): TraceResult => {
    const decidedBy = decisions.of(outcome);
    const decided = { outcome, steps, ...(decidedBy && { decidedBy }) };
    return outcome.kind === 'valid' ? decided : { ...decided, failedIn: partOf(outcome, at) };
  };
  return { watch: { begin, step, end, program, leaf, digest, check }, result };
}

const partOf = ({ error, at }: ScriptFailure, last: ScriptRole | 'witness'): ScriptRole | 'witness' =>
  at?.script ?? PARTS[error] ?? last;

/** Remembers the last conditional, and the last check that pushed false. */
function createDecisions() {
  let conditional: TraceDecision | undefined;
  let falseCheck: TraceDecision | undefined;
  return {
    note: (place: Omit<TraceDecision, 'result'>, { stack, conditions }: Machine): void => {
      const { opcode } = place;
      if (opcode === OP_IF || opcode === OP_NOTIF) {
        const isEntered = conditions.firstFalse === -1;
        conditional = { ...place, result: isEntered === (opcode === OP_IF) };
      } else if (CHECKS.has(opcode) && stack.at(-1)?.length === 0) {
        falseCheck = { ...place, result: false };
      }
    },
    of: (outcome: ScriptOutcome): TraceDecision | undefined => {
      const isOfItem = outcome.kind === 'invalid' && FALSE_ITEM.has(outcome.error);
      if (!isOfItem || !falseCheck) return conditional;
      return conditional && conditional.step > falseCheck.step ? conditional : falseCheck;
    },
  };
}

const beginning = (script: Uint8Array, copies: readonly Uint8Array[], context: ScriptContext): TraceEvent => ({
  kind: 'script',
  script: context.role,
  sigVersion: context.sigVersion,
  bytes: copyBytes(script),
  stack: [...copies],
  ...(context.tapscript ? { budget: context.tapscript.budget } : { sigOps: countSigOps(script, true) }),
});

function dataAt(script: Uint8Array, offset: number): Uint8Array | undefined {
  const instruction = instructionAt(script, offset);
  return instruction && isDataPush(instruction) ? pushedData(script, instruction) : undefined;
}

/** The items of a stack when it was last looked at, and the copy that was handed out of each. */
interface Mirror {
  readonly items: Uint8Array[];
  readonly copies: Uint8Array[];
}

const mirrorOf = (items: readonly Uint8Array[]): Mirror => ({ items: [...items], copies: items.map(copyBytes) });

/** Finds what changed by the items themselves, which are never modified in place, and brings the mirror up to date. */
function follow({ items, copies }: Mirror, stack: readonly Uint8Array[]): StackChange {
  const shared = Math.min(items.length, stack.length);
  let kept = 0;
  while (kept < shared && items[kept] === stack[kept]) kept += 1;
  if (kept === stack.length && kept === items.length) return { popped: 0, pushed: [] };
  const popped = items.splice(kept);
  const copied = copies.splice(kept);
  const added = stack.slice(kept);
  let next = 0;
  const pushed = added.map((item) => {
    // Items that OP_ROLL moves keep their order, but for one: so the search ends at once.
    const later = popped.indexOf(item, next);
    const found = later < 0 ? popped.indexOf(item) : later;
    next = found + 1;
    return copied[found] ?? copyBytes(item);
  });
  items.push(...added);
  copies.push(...pushed);
  return { popped: popped.length, pushed };
}

function hashTypeOf(signature: Uint8Array, rules: TraceCheck['rules']): number | undefined {
  const isSchnorr = rules === 'tapscript' || rules === 'taproot';
  if (!isSchnorr) return signature.at(-1);
  return signature.length === 64 ? SIGHASH.DEFAULT : signature[64];
}
