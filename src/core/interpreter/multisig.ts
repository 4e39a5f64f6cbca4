import { MAX_OPS } from '../script/opcodeRules.ts';
import { MAX_PUBKEYS_PER_MULTISIG } from '../script/sigops.ts';
import { checkWithCode, withoutSignatures } from './checkSignature.ts';
import { type Machine, numberAt, peek, pushBool } from './machine.ts';
import type { ScriptError } from './result.ts';

/** From the top of the stack: key count, keys, signature count, signatures, dummy. */
interface MultisigArguments {
  readonly keys: readonly Uint8Array[];
  readonly signatures: readonly Uint8Array[];
  readonly size: number;
}

/**
 * Runs OP_CHECKMULTISIG. Because of an old bug, it pops one more item, the dummy, than it uses.
 * @see Core `EvalScript`; BIP147 "NULLDUMMY"
 */
export function checkMultisig(machine: Machine): ScriptError | undefined {
  if (machine.sigVersion === 'tapscript') return 'TAPSCRIPT_CHECKMULTISIG';
  const args = readArguments(machine);
  if (typeof args === 'string') return args;
  const scriptCode = withoutSignatures(machine, args.signatures);
  if (typeof scriptCode === 'string') return scriptCode;
  const isValid = matchSignatures(machine, args, scriptCode);
  if (typeof isValid === 'string') return isValid;

  if (!isValid && machine.flags.has('NULLFAIL') && args.signatures.some(({ length }) => length > 0)) {
    return 'SIG_NULLFAIL';
  }
  if (machine.flags.has('NULLDUMMY') && peek(machine, args.size - 1).length > 0) return 'SIG_NULLDUMMY';
  machine.stack.length -= args.size;
  return pushBool(machine, isValid);
}

function readArguments(machine: Machine): MultisigArguments | ScriptError {
  const available = machine.stack.length;
  if (available < 1) return 'INVALID_STACK_OPERATION';
  const keyCount = numberAt(machine, 0);
  if (keyCount === undefined) return 'SCRIPTNUM';
  if (keyCount < 0 || keyCount > MAX_PUBKEYS_PER_MULTISIG) return 'PUBKEY_COUNT';
  machine.opCount += keyCount;
  if (machine.opCount > MAX_OPS) return 'OP_COUNT';
  if (available < keyCount + 2) return 'INVALID_STACK_OPERATION';
  const signatureCount = numberAt(machine, keyCount + 1);
  if (signatureCount === undefined) return 'SCRIPTNUM';
  if (signatureCount < 0 || signatureCount > keyCount) return 'SIG_COUNT';
  const size = keyCount + signatureCount + 3;
  if (available < size) return 'INVALID_STACK_OPERATION';
  return {
    keys: itemsFrom(machine, 1, keyCount),
    signatures: itemsFrom(machine, keyCount + 2, signatureCount),
    size,
  };
}

function itemsFrom(machine: Machine, depth: number, count: number): readonly Uint8Array[] {
  return Array.from({ length: count }, (_, i) => peek(machine, depth + i));
}

/** Stops as soon as fewer keys than signatures remain, which decides, as in Core, which encodings are checked. */
function matchSignatures(
  machine: Machine,
  { keys, signatures }: MultisigArguments,
  scriptCode: Uint8Array,
): boolean | ScriptError {
  let matched = 0;
  for (const [tried, key] of keys.entries()) {
    const signature = signatures[matched];
    if (!signature) return true;
    if (signatures.length - matched > keys.length - tried) return false;
    const isValid = checkWithCode(machine, signature, key, scriptCode);
    if (typeof isValid === 'string') return isValid;
    if (isValid) matched += 1;
  }
  return matched === signatures.length;
}
