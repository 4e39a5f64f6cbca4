import { concatBytes } from '../bytes/compare.ts';
import { decodeMiniscript, satisfy } from '../descriptors/miniscript/index.ts';
import type { EcdsaVersion } from '../interpreter/checker.ts';
import { payToPubkeyHash, pushMinimally } from '../script/build.ts';
import { classifyScript, type ScriptTemplate } from '../script/template.ts';
import { toScriptId } from '../script/unwrap.ts';
import { isMetOrMissing, preimageOrMissing, solveTaproot } from './solveTaproot.ts';
import {
  publicKeyOrMissing,
  type SignWithKey,
  type SolvingContext,
  scriptOfHash,
  scriptSigner,
} from './solvingContext.ts';

export interface Produced {
  readonly scriptSig: Uint8Array;
  readonly witness: readonly Uint8Array[];
  /** The script was solved; the result may still fail to verify. */
  readonly isSolved: boolean;
  /** Signatures commit to the amount. */
  readonly isWitness: boolean;
}

interface Step {
  readonly isSolved: boolean;
  readonly template: ScriptTemplate;
  /** Bottom first. An unsolved script may have some, too. */
  readonly items: readonly Uint8Array[];
}

const EMPTY = new Uint8Array(0);

/**
 * Builds as much of the scriptSig and witness as a node would if something is missing. A taproot input that cannot be
 * solved keeps `before`, its witness.
 * @see Core `ProduceSignature`
 */
export function produceSignature(
  context: SolvingContext,
  scriptPubKey: Uint8Array,
  before: readonly Uint8Array[] = [],
): Produced {
  const outer = solve(context, scriptPubKey, 'base');
  const redeemScript = outer.isSolved && outer.template.type === 'scripthash' ? outer.items[0] : undefined;
  const inner = redeemScript ? solveInner(context, redeemScript) : outer;
  const { items, ...produced } = moveToWitness(context, inner, redeemScript ? undefined : before);
  const pushed = redeemScript ? [...items, redeemScript] : items;
  return { ...produced, scriptSig: concatBytes(...pushed.map(pushMinimally)) };
}

/** Does not solve P2SH within P2SH. */
function solveInner(context: SolvingContext, redeemScript: Uint8Array): Step {
  context.data.redeemScript = redeemScript;
  const step = solve(context, redeemScript, 'base');
  return { ...step, isSolved: step.isSolved && step.template.type !== 'scripthash' };
}

function moveToWitness(
  context: SolvingContext,
  { isSolved, template, items }: Step,
  before: readonly Uint8Array[] | undefined,
): Omit<Produced, 'scriptSig'> & Pick<Step, 'items'> {
  if (isSolved && template.type === 'witness_v0_keyhash') {
    const step = solve(context, payToPubkeyHash(template.program), 'witness-v0');
    return { items: [], witness: step.items, isSolved: step.isSolved, isWitness: true };
  }
  const witnessScript = isSolved && template.type === 'witness_v0_scripthash' ? items[0] : undefined;
  if (witnessScript) {
    const step = solveWitnessScript(context, witnessScript);
    return { items: [], witness: [...step.items, witnessScript], isSolved: step.isSolved, isWitness: true };
  }
  const isTaproot = context.rules.signsTaproot && template.type === 'witness_v1_taproot';
  if (!isTaproot || !before) return { items, witness: [], isSolved, isWitness: false };
  return { items: [], witness: isSolved ? items : before, isSolved, isWitness: true };
}

function solveWitnessScript(context: SolvingContext, script: Uint8Array): Pick<Step, 'isSolved' | 'items'> {
  context.data.witnessScript = script;
  const step = solve(context, script, 'witness-v0');
  const isWrapper = ['scripthash', 'witness_v0_scripthash', 'witness_v0_keyhash'].includes(step.template.type);
  const isSolved = step.isSolved && !isWrapper;
  if (isSolved || step.items.length > 0 || !context.rules.knowsMiniscript) return { isSolved, items: step.items };
  const items = solveMiniscript(context, script);
  return { isSolved: items !== undefined, items: items ?? [] };
}

/** @see BIP379; Core `WshSatisfier` */
function solveMiniscript(context: SolvingContext, script: Uint8Array): readonly Uint8Array[] | undefined {
  const root = decodeMiniscript(script, (hash) => publicKeyOrMissing(context, hash));
  return (
    root &&
    satisfy(root, {
      sign: scriptSigner(context, script, 'witness-v0'),
      preimage: (name, hash) => preimageOrMissing(context.data, name, hash),
      isMet: (of, lock) => isMetOrMissing(context, of, lock),
    })
  );
}

/** @see Core `SignStep` */
function solve(context: SolvingContext, script: Uint8Array, sigVersion: EcdsaVersion): Step {
  const template = classifyScript(script, context.rules.templates);
  const step = (items: readonly Uint8Array[] | undefined): Step => ({
    isSolved: items !== undefined,
    template,
    items: items ?? [],
  });
  const sign = scriptSigner(context, script, sigVersion);
  switch (template.type) {
    case 'pubkey': {
      const signature = sign(template.pubkey);
      return step(signature && [signature]);
    }
    case 'pubkeyhash':
      return step(solveKeyHash(context, template.hash, sign));
    case 'multisig':
      return { template, ...solveMultisig(template, sign) };
    case 'scripthash':
      return step(solveScriptHash(context, template, template.hash));
    case 'witness_v0_scripthash':
      return step(solveScriptHash(context, template, toScriptId(template.program)));
    case 'witness_v0_keyhash':
      return step([template.program]);
    case 'witness_v1_taproot':
      return step(context.rules.signsTaproot ? solveTaproot(context, template.program) : undefined);
    case 'anchor':
      return step([]);
    default:
      return step(undefined);
  }
}

function solveKeyHash(context: SolvingContext, hash: Uint8Array, sign: SignWithKey): readonly Uint8Array[] | undefined {
  const publicKey = publicKeyOrMissing(context, hash);
  if (!publicKey) return undefined;
  const signature = sign(publicKey);
  return signature && [signature, publicKey];
}

function solveScriptHash(
  context: SolvingContext,
  template: ScriptTemplate,
  hash: Uint8Array,
): readonly Uint8Array[] | undefined {
  const script = scriptOfHash(context, hash);
  if (script) return [script];
  context.data.missing.push(
    template.type === 'witness_v0_scripthash'
      ? { kind: 'witness-script', program: template.program }
      : { kind: 'redeem-script', hash },
  );
  return undefined;
}

/**
 * Asks every key for a signature, so that the next signer finds all of them; uses the required number, in the order of
 * the keys.
 */
function solveMultisig(
  { required, pubkeys }: Extract<ScriptTemplate, { type: 'multisig' }>,
  sign: SignWithKey,
): Pick<Step, 'isSolved' | 'items'> {
  const available = pubkeys.flatMap((pubkey) => sign(pubkey) ?? []);
  const items = [EMPTY, ...available.slice(0, required)];
  const isSolved = items.length === required + 1;
  // Pads only half of the missing items, like Core, whose loop compares a counter with the growing list.
  for (let padding = 0; padding + items.length < required + 1; padding += 1) items.push(EMPTY);
  return { isSolved, items };
}
