import { ecdsaKeysIn, leafKeysIn } from '../script/keysIn.ts';
import { scriptKey } from '../script/scriptKey.ts';
import { TAPSCRIPT_LEAF_VERSION, type TapLeafHash, tapLeafHash } from '../script/tapTree.ts';
import type { PsbtInput } from './format/types.ts';
import { type EcdsaScript, ecdsaScript } from './scriptCodes.ts';

export type PushedKeys = { readonly publicKeys: readonly Uint8Array[] } & (
  | { readonly script: Extract<EcdsaScript, { readonly version: unknown }> }
  | { readonly leafHash: TapLeafHash }
);

/**
 * Lists pushed keys even where a solver finds none: in a script that is not a miniscript, or that names a key by an
 * unknown hash.
 */
export function pushedKeys(scriptPubKey: Uint8Array, input: PsbtInput): readonly PushedKeys[] {
  const script = ecdsaScript(scriptPubKey, input);
  if (script) return 'scriptCode' in script ? [{ script, publicKeys: ecdsaKeysIn(script.scriptCode) }] : [];
  const leaves = (input.tapLeafScripts ?? []).filter(({ leafVersion }) => leafVersion === TAPSCRIPT_LEAF_VERSION);
  // One leaf may have several control blocks.
  const scripts = new Map(leaves.map((leaf) => [scriptKey(leaf.script), leaf.script]));
  return [...scripts.values()].map((leaf) => ({ leafHash: tapLeafHash(leaf), publicKeys: leafKeysIn(leaf) }));
}
