import { defineConfig, mergeConfig } from 'vitest/config';
import whole from '../vitest.config.ts';

/** For `npm test`: every rule, document and interface. Left to `.ci/run` is what repeats other tests by slower means. */
export default mergeConfig(
  whole,
  defineConfig({
    test: {
      exclude: [
        // Whole histories of wallets that are opened again and again; each step has a test of its own.
        'test/node/state/backups.test.ts',
        'test/node/methods/wallet/backups.test.ts',
        // Processes that are killed, and a disk that is full, over and over.
        'test/shell/store/{crash,nodeDirectory}.test.ts',
        // Thousands of texts with secrets, which each command also shows once.
        'test/properties/{secretTexts,concealedKeys,secretAccounts}.test.ts',
        // A search for the worst text of each pattern.
        'test/core/encoding/patterns.test.ts',
        // Pictures of codes, which take long to draw and to read.
        'test/shell/cli/codes.test.ts',
        // Installed packages in projects of users.
        'test/package/consumers.test.ts',
        // The tool for mutants.
        'test/mutation/**',
      ],
      env: { COUNTERSIGN_SHORT: '1' },
    },
  }),
);
