import { concatBytes } from '../bytes/compare.ts';
import { decodeMiniscript } from '../descriptors/miniscript/decode.ts';
import { satisfy } from '../descriptors/miniscript/satisfy.ts';
import type { EcdsaVersion } from '../interpreter/checker.ts';
import { payToPubkeyHash, pushMinimally } from '../script/build.ts';
import { classifyScript, type ScriptTemplate } from '../script/template.ts';
import { type InputSigner, keyPathSignature, publicKeyOfHash, scriptOfHash, signatureOf } from './inputSigner.ts';
import { scriptIdOf } from './provider.ts';
import type { SigningRules } from './rules.ts';

/** What an input is to hold. */
export interface Produced {
  readonly scriptSig: Uint8Array;
  readonly witness: readonly Uint8Array[];
}

/** One script, as far as it can be satisfied. */
interface Step {
  readonly isSolved: boolean;
  readonly template: ScriptTemplate;
  /** Bottom first. There may be some even where the script is not solved. */
  readonly items: readonly Uint8Array[];
}

const EMPTY = new Uint8Array(0);

/**
 * Solves a scriptPubKey and what it wraps, with all that is known, and puts together what the input is to hold; where
 * something is missing, as much as a node would.
 *
 * - `before`: the witness that the input holds; a taproot witness that cannot be replaced stays
 *
 * @see Bitcoin Core `ProduceSignature`
 */
export function produce(
  signer: InputSigner,
  scriptPubKey: Uint8Array,
  before: readonly Uint8Array[],
  rules: SigningRules,
): Produced {
  const outer = solve(signer, scriptPubKey, 'base', rules);
  const redeemScript = outer.isSolved && outer.template.type === 'scripthash' ? outer.items[0] : undefined;
  const inner = redeemScript ? solveInner(signer, redeemScript, rules) : outer;
  const { items, witness } = moveToWitness(signer, inner, rules, redeemScript ? undefined : before);
  const pushed = redeemScript ? [...items, redeemScript] : items;
  return { scriptSig: concatBytes(...pushed.map(pushMinimally)), witness };
}

/** A P2SH within P2SH is a hash that nothing solves. */
function solveInner(signer: InputSigner, redeemScript: Uint8Array, rules: SigningRules): Step {
  signer.wrappers.redeemScript = redeemScript;
  const step = solve(signer, redeemScript, 'base', rules);
  return { ...step, isSolved: step.isSolved && step.template.type !== 'scripthash' };
}

/** Items of witness programs leave the scriptSig. */
function moveToWitness(
  signer: InputSigner,
  { isSolved, template, items }: Step,
  rules: SigningRules,
  before: readonly Uint8Array[] | undefined,
): { items: readonly Uint8Array[]; witness: readonly Uint8Array[] } {
  if (isSolved && template.type === 'witness_v0_keyhash') {
    const step = solve(signer, payToPubkeyHash(template.program), 'witness-v0', rules);
    return { items: [], witness: step.items };
  }
  const witnessScript = isSolved && template.type === 'witness_v0_scripthash' ? items[0] : undefined;
  if (witnessScript)
    return { items: [], witness: [...solveWitnessScript(signer, witnessScript, rules), witnessScript] };
  const isTaproot = rules.signsTaproot && template.type === 'witness_v1_taproot';
  return isTaproot && before ? { items: [], witness: isSolved ? items : before } : { items, witness: [] };
}

function solveWitnessScript(signer: InputSigner, script: Uint8Array, rules: SigningRules): readonly Uint8Array[] {
  signer.wrappers.witnessScript = script;
  const { isSolved, template, items } = solve(signer, script, 'witness-v0', rules);
  const isWrapper = ['scripthash', 'witness_v0_scripthash', 'witness_v0_keyhash'].includes(template.type);
  if ((isSolved && !isWrapper) || items.length > 0 || !rules.knowsMiniscript) return items;
  return solveMiniscript(signer, script);
}

/** @see BIP379; Bitcoin Core `WshSatisfier` */
function solveMiniscript(signer: InputSigner, script: Uint8Array): readonly Uint8Array[] {
  const root = decodeMiniscript(script, (hash) => publicKeyOfHash(signer, hash));
  const items =
    root &&
    satisfy(root, {
      sign: (key) => signatureOf(signer, key, script, 'witness-v0'),
      preimage: (name, hash) => {
        signer.missing.push({ kind: 'preimage', name, hash });
        return undefined;
      },
      isMet: (of, lock) => {
        const isMet = signer.isMet(of, lock);
        if (!isMet) signer.missing.push({ kind: 'lock', of, lock });
        return isMet;
      },
    });
  return items ?? [];
}

/** @see Bitcoin Core `SignStep` */
function solve(signer: InputSigner, script: Uint8Array, sigVersion: EcdsaVersion, rules: SigningRules): Step {
  const template = classifyScript(script, rules.templates);
  const solved = (...items: readonly Uint8Array[]): Step => ({ isSolved: true, template, items });
  const unsolved: Step = { isSolved: false, template, items: [] };
  switch (template.type) {
    case 'pubkey': {
      const signature = signatureOf(signer, template.pubkey, script, sigVersion);
      return signature ? solved(signature) : unsolved;
    }
    case 'pubkeyhash': {
      const items = solveKeyHash(signer, template.hash, script, sigVersion);
      return items ? solved(...items) : unsolved;
    }
    case 'multisig':
      return { template, ...solveMultisig(signer, template, script, sigVersion) };
    case 'scripthash':
      return solveScriptHash(signer, template, template.hash);
    case 'witness_v0_scripthash':
      return solveScriptHash(signer, template, scriptIdOf(template.program));
    case 'witness_v0_keyhash':
      return solved(template.program);
    case 'witness_v1_taproot': {
      const signature = rules.signsTaproot ? keyPathSignature(signer, template.program) : undefined;
      return signature ? solved(signature) : unsolved;
    }
    case 'anchor':
      return solved();
    default:
      return unsolved;
  }
}

function solveKeyHash(
  signer: InputSigner,
  hash: Uint8Array,
  script: Uint8Array,
  sigVersion: EcdsaVersion,
): readonly Uint8Array[] | undefined {
  const publicKey = publicKeyOfHash(signer, hash);
  if (!publicKey) {
    signer.missing.push({ kind: 'key', hash });
    return undefined;
  }
  const signature = signatureOf(signer, publicKey, script, sigVersion);
  return signature && [signature, publicKey];
}

function solveScriptHash(signer: InputSigner, template: ScriptTemplate, hash: Uint8Array): Step {
  const script = scriptOfHash(signer, hash);
  if (script) return { isSolved: true, template, items: [script] };
  signer.missing.push(
    template.type === 'witness_v0_scripthash'
      ? { kind: 'witness-script', program: template.program }
      : { kind: 'redeem-script', hash },
  );
  return { isSolved: false, template, items: [] };
}

/**
 * Every key is asked for a signature, so that all that can be made are there for the next round; as many are taken as
 * are required, in the order of the keys.
 */
function solveMultisig(
  signer: InputSigner,
  { required, pubkeys }: Extract<ScriptTemplate, { type: 'multisig' }>,
  script: Uint8Array,
  sigVersion: EcdsaVersion,
): Pick<Step, 'isSolved' | 'items'> {
  const available = pubkeys.flatMap((pubkey) => signatureOf(signer, pubkey, script, sigVersion) ?? []);
  const items = [EMPTY, ...available.slice(0, required)];
  const isSolved = items.length === required + 1;
  // What is missing is padded by half: a node counts up while the list grows.
  for (let padding = 0; padding + items.length < required + 1; padding += 1) items.push(EMPTY);
  return { isSolved, items };
}
