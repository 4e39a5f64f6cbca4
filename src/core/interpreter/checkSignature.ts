import { concatBytes, equalBytes } from '../bytes/compare.ts';
import { hasHighS } from '../crypto/ecdsa.ts';
import { encodePush } from '../script/build.ts';
import { instructionAt } from '../script/instructions.ts';
import { isEcdsaSighashType, isStrictDer } from '../script/signatureEncoding.ts';
import type { Machine, ScriptContext, TapscriptContext } from './machine.ts';
import type { ScriptError } from './result.ts';

/** In weight units. @see BIP342 "Resource limits" */
const WEIGHT_PER_CHECK = 50;

/** Returns true for a valid signature, or the error that ends the script. @see BIP342 "Signature validation" */
export function checkSignature(machine: Machine, signature: Uint8Array, publicKey: Uint8Array): boolean | ScriptError {
  const { tapscript, watch } = machine;
  if (!tapscript) return checkEcdsaSignature(machine, signature, publicKey);
  const verdict = checkTapscriptSignature(machine, tapscript, { signature, publicKey });
  watch?.check(signature, publicKey, verdict);
  return verdict;
}

function checkTapscriptSignature(
  { flags, checker, codeSeparatorPosition }: Machine,
  tapscript: TapscriptContext,
  { signature, publicKey }: { readonly signature: Uint8Array; readonly publicKey: Uint8Array },
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

function checkEcdsaSignature(machine: Machine, signature: Uint8Array, publicKey: Uint8Array): boolean | ScriptError {
  const scriptCode = withoutSignatures(machine, [signature]);
  if (typeof scriptCode === 'string') return scriptCode;
  const isValid = checkWithCode(machine, signature, publicKey, scriptCode);
  return isValid === false && signature.length > 0 && machine.flags.has('NULLFAIL') ? 'SIG_NULLFAIL' : isValid;
}

export function checkWithCode(
  machine: Machine,
  signature: Uint8Array,
  publicKey: Uint8Array,
  scriptCode: Uint8Array,
): boolean | ScriptError {
  const sigVersion = machine.sigVersion === 'base' ? 'base' : 'witness-v0';
  const verdict =
    signatureFault(signature, machine) ??
    publicKeyFault(publicKey, machine) ??
    machine.checker.checkEcdsa(signature, publicKey, scriptCode, sigVersion);
  machine.watch?.check(signature, publicKey, verdict);
  return verdict;
}

/**
 * Returns the script from after the last executed OP_CODESEPARATOR; the original rules remove the signatures' own
 * pushes.
 * @see Core `FindAndDelete`, `SCRIPT_VERIFY_CONST_SCRIPTCODE`
 */
export function withoutSignatures(machine: Machine, signatures: readonly Uint8Array[]): Uint8Array | ScriptError {
  const { script, codeStart } = machine;
  const scriptCode = codeStart === 0 ? script : script.slice(codeStart);
  if (machine.sigVersion !== 'base') return scriptCode;
  let kept = scriptCode;
  for (const signature of signatures) kept = findAndDelete(kept, encodePush(signature));
  return kept !== scriptCode && machine.flags.has('CONST_SCRIPTCODE') ? 'SIG_FINDANDDELETE' : kept;
}

/**
 * Accepts an empty signature, which fails its check without ending the script.
 * @see BIP66; BIP146; Core `CheckSignatureEncoding`
 */
function signatureFault(signature: Uint8Array, { flags }: ScriptContext): ScriptError | undefined {
  if (signature.length === 0) return undefined;
  const isStrict = flags.has('DERSIG') || flags.has('LOW_S') || flags.has('STRICTENC');
  if (isStrict && !isStrictDer(signature)) return 'SIG_DER';
  if (flags.has('LOW_S') && hasHighS(signature.slice(0, -1))) return 'SIG_HIGH_S';
  const sighashType = signature[signature.length - 1] ?? 0;
  return flags.has('STRICTENC') && !isEcdsaSighashType(sighashType) ? 'SIG_HASHTYPE' : undefined;
}

/** @see BIP143 "Restrictions on public key type"; Core `CheckPubKeyEncoding` */
function publicKeyFault(publicKey: Uint8Array, { flags, sigVersion }: ScriptContext): ScriptError | undefined {
  const first = publicKey[0];
  const isCompressed = publicKey.length === 33 && (first === 0x02 || first === 0x03);
  const isUncompressed = publicKey.length === 65 && first === 0x04;
  if (flags.has('STRICTENC') && !isCompressed && !isUncompressed) return 'PUBKEYTYPE';
  const isWitness = flags.has('WITNESS_PUBKEYTYPE') && sigVersion === 'witness-v0';
  return isWitness && !isCompressed ? 'WITNESS_PUBKEYTYPE' : undefined;
}

/**
 * Removes a pattern wherever it begins at an instruction, up to the first that does not parse; returns the same object
 * if there is none.
 */
function findAndDelete(script: Uint8Array, pattern: Uint8Array): Uint8Array {
  if (pattern.length === 0) return script;
  const isAt = (start: number): boolean => equalBytes(script.subarray(start, start + pattern.length), pattern);
  const kept: Uint8Array[] = [];
  let keptFrom = 0;
  let offset = 0;
  for (;;) {
    if (isAt(offset)) {
      kept.push(script.slice(keptFrom, offset));
      while (isAt(offset)) offset += pattern.length;
      keptFrom = offset;
    }
    const instruction = offset < script.length ? instructionAt(script, offset) : undefined;
    if (!instruction) break;
    offset = instruction.end;
  }
  return keptFrom === 0 ? script : concatBytes(...kept, script.slice(keptFrom));
}
