import {
  type Instruction,
  instructionAt,
  isDataPush,
  isMinimalPush,
  MAX_SCRIPT_ELEMENT_SIZE,
  MAX_SCRIPT_SIZE,
  pushedData,
} from '../script/instructions.ts';
import { isDisabled, MAX_OPS } from '../script/opcodeRules.ts';
import { OP_16, OP_CODESEPARATOR, OP_ENDIF, OP_IF, OP_RESERVED } from '../script/opcodes.ts';
import { type Machine, type Operations, push, pushNumber, type ScriptContext } from './machine.ts';
import { arithmeticOps } from './ops/arithmetic.ts';
import { cryptoOps } from './ops/crypto.ts';
import { flowOps, isExecuting } from './ops/flow.ts';
import { locktimeOps } from './ops/locktime.ts';
import { stackOps } from './ops/stack.ts';
import type { ScriptError, ScriptFailure } from './result.ts';

const OPERATIONS: Operations = { ...flowOps, ...stackOps, ...arithmeticOps, ...cryptoOps, ...locktimeOps };

/** The most items on the stack and the altstack together. */
export const MAX_STACK_SIZE = 1000;

/**
 * Runs one script on a stack, which it modifies in place, even if it fails. The caller checks the resulting stack.
 * @see Core `EvalScript`
 */
export function evaluate(script: Uint8Array, stack: Uint8Array[], context: ScriptContext): ScriptFailure | undefined {
  const { role, sigVersion, watch } = context;
  watch?.begin(script, stack, context);
  if (sigVersion !== 'tapscript' && script.length > MAX_SCRIPT_SIZE) return { kind: 'invalid', error: 'SCRIPT_SIZE' };
  // Last, as is every spread where much runs: members that follow one are slow in V8.
  const machine: Machine = {
    script,
    stack,
    altstack: [],
    conditions: { depth: 0, firstFalse: -1 },
    opCount: 0,
    next: 0,
    codeStart: 0,
    position: 0,
    codeSeparatorPosition: undefined,
    ...context,
  };
  while (machine.next < script.length) {
    const offset = machine.next;
    const error = step(machine);
    watch?.step(machine, offset, error);
    if (error) return { kind: 'invalid', error, at: { script: role, offset, opcode: script[offset] ?? 0 } };
    machine.position += 1;
  }
  watch?.end(machine);
  return machine.conditions.depth === 0 ? undefined : { kind: 'invalid', error: 'UNBALANCED_CONDITIONAL' };
}

function step(machine: Machine): ScriptError | undefined {
  const instruction = instructionAt(machine.script, machine.next);
  if (!instruction) return 'BAD_OPCODE';
  machine.next = instruction.end;
  const fault = checkLimits(machine, instruction) ?? execute(machine, instruction);
  if (fault) return fault;
  return machine.stack.length + machine.altstack.length > MAX_STACK_SIZE ? 'STACK_SIZE' : undefined;
}

/** Checks the rules that hold even in a branch that is not executed. */
function checkLimits(machine: Machine, { opcode, dataStart, end }: Instruction): ScriptError | undefined {
  if (end - dataStart > MAX_SCRIPT_ELEMENT_SIZE) return 'PUSH_SIZE';
  if (machine.sigVersion !== 'tapscript' && opcode > OP_16) {
    machine.opCount += 1;
    if (machine.opCount > MAX_OPS) return 'OP_COUNT';
  }
  if (isDisabled(opcode)) return 'DISABLED_OPCODE';
  const isConstant = opcode === OP_CODESEPARATOR && machine.sigVersion === 'base';
  return isConstant && machine.flags.has('CONST_SCRIPTCODE') ? 'OP_CODESEPARATOR' : undefined;
}

function execute(machine: Machine, instruction: Instruction): ScriptError | undefined {
  const { opcode } = instruction;
  if (!isExecuting(machine) && !(opcode >= OP_IF && opcode <= OP_ENDIF)) return undefined;
  if (isDataPush(instruction)) {
    if (machine.flags.has('MINIMALDATA') && !isMinimalPush(machine.script, instruction)) return 'MINIMALDATA';
    return push(machine, pushedData(machine.script, instruction));
  }
  if (opcode <= OP_16 && opcode !== OP_RESERVED) return pushNumber(machine, opcode - OP_RESERVED);
  const operation = OPERATIONS[opcode];
  if (!operation) return 'BAD_OPCODE';
  return machine.stack.length < operation.needs ? 'INVALID_STACK_OPERATION' : operation.run(machine);
}
