import { pushOf } from '../script/build.ts';
import { findAndDelete } from '../script/findAndDelete.ts';
import { publicKeyFault, signatureFault } from './encoding.ts';
import type { Machine, TapscriptContext } from './machine.ts';
import type { ScriptError } from './result.ts';

/** The cost of one signature check in a tapscript's budget, in weight units. @see BIP342 "Resource limits" */
const WEIGHT_PER_CHECK = 50;

/**
 * Checks one signature for OP_CHECKSIG, OP_CHECKSIGVERIFY and OP_CHECKSIGADD.
 * @returns true if it is valid, or the error that ends the script
 */
export function checkSignature(machine: Machine, signature: Uint8Array, publicKey: Uint8Array): boolean | ScriptError {
  return machine.tapscript
    ? checkTapscriptSignature(machine, machine.tapscript, signature, publicKey)
    : checkEcdsaSignature(machine, signature, publicKey);
}

function checkEcdsaSignature(machine: Machine, signature: Uint8Array, publicKey: Uint8Array): boolean | ScriptError {
  const scriptCode = withoutSignatures(machine, [signature]);
  if (typeof scriptCode === 'string') return scriptCode;
  const isValid = checkWithCode(machine, signature, publicKey, scriptCode);
  return isValid === false && signature.length > 0 && machine.flags.has('NULLFAIL') ? 'SIG_NULLFAIL' : isValid;
}

/** Checks one ECDSA signature against a finished scriptCode. */
export function checkWithCode(
  machine: Machine,
  signature: Uint8Array,
  publicKey: Uint8Array,
  scriptCode: Uint8Array,
): boolean | ScriptError {
  const fault = signatureFault(signature, machine) ?? publicKeyFault(publicKey, machine);
  if (fault) return fault;
  const sigVersion = machine.sigVersion === 'base' ? 'base' : 'witness-v0';
  return machine.checker.checkEcdsa(signature, publicKey, scriptCode, sigVersion);
}

/**
 * Returns the scriptCode that signatures commit to: the script from after the last executed OP_CODESEPARATOR. The original
 * rules remove pushes of the signatures themselves.
 * @see Bitcoin Core `FindAndDelete`, `SCRIPT_VERIFY_CONST_SCRIPTCODE`
 */
export function withoutSignatures(machine: Machine, signatures: readonly Uint8Array[]): Uint8Array | ScriptError {
  const { script, codeStart } = machine;
  const scriptCode = codeStart === 0 ? script : script.slice(codeStart);
  if (machine.sigVersion !== 'base') return scriptCode;
  let kept = scriptCode;
  for (const signature of signatures) kept = findAndDelete(kept, pushOf(signature));
  return kept !== scriptCode && machine.flags.has('CONST_SCRIPTCODE') ? 'SIG_FINDANDDELETE' : kept;
}

/** @see BIP342 "Signature validation" */
function checkTapscriptSignature(
  { flags, checker, codeSeparatorPosition }: Machine,
  tapscript: TapscriptContext,
  signature: Uint8Array,
  publicKey: Uint8Array,
): boolean | ScriptError {
  const isSigned = signature.length > 0;
  if (isSigned) {
    tapscript.budget -= WEIGHT_PER_CHECK;
    if (tapscript.budget < 0) return 'TAPSCRIPT_VALIDATION_WEIGHT';
  }
  if (publicKey.length === 0) return 'TAPSCRIPT_EMPTY_PUBKEY';
  if (publicKey.length !== 32) {
    return flags.has('DISCOURAGE_UPGRADABLE_PUBKEYTYPE') ? 'DISCOURAGE_UPGRADABLE_PUBKEYTYPE' : isSigned;
  }
  if (!isSigned) return false;
  const { annex, leafHash } = tapscript;
  const place = { leafHash, ...(codeSeparatorPosition !== undefined && { codeSeparatorPosition }) };
  return checker.checkSchnorr(signature, publicKey, { annex, tapscript: place }) ?? true;
}
