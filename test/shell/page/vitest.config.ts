import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { nativeCrypto } from '../../native/nativeCrypto.ts';

/** Runs the tests that open the page in browsers. */
export default defineConfig({
  // The page brings its own arithmetic; the library that its results are compared with may be quick.
  plugins: [nativeCrypto],
  root: new URL('../../..', import.meta.url).pathname,
  test: {
    include: ['test/shell/page/**/*.live.test.ts'],
    globalSetup: ['test/shell/page/support/buildPage.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 900_000,
    hookTimeout: 60_000,
    maxWorkers: availableParallelism(),
  },
});
