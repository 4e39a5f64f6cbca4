import { defineConfig } from 'vitest/config';

/** Runs the tests that need a registry, other runtimes or minutes. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['test/package/**/*.live.test.ts'],
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
