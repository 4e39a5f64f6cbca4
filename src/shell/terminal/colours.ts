import type { Io } from './io.ts';

/** Tells whether the environment lets a terminal show colours. @see https://no-color.org */
export const allowsColours = ({ environment }: Pick<Io, 'environment'>): boolean =>
  !environment('NO_COLOR') && environment('TERM') !== 'dumb';
