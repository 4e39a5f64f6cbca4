import { formatHex } from '../../bytes/hex.ts';
import type { Compound, Fragment, Miniscript } from './fragment.ts';
import { unfold } from './tree.ts';

interface Expression<K> {
  readonly node: Miniscript<K>;
  readonly isWrapped: boolean;
}
type Part<K> = string | Expression<K>;

/**
 * Prints as Core does: `pk(K)` for `c:pk_k(K)`; `and_n`, `t:`, `l:` and `u:` where possible; one colon after all
 * wrappers.
 * @see Bitcoin Core `Node::ToString`
 */
export function printMiniscript<K>(root: Miniscript<K>, printKey: (key: K) => string): string {
  const start: Expression<K> = { node: root, isWrapped: false };
  return unfold<Expression<K>, string>(start, ({ node, isWrapped }) => {
    const wrapped = partsOfWrapped(node.fragment);
    if (wrapped) return wrapped;
    const parts = fragmentParts(node.fragment, printKey);
    return isWrapped ? [':', ...parts] : parts;
  }).join('');
}

const isKind = ({ fragment }: Miniscript<unknown>, kind: Fragment['kind']): boolean => fragment.kind === kind;

function partsOfWrapped<K>(fragment: Fragment<K>): readonly Part<K>[] | undefined {
  const wrap = (letter: string, node: Miniscript<K>): readonly Part<K>[] => [letter, { node, isWrapped: true }];
  if ('sub' in fragment) {
    const { kind, sub } = fragment;
    return keyOfCheck(fragment) ? undefined : wrap(kind, sub);
  }
  if (fragment.kind !== 'and_v' && fragment.kind !== 'or_i') return undefined;
  const [x, y] = fragment.subs;
  if (fragment.kind === 'and_v') return isKind(y, '1') ? wrap('t', x) : undefined;
  if (isKind(x, '0')) return wrap('l', y);
  return isKind(y, '0') ? wrap('u', x) : undefined;
}

/** Returns the inner fragment of `c:pk_k(K)` and `c:pk_h(K)`. */
function keyOfCheck<K>(fragment: Fragment<K>): Extract<Fragment<K>, { readonly key: K }> | undefined {
  if (fragment.kind !== 'c') return undefined;
  const inner = fragment.sub.fragment;
  return inner.kind === 'pk_k' || inner.kind === 'pk_h' ? inner : undefined;
}

function fragmentParts<K>(fragment: Fragment<K>, printKey: (key: K) => string): readonly Part<K>[] {
  const checked = keyOfCheck(fragment);
  if (checked) return [checked.kind === 'pk_k' ? 'pk(' : 'pkh(', printKey(checked.key), ')'];
  if ('sub' in fragment || 'subs' in fragment) return partsOfCompound(fragment);
  switch (fragment.kind) {
    case '0':
    case '1':
      return [fragment.kind];
    case 'pk_k':
    case 'pk_h':
      return [`${fragment.kind}(${printKey(fragment.key)})`];
    case 'older':
    case 'after':
      return [`${fragment.kind}(${fragment.lock})`];
    case 'hash':
      return [`${fragment.name}(${formatHex(fragment.hash)})`];
    default:
      return [`${fragment.kind}(${[fragment.required, ...fragment.keys.map(printKey)].join(',')})`];
  }
}

function partsOfCompound<K>(fragment: Compound<K>): readonly Part<K>[] {
  if ('sub' in fragment) return [];
  const isAndN = fragment.kind === 'andor' && isKind(fragment.subs[2], '0');
  const subs = isAndN ? fragment.subs.slice(0, 2) : fragment.subs;
  const start = fragment.kind === 'thresh' ? `thresh(${fragment.required},` : `${isAndN ? 'and_n' : fragment.kind}(`;
  const list = subs.flatMap((node): readonly Part<K>[] => [',', { node, isWrapped: false }]);
  return [start, ...list.slice(1), ')'];
}
