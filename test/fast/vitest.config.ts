import { defineConfig, mergeConfig } from 'vitest/config';
import whole from '../vitest.config.ts';

/** For daily work: the units, and one in ten calls of each bundled corpus. `npm test` runs everything. */
export default mergeConfig(
  whole,
  defineConfig({
    test: {
      exclude: [
        // Laws, which need many runs, and large inputs.
        'test/properties/**',
        'test/differential/**',
        'test/crypto/publicKey.test.ts',
        'test/rpc/psbt/descriptorprocesspsbt.test.ts',
        'test/**/limits.test.ts',
        // Processes: they need a build, and some are killed.
        'test/readme.test.ts',
        'test/terminal/io.test.ts',
        'test/store/{crash,lock}.test.ts',
        'test/server/server.test.ts',
        'test/cli/commands/serveCrash.test.ts',
      ],
      setupFiles: ['test/fast/setup.ts'],
      env: { COUNTERSIGN_FAST: '1' },
      // Files share the library, which takes longer to load than most of them take to run.
      isolate: false,
    },
  }),
);
