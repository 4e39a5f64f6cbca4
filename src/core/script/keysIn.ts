import { bytesKey } from '../bytes/compare.ts';
import { hash160 } from '../crypto/hash.ts';
import { isValidPublicKey } from '../crypto/publicKey.ts';
import { hasOpcode, type Instruction, instructions, isDataPush, listPushes, pushedData } from './instructions.ts';
import { OP_CHECKSIG, OP_CHECKSIGADD, OP_CHECKSIGVERIFY, OP_CODESEPARATOR } from './opcodes.ts';

export function ecdsaKeysIn(script: Uint8Array): readonly Uint8Array[] {
  return pushesBefore(script, () => true).filter((data) => data.length === 33 && isValidPublicKey(data));
}

const SCHNORR_OPCODES: readonly number[] = [OP_CHECKSIG, OP_CHECKSIGVERIFY, OP_CHECKSIGADD];

/** Lists x-only keys before a signature opcode: other pushes have 32 bytes, too. */
export function leafKeysIn(script: Uint8Array): readonly Uint8Array[] {
  const keys = pushesBefore(script, (next) => next !== undefined && SCHNORR_OPCODES.includes(next.opcode));
  return keys.filter((data) => data.length === 32);
}

/** An OP_CODESEPARATOR gives a script several digests, so that its pushes do not count. */
function pushesBefore(script: Uint8Array, isWanted: (next: Instruction | undefined) => boolean): readonly Uint8Array[] {
  if (hasOpcode(script, OP_CODESEPARATOR)) return [];
  const all = [...instructions(script)];
  const pushes = all.flatMap((instruction, i) =>
    instruction && isDataPush(instruction) && isWanted(all[i + 1]) ? [pushedData(script, instruction)] : [],
  );
  return [...new Map(pushes.map((data) => [bytesKey(data), data])).values()];
}

/** Returns a test for keys that a script pushes, plain or as HASH160. */
export function keysNamedIn(script: Uint8Array): (publicKey: Uint8Array) => boolean {
  const pushes = new Set(listPushes(script).map((data) => bytesKey(data)));
  return (publicKey) => pushes.has(bytesKey(publicKey)) || pushes.has(bytesKey(hash160(publicKey)));
}
