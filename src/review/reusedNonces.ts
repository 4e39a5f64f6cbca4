import { bytesKey } from '../bytes/compare.ts';
import type { PsbtInput } from '../psbt/format/types.ts';
import type { HeldSignature } from '../psbt/heldSignatures.ts';
import { pushesOf } from '../script/instructions.ts';
import { isStrictSignature } from '../script/signatureEncoding.ts';

/** The r of a signature and the signature itself, as map keys. Two signatures with one nonce reveal the private key. */
export interface UsedNonce {
  readonly nonce: string;
  readonly signature: string;
}

/** Lists the nonces of valid signatures, and of all items in final fields that look like signatures. */
export function noncesOf(input: PsbtInput, held: readonly HeldSignature[], isTaproot: boolean): readonly UsedNonce[] {
  const signatures = held.filter(({ isValid }) => isValid).map(({ signature }) => signature);
  const final = [...pushesOf(input.finalScriptSig ?? new Uint8Array(0)), ...(input.finalScriptWitness ?? [])];
  return [...signatures, ...final].flatMap((item) => nonceOf(item, isTaproot) ?? []);
}

/** Returns r in 32 bytes for both kinds of signatures; DER drops leading zeros, or adds one. */
function nonceOf(item: Uint8Array, isTaproot: boolean): UsedNonce | undefined {
  if (isTaproot) {
    const isSignature = item.length === 64 || item.length === 65;
    return isSignature ? { nonce: bytesKey(item, 0, 32), signature: bytesKey(item, 0, 64) } : undefined;
  }
  if (!isStrictSignature(item)) return undefined;
  const r = item.subarray(4, 4 + (item[3] ?? 0));
  const padded = new Uint8Array(32);
  const significant = r.subarray(Math.max(0, r.length - 32));
  padded.set(significant, 32 - significant.length);
  return { nonce: bytesKey(padded), signature: bytesKey(item.subarray(0, -1)) };
}
