import type { Compound, Timelocks } from './fragment.ts';

const NONE: Timelocks = { g: false, h: false, i: false, j: false, k: true };

/** @see BIP379 "Timelock Type Mixing" */
export function computeTimelocks<K>(fragment: Compound<K>): Timelocks {
  if ('sub' in fragment) return fragment.sub.type;
  const [first, ...rest] = fragment.subs.map((sub) => sub.type);
  // andor(X,Y,Z) needs X and Y together, or Z alone.
  if (fragment.kind === 'andor') return join(false, join(true, first ?? NONE, rest[0] ?? NONE), rest[1] ?? NONE);
  const areNeeded = fragment.kind === 'thresh' ? fragment.required > 1 : fragment.kind.startsWith('and');
  return fragment.subs.reduce((all, { type }) => join(areNeeded, all, type), NONE);
}

function join(areNeeded: boolean, a: Timelocks, b: Timelocks): Timelocks {
  const mixes = (a.g && b.h) || (a.h && b.g) || (a.i && b.j) || (a.j && b.i);
  return {
    g: a.g || b.g,
    h: a.h || b.h,
    i: a.i || b.i,
    j: a.j || b.j,
    k: a.k && b.k && !(areNeeded && mixes),
  };
}
