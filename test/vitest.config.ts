import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import manifest from '../package.json' with { type: 'json' };
import { nativeCrypto } from './native/nativeCrypto.ts';
import { sharedWorkers } from './workers.ts';

const isCorpus = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/test/vectors/');

/** Begins with the corpora: a long file that begins last keeps one worker, and the others wait. */
class CorporaFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isCorpus), ...sorted.filter((file) => !isCorpus(file))];
  }
}

/** Every test that needs only Node: with native arithmetic, or in `npm run test:all` with the library's own, as users have it. */
export default defineConfig({
  plugins: process.env['COUNTERSIGN_WHOLE'] ? [] : [nativeCrypto],
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
    sequence: { sequencer: CorporaFirst },
    testTimeout: 900_000,
    // Some start servers, which takes a busy machine long.
    hookTimeout: 120_000,
    ...sharedWorkers,
  },
});
