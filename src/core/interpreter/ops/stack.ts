import {
  OP_2DROP,
  OP_2DUP,
  OP_2OVER,
  OP_2ROT,
  OP_2SWAP,
  OP_3DUP,
  OP_DEPTH,
  OP_DROP,
  OP_DUP,
  OP_FROMALTSTACK,
  OP_IFDUP,
  OP_NIP,
  OP_OVER,
  OP_PICK,
  OP_ROLL,
  OP_ROT,
  OP_SIZE,
  OP_SWAP,
  OP_TOALTSTACK,
  OP_TUCK,
} from '../../script/opcodes.ts';
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

function select(machine: Machine, move: typeof copy | typeof raise): ScriptError | undefined {
  const depth = numberAt(machine, 0);
  if (depth === undefined) return 'SCRIPTNUM';
  drop(machine, 1);
  return depth < 0 || depth >= machine.stack.length ? 'INVALID_STACK_OPERATION' : move(machine, depth, 1);
}

export const stackOps: Operations = {
  [OP_TOALTSTACK]: operation(1, (machine) => {
    machine.altstack.push(pop(machine));
  }),
  [OP_FROMALTSTACK]: operation(0, (machine) => {
    const item = machine.altstack.pop();
    if (!item) return 'INVALID_ALTSTACK_OPERATION';
    return push(machine, item);
  }),
  [OP_2DROP]: operation(2, (machine) => drop(machine, 2)),
  [OP_2DUP]: operation(2, (machine) => copy(machine, 1, 2)),
  [OP_3DUP]: operation(3, (machine) => copy(machine, 2, 3)),
  [OP_2OVER]: operation(4, (machine) => copy(machine, 3, 2)),
  [OP_2ROT]: operation(6, (machine) => raise(machine, 5, 2)),
  [OP_2SWAP]: operation(4, (machine) => raise(machine, 3, 2)),
  [OP_IFDUP]: operation(1, (machine) => (isTruthy(peek(machine)) ? copy(machine, 0, 1) : undefined)),
  [OP_DEPTH]: operation(0, (machine) => pushNumber(machine, machine.stack.length)),
  [OP_DROP]: operation(1, (machine) => drop(machine, 1)),
  [OP_DUP]: operation(1, (machine) => copy(machine, 0, 1)),
  [OP_NIP]: operation(2, ({ stack }) => {
    stack.splice(-2, 1);
  }),
  [OP_OVER]: operation(2, (machine) => copy(machine, 1, 1)),
  [OP_PICK]: operation(2, (machine) => select(machine, copy)),
  [OP_ROLL]: operation(2, (machine) => select(machine, raise)),
  [OP_ROT]: operation(3, (machine) => raise(machine, 2, 1)),
  [OP_SWAP]: operation(2, (machine) => raise(machine, 1, 1)),
  [OP_TUCK]: operation(2, (machine) => {
    machine.stack.splice(-2, 0, peek(machine));
  }),
  [OP_SIZE]: operation(1, (machine) => pushNumber(machine, peek(machine).length)),
};
