import type { Compound, Context, Correctness, Pair, Wrapper } from './fragment.ts';

type Rule = (x: Correctness, y: Correctness) => Correctness | undefined;

/** @see BIP379 "Correctness" */
export function computeCorrectness<K>(fragment: Compound<K>, context: Context): Correctness | undefined {
  if ('sub' in fragment) {
    const wrapped = WRAPPERS[fragment.kind](fragment.sub.type);
    // `d:` leaves the item that IF consumed. MINIMALIF, consensus in tapscript but only policy in P2WSH, makes it
    // exactly 1.
    return wrapped && fragment.kind === 'd' ? { ...wrapped, u: context === 'tapscript' } : wrapped;
  }
  if (fragment.kind === 'thresh') return ofThresh(fragment.subs.map((sub) => sub.type));
  const [x, y] = fragment.subs;
  return fragment.kind === 'andor'
    ? ofAndor(x.type, y.type, fragment.subs[2].type)
    : PAIRS[fragment.kind](x.type, y.type);
}

const NOTHING = { z: false, o: false, n: false, d: false, u: false, x: true };
const when = (holds: boolean, result: Correctness): Correctness | undefined => (holds ? result : undefined);

const WRAPPERS: Readonly<Record<Wrapper, (x: Correctness) => Correctness | undefined>> = {
  a: (x) => when(x.base === 'B', { ...NOTHING, base: 'W', d: x.d, u: x.u }),
  s: (x) => when(x.base === 'B' && x.o, { ...NOTHING, base: 'W', d: x.d, u: x.u, x: x.x }),
  c: (x) => when(x.base === 'K', { base: 'B', z: false, o: x.o, n: x.n, d: x.d, u: true, x: false }),
  d: (x) => when(x.base === 'V' && x.z, { base: 'B', z: false, o: true, n: true, d: true, u: false, x: true }),
  v: (x) => when(x.base === 'B', { base: 'V', z: x.z, o: x.o, n: x.n, d: false, u: false, x: true }),
  j: (x) => when(x.base === 'B' && x.n, { base: 'B', z: false, o: x.o, n: true, d: true, u: x.u, x: true }),
  n: (x) => when(x.base === 'B', { base: 'B', z: x.z, o: x.o, n: x.n, d: x.d, u: true, x: true }),
};

const oneOfBoth = (x: Correctness, y: Correctness): boolean => (x.o && y.z) || (x.z && y.o);
const firstOfBoth = (x: Correctness, y: Correctness): boolean => x.n || (x.z && y.n);
const isCondition = (x: Correctness): boolean => x.base === 'B' && x.d && x.u;

const PAIRS: Readonly<Record<Pair, Rule>> = {
  and_v: (x, y) =>
    when(x.base === 'V' && y.base !== 'W' && y.base !== 'none', {
      base: y.base,
      z: x.z && y.z,
      o: oneOfBoth(x, y),
      n: firstOfBoth(x, y),
      d: false,
      u: y.u,
      x: y.x,
    }),
  and_b: (x, y) =>
    when(x.base === 'B' && y.base === 'W', {
      base: 'B',
      z: x.z && y.z,
      o: oneOfBoth(x, y),
      n: firstOfBoth(x, y),
      d: x.d && y.d,
      u: true,
      x: true,
    }),
  or_b: (x, y) =>
    when(x.base === 'B' && x.d && y.base === 'W' && y.d, {
      base: 'B',
      z: x.z && y.z,
      o: oneOfBoth(x, y),
      n: false,
      d: true,
      u: true,
      x: true,
    }),
  or_c: (x, y) => when(isCondition(x) && y.base === 'V', { ...NOTHING, base: 'V', z: x.z && y.z, o: x.o && y.z }),
  or_d: (x, y) =>
    when(isCondition(x) && y.base === 'B', { ...NOTHING, base: 'B', z: x.z && y.z, o: x.o && y.z, d: y.d, u: y.u }),
  or_i: (x, y) =>
    when(x.base === y.base && x.base !== 'W' && x.base !== 'none', {
      ...NOTHING,
      base: x.base,
      o: x.z && y.z,
      d: x.d || y.d,
      u: x.u && y.u,
    }),
};

function ofAndor(x: Correctness, y: Correctness, z: Correctness): Correctness | undefined {
  return when(isCondition(x) && y.base === z.base && y.base !== 'W' && y.base !== 'none', {
    ...NOTHING,
    base: y.base,
    z: x.z && y.z && z.z,
    o: (x.o && y.z && z.z) || (x.z && y.o && z.o),
    d: z.d,
    u: y.u && z.u,
  });
}

function ofThresh(subs: readonly Correctness[]): Correctness | undefined {
  const fits = subs.every(({ base, d, u }, i) => base === (i === 0 ? 'B' : 'W') && d && u);
  const takers = subs.filter(({ z }) => !z);
  return when(fits, {
    base: 'B',
    z: takers.length === 0,
    o: takers.length === 1 && takers[0]?.o === true,
    n: false,
    d: true,
    u: true,
    x: false,
  });
}
