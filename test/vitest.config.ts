import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import manifest from '../package.json' with { type: 'json' };
import { nativeCrypto } from './native/nativeCrypto.ts';

/** `npm test` runs every case with native arithmetic; `npm run test:all` runs them with the library's own, as users do. */
export default defineConfig({
  plugins: process.env['COUNTERSIGN_ALL'] ? [] : [nativeCrypto],
  root: new URL('..', import.meta.url).pathname,
  // Examples import the package by its name.
  resolve: {
    alias: Object.entries(manifest.exports).map(([name, path]) => ({
      find: new RegExp(`^countersign${name.slice(1)}$`),
      replacement: new URL(path.replace('./dist/', '../src/').replace(/js$/, 'ts'), import.meta.url).pathname,
    })),
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
