/** In satoshi; `avoid_reuse` leaves out the used ones. */
export interface Amounts {
  own: bigint;
  watched: bigint;
  usedOwn: bigint;
  usedWatched: bigint;
}

export const noAmounts = (): Amounts => ({ own: 0n, watched: 0n, usedOwn: 0n, usedWatched: 0n });

/** Subtracts with a `sign` of -1. */
export function addAmounts(sum: Amounts, { own, watched, usedOwn, usedWatched }: Readonly<Amounts>, sign = 1n): void {
  sum.own += sign * own;
  sum.watched += sign * watched;
  sum.usedOwn += sign * usedOwn;
  sum.usedWatched += sign * usedWatched;
}

export const isNothing = ({ own, watched, usedOwn, usedWatched }: Readonly<Amounts>): boolean =>
  own === 0n && watched === 0n && usedOwn === 0n && usedWatched === 0n;

export function isSameAmounts(a: Readonly<Amounts>, b: Readonly<Amounts>): boolean {
  const difference = { ...a };
  addAmounts(difference, b, -1n);
  return isNothing(difference);
}

export type AmountsJson = { readonly [K in keyof Amounts]?: string };

/** Leaves out zeros. */
export const amountsJson = (amounts: Readonly<Amounts>): AmountsJson =>
  Object.fromEntries(Object.entries(amounts).flatMap(([name, sum]) => (sum === 0n ? [] : [[name, String(sum)]])));

export const parseAmounts = ({ own, watched, usedOwn, usedWatched }: AmountsJson): Amounts => ({
  own: parseAmount(own),
  watched: parseAmount(watched),
  usedOwn: parseAmount(usedOwn),
  usedWatched: parseAmount(usedWatched),
});

const parseAmount = (text: string | undefined): bigint => (text === undefined ? 0n : BigInt(text));
