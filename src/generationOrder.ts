import type { GenerationName } from './generations.ts';

/** The generations in their order. */
const ORDER: readonly GenerationName[] = ['core-0.21', 'core-31'];

/** Tells whether a generation has what came with `since`; without it, all have it. */
export const isSince = (generation: GenerationName, since?: GenerationName): boolean =>
  since === undefined || ORDER.indexOf(generation) >= ORDER.indexOf(since);
