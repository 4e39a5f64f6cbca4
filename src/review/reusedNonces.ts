import { bytesKey } from '../bytes/compare.ts';
import type { PsbtInput } from '../psbt/format/types.ts';
import type { HeldSignature } from '../psbt/heldSignatures.ts';
import { pushesOf } from '../script/instructions.ts';
import { isStrictSignature } from '../script/signatureEncoding.ts';

/** The nonce of a signature, as names: whoever sees it used for two signatures knows the key. */
export interface UsedNonce {
  readonly nonce: string;
  readonly signature: string;
}

/** The nonces of valid signatures, and of what looks like signatures in final fields. */
export function noncesOf(input: PsbtInput, held: readonly HeldSignature[], isTaproot: boolean): readonly UsedNonce[] {
  const signatures = held.filter(({ isValid }) => isValid).map(({ signature }) => signature);
  const final = [...pushesOf(input.finalScriptSig ?? new Uint8Array(0)), ...(input.finalScriptWitness ?? [])];
  return [...signatures, ...final].flatMap((item) => nonceOf(item, isTaproot) ?? []);
}

/** r of 32 bytes in both kinds of signatures: DER writes it shorter, or with a zero before it. */
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
