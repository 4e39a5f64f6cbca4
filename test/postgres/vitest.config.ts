import { defineConfig } from 'vitest/config';

/** Runs the tests that need a PostgreSQL server. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['test/postgres/**/*.live.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
