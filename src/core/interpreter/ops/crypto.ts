import { hash160, ripemd160, sha1, sha256, sha256d } from '../../crypto/hash.ts';
import {
  OP_CHECKMULTISIG,
  OP_CHECKMULTISIGVERIFY,
  OP_CHECKSIG,
  OP_CHECKSIGADD,
  OP_CHECKSIGVERIFY,
  OP_CODESEPARATOR,
  OP_HASH160,
  OP_HASH256,
  OP_RIPEMD160,
  OP_SHA1,
  OP_SHA256,
} from '../../script/opcodes.ts';
import { checkSignature } from '../checkSignature.ts';
import {
  type Machine,
  numberAt,
  type Operation,
  type Operations,
  operation,
  peek,
  pop,
  push,
  pushBool,
  pushNumber,
} from '../machine.ts';
import { checkMultisig } from '../multisig.ts';
import type { ScriptError } from '../result.ts';
import { verifyTop } from './flow.ts';

function hashWith(hash: (bytes: Uint8Array) => Uint8Array): Operation {
  return operation(1, (machine) => push(machine, hash(pop(machine))));
}

function checkSig(machine: Machine): ScriptError | undefined {
  const isValid = checkSignature(machine, peek(machine, 1), peek(machine, 0));
  if (typeof isValid === 'string') return isValid;
  machine.stack.length -= 2;
  return pushBool(machine, isValid);
}

/** @see BIP342 "Script execution" */
function checkSigAdd(machine: Machine): ScriptError | undefined {
  if (machine.sigVersion !== 'tapscript') return 'BAD_OPCODE';
  if (machine.stack.length < 3) return 'INVALID_STACK_OPERATION';
  const count = numberAt(machine, 1);
  if (count === undefined) return 'SCRIPTNUM';
  const isValid = checkSignature(machine, peek(machine, 2), peek(machine, 0));
  if (typeof isValid === 'string') return isValid;
  machine.stack.length -= 3;
  return pushNumber(machine, count + (isValid ? 1 : 0));
}

function separateCode(machine: Machine): undefined {
  machine.codeStart = machine.next;
  machine.codeSeparatorPosition = machine.position;
}

export const cryptoOps: Operations = {
  [OP_RIPEMD160]: hashWith(ripemd160),
  [OP_SHA1]: hashWith(sha1),
  [OP_SHA256]: hashWith(sha256),
  [OP_HASH160]: hashWith(hash160),
  [OP_HASH256]: hashWith(sha256d),
  [OP_CODESEPARATOR]: operation(0, separateCode),
  [OP_CHECKSIG]: operation(2, checkSig),
  [OP_CHECKSIGVERIFY]: operation(2, (machine) => checkSig(machine) ?? verifyTop(machine, 'CHECKSIGVERIFY')),
  [OP_CHECKSIGADD]: operation(0, checkSigAdd),
  [OP_CHECKMULTISIG]: operation(0, checkMultisig),
  [OP_CHECKMULTISIGVERIFY]: operation(
    0,
    (machine) => checkMultisig(machine) ?? verifyTop(machine, 'CHECKMULTISIGVERIFY'),
  ),
};
