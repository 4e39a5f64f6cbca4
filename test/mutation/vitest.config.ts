import { readFileSync } from 'node:fs';
import { defineConfig, mergeConfig } from 'vitest/config';
import whole from '../vitest.config.ts';

declare module 'vitest' {
  interface ProvidedContext {
    mutation: {
      /** The folder with the mutants, and where the outcomes go. */
      readonly folder: string;
      readonly files: readonly string[];
      /** Milliseconds of tests for a mutant. */
      readonly budget: number;
    };
  }
}

const mutation = JSON.parse(process.env['COUNTERSIGN_MUTATION'] ?? '{}');
const sources: Record<string, string> = JSON.parse(readFileSync(`${mutation.folder}/sources.json`, 'utf8'));

/** For `npm run mutation`: the library with the mutants of one folder in it, and `campaign.ts`, which runs the tests. */
const config = mergeConfig(
  whole,
  defineConfig({
    plugins: [{ name: 'mutants', enforce: 'pre', load: (id) => sources[id] }],
    test: {
      setupFiles: ['test/fast/setup.ts'],
      provide: { mutation },
      runner: 'test/mutation/runner.ts',
      testTimeout: 10_000,
      maxWorkers: 1,
      watch: false,
    },
  }),
);
export default { ...config, test: { ...config['test'], include: ['test/mutation/campaign.ts'] } };
