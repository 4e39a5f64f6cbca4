import type { Fragment, Miniscript } from './fragment.ts';
import { fold, postOrder } from './tree.ts';

/** Lists the keys among a fragment's own arguments. */
export function ownKeysOf<K>(fragment: Fragment<K>): readonly K[] {
  if ('keys' in fragment) return fragment.keys;
  return 'key' in fragment ? [fragment.key] : [];
}

/** Lists all keys of an expression in the order of its text, including repetitions. */
export function keysOf<K>(root: Miniscript<K>): K[] {
  const keys: K[] = [];
  for (const { fragment } of postOrder(root)) for (const key of ownKeysOf(fragment)) keys.push(key);
  return keys;
}

/** Replaces the keys of an expression; calls `change` in the order of the text. */
export function mapKeys<K, L>(root: Miniscript<K>, change: (key: K) => L): Miniscript<L> {
  return fold<K, Miniscript<L>>(root, (node, subs) => ({ ...node, fragment: changed(node.fragment, subs, change) }));
}

function changed<K, L>(fragment: Fragment<K>, subs: readonly Miniscript<L>[], change: (key: K) => L): Fragment<L> {
  if ('key' in fragment) return { ...fragment, key: change(fragment.key) };
  if ('keys' in fragment) return { ...fragment, keys: fragment.keys.map(change) };
  if (fragment.kind === 'thresh') return { ...fragment, subs };
  if (!('sub' in fragment || 'subs' in fragment)) return fragment;
  const [x, y = x, z = x] = subs;
  if (!x || !y || !z) return { kind: '0' }; // Unreachable: `subs` has an item for each argument.
  if ('sub' in fragment) return { ...fragment, sub: x };
  if (fragment.kind === 'andor') return { ...fragment, subs: [x, y, z] };
  return { ...fragment, subs: [x, y] };
}
