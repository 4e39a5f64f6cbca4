import { defineConfig } from 'vitest/config';
import { sharedWorkers } from '../workers.ts';

/** Runs the tests that need a PostgreSQL server. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['test/postgres/**/*.live.test.ts'],
    // Each step of the properties of a store opens a connection.
    env: { COUNTERSIGN_FAST: '1' },
    testTimeout: 300_000,
    hookTimeout: 60_000,
    // Each file has a server of its own.
    ...sharedWorkers,
  },
});
