import { equalBytes } from '../bytes/compare.ts';
import { hash160, sha256 } from '../crypto/hash.ts';
import { BtcError, type SighashScriptFault } from '../errors.ts';
import { payToPubkeyHash, payToWitness, wrapInWitness } from '../script/build.ts';
import { MAX_SCRIPT_ELEMENT_SIZE, MAX_SCRIPT_SIZE } from '../script/instructions.ts';
import { classifyScript, parseWitnessProgram, type ScriptTemplate } from '../script/template.ts';

export type Commitment =
  | { readonly algorithm: 'legacy' | 'segwit-v0'; readonly scriptCode: Uint8Array }
  | { readonly algorithm: 'taproot' };

interface Spent {
  readonly inputIndex: number;
  readonly scriptPubKey: Uint8Array;
  readonly script: Uint8Array | undefined;
}

interface Classified extends Spent {
  readonly template: ScriptTemplate;
}

/**
 * Finds the digest algorithm, and the scriptCode if there is one. @throws `sighash/script-code`, `sighash/unsignable`
 */
export function resolveCommitment(input: Spent): Commitment {
  const { scriptPubKey, script } = input;
  const template = classifyScript(scriptPubKey);
  const spent = { ...input, template };
  switch (template.type) {
    case 'witness_v1_taproot':
      return { algorithm: 'taproot' };
    case 'witness_v0_keyhash':
      return { algorithm: 'segwit-v0', scriptCode: impliedScript(spent, payToPubkeyHash(template.program)) };
    case 'witness_v0_scripthash':
      if (!script) throw fault(spent, 'missing');
      if (!equalBytes(sha256(script), template.program)) throw fault(spent, 'hash-mismatch');
      return { algorithm: 'segwit-v0', scriptCode: sizedScript(spent, script, MAX_SCRIPT_SIZE) };
    case 'scripthash':
      return resolveScriptHash(spent, template.hash);
    case 'pubkey':
    case 'pubkeyhash':
    case 'multisig':
    case 'nonstandard':
      if (parseWitnessProgram(scriptPubKey)) throw unsignable(spent);
      return { algorithm: 'legacy', scriptCode: impliedScript(spent, scriptPubKey) };
    default:
      throw unsignable(spent);
  }
}

/** Takes the redeemScript or, for a nested witness program, its witnessScript or P2PKH script. */
function resolveScriptHash(spent: Classified, hash: Uint8Array): Commitment {
  const { script } = spent;
  if (!script) throw fault(spent, 'missing');
  const isRedeemScript = (candidate: Uint8Array): boolean => equalBytes(hash160(candidate), hash);
  const inner = classifyScript(script);
  if (inner.type === 'pubkeyhash' && isRedeemScript(payToWitness(0, inner.hash))) {
    return { algorithm: 'segwit-v0', scriptCode: script };
  }
  if (isRedeemScript(wrapInWitness(script))) {
    return { algorithm: 'segwit-v0', scriptCode: sizedScript(spent, script, MAX_SCRIPT_SIZE) };
  }
  if (!isRedeemScript(script)) throw fault(spent, 'hash-mismatch');
  if (inner.type === 'witness_v0_keyhash') {
    return { algorithm: 'segwit-v0', scriptCode: payToPubkeyHash(inner.program) };
  }
  if (inner.type === 'witness_v0_scripthash') throw fault(spent, 'missing');
  if (parseWitnessProgram(script)) throw unsignable(spent);
  return { algorithm: 'legacy', scriptCode: sizedScript(spent, script, MAX_SCRIPT_ELEMENT_SIZE) };
}

/** Accepts the implied script from the caller, but no other. */
function impliedScript(spent: Classified, implied: Uint8Array): Uint8Array {
  if (spent.script && !equalBytes(spent.script, implied)) throw fault(spent, 'not-used');
  return sizedScript(spent, implied, MAX_SCRIPT_SIZE);
}

/** Refuses a script that is too large to run. */
function sizedScript(spent: Classified, script: Uint8Array, limit: number): Uint8Array {
  if (script.length > limit) throw fault(spent, 'too-large');
  return script;
}

function fault({ inputIndex, template: { type } }: Classified, reason: SighashScriptFault): BtcError {
  const message = `Input ${inputIndex} (${type}) cannot be signed: ${FAULTS[reason]}`;
  return new BtcError('sighash/script-code', { inputIndex, scriptType: type, reason }, message);
}

const FAULTS: Readonly<Record<SighashScriptFault, string>> = {
  missing: 'pass the script that its output commits to as scriptCode',
  'hash-mismatch': 'its output commits to another script than scriptCode',
  'not-used': 'its output implies its script, so leave out scriptCode',
  'too-large': 'its script is too large to run',
};

function unsignable({ inputIndex, template: { type } }: Classified): BtcError {
  const message = `Input ${inputIndex} (${type}) takes no signature that this library knows`;
  return new BtcError('sighash/unsignable', { inputIndex, scriptType: type }, message);
}
