import type { Fragment, Type, Typed, Wrapper } from './fragment.ts';

/** A type as the BIP writes it, e.g. `Bondu`. */
function type(text: string): Type {
  const has = (letter: string): boolean => text.includes(letter);
  return { base: text[0] as Type['base'], z: has('z'), o: has('o'), n: has('n'), d: has('d'), u: has('u') };
}

const LEAVES: Readonly<Record<string, Type>> = {
  pk_k: type('Kondu'),
  pk_h: type('Kndu'),
  older: type('Bz'),
  after: type('Bz'),
  hash: type('Bondu'),
  '1': type('Bzu'),
  '0': type('Bzud'),
  multi: type('Bndu'),
};

/** Gives a fragment its type; `undefined` where its parts do not fit. @see BIP379 "Correctness", within P2WSH */
export function typed(fragment: Fragment): Typed | undefined {
  const found = typeOf(fragment);
  return found && { fragment, type: found };
}

function typeOf(fragment: Fragment): Type | undefined {
  switch (fragment.kind) {
    case 'and_v':
    case 'and_b':
    case 'or_b':
    case 'or_c':
    case 'or_d':
    case 'or_i':
      return PAIRS[fragment.kind](fragment.subs[0].type, fragment.subs[1].type);
    case 'andor':
      return typeOfAndor(fragment.subs[0].type, fragment.subs[1].type, fragment.subs[2].type);
    case 'thresh':
      return typeOfThresh(fragment.subs.map((sub) => sub.type));
    default:
      return 'sub' in fragment ? WRAPPERS[fragment.kind](fragment.sub.type) : LEAVES[fragment.kind];
  }
}

const NOTHING = { z: false, o: false, n: false, d: false, u: false };
const when = (holds: boolean, result: Type): Type | undefined => (holds ? result : undefined);

const WRAPPERS: Readonly<Record<Wrapper, (x: Type) => Type | undefined>> = {
  a: (x) => when(x.base === 'B', { ...NOTHING, base: 'W', u: x.u, d: x.d }),
  s: (x) => when(x.base === 'B' && x.o, { ...NOTHING, base: 'W', u: x.u, d: x.d }),
  c: (x) => when(x.base === 'K', { base: 'B', z: false, o: x.o, n: x.n, d: x.d, u: true }),
  d: (x) => when(x.base === 'V' && x.z, { base: 'B', z: false, o: x.z, n: true, d: true, u: false }),
  v: (x) => when(x.base === 'B', { base: 'V', z: x.z, o: x.o, n: x.n, d: false, u: false }),
  j: (x) => when(x.base === 'B' && x.n, { base: 'B', z: false, o: x.o, n: true, d: true, u: x.u }),
  n: (x) => when(x.base === 'B', { ...x, u: true }),
};

type Pair = 'and_v' | 'and_b' | 'or_b' | 'or_c' | 'or_d' | 'or_i';
const oneOfTwo = (x: Type, y: Type): boolean => (x.o && y.z) || (x.z && y.o);
const canFail = (x: Type): boolean => x.base === 'B' && x.d && x.u;

const PAIRS: Readonly<Record<Pair, (x: Type, y: Type) => Type | undefined>> = {
  and_v: (x, y) =>
    when(x.base === 'V' && y.base !== 'W', {
      base: y.base,
      z: x.z && y.z,
      o: oneOfTwo(x, y),
      n: x.n || (x.z && y.n),
      d: false,
      u: y.u,
    }),
  and_b: (x, y) =>
    when(x.base === 'B' && y.base === 'W', {
      base: 'B',
      z: x.z && y.z,
      o: oneOfTwo(x, y),
      n: x.n || (x.z && y.n),
      d: x.d && y.d,
      u: true,
    }),
  or_b: (x, y) =>
    when(x.base === 'B' && x.d && y.base === 'W' && y.d, {
      base: 'B',
      z: x.z && y.z,
      o: oneOfTwo(x, y),
      n: false,
      d: true,
      u: true,
    }),
  or_d: (x, y) =>
    when(canFail(x) && y.base === 'B', { base: 'B', z: x.z && y.z, o: x.o && y.z, n: false, d: y.d, u: y.u }),
  or_c: (x, y) => when(canFail(x) && y.base === 'V', { ...NOTHING, base: 'V', z: x.z && y.z, o: x.o && y.z }),
  or_i: (x, y) =>
    when(x.base === y.base && x.base !== 'W', {
      base: x.base,
      z: false,
      o: x.z && y.z,
      n: false,
      d: x.d || y.d,
      u: x.u && y.u,
    }),
};

function typeOfAndor(x: Type, y: Type, z: Type): Type | undefined {
  return when(canFail(x) && y.base === z.base && y.base !== 'W', {
    base: y.base,
    z: x.z && y.z && z.z,
    o: (x.o && y.z && z.z) || (x.z && y.o && z.o),
    n: false,
    d: z.d,
    u: y.u && z.u,
  });
}

function typeOfThresh(subs: readonly Type[]): Type | undefined {
  const [first, ...rest] = subs;
  const fits = first?.base === 'B' && rest.every(({ base }) => base === 'W') && subs.every(({ d, u }) => d && u);
  const takesOne = subs.filter(({ z }) => !z);
  return when(fits, {
    base: 'B',
    z: takesOne.length === 0,
    o: takesOne.length === 1 && takesOne[0]?.o === true,
    n: false,
    d: true,
    u: true,
  });
}
