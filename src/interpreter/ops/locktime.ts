import { OP } from '../../script/opcodes.ts';
import { SEQUENCE_LOCKTIME_DISABLE_FLAG } from '../../tx/relativeLock.ts';
import type { SignatureChecker } from '../checker.ts';
import type { ScriptFlag } from '../flags.ts';
import { numberAt, type Operation, type Operations, operation } from '../machine.ts';

/** Lock times outgrow the 4 bytes of other numbers. */
const MAX_LOCKTIME_SIZE = 5;

/** Without its flag it does nothing, as before its soft fork. The number stays on the stack. */
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

/** Opcodes that hold a coin back. @see BIP65, BIP112 */
export const locktimeOps: Operations = {
  [OP.CHECKLOCKTIMEVERIFY]: lock('CHECKLOCKTIMEVERIFY', (checker, locktime) => checker.checkLockTime(locktime)),
  [OP.CHECKSEQUENCEVERIFY]: lock(
    'CHECKSEQUENCEVERIFY',
    (checker, sequence) => (sequence & SEQUENCE_LOCKTIME_DISABLE_FLAG) !== 0 || checker.checkSequence(sequence),
  ),
};
