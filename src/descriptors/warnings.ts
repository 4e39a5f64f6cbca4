import { type Miniscript, postOrder } from './miniscript/index.ts';
import type { Descriptor, KeyExpression } from './types.ts';

/**
 * Lists Core's warnings about a descriptor: `older()` locks above 65535, which expire early because consensus reads only
 * their lowest 16 bits.
 * @see Bitcoin Core 31 `Descriptor::Warnings`; BIP68
 */
export function warningsOf(descriptor: Descriptor): readonly string[] {
  switch (descriptor.kind) {
    case 'sh':
    case 'wsh':
      return warningsOf(descriptor.inner);
    case 'tr':
      return descriptor.leaves.flatMap(({ script }) => warningsOf(script));
    case 'miniscript':
      return lockWarnings(descriptor.root);
    default:
      return [];
  }
}

/** Bit 22: set for units of 512 seconds, clear for blocks. @see BIP68 */
const TYPE_FLAG = 2 ** 22;
const MAX_LOCK = 0xffff;

/** Lists the last lock of the text first: Core traverses the tree with a stack. */
function lockWarnings(root: Miniscript<KeyExpression>): readonly string[] {
  const locks = [...postOrder(root)].flatMap(({ fragment }) => (fragment.kind === 'older' ? [fragment.lock] : []));
  return locks.reverse().flatMap((lock) => {
    const countsTime = Math.floor(lock / TYPE_FLAG) % 2 === 1;
    if (lock - (countsTime ? TYPE_FLAG : 0) <= MAX_LOCK) return [];
    return countsTime
      ? `time-based relative locktime: older(${lock}) > (65535 * 512) seconds is unsafe`
      : `height-based relative locktime: older(${lock}) > 65535 blocks is unsafe`;
  });
}
