import { bytesKey } from '../bytes/compare.ts';
import { hash160 } from '../crypto/hash.ts';
import { isValidPublicKey } from '../crypto/publicKey.ts';
import { hasOpcode, type Instruction, instructions, isDataPush, pushedData, pushesOf } from '../script/instructions.ts';
import { OP_CHECKSIG, OP_CHECKSIGADD, OP_CHECKSIGVERIFY, OP_CODESEPARATOR } from '../script/opcodes.ts';
import { TAPSCRIPT_LEAF_VERSION, type TapLeafHash, tapLeafHash } from '../script/tapTree.ts';
import type { PsbtInput } from './format/types.ts';
import { type EcdsaScript, ecdsaScript } from './scriptCodes.ts';

export type PushedKeys = { readonly publicKeys: readonly Uint8Array[] } & (
  | { readonly script: Extract<EcdsaScript, { readonly version: unknown }> }
  | { readonly leafHash: TapLeafHash }
);

/**
 * Lists the keys that the script and leaves of an input push. A solver finds none in a script that is not a miniscript,
 * or that names a key by an unknown hash.
 */
export function pushedKeys(scriptPubKey: Uint8Array, input: PsbtInput): readonly PushedKeys[] {
  const script = ecdsaScript(scriptPubKey, input);
  if (script) return 'scriptCode' in script ? [{ script, publicKeys: ecdsaKeysIn(script.scriptCode) }] : [];
  const leaves = (input.tapLeafScripts ?? []).filter(({ leafVersion }) => leafVersion === TAPSCRIPT_LEAF_VERSION);
  // One leaf may have several control blocks.
  const scripts = new Map(leaves.map((leaf) => [bytesKey(leaf.script), leaf.script]));
  return [...scripts.values()].map((leaf) => ({ leafHash: tapLeafHash(leaf), publicKeys: leafKeysIn(leaf) }));
}

export function ecdsaKeysIn(script: Uint8Array): readonly Uint8Array[] {
  return pushesBefore(script, () => true).filter((data) => data.length === 33 && isValidPublicKey(data));
}

const SCHNORR_OPCODES: readonly number[] = [OP_CHECKSIG, OP_CHECKSIGVERIFY, OP_CHECKSIGADD];

/** Lists the x-only keys that a leaf pushes right before a signature opcode: other items have their size, too. */
export function leafKeysIn(script: Uint8Array): readonly Uint8Array[] {
  const keys = pushesBefore(script, (next) => next !== undefined && SCHNORR_OPCODES.includes(next.opcode));
  return keys.filter((data) => data.length === 32);
}

/** A script with an OP_CODESEPARATOR has several digests, so that no push of it counts. */
function pushesBefore(script: Uint8Array, isWanted: (next: Instruction | undefined) => boolean): readonly Uint8Array[] {
  if (hasOpcode(script, OP_CODESEPARATOR)) return [];
  const all = [...instructions(script)];
  const pushes = all.flatMap((instruction, i) =>
    instruction && isDataPush(instruction) && isWanted(all[i + 1]) ? [pushedData(script, instruction)] : [],
  );
  return [...new Map(pushes.map((data) => [bytesKey(data), data])).values()];
}

/** Returns a test for keys that a script pushes, or whose HASH160 it pushes. */
export function keysNamedIn(script: Uint8Array): (publicKey: Uint8Array) => boolean {
  const pushes = new Set(pushesOf(script).map((data) => bytesKey(data)));
  return (publicKey) => pushes.has(bytesKey(publicKey)) || pushes.has(bytesKey(hash160(publicKey)));
}
