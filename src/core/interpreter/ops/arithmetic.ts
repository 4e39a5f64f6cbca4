import { equalBytes } from '../../bytes/compare.ts';
import {
  OP_0NOTEQUAL,
  OP_1ADD,
  OP_1SUB,
  OP_ABS,
  OP_ADD,
  OP_BOOLAND,
  OP_BOOLOR,
  OP_EQUAL,
  OP_EQUALVERIFY,
  OP_GREATERTHAN,
  OP_GREATERTHANOREQUAL,
  OP_LESSTHAN,
  OP_LESSTHANOREQUAL,
  OP_MAX,
  OP_MIN,
  OP_NEGATE,
  OP_NOT,
  OP_NUMEQUAL,
  OP_NUMEQUALVERIFY,
  OP_NUMNOTEQUAL,
  OP_SUB,
  OP_WITHIN,
} from '../../script/opcodes.ts';
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

/** Operands have up to 4 bytes, the result up to 5. */
function compute(needs: number, formula: (...numbers: [number, number, number]) => number): Operation {
  return operation(needs, (machine) => {
    const numbers = popNumbers(machine, needs);
    return numbers ? pushNumber(machine, formula(...numbers)) : 'SCRIPTNUM';
  });
}

function compare(needs: number, predicate: (...numbers: [number, number, number]) => boolean): Operation {
  return operation(needs, (machine) => {
    const numbers = popNumbers(machine, needs);
    return numbers ? pushBool(machine, predicate(...numbers)) : 'SCRIPTNUM';
  });
}

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

function thenVerify({ needs, run }: Operation, error: ScriptError): Operation {
  return operation(needs, (machine) => run(machine) ?? verifyTop(machine, error));
}

const isEqual = operation(2, equal);
const isNumEqual = compare(2, (a, b) => a === b);

export const arithmeticOps: Operations = {
  [OP_1ADD]: compute(1, (a) => a + 1),
  [OP_1SUB]: compute(1, (a) => a - 1),
  [OP_NEGATE]: compute(1, (a) => -a),
  [OP_ABS]: compute(1, (a) => Math.abs(a)),
  [OP_NOT]: compare(1, (a) => a === 0),
  [OP_0NOTEQUAL]: compare(1, (a) => a !== 0),
  [OP_ADD]: compute(2, (a, b) => a + b),
  [OP_SUB]: compute(2, (a, b) => a - b),
  [OP_BOOLAND]: compare(2, (a, b) => a !== 0 && b !== 0),
  [OP_BOOLOR]: compare(2, (a, b) => a !== 0 || b !== 0),
  [OP_NUMEQUAL]: isNumEqual,
  [OP_NUMEQUALVERIFY]: thenVerify(isNumEqual, 'NUMEQUALVERIFY'),
  [OP_NUMNOTEQUAL]: compare(2, (a, b) => a !== b),
  [OP_LESSTHAN]: compare(2, (a, b) => a < b),
  [OP_GREATERTHAN]: compare(2, (a, b) => a > b),
  [OP_LESSTHANOREQUAL]: compare(2, (a, b) => a <= b),
  [OP_GREATERTHANOREQUAL]: compare(2, (a, b) => a >= b),
  [OP_MIN]: compute(2, (a, b) => Math.min(a, b)),
  [OP_MAX]: compute(2, (a, b) => Math.max(a, b)),
  [OP_WITHIN]: compare(3, (value, least, most) => least <= value && value < most),
  [OP_EQUAL]: isEqual,
  [OP_EQUALVERIFY]: thenVerify(isEqual, 'EQUALVERIFY'),
};
