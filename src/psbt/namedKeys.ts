import { bytesKey } from '../bytes/compare.ts';
import { hash160 } from '../crypto/hash.ts';
import { isValidPublicKey } from '../crypto/publicKey.ts';
import { hasOpcode, type Instruction, instructions, isDataPush, pushedData, pushesOf } from '../script/instructions.ts';
import { OP_CHECKSIG, OP_CHECKSIGADD, OP_CHECKSIGVERIFY, OP_CODESEPARATOR } from '../script/opcodes.ts';

/** Lists the compressed keys that a script pushes. */
export function ecdsaKeysIn(script: Uint8Array): readonly Uint8Array[] {
  return pushesBefore(script, () => true).filter((data) => data.length === 33 && isValidPublicKey(data));
}

const SCHNORR_OPCODES: readonly number[] = [OP_CHECKSIG, OP_CHECKSIGVERIFY, OP_CHECKSIGADD];

/** Lists the x-only keys that a leaf pushes directly before it verifies a signature. Other items have their size, too. */
export function leafKeysIn(script: Uint8Array): readonly Uint8Array[] {
  const keys = pushesBefore(script, (next) => next !== undefined && SCHNORR_OPCODES.includes(next.opcode));
  return keys.filter((data) => data.length === 32);
}

/** Lists the pushes by the instruction that follows. A script with an OP_CODESEPARATOR, which has several digests, has none. */
function pushesBefore(script: Uint8Array, isWanted: (next: Instruction | undefined) => boolean): readonly Uint8Array[] {
  if (hasOpcode(script, OP_CODESEPARATOR)) return [];
  const all = [...instructions(script)];
  return all.flatMap((instruction, i) =>
    instruction && isDataPush(instruction) && isWanted(all[i + 1]) ? [pushedData(script, instruction)] : [],
  );
}

/** Returns a function that tells whether a script pushes a key or its HASH160. */
export function keysNamedIn(script: Uint8Array): (publicKey: Uint8Array) => boolean {
  const pushes = new Set(pushesOf(script).map((data) => bytesKey(data)));
  return (publicKey) => pushes.has(bytesKey(publicKey)) || pushes.has(bytesKey(hash160(publicKey)));
}
