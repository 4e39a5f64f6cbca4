import type { KeyExpression } from '../descriptors/types.ts';
import { isUnspendableKey } from '../script/tapTree.ts';

/** Tells whether no one can know the private key: BIP341's point, or an extended key at it. */
export function hasUnspendableKey(key: KeyExpression): boolean {
  if (key.kind === 'musig') return key.participants.some(hasUnspendableKey);
  const { publicKey } = key.kind === 'fixed' ? key : key.key;
  return isUnspendableKey(publicKey);
}
