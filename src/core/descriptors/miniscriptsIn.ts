import type { Fragment } from './miniscript/fragment.ts';
import { type Miniscript, postOrder } from './miniscript/index.ts';
import type { Descriptor, KeyExpression } from './types.ts';

/** Lists the miniscripts of a descriptor: its own, or those of its leaves. */
export function miniscriptsIn(descriptor: Descriptor): readonly Miniscript<KeyExpression>[] {
  switch (descriptor.kind) {
    case 'sh':
    case 'wsh':
      return miniscriptsIn(descriptor.inner);
    case 'tr':
      return descriptor.leaves.flatMap(({ script }) => miniscriptsIn(script));
    case 'miniscript':
      return [descriptor.root];
    default:
      return [];
  }
}

/** Lists the fragments of a descriptor's miniscripts, such as its locks and hashes. */
export const fragmentsIn = (descriptor: Descriptor): readonly Fragment<KeyExpression>[] =>
  miniscriptsIn(descriptor).flatMap((root) => [...postOrder(root)].map(({ fragment }) => fragment));
