import type { Compound, Malleability, Pair, Wrapper } from './fragment.ts';

/** @see BIP379 "Malleability" */
export function computeMalleability<K>(fragment: Compound<K>): Malleability {
  if ('sub' in fragment) return WRAPPERS[fragment.kind](fragment.sub.type);
  if (fragment.kind === 'thresh') {
    return ofThresh(
      fragment.required,
      fragment.subs.map((sub) => sub.type),
    );
  }
  const [x, y] = fragment.subs;
  return fragment.kind === 'andor'
    ? ofAndor(x.type, y.type, fragment.subs[2].type)
    : PAIRS[fragment.kind](x.type, y.type);
}

const same = ({ e, f, s, m }: Malleability): Malleability => ({ e, f, s, m });
/** `d:` and `j:` add a dissatisfaction, which is unique if those of the argument need a signature. */
const dissatisfied = ({ f, s, m }: Malleability): Malleability => ({ e: f, f: false, s, m });

const WRAPPERS: Readonly<Record<Wrapper, (x: Malleability) => Malleability>> = {
  a: same,
  s: same,
  c: ({ e, f, m }) => ({ e, f, s: true, m }),
  d: dissatisfied,
  v: ({ s, m }) => ({ e: false, f: true, s, m }),
  j: dissatisfied,
  n: same,
};

const PAIRS: Readonly<Record<Pair, (x: Malleability, y: Malleability) => Malleability>> = {
  and_v: (x, y) => ({ e: false, f: y.f || x.s, s: x.s || y.s, m: x.m && y.m }),
  and_b: (x, y) => ({
    e: x.e && y.e && x.s && y.s,
    f: (x.f && y.f) || (x.s && x.f) || (y.s && y.f),
    s: x.s || y.s,
    m: x.m && y.m,
  }),
  or_b: (x, y) => ({
    e: x.e && y.e,
    f: false,
    s: x.s && y.s,
    m: x.m && y.m && x.e && y.e && (x.s || y.s),
  }),
  or_c: (x, y) => ({ e: false, f: true, s: x.s && y.s, m: x.m && y.m && x.e && (x.s || y.s) }),
  or_d: (x, y) => ({ e: y.e, f: y.f, s: x.s && y.s, m: x.m && y.m && x.e && (x.s || y.s) }),
  or_i: (x, y) => ({
    e: (x.e && y.f) || (x.f && y.e),
    f: x.f && y.f,
    s: x.s && y.s,
    m: x.m && y.m && (x.s || y.s),
  }),
};

function ofAndor(x: Malleability, y: Malleability, z: Malleability): Malleability {
  const excludesHalf = x.s || y.f; // Satisfying x while dissatisfying y needs a signature.
  return {
    e: z.e && excludesHalf,
    f: z.f && excludesHalf,
    s: z.s && (x.s || y.s),
    m: x.m && y.m && z.m && x.e && (x.s || y.s || z.s),
  };
}

function ofThresh(required: number, subs: readonly Malleability[]): Malleability {
  const unsigned = subs.filter(({ s }) => !s).length;
  const areFalseOneWay = subs.every(({ e }) => e);
  return {
    e: areFalseOneWay && unsigned === 0,
    f: false,
    s: unsigned < required,
    m: areFalseOneWay && subs.every(({ m }) => m) && unsigned <= required,
  };
}
