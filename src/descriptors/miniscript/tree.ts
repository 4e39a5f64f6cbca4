import type { Fragment, Miniscript } from './fragment.ts';

/** Lists the direct subexpressions of a fragment in the order of its text. */
export function subsOf<K>(fragment: Fragment<K>): readonly Miniscript<K>[] {
  if ('sub' in fragment) return [fragment.sub];
  return 'subs' in fragment ? fragment.subs : [];
}

/** Yields every expression of a tree in post-order: each after its arguments, and these in the order of the text. */
export function* postOrder<K>(root: Miniscript<K>): Generator<Miniscript<K>, void> {
  const path = [{ node: root, subs: subsOf(root.fragment), next: 0 }];
  for (let last = path.at(-1); last; last = path.at(-1)) {
    const sub = last.subs[last.next];
    last.next += 1;
    if (sub) {
      path.push({ node: sub, subs: subsOf(sub.fragment), next: 0 });
    } else {
      path.pop();
      yield last.node;
    }
  }
}

/**
 * Folds a tree from the leaves up, without recursion.
 *
 * - `rise`: receives an expression and the results for its arguments
 *
 * @see Bitcoin Core `Node::TreeEval`
 */
export function fold<K, R>(root: Miniscript<K>, rise: (node: Miniscript<K>, subs: readonly R[]) => R): R {
  const results: R[] = [];
  for (const node of postOrder(root)) {
    const count = subsOf(node.fragment).length;
    results.push(rise(node, results.splice(results.length - count, count)));
  }
  return results[0] as R; // The root's result: it comes last and has replaced all others.
}

/**
 * Unfolds a tree from left to right, without recursion.
 *
 * - `partsOf`: splits a pending part into finished output and further pending parts, in order
 */
export function unfold<S extends { readonly node: unknown }, T extends string | Uint8Array>(
  root: S,
  partsOf: (state: S) => readonly (S | T)[],
): T[] {
  const written: T[] = [];
  const pending: (S | T)[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isPending(next)) {
      written.push(next);
      continue;
    }
    for (const part of [...partsOf(next)].reverse()) pending.push(part);
  }
  return written;
}

const isPending = <S extends { readonly node: unknown }>(part: S | string | Uint8Array): part is S =>
  typeof part === 'object' && 'node' in part;
