import type { Io } from './io.ts';

/** Follows https://no-color.org. */
export const allowsColours = ({ environment }: Pick<Io, 'environment'>): boolean =>
  !environment('NO_COLOR') && environment('TERM') !== 'dumb';
