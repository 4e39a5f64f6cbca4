import { OP } from '../../script/opcodes.ts';
import { isTruthy, type Machine, type Operations, operation, peek, pop } from '../machine.ts';
import type { ScriptError } from '../result.ts';

/** Whether every IF around the current instruction has taken its branch. */
export function isExecuting({ conditions }: Machine): boolean {
  return conditions.firstFalse === -1;
}

/** OP_IF and OP_NOTIF, run in branches not taken as well: those only count how deep they are. */
function branch(machine: Machine, takenOn: boolean): ScriptError | undefined {
  const { conditions } = machine;
  let isTaken = false;
  if (isExecuting(machine)) {
    if (machine.stack.length < 1) return 'INVALID_STACK_OPERATION';
    const fault = checkCondition(machine);
    if (fault) return fault;
    isTaken = isTruthy(pop(machine)) === takenOn;
    if (!isTaken) conditions.firstFalse = conditions.depth;
  }
  conditions.depth += 1;
  return undefined;
}

/** Since segwit, a condition is nothing or a single 1. @see BIP342 "Script execution"; Bitcoin Core `MINIMALIF` */
function checkCondition(machine: Machine): ScriptError | undefined {
  const { flags, sigVersion } = machine;
  if (sigVersion === 'base' || (sigVersion === 'witness-v0' && !flags.has('MINIMALIF'))) return undefined;
  const item = peek(machine);
  if (item.length === 0 || (item.length === 1 && item[0] === 1)) return undefined;
  return sigVersion === 'tapscript' ? 'TAPSCRIPT_MINIMALIF' : 'MINIMALIF';
}

/** OP_ELSE: turns the innermost IF around, unless one around it has not taken its branch. */
function turn({ conditions }: Machine): ScriptError | undefined {
  if (conditions.depth === 0) return 'UNBALANCED_CONDITIONAL';
  const innermost = conditions.depth - 1;
  if (conditions.firstFalse === -1) conditions.firstFalse = innermost;
  else if (conditions.firstFalse === innermost) conditions.firstFalse = -1;
  return undefined;
}

function leave({ conditions }: Machine): ScriptError | undefined {
  if (conditions.depth === 0) return 'UNBALANCED_CONDITIONAL';
  conditions.depth -= 1;
  if (conditions.firstFalse === conditions.depth) conditions.firstFalse = -1;
  return undefined;
}

/** Goes on only with a true item, which is taken away. */
export function verifyTop(machine: Machine, error: ScriptError): ScriptError | undefined {
  if (!isTruthy(peek(machine))) return error;
  pop(machine);
  return undefined;
}

const discouraged = operation(0, ({ flags }) =>
  flags.has('DISCOURAGE_UPGRADABLE_NOPS') ? 'DISCOURAGE_UPGRADABLE_NOPS' : undefined,
);

/** Opcodes that steer, and those that do nothing. */
export const flowOps: Operations = {
  [OP.NOP]: operation(0, () => undefined),
  [OP.IF]: operation(0, (machine) => branch(machine, true)),
  [OP.NOTIF]: operation(0, (machine) => branch(machine, false)),
  [OP.ELSE]: operation(0, turn),
  [OP.ENDIF]: operation(0, leave),
  [OP.VERIFY]: operation(1, (machine) => verifyTop(machine, 'VERIFY')),
  [OP.RETURN]: operation(0, () => 'OP_RETURN'),
  [OP.NOP1]: discouraged,
  [OP.NOP4]: discouraged,
  [OP.NOP5]: discouraged,
  [OP.NOP6]: discouraged,
  [OP.NOP7]: discouraged,
  [OP.NOP8]: discouraged,
  [OP.NOP9]: discouraged,
  [OP.NOP10]: discouraged,
};
