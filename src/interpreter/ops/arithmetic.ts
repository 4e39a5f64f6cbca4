import { equalBytes } from '../../bytes/compare.ts';
import { OP } from '../../script/opcodes.ts';
import {
  type Machine,
  numberAt,
  type Operation,
  type Operations,
  operation,
  pop,
  pushBool,
  pushNumber,
} from '../machine.ts';
import type { ScriptError } from '../result.ts';
import { verifyTop } from './flow.ts';

/** Makes an operation from numbers of up to 4 bytes to a number, which may take 5 bytes. */
function compute(needs: number, formula: (...numbers: [number, number, number]) => number): Operation {
  return operation(needs, (machine) => {
    const numbers = popNumbers(machine, needs);
    return numbers ? pushNumber(machine, formula(...numbers)) : 'SCRIPTNUM';
  });
}

/** Makes an operation from numbers of up to 4 bytes to true or false. */
function compare(needs: number, predicate: (...numbers: [number, number, number]) => boolean): Operation {
  return operation(needs, (machine) => {
    const numbers = popNumbers(machine, needs);
    return numbers ? pushBool(machine, predicate(...numbers)) : 'SCRIPTNUM';
  });
}

/** Pops `count` numbers and returns them lowest first, padded with 0; `undefined` if an item is not a valid number. */
function popNumbers(machine: Machine, count: number): [number, number, number] | undefined {
  const numbers: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < count; i += 1) {
    const value = numberAt(machine, count - 1 - i);
    if (value === undefined) return undefined;
    numbers[i] = value;
  }
  machine.stack.length -= count;
  return numbers;
}

function equal(machine: Machine): undefined {
  pushBool(machine, equalBytes(pop(machine), pop(machine)));
}

/** Makes an operation that runs another and then OP_VERIFY, which fails with the given error. */
function thenVerify({ needs, run }: Operation, error: ScriptError): Operation {
  return operation(needs, (machine) => run(machine) ?? verifyTop(machine, error));
}

const isEqual = operation(2, equal);
const isNumEqual = compare(2, (a, b) => a === b);

/** Arithmetic and comparison opcodes. @see Bitcoin Core `CScriptNum` */
export const arithmeticOps: Operations = {
  [OP['1ADD']]: compute(1, (a) => a + 1),
  [OP['1SUB']]: compute(1, (a) => a - 1),
  [OP.NEGATE]: compute(1, (a) => -a),
  [OP.ABS]: compute(1, (a) => Math.abs(a)),
  [OP.NOT]: compare(1, (a) => a === 0),
  [OP['0NOTEQUAL']]: compare(1, (a) => a !== 0),
  [OP.ADD]: compute(2, (a, b) => a + b),
  [OP.SUB]: compute(2, (a, b) => a - b),
  [OP.BOOLAND]: compare(2, (a, b) => a !== 0 && b !== 0),
  [OP.BOOLOR]: compare(2, (a, b) => a !== 0 || b !== 0),
  [OP.NUMEQUAL]: isNumEqual,
  [OP.NUMEQUALVERIFY]: thenVerify(isNumEqual, 'NUMEQUALVERIFY'),
  [OP.NUMNOTEQUAL]: compare(2, (a, b) => a !== b),
  [OP.LESSTHAN]: compare(2, (a, b) => a < b),
  [OP.GREATERTHAN]: compare(2, (a, b) => a > b),
  [OP.LESSTHANOREQUAL]: compare(2, (a, b) => a <= b),
  [OP.GREATERTHANOREQUAL]: compare(2, (a, b) => a >= b),
  [OP.MIN]: compute(2, (a, b) => Math.min(a, b)),
  [OP.MAX]: compute(2, (a, b) => Math.max(a, b)),
  [OP.WITHIN]: compare(3, (value, least, most) => least <= value && value < most),
  [OP.EQUAL]: isEqual,
  [OP.EQUALVERIFY]: thenVerify(isEqual, 'EQUALVERIFY'),
};
