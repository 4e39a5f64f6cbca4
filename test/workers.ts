import { availableParallelism } from 'node:os';

/** Tests that share the library among files, which takes longer to load than most of them take to run. */
export const sharedWorkers = {
  pool: 'threads',
  isolate: false,
  // One less would be the default, and half the speed of a small machine.
  maxWorkers: availableParallelism(),
} as const;
