import { OP_CHECKLOCKTIMEVERIFY, OP_CHECKSEQUENCEVERIFY } from '../../script/opcodes.ts';
import { SEQUENCE_LOCKTIME_DISABLE_FLAG } from '../../tx/relativeLock.ts';
import type { SignatureChecker } from '../checker.ts';
import type { ScriptFlag } from '../flags.ts';
import { numberAt, type Operation, type Operations, operation } from '../machine.ts';

const MAX_LOCKTIME_SIZE = 5;

/** Leaves the operand on the stack; without its flag, the opcode is a NOP. @see BIP65, BIP112 */
function lock(flag: ScriptFlag, isMet: (checker: SignatureChecker, lock: number) => boolean): Operation {
  return operation(0, (machine) => {
    if (!machine.flags.has(flag)) return undefined;
    if (machine.stack.length < 1) return 'INVALID_STACK_OPERATION';
    const value = numberAt(machine, 0, MAX_LOCKTIME_SIZE);
    if (value === undefined) return 'SCRIPTNUM';
    if (value < 0) return 'NEGATIVE_LOCKTIME';
    return isMet(machine.checker, value) ? undefined : 'UNSATISFIED_LOCKTIME';
  });
}

export const locktimeOps: Operations = {
  [OP_CHECKLOCKTIMEVERIFY]: lock('CHECKLOCKTIMEVERIFY', (checker, locktime) => checker.checkLockTime(locktime)),
  [OP_CHECKSEQUENCEVERIFY]: lock(
    'CHECKSEQUENCEVERIFY',
    (checker, sequence) => (sequence & SEQUENCE_LOCKTIME_DISABLE_FLAG) !== 0 || checker.checkSequence(sequence),
  ),
};
