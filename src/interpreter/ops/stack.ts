import { OP } from '../../script/opcodes.ts';
import {
  isTruthy,
  type Machine,
  numberAt,
  type Operations,
  operation,
  peek,
  pop,
  push,
  pushNumber,
} from '../machine.ts';
import type { ScriptError } from '../result.ts';

/** Pushes copies of the `count` items that begin at `depth`, the lowest first. */
function copy(machine: Machine, depth: number, count: number): undefined {
  for (let i = 0; i < count; i += 1) push(machine, peek(machine, depth));
}

/** Moves the `count` items that begin at `depth` to the top, in the same order. */
function raise({ stack }: Machine, depth: number, count: number): undefined {
  stack.push(...stack.splice(stack.length - 1 - depth, count));
}

function drop({ stack }: Machine, count: number): undefined {
  stack.length -= count;
}

/** Runs OP_PICK and OP_ROLL: pops a depth, and copies or moves the item at that depth to the top. */
function select(machine: Machine, move: typeof copy | typeof raise): ScriptError | undefined {
  const depth = numberAt(machine, 0);
  if (depth === undefined) return 'SCRIPTNUM';
  drop(machine, 1);
  return depth < 0 || depth >= machine.stack.length ? 'INVALID_STACK_OPERATION' : move(machine, depth, 1);
}

/** Stack opcodes. */
export const stackOps: Operations = {
  [OP.TOALTSTACK]: operation(1, (machine) => {
    machine.altstack.push(pop(machine));
  }),
  [OP.FROMALTSTACK]: operation(0, (machine) => {
    const item = machine.altstack.pop();
    if (!item) return 'INVALID_ALTSTACK_OPERATION';
    return push(machine, item);
  }),
  [OP['2DROP']]: operation(2, (machine) => drop(machine, 2)),
  [OP['2DUP']]: operation(2, (machine) => copy(machine, 1, 2)),
  [OP['3DUP']]: operation(3, (machine) => copy(machine, 2, 3)),
  [OP['2OVER']]: operation(4, (machine) => copy(machine, 3, 2)),
  [OP['2ROT']]: operation(6, (machine) => raise(machine, 5, 2)),
  [OP['2SWAP']]: operation(4, (machine) => raise(machine, 3, 2)),
  [OP.IFDUP]: operation(1, (machine) => (isTruthy(peek(machine)) ? copy(machine, 0, 1) : undefined)),
  [OP.DEPTH]: operation(0, (machine) => pushNumber(machine, machine.stack.length)),
  [OP.DROP]: operation(1, (machine) => drop(machine, 1)),
  [OP.DUP]: operation(1, (machine) => copy(machine, 0, 1)),
  [OP.NIP]: operation(2, ({ stack }) => {
    stack.splice(-2, 1);
  }),
  [OP.OVER]: operation(2, (machine) => copy(machine, 1, 1)),
  [OP.PICK]: operation(2, (machine) => select(machine, copy)),
  [OP.ROLL]: operation(2, (machine) => select(machine, raise)),
  [OP.ROT]: operation(3, (machine) => raise(machine, 2, 1)),
  [OP.SWAP]: operation(2, (machine) => raise(machine, 1, 1)),
  [OP.TUCK]: operation(2, (machine) => {
    machine.stack.splice(-2, 0, peek(machine));
  }),
  [OP.SIZE]: operation(1, (machine) => pushNumber(machine, peek(machine).length)),
};
