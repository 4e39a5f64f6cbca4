import { pushMinimally } from '../../script/build.ts';
import { encodeScriptNumber } from '../../script/number.ts';
import type { Compound, Context, Fragment, Leaf } from './fragment.ts';

export const numberPush = (value: number): Uint8Array => pushMinimally(encodeScriptNumber(value));

export const sizeOfNumber = (value: number): number => numberPush(value).length;

/** `v:` adds a byte only if it cannot merge with the last opcode. */
export const OWN_SIZES: Readonly<Record<Exclude<Compound<never>['kind'], 'v' | 'thresh'>, number>> = {
  a: 2,
  s: 1,
  c: 1,
  d: 3,
  j: 4,
  n: 1,
  and_v: 0,
  and_b: 1,
  or_b: 1,
  or_c: 2,
  or_d: 3,
  or_i: 3,
  andor: 3,
};

/** @see Bitcoin Core `ComputeScriptLen` */
export function computeScriptSize<K>(fragment: Fragment<K>, context: Context): number {
  if ('sub' in fragment) {
    const { kind, sub } = fragment;
    return sub.scriptSize + (kind === 'v' ? Number(sub.type.x) : OWN_SIZES[kind]);
  }
  if (!('subs' in fragment)) return sizeOfLeaf(fragment, context);
  const inner = fragment.subs.reduce((size, sub) => size + sub.scriptSize, 0);
  if (fragment.kind !== 'thresh') return inner + OWN_SIZES[fragment.kind];
  return inner + fragment.subs.length + sizeOfNumber(fragment.required);
}

function sizeOfLeaf<K>(fragment: Leaf<K>, context: Context): number {
  switch (fragment.kind) {
    case '0':
    case '1':
      return 1;
    case 'pk_k':
      return context === 'wsh' ? 34 : 33;
    case 'pk_h':
      return 24;
    case 'older':
    case 'after':
      return sizeOfNumber(fragment.lock) + 1;
    case 'hash':
      return fragment.hash.length + 7;
    case 'multi':
      return sizeOfNumber(fragment.required) + 34 * fragment.keys.length + sizeOfNumber(fragment.keys.length) + 1;
    case 'multi_a':
      return 34 * fragment.keys.length + sizeOfNumber(fragment.required) + 1;
    default:
      return fragment satisfies never;
  }
}
