import { LOCKTIME_THRESHOLD } from '../../tx/absoluteLock.ts';
import { SEQUENCE_LOCKTIME_TYPE_FLAG } from '../../tx/relativeLock.ts';
import { computeCorrectness } from './correctness.ts';
import type { Compound, Context, Fragment, Leaf, Miniscript, Type } from './fragment.ts';
import { computeMalleability } from './malleability.ts';
import { computeScriptSize } from './scriptSize.ts';
import { computeTimelocks } from './timelocks.ts';

/** BIP65: absolute locks from this on are times. BIP68: bit 22 makes a relative lock a time. */

function type(letters: string): Type {
  const has = (letter: string): boolean => letters.includes(letter);
  return {
    base: letters[0] as Type['base'],
    z: has('z'),
    o: has('o'),
    n: has('n'),
    d: has('d'),
    u: has('u'),
    x: has('x'),
    e: has('e'),
    f: has('f'),
    s: has('s'),
    m: has('m'),
    g: has('g'),
    h: has('h'),
    i: has('i'),
    j: has('j'),
    k: has('k'),
  };
}

const NO_TYPE: Type = /* @__PURE__ */ (() => ({ ...type('-'), base: 'none' }))();

const LEAVES: Readonly<Record<Exclude<Leaf<never>['kind'], 'older' | 'after'>, Type>> = /* @__PURE__ */ (() => ({
  '0': type('Bzudemsxk'),
  '1': type('Bzufmxk'),
  pk_k: type('Konudemsxk'),
  pk_h: type('Knudemsxk'),
  hash: type('Bonudmk'),
  multi: type('Bnudemsk'),
  multi_a: type('Budemsk'),
}))();

const LOCKS = /* @__PURE__ */ (() => ({
  older: { time: type('Bzfmxkg'), height: type('Bzfmxkh') },
  after: { time: type('Bzfmxki'), height: type('Bzfmxkj') },
}))();

/** `base` is `none` if the arguments have the wrong types. */
export function typed<K>(fragment: Fragment<K>, context: Context): Miniscript<K> {
  return { fragment, context, type: computeType(fragment, context), scriptSize: computeScriptSize(fragment, context) };
}

function computeType<K>(fragment: Fragment<K>, context: Context): Type {
  if ('sub' in fragment || 'subs' in fragment) return typeOfCompound(fragment, context);
  if (fragment.kind === 'after') return LOCKS.after[fragment.lock >= LOCKTIME_THRESHOLD ? 'time' : 'height'];
  if (fragment.kind !== 'older') return LEAVES[fragment.kind];
  return LOCKS.older[(fragment.lock & SEQUENCE_LOCKTIME_TYPE_FLAG) === 0 ? 'height' : 'time'];
}

function typeOfCompound<K>(fragment: Compound<K>, context: Context): Type {
  const correctness = computeCorrectness(fragment, context);
  if (!correctness) return NO_TYPE;
  // Not spread, which takes several times as long: a script may hold hundreds of thousands of expressions.
  const { base, z, o, n, d, u, x } = correctness;
  const { e, f, s, m } = computeMalleability(fragment);
  const { g, h, i, j, k } = computeTimelocks(fragment);
  return { base, z, o, n, d, u, x, e, f, s, m, g, h, i, j, k };
}
