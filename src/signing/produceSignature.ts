import { concatBytes } from '../bytes/compare.ts';
import { decodeMiniscript, satisfy } from '../descriptors/miniscript/index.ts';
import { scriptIdOf } from '../descriptors/scriptId.ts';
import type { EcdsaVersion } from '../interpreter/checker.ts';
import { payToPubkeyHash, pushMinimally } from '../script/build.ts';
import { classifyScript, type ScriptTemplate } from '../script/template.ts';
import { isMetOrMissing, preimageOf, solveTaproot } from './solveTaproot.ts';
import { publicKeyOrMissing, type Solver, scriptOfHash, signatureOf } from './solvingContext.ts';

/** What an input is to hold. */
export interface Produced {
  readonly scriptSig: Uint8Array;
  readonly witness: readonly Uint8Array[];
  /** Whether the script was solved: what it gives may still fail. */
  readonly isSolved: boolean;
  /** Whether the spend is a witness's, so that its signatures commit to the amount. */
  readonly isWitness: boolean;
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
export function produce(solver: Solver, scriptPubKey: Uint8Array, before: readonly Uint8Array[] = []): Produced {
  const outer = solve(solver, scriptPubKey, 'base');
  const redeemScript = outer.isSolved && outer.template.type === 'scripthash' ? outer.items[0] : undefined;
  const inner = redeemScript ? solveInner(solver, redeemScript) : outer;
  const { items, ...produced } = moveToWitness(solver, inner, redeemScript ? undefined : before);
  const pushed = redeemScript ? [...items, redeemScript] : items;
  return { ...produced, scriptSig: concatBytes(...pushed.map(pushMinimally)) };
}

/** A P2SH within P2SH is a hash that nothing solves. */
function solveInner(solver: Solver, redeemScript: Uint8Array): Step {
  solver.known.redeemScript = redeemScript;
  const step = solve(solver, redeemScript, 'base');
  return { ...step, isSolved: step.isSolved && step.template.type !== 'scripthash' };
}

/** Items of witness programs leave the scriptSig. */
function moveToWitness(
  solver: Solver,
  { isSolved, template, items }: Step,
  before: readonly Uint8Array[] | undefined,
): Omit<Produced, 'scriptSig'> & Pick<Step, 'items'> {
  if (isSolved && template.type === 'witness_v0_keyhash') {
    const step = solve(solver, payToPubkeyHash(template.program), 'witness-v0');
    return { items: [], witness: step.items, isSolved: step.isSolved, isWitness: true };
  }
  const witnessScript = isSolved && template.type === 'witness_v0_scripthash' ? items[0] : undefined;
  if (witnessScript) {
    const step = solveWitnessScript(solver, witnessScript);
    return { items: [], witness: [...step.items, witnessScript], isSolved: step.isSolved, isWitness: true };
  }
  const isTaproot = solver.rules.signsTaproot && template.type === 'witness_v1_taproot';
  if (!isTaproot || !before) return { items, witness: [], isSolved, isWitness: false };
  return { items: [], witness: isSolved ? items : before, isSolved, isWitness: true };
}

function solveWitnessScript(solver: Solver, script: Uint8Array): Pick<Step, 'isSolved' | 'items'> {
  solver.known.witnessScript = script;
  const step = solve(solver, script, 'witness-v0');
  const isWrapper = ['scripthash', 'witness_v0_scripthash', 'witness_v0_keyhash'].includes(step.template.type);
  const isSolved = step.isSolved && !isWrapper;
  if (isSolved || step.items.length > 0 || !solver.rules.knowsMiniscript) return { isSolved, items: step.items };
  const items = solveMiniscript(solver, script);
  return { isSolved: items !== undefined, items: items ?? [] };
}

/** @see BIP379; Bitcoin Core `WshSatisfier` */
function solveMiniscript(solver: Solver, script: Uint8Array): readonly Uint8Array[] | undefined {
  const root = decodeMiniscript(script, (hash) => publicKeyOrMissing(solver, hash));
  return (
    root &&
    satisfy(root, {
      sign: (key) => signatureOf(solver, key, script, 'witness-v0'),
      preimage: (name, hash) => preimageOf(solver.known, name, hash),
      isMet: (of, lock) => isMetOrMissing(solver, of, lock),
    })
  );
}

/** @see Bitcoin Core `SignStep` */
function solve(solver: Solver, script: Uint8Array, sigVersion: EcdsaVersion): Step {
  const template = classifyScript(script, solver.rules.templates);
  const step = (items: readonly Uint8Array[] | undefined): Step => ({
    isSolved: items !== undefined,
    template,
    items: items ?? [],
  });
  switch (template.type) {
    case 'pubkey': {
      const signature = signatureOf(solver, template.pubkey, script, sigVersion);
      return step(signature && [signature]);
    }
    case 'pubkeyhash':
      return step(solveKeyHash(solver, template.hash, script, sigVersion));
    case 'multisig':
      return { template, ...solveMultisig(solver, template, script, sigVersion) };
    case 'scripthash':
      return step(solveScriptHash(solver, template, template.hash));
    case 'witness_v0_scripthash':
      return step(solveScriptHash(solver, template, scriptIdOf(template.program)));
    case 'witness_v0_keyhash':
      return step([template.program]);
    case 'witness_v1_taproot':
      return step(solver.rules.signsTaproot ? solveTaproot(solver, template.program) : undefined);
    case 'anchor':
      return step([]);
    default:
      return step(undefined);
  }
}

function solveKeyHash(
  solver: Solver,
  hash: Uint8Array,
  script: Uint8Array,
  sigVersion: EcdsaVersion,
): readonly Uint8Array[] | undefined {
  const publicKey = publicKeyOrMissing(solver, hash);
  if (!publicKey) return undefined;
  const signature = signatureOf(solver, publicKey, script, sigVersion);
  return signature && [signature, publicKey];
}

function solveScriptHash(
  solver: Solver,
  template: ScriptTemplate,
  hash: Uint8Array,
): readonly Uint8Array[] | undefined {
  const script = scriptOfHash(solver, hash);
  if (script) return [script];
  solver.known.missing.push(
    template.type === 'witness_v0_scripthash'
      ? { kind: 'witness-script', program: template.program }
      : { kind: 'redeem-script', hash },
  );
  return undefined;
}

/**
 * Every key is asked for a signature, so that all that can be made are there for the next round; as many are taken as
 * are required, in the order of the keys.
 */
function solveMultisig(
  solver: Solver,
  { required, pubkeys }: Extract<ScriptTemplate, { type: 'multisig' }>,
  script: Uint8Array,
  sigVersion: EcdsaVersion,
): Pick<Step, 'isSolved' | 'items'> {
  const available = pubkeys.flatMap((pubkey) => signatureOf(solver, pubkey, script, sigVersion) ?? []);
  const items = [EMPTY, ...available.slice(0, required)];
  const isSolved = items.length === required + 1;
  // What is missing is padded by half: a node counts up while the list grows.
  for (let padding = 0; padding + items.length < required + 1; padding += 1) items.push(EMPTY);
  return { isSolved, items };
}
