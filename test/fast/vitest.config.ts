import { defineConfig, mergeConfig } from 'vitest/config';
import whole from '../vitest.config.ts';

/** For daily work: the units, and one in ten calls of each bundled corpus. `npm test` runs every rule. */
export default mergeConfig(
  whole,
  defineConfig({
    test: {
      exclude: [
        // Laws, which need many runs, and large inputs.
        'test/properties/**',
        'test/differential/**',
        'test/shell/page/{limits,mangled,pageSession}.test.ts',
        'test/answers/psbt/descriptorprocesspsbt.test.ts',
        // They compile the whole library, as `npm run check` does.
        'test/docComments.test.ts',
        'test/answers/rpcMethods.test.ts',
        // A search for the worst text of each pattern.
        'test/core/encoding/patterns.test.ts',
        // Whole histories of wallets that are opened again and again.
        'test/node/state/{backups,restoreState}.test.ts',
        'test/node/methods/wallet/{backups,newKeys}.test.ts',
        // Passphrases, which are slow to stretch.
        'test/node/wallet/sealedSecrets.test.ts',
        // The tools for mutants and fuzzing.
        'test/{fuzz,mutation}/**',
        // Pictures of codes, which take long to draw and to read.
        'test/shell/cli/codes.test.ts',
        // Processes and threads: they need a build, and some are killed.
        'test/docPrograms.test.ts',
        'test/examples.test.ts',
        'test/package/**',
        'test/shell/terminal/io.test.ts',
        'test/shell/store/{crash,lock,nodeDirectory,sqliteStore}.test.ts',
        'test/shell/server/server.test.ts',
        'test/shell/cli/main.test.ts',
        'test/shell/cli/commands/{call,serve,sync}.test.ts',
        'test/shell/workers/divideCalls.test.ts',
      ],
      setupFiles: ['test/fast/setup.ts'],
      env: { COUNTERSIGN_FAST: '1' },
    },
  }),
);
