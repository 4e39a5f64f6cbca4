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

/**
 * Finds the digest algorithm, and the scriptCode if there is one. @throws `sighash/script-code`, `sighash/unsignable`
 */
export function resolveCommitment(spent: Spent): Commitment {
  const { scriptPubKey, script } = spent;
  const template = classifyScript(scriptPubKey);
  switch (template.type) {
    case 'witness_v1_taproot':
      return { algorithm: 'taproot' };
    case 'witness_v0_keyhash':
      return { algorithm: 'segwit-v0', scriptCode: impliedScript(spent, template, payToPubkeyHash(template.program)) };
    case 'witness_v0_scripthash':
      if (!script) throw fault(spent, template, 'missing');
      if (!equalBytes(sha256(script), template.program)) throw fault(spent, template, 'hash-mismatch');
      return { algorithm: 'segwit-v0', scriptCode: sizedScript(spent, template, MAX_SCRIPT_SIZE, script) };
    case 'scripthash':
      return resolveScriptHash(spent, template);
    case 'pubkey':
    case 'pubkeyhash':
    case 'multisig':
    case 'nonstandard':
      if (parseWitnessProgram(scriptPubKey)) throw unsignable(spent, template);
      return { algorithm: 'legacy', scriptCode: impliedScript(spent, template, scriptPubKey) };
    default:
      throw unsignable(spent, template);
  }
}

/** Takes the redeemScript or, for a nested witness program, its witnessScript or P2PKH script. */
function resolveScriptHash(spent: Spent, template: ScriptTemplate & { type: 'scripthash' }): Commitment {
  const { script } = spent;
  if (!script) throw fault(spent, template, 'missing');
  const isRedeemScript = (candidate: Uint8Array): boolean => equalBytes(hash160(candidate), template.hash);
  const inner = classifyScript(script);
  if (inner.type === 'pubkeyhash' && isRedeemScript(payToWitness(0, inner.hash))) {
    return { algorithm: 'segwit-v0', scriptCode: script };
  }
  if (isRedeemScript(wrapInWitness(script))) {
    return { algorithm: 'segwit-v0', scriptCode: sizedScript(spent, template, MAX_SCRIPT_SIZE, script) };
  }
  if (!isRedeemScript(script)) throw fault(spent, template, 'hash-mismatch');
  if (inner.type === 'witness_v0_keyhash') {
    return { algorithm: 'segwit-v0', scriptCode: payToPubkeyHash(inner.program) };
  }
  if (inner.type === 'witness_v0_scripthash') throw fault(spent, template, 'missing');
  if (parseWitnessProgram(script)) throw unsignable(spent, template);
  return { algorithm: 'legacy', scriptCode: sizedScript(spent, template, MAX_SCRIPT_ELEMENT_SIZE, script) };
}

/** Accepts the implied script from the caller, but no other. */
function impliedScript(spent: Spent, template: ScriptTemplate, implied: Uint8Array): Uint8Array {
  if (spent.script && !equalBytes(spent.script, implied)) throw fault(spent, template, 'not-used');
  return sizedScript(spent, template, MAX_SCRIPT_SIZE, implied);
}

/** Refuses a script that is too large to run. */
function sizedScript(spent: Spent, template: ScriptTemplate, limit: number, script: Uint8Array): Uint8Array {
  if (script.length > limit) throw fault(spent, template, 'too-large');
  return script;
}

function fault({ inputIndex }: Spent, { type }: ScriptTemplate, reason: SighashScriptFault): BtcError {
  const message = `Input ${inputIndex} (${type}) cannot be signed: ${FAULTS[reason]}`;
  return new BtcError('sighash/script-code', { inputIndex, scriptType: type, reason }, message);
}

const FAULTS: Readonly<Record<SighashScriptFault, string>> = {
  missing: 'pass the script that its output commits to as scriptCode',
  'hash-mismatch': 'its output commits to another script than scriptCode',
  'not-used': 'its output implies its script, so leave out scriptCode',
  'too-large': 'its script is too large to run',
};

function unsignable({ inputIndex }: Spent, { type }: ScriptTemplate): BtcError {
  const message = `Input ${inputIndex} (${type}) takes no signature that this library knows`;
  return new BtcError('sighash/unsignable', { inputIndex, scriptType: type }, message);
}
