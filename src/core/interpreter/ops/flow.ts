import {
  OP_ELSE,
  OP_ENDIF,
  OP_IF,
  OP_NOP,
  OP_NOP1,
  OP_NOP4,
  OP_NOP5,
  OP_NOP6,
  OP_NOP7,
  OP_NOP8,
  OP_NOP9,
  OP_NOP10,
  OP_NOTIF,
  OP_RETURN,
  OP_VERIFY,
} from '../../script/opcodes.ts';
import { isTruthy, type Machine, type Operations, operation, peek, pop } from '../machine.ts';
import type { ScriptError } from '../result.ts';

export function isExecuting({ conditions }: Machine): boolean {
  return conditions.firstFalse === -1;
}

/** Counts only nesting in branches that are not executed. */
function enterIf(machine: Machine, expected: boolean): ScriptError | undefined {
  const { conditions } = machine;
  if (isExecuting(machine)) {
    if (machine.stack.length < 1) return 'INVALID_STACK_OPERATION';
    const fault = checkCondition(machine);
    if (fault) return fault;
    if (isTruthy(pop(machine)) !== expected) conditions.firstFalse = conditions.depth;
  }
  conditions.depth += 1;
  return undefined;
}

/** Requires an empty item or the single byte 1, as tapscript does and, in version 0, MINIMALIF. @see BIP342 */
function checkCondition(machine: Machine): ScriptError | undefined {
  const { flags, sigVersion } = machine;
  if (sigVersion === 'base' || (sigVersion === 'witness-v0' && !flags.has('MINIMALIF'))) return undefined;
  const item = peek(machine);
  if (item.length === 0 || (item.length === 1 && item[0] === 1)) return undefined;
  return sigVersion === 'tapscript' ? 'TAPSCRIPT_MINIMALIF' : 'MINIMALIF';
}

function toggleIf({ conditions }: Machine): ScriptError | undefined {
  if (conditions.depth === 0) return 'UNBALANCED_CONDITIONAL';
  const innermost = conditions.depth - 1;
  if (conditions.firstFalse === -1) conditions.firstFalse = innermost;
  else if (conditions.firstFalse === innermost) conditions.firstFalse = -1;
  return undefined;
}

function leaveIf({ conditions }: Machine): ScriptError | undefined {
  if (conditions.depth === 0) return 'UNBALANCED_CONDITIONAL';
  conditions.depth -= 1;
  if (conditions.firstFalse === conditions.depth) conditions.firstFalse = -1;
  return undefined;
}

export function verifyTop(machine: Machine, error: ScriptError): ScriptError | undefined {
  if (!isTruthy(peek(machine))) return error;
  pop(machine);
  return undefined;
}

const discouraged = operation(0, ({ flags }) =>
  flags.has('DISCOURAGE_UPGRADABLE_NOPS') ? 'DISCOURAGE_UPGRADABLE_NOPS' : undefined,
);

export const flowOps: Operations = {
  [OP_NOP]: operation(0, () => undefined),
  [OP_IF]: operation(0, (machine) => enterIf(machine, true)),
  [OP_NOTIF]: operation(0, (machine) => enterIf(machine, false)),
  [OP_ELSE]: operation(0, toggleIf),
  [OP_ENDIF]: operation(0, leaveIf),
  [OP_VERIFY]: operation(1, (machine) => verifyTop(machine, 'VERIFY')),
  [OP_RETURN]: operation(0, () => 'OP_RETURN'),
  [OP_NOP1]: discouraged,
  [OP_NOP4]: discouraged,
  [OP_NOP5]: discouraged,
  [OP_NOP6]: discouraged,
  [OP_NOP7]: discouraged,
  [OP_NOP8]: discouraged,
  [OP_NOP9]: discouraged,
  [OP_NOP10]: discouraged,
};
