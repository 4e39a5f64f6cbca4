import { SEQUENCE_LOCKTIME_MASK, SEQUENCE_LOCKTIME_TYPE_FLAG } from '../tx/relativeLock.ts';
import { type Miniscript, postOrder } from './miniscript/index.ts';
import { miniscriptsIn } from './miniscriptsIn.ts';
import type { Descriptor, KeyExpression } from './types.ts';

/**
 * Lists `older()` locks above 65535, which expire early: consensus reads only their lowest 16 bits.
 * @see Bitcoin Core 31 `Descriptor::Warnings`; BIP68
 */
export const descriptorWarnings = (descriptor: Descriptor): readonly string[] =>
  miniscriptsIn(descriptor).flatMap(lockWarnings);

/** Core traverses the tree with a stack, so the last lock comes first. */
function lockWarnings(root: Miniscript<KeyExpression>): readonly string[] {
  const locks = [...postOrder(root)].flatMap(({ fragment }) => (fragment.kind === 'older' ? [fragment.lock] : []));
  return locks.reverse().flatMap((lock) => {
    const countsTime = (lock & SEQUENCE_LOCKTIME_TYPE_FLAG) !== 0;
    if (lock - (countsTime ? SEQUENCE_LOCKTIME_TYPE_FLAG : 0) <= SEQUENCE_LOCKTIME_MASK) return [];
    return countsTime
      ? `time-based relative locktime: older(${lock}) > (65535 * 512) seconds is unsafe`
      : `height-based relative locktime: older(${lock}) > 65535 blocks is unsafe`;
  });
}
