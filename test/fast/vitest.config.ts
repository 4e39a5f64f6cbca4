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
        'test/page/{limits,mangled,pageSession}.test.ts',
        'test/rpc/psbt/descriptorprocesspsbt.test.ts',
        // They compile the whole library, as `npm run check` does.
        'test/docComments.test.ts',
        'test/rpc/rpcMethods.test.ts',
        // A search for the worst text of each pattern.
        'test/encoding/patterns.test.ts',
        // Whole histories of wallets that are opened again and again.
        'test/node/{backups,restoreState}.test.ts',
        'test/rpc/wallet/{backups,newKeys}.test.ts',
        // Passphrases, which are slow to stretch.
        'test/wallet/sealedSecrets.test.ts',
        // The tools for mutants and fuzzing.
        'test/{fuzz,mutation}/**',
        // Pictures of codes, which take long to draw and to read.
        'test/cli/codes.test.ts',
        // Processes and threads: they need a build, and some are killed.
        'test/docPrograms.test.ts',
        'test/examples.test.ts',
        'test/package/**',
        'test/terminal/io.test.ts',
        'test/store/{crash,derivedFile,lock,recordCrash,recordDamage}.test.ts',
        'test/server/server.test.ts',
        'test/cli/main.test.ts',
        'test/cli/commands/{call,serve,sync}.test.ts',
        'test/workers/divideCalls.test.ts',
      ],
      setupFiles: ['test/fast/setup.ts'],
      env: { COUNTERSIGN_FAST: '1' },
    },
  }),
);
