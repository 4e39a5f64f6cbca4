import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Runs the tests that need a registry, other runtimes or minutes. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['test/package/**/*.live.test.ts'],
    globalSetup: ['test/package/buildRelease.ts'],
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // One less would be the default: many of them wait for downloads.
    maxWorkers: availableParallelism(),
  },
});
