import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { nativeCrypto } from './native/nativeCrypto.ts';

/** `npm test` runs every case with native arithmetic; `npm run test:all` runs them with the library's own, as users do. */
export default defineConfig({
  plugins: process.env['COUNTERSIGN_ALL'] ? [] : [nativeCrypto],
  root: new URL('..', import.meta.url).pathname,
  // Examples import the package by its name.
  resolve: {
    alias: [
      { find: /^countersign$/, replacement: new URL('../src/index.ts', import.meta.url).pathname },
      { find: /^countersign\/(\w+)$/, replacement: `${new URL('../src/', import.meta.url).pathname}$1/index.ts` },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.live.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 300_000,
    pool: 'threads',
    // Files share the library, which takes longer to load than most of them take to run.
    isolate: false,
    // One less would be the default, and half the speed of a small machine.
    maxWorkers: availableParallelism(),
  },
});
