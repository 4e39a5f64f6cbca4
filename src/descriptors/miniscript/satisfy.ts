import type { Fragment, HashName, Typed } from './fragment.ts';

/** What a satisfaction can be made of. Each is asked for every part of the script, whether it will be used or not. */
export interface Ingredients {
  readonly sign: (key: Uint8Array) => Uint8Array | undefined;
  readonly preimage: (name: HashName, hash: Uint8Array) => Uint8Array | undefined;
  readonly isMet: (kind: 'older' | 'after', lock: number) => boolean;
}

/**
 * Items for the stack, bottom first, or that there are none.
 *
 * - `hasSignature`: nobody else can make it
 * - `isMalleable`: somebody else can turn it into another one
 * - `size`: bytes in a witness, with lengths of one byte
 *
 * @see BIP379 "Malleability"; Bitcoin Core `miniscript::internal::InputStack`
 */
interface Satisfaction {
  readonly isAvailable: boolean;
  readonly hasSignature: boolean;
  readonly isMalleable: boolean;
  readonly size: number;
  readonly items: readonly Uint8Array[];
}

/** How to make an expression true, and how to make it false. */
interface Both {
  readonly no: Satisfaction;
  readonly yes: Satisfaction;
}

const of = (...items: readonly Uint8Array[]): Satisfaction => ({
  isAvailable: true,
  hasSignature: false,
  isMalleable: false,
  size: items.reduce((size, item) => size + item.length + 1, 0),
  items,
});
const NONE: Satisfaction = { ...of(), isAvailable: false };
const NOTHING: Satisfaction = of();
const ZERO: Satisfaction = of(new Uint8Array(0));
const ONE: Satisfaction = of(Uint8Array.of(1));
const malleable = (satisfaction: Satisfaction): Satisfaction => ({ ...satisfaction, isMalleable: true });
/** Any 32 bytes that are no preimage will do. */
const NO_PREIMAGE: Satisfaction = malleable(of(new Uint8Array(32)));

/** One after the other. */
function join(a: Satisfaction, b: Satisfaction): Satisfaction {
  if (!a.isAvailable || !b.isAvailable) return NONE;
  return {
    isAvailable: true,
    hasSignature: a.hasSignature || b.hasSignature,
    isMalleable: a.isMalleable || b.isMalleable,
    size: a.size + b.size,
    items: [...a.items, ...b.items],
  };
}

/**
 * The better of two. One that needs no signature can be made by anyone, so it is taken, lest others exchange it; among
 * two of these, whichever is taken can be exchanged. Then the one that cannot be changed, then the smaller.
 */
function either(a: Satisfaction, b: Satisfaction): Satisfaction {
  if (!a.isAvailable || !b.isAvailable) return a.isAvailable ? a : b;
  if (a.hasSignature !== b.hasSignature) return a.hasSignature ? b : a;
  const [x, y] = a.hasSignature ? [a, b] : [malleable(a), malleable(b)];
  if (x.isMalleable !== y.isMalleable) return x.isMalleable ? y : x;
  return y.size < x.size ? y : x;
}

/**
 * Satisfies an expression: the smallest stack that nobody else can change.
 * @returns items for the witness, bottom first; `undefined` unless there is one that holds a signature
 * @see Bitcoin Core `miniscript::Node::Satisfy`
 */
export function satisfy(root: Typed, ingredients: Ingredients): readonly Uint8Array[] | undefined {
  const { yes } = waysOf(root, ingredients);
  return yes.isAvailable && yes.hasSignature && !yes.isMalleable ? yes.items : undefined;
}

function waysOf({ fragment }: Typed, from: Ingredients): Both {
  switch (fragment.kind) {
    case '0':
      return { no: NOTHING, yes: NONE };
    case '1':
      return { no: NONE, yes: NOTHING };
    case 'pk_k':
      return { no: ZERO, yes: signatureOf(fragment.key, from) };
    case 'pk_h': {
      const key = of(fragment.key);
      return { no: join(ZERO, key), yes: join(signatureOf(fragment.key, from), key) };
    }
    case 'older':
    case 'after':
      return { no: NONE, yes: from.isMet(fragment.kind, fragment.lock) ? NOTHING : NONE };
    case 'hash': {
      const preimage = from.preimage(fragment.name, fragment.hash);
      return { no: NO_PREIMAGE, yes: preimage ? of(preimage) : NONE };
    }
    case 'multi':
      return waysOfMulti(fragment, from);
    case 'thresh':
      return waysOfThresh(
        fragment.required,
        fragment.subs.map((sub) => waysOf(sub, from)),
      );
    case 'andor': {
      const [x, y, z] = fragment.subs;
      return waysOfAndor(waysOf(x, from), waysOf(y, from), waysOf(z, from));
    }
    default:
      return 'sub' in fragment
        ? waysOfWrapped(fragment.kind, waysOf(fragment.sub, from))
        : waysOfPair(fragment.kind, waysOf(fragment.subs[0], from), waysOf(fragment.subs[1], from));
  }
}

function signatureOf(key: Uint8Array, { sign }: Ingredients): Satisfaction {
  const signature = sign(key);
  return signature ? { ...of(signature), hasSignature: true } : NONE;
}

function waysOfWrapped(kind: Extract<Fragment, { sub: Typed }>['kind'], x: Both): Both {
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

function waysOfPair(kind: Extract<Fragment, { subs: readonly [Typed, Typed] }>['kind'], x: Both, y: Both): Both {
  switch (kind) {
    case 'and_v':
      return { no: join(y.no, x.yes), yes: join(y.yes, x.yes) };
    case 'and_b': {
      const both = either(join(y.no, x.no), malleable(join(y.yes, x.no)));
      return { no: either(both, malleable(join(y.no, x.yes))), yes: join(y.yes, x.yes) };
    }
    case 'or_b': {
      const one = either(join(y.no, x.yes), join(y.yes, x.no));
      return { no: join(y.no, x.no), yes: either(one, malleable(join(y.yes, x.yes))) };
    }
    case 'or_c':
      return { no: NONE, yes: either(x.yes, join(y.yes, x.no)) };
    case 'or_d':
      return { no: join(y.no, x.no), yes: either(x.yes, join(y.yes, x.no)) };
    default:
      return {
        no: either(join(x.no, ONE), join(y.no, ZERO)),
        yes: either(join(x.yes, ONE), join(y.yes, ZERO)),
      };
  }
}

function waysOfAndor(x: Both, y: Both, z: Both): Both {
  return {
    no: either(join(y.no, x.yes), join(z.no, x.no)),
    yes: either(join(y.yes, x.yes), join(z.yes, x.no)),
  };
}

/** `best[j]` is the best way to have j signatures of the keys so far, in their order. */
function waysOfMulti({ keys, required }: Extract<Fragment, { kind: 'multi' }>, from: Ingredients): Both {
  let best: readonly Satisfaction[] = [ZERO];
  for (const key of keys) {
    const signature = signatureOf(key, from);
    best = grow(
      best,
      (way) => way,
      (way) => join(way, signature),
    );
  }
  const no = Array.from({ length: required }).reduce<Satisfaction>((way) => join(way, ZERO), ZERO);
  return { no, yes: best[required] ?? NONE };
}

/** `best[j]` is the best way to have j of the expressions from the last to this one true. */
function waysOfThresh(required: number, subs: readonly Both[]): Both {
  let best: readonly Satisfaction[] = [NOTHING];
  for (const { no, yes } of [...subs].reverse()) {
    best = grow(
      best,
      (way) => join(way, no),
      (way) => join(way, yes),
    );
  }
  const no = best.reduce((chosen, way, count) => {
    // Others than none true would do as well, but could be exchanged for it.
    return count === required ? chosen : either(chosen, count === 0 ? way : malleable(way));
  }, NONE);
  return { no, yes: best[required] ?? NONE };
}

function grow(
  best: readonly Satisfaction[],
  without: (way: Satisfaction) => Satisfaction,
  withOne: (way: Satisfaction) => Satisfaction,
): readonly Satisfaction[] {
  return Array.from({ length: best.length + 1 }, (_, count) => {
    const [same, fewer] = [best[count], best[count - 1]];
    const [a, b] = [same ? without(same) : NONE, fewer ? withOne(fewer) : NONE];
    return either(a, b);
  });
}
