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

/** Numbers of up to 4 bytes become a number, which may take 5. */
function compute(needs: number, formula: (...numbers: [number, number, number]) => number): Operation {
  return operation(needs, (machine) => {
    const numbers = takeNumbers(machine, needs);
    return numbers ? pushNumber(machine, formula(...numbers)) : 'SCRIPTNUM';
  });
}

/** Numbers of up to 4 bytes become true or false. */
function compare(needs: number, question: (...numbers: [number, number, number]) => boolean): Operation {
  return operation(needs, (machine) => {
    const numbers = takeNumbers(machine, needs);
    return numbers ? pushBool(machine, question(...numbers)) : 'SCRIPTNUM';
  });
}

/** Takes up to three numbers off the stack, the lowest first; missing ones are 0. `undefined` if one is not a number. */
function takeNumbers(machine: Machine, count: number): [number, number, number] | undefined {
  const taken: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < count; i += 1) {
    const value = numberAt(machine, count - 1 - i);
    if (value === undefined) return undefined;
    taken[i] = value;
  }
  machine.stack.length -= count;
  return taken;
}

function equal(machine: Machine): undefined {
  pushBool(machine, equalBytes(pop(machine), pop(machine)));
}

/** The operation, and then OP_VERIFY with an error of its own. */
function thenVerify({ needs, run }: Operation, error: ScriptError): Operation {
  return operation(needs, (machine) => run(machine) ?? verifyTop(machine, error));
}

const isEqual = operation(2, equal);
const isNumEqual = compare(2, (a, b) => a === b);

/** Opcodes that compute and compare. @see Bitcoin Core `CScriptNum` */
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
