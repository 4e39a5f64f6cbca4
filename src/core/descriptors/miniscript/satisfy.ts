import { MAX_STACK_ITEMS } from './bounds.ts';
import type { Fragment, HashName, Leaf, Miniscript, Pair, Wrapper } from './fragment.ts';
import {
  type Both,
  type Either,
  flatten,
  join,
  larger,
  malleable,
  NO_PREIMAGE,
  NONE,
  NOTHING,
  ONE,
  of,
  onceMet,
  type Satisfaction,
  smaller,
  type Way,
  ZERO,
} from './inputStack.ts';
import { fold } from './tree.ts';

/**
 * Called for every fragment, used in the end or not. `sign` receives a key as in the script, or for `pk_h` as found by
 * its hash.
 */
export interface Ingredients {
  readonly sign: (key: Uint8Array) => Uint8Array | undefined;
  readonly preimage: (name: HashName, hash: Uint8Array) => Uint8Array | undefined;
  readonly isMet: (kind: 'older' | 'after', lock: number) => boolean;
}

/**
 * Finds the smallest satisfaction, bottom first, that has a signature and that third parties cannot malleate.
 * @see BIP379 "Satisfaction"; Bitcoin Core `miniscript::Node::Satisfy`
 */
export const satisfy = (root: Miniscript, ingredients: Ingredients): readonly Uint8Array[] | undefined =>
  findWay(root, ingredients, 'smallest')?.items;

/** Finds such a satisfaction with its locks; as `largest`, the largest that any of the ingredients may lead to. */
export function findWay(root: Miniscript, ingredients: Ingredients, extreme: 'smallest' | 'largest'): Way | undefined {
  const from: Choosing = { ...ingredients, either: extreme === 'smallest' ? smaller : larger };
  const { yes } = fold<Uint8Array, Both>(root, ({ fragment }, subs) => computeWays(fragment, subs, from));
  return yes.isAvailable && yes.hasSignature && !yes.isMalleable ? flatten(yes) : undefined;
}

type Choosing = Ingredients & { readonly either: Either };

const IMPOSSIBLE: Both = { no: NONE, yes: NONE };

function computeWays(fragment: Fragment, subs: readonly Both[], from: Choosing): Both {
  if (!('sub' in fragment || 'subs' in fragment)) return waysOfLeaf(fragment, from);
  if (fragment.kind === 'thresh') return waysOfThresh(fragment.required, subs, from);
  const [x = IMPOSSIBLE, y = IMPOSSIBLE, z = IMPOSSIBLE] = subs;
  if ('sub' in fragment) return waysOfWrapped(fragment.kind, x);
  return fragment.kind === 'andor' ? waysOfAndor(x, y, z, from) : waysOfPair(fragment.kind, [x, y], from);
}

function waysOfLeaf(leaf: Leaf<Uint8Array>, from: Choosing): Both {
  switch (leaf.kind) {
    case '0':
      return { no: NOTHING, yes: NONE };
    case '1':
      return { no: NONE, yes: NOTHING };
    case 'pk_k':
      return { no: ZERO, yes: trySign(leaf.key, from) };
    case 'pk_h': {
      const key = of(leaf.key);
      return { no: join(ZERO, key), yes: join(trySign(leaf.key, from), key) };
    }
    case 'older':
    case 'after':
      return { no: NONE, yes: from.isMet(leaf.kind, leaf.lock) ? onceMet(leaf) : NONE };
    case 'hash': {
      const preimage = from.preimage(leaf.name, leaf.hash);
      return { no: NO_PREIMAGE, yes: preimage ? of(preimage) : NONE };
    }
    case 'multi':
      return waysOfMulti(leaf.keys, leaf.required, from);
    case 'multi_a':
      return waysOfMultiA(leaf.keys, leaf.required, from);
    default:
      return leaf satisfies never;
  }
}

function trySign(key: Uint8Array, { sign }: Ingredients): Satisfaction {
  const signature = sign(key);
  return signature ? { ...of(signature), hasSignature: true } : NONE;
}

function waysOfWrapped(kind: Wrapper, x: Both): Both {
  switch (kind) {
    case 'd':
      return { no: ZERO, yes: join(x.yes, ONE) };
    case 'j': {
      const canBeChanged = x.no.isAvailable && !x.no.hasSignature;
      return { no: canBeChanged ? malleable(ZERO) : ZERO, yes: x.yes };
    }
    case 'v':
      return { no: NONE, yes: x.yes };
    default:
      return x;
  }
}

function waysOfPair(kind: Pair, [x, y]: readonly [Both, Both], { either }: Choosing): Both {
  switch (kind) {
    case 'and_v':
      return { no: join(y.no, x.yes), yes: join(y.yes, x.yes) };
    case 'and_b': {
      const both = either(join(y.no, x.no), malleable(join(y.yes, x.no)));
      return { no: either(both, malleable(join(y.no, x.yes))), yes: join(y.yes, x.yes) };
    }
    case 'or_b': {
      const exactlyOne = either(join(y.no, x.yes), join(y.yes, x.no));
      return { no: join(y.no, x.no), yes: either(exactlyOne, malleable(join(y.yes, x.yes))) };
    }
    case 'or_c':
      return { no: NONE, yes: either(x.yes, join(y.yes, x.no)) };
    case 'or_d':
      return { no: join(y.no, x.no), yes: either(x.yes, join(y.yes, x.no)) };
    case 'or_i':
      return {
        no: either(join(x.no, ONE), join(y.no, ZERO)),
        yes: either(join(x.yes, ONE), join(y.yes, ZERO)),
      };
    default:
      return kind satisfies never;
  }
}

function waysOfAndor(x: Both, y: Both, z: Both, { either }: Choosing): Both {
  return {
    no: either(join(y.no, x.yes), join(z.no, x.no)),
    yes: either(join(y.yes, x.yes), join(z.yes, x.no)),
  };
}

const waysWith = ({ either }: Choosing): Ways<Satisfaction> => ({
  nothing: NOTHING,
  impossible: NONE,
  isPossible: (way) => way.isAvailable,
  join,
  either,
});

/** CHECKMULTISIG takes signatures in the order of keys, above a dummy. */
function waysOfMulti(keys: readonly Uint8Array[], required: number, from: Choosing): Both {
  const signatures = keys.map((key) => ({ no: NOTHING, yes: trySign(key, from) }));
  const best = choose([{ no: ZERO, yes: NONE }, ...signatures], waysWith(from));
  const no = Array.from({ length: required }).reduce<Satisfaction>((way) => join(way, ZERO), ZERO);
  return { no, yes: best[required] ?? NONE };
}

/** The item of the first key is on top. */
function waysOfMultiA(keys: readonly Uint8Array[], required: number, from: Choosing): Both {
  const signatures = [...keys].reverse().map((key) => ({ no: ZERO, yes: trySign(key, from) }));
  const best = choose(signatures, waysWith(from));
  return { no: best[0] ?? NONE, yes: best[required] ?? NONE };
}

/** The items of the last expression are at the bottom. */
function waysOfThresh(required: number, subs: readonly Both[], from: Choosing): Both {
  // A part that leaves a choice takes a witness item, and no stack holds more.
  if (subs.filter(({ yes }) => yes.isAvailable).length > MAX_STACK_ITEMS) return IMPOSSIBLE;
  const best = choose([...subs].reverse(), waysWith(from));
  const no = best.reduce((chosen, way, count) => {
    // Any count but `required` dissatisfies; all except 0 are malleable, as a third party could replace them by it.
    return count === required ? chosen : from.either(chosen, count === 0 ? way : malleable(way));
  }, NONE);
  return { no, yes: best[required] ?? NONE };
}

/** `impossible` joined with anything stays impossible. */
export interface Ways<T> {
  readonly nothing: T;
  readonly impossible: T;
  readonly isPossible: (way: T) => boolean;
  readonly join: (a: T, b: T) => T;
  readonly either: (a: T, b: T) => T;
}

/**
 * Finds the best way to satisfy exactly j `parts` and dissatisfy the others, for each j. Linear in the parts, quadratic
 * in those that can be satisfied.
 */
export function choose<T>(parts: readonly { readonly no: T; readonly yes: T }[], ways: Ways<T>): readonly T[] {
  const { nothing, impossible, isPossible, join, either } = ways;
  let best: readonly T[] = [nothing];
  let fixed = nothing; // The parts since the last choice, which can only be dissatisfied.
  for (const { no, yes } of parts) {
    if (!isPossible(yes)) {
      fixed = join(fixed, no);
      continue;
    }
    const before = best.map((way) => join(way, fixed));
    fixed = nothing;
    best = Array.from({ length: before.length + 1 }, (_, count) =>
      either(join(before[count] ?? impossible, no), join(before[count - 1] ?? impossible, yes)),
    );
  }
  return best.map((way) => join(way, fixed));
}
