import type { Fragment, Miniscript } from './fragment.ts';

/** The expressions within a fragment, in the order of its text. */
export function subsOf<K>(fragment: Fragment<K>): readonly Miniscript<K>[] {
  if ('sub' in fragment) return [fragment.sub];
  return 'subs' in fragment ? fragment.subs : [];
}

/** Every expression of a tree, each after those within it, which come in the order of the text. */
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
 * Computes something for a tree, from the leaves up, without calling itself.
 *
 * - `rise`: takes an expression, and what was computed for those within it
 *
 * @see Bitcoin Core `Node::TreeEval`
 */
export function fold<K, R>(root: Miniscript<K>, rise: (node: Miniscript<K>, subs: readonly R[]) => R): R {
  const results: R[] = [];
  for (const node of postOrder(root)) {
    const count = subsOf(node.fragment).length;
    results.push(rise(node, results.splice(results.length - count, count)));
  }
  return results[0] as R; // The root's: it comes last, and takes all others.
}

/**
 * Writes a tree from left to right, without calling itself.
 *
 * - `partsOf`: tells what something that is still to be written consists of: what is written, and what is not yet
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
