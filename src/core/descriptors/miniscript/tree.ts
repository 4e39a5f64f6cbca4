import type { Fragment, Miniscript } from './fragment.ts';

export function subexpressions<K>(fragment: Fragment<K>): readonly Miniscript<K>[] {
  if ('sub' in fragment) return [fragment.sub];
  return 'subs' in fragment ? fragment.subs : [];
}

/** Yields each expression after its arguments. */
export function* postOrder<K>(root: Miniscript<K>): Generator<Miniscript<K>, void> {
  const path = [{ node: root, subs: subexpressions(root.fragment), next: 0 }];
  for (let last = path.at(-1); last; last = path.at(-1)) {
    const sub = last.subs[last.next];
    last.next += 1;
    if (sub) {
      path.push({ node: sub, subs: subexpressions(sub.fragment), next: 0 });
    } else {
      path.pop();
      yield last.node;
    }
  }
}

/** Folds from the leaves up, without recursion. @see Bitcoin Core `Node::TreeEval` */
export function fold<K, R>(root: Miniscript<K>, rise: (node: Miniscript<K>, subs: readonly R[]) => R): R {
  const results: R[] = [];
  for (const node of postOrder(root)) {
    const count = subexpressions(node.fragment).length;
    results.push(rise(node, results.splice(results.length - count, count)));
  }
  return results[0] as R;
}

/** Unfolds from left to right, without recursion. */
export function unfold<S extends { readonly node: unknown }, T extends string | Uint8Array>(
  root: S,
  split: (state: S) => readonly (S | T)[],
): T[] {
  const written: T[] = [];
  const pending: (S | T)[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isPending(next)) {
      written.push(next);
      continue;
    }
    for (const part of [...split(next)].reverse()) pending.push(part);
  }
  return written;
}

const isPending = <S extends { readonly node: unknown }>(part: S | string | Uint8Array): part is S =>
  typeof part === 'object' && 'node' in part;

export function ownKeys<K>(fragment: Fragment<K>): readonly K[] {
  if ('keys' in fragment) return fragment.keys;
  return 'key' in fragment ? [fragment.key] : [];
}

/** Lists keys in the order of the text, with repetitions. */
export function collectKeys<K>(root: Miniscript<K>): K[] {
  const keys: K[] = [];
  for (const { fragment } of postOrder(root)) for (const key of ownKeys(fragment)) keys.push(key);
  return keys;
}

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
