import { equalBytes } from '../bytes/compare.ts';
import type { KeyExpression } from '../descriptors/types.ts';
import { UNSPENDABLE_KEY } from '../script/tapTree.ts';

/** Tells whether no one can know the private key: BIP341's point, or an extended key at it. */
export function hasUnspendableKey(key: KeyExpression): boolean {
  if (key.kind === 'musig') return key.participants.some(hasUnspendableKey);
  const { publicKey } = key.kind === 'fixed' ? key : key.key;
  return isUnspendableKey(publicKey);
}

/** Takes 33 or 65 bytes, or x-only. */
export const isUnspendableKey = (publicKey: Uint8Array): boolean =>
  equalBytes(publicKey.length === 32 ? publicKey : publicKey.subarray(1, 33), UNSPENDABLE_KEY);
