import { defineConfig } from 'vitest/config';
import { sharedWorkers } from '../workers.ts';

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: {
    include: ['test/live/**/*.live.test.ts'],
    testTimeout: 900_000,
    hookTimeout: 120_000,
    ...sharedWorkers,
  },
});
