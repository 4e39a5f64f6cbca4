import { BtcError } from '../../../core/errors.ts';
import { checkStore } from '../../store/openStore.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import type { CommandLine } from '../options.ts';

const options = {};

export const checkWallet = declareCommand({
  synopsis: 'check-wallet DIRECTORY',
  about: `Verifies a wallet directory: the structure of its file, and the sum of every record. Counts the records of each
kind and ends with "sound". No other program may have the directory open.`,
  options,
  exitCode: '1 for a damaged directory.',
  examples: ['countersign check-wallet wallets'],
  run: runCheck,
});

async function runCheck({ args: [directory, ...others] }: CommandLine<typeof options>, io: Io): Promise<number> {
  if (directory === undefined || others.length > 0) {
    throw new UsageError('check-wallet takes one wallet directory, as --wallet-dir does elsewhere');
  }
  try {
    for (const [kind, count] of Object.entries(checkStore(directory).counts)) {
      if (count > 0) await io.writeOut(`${kind}: ${count}\n`);
    }
  } catch (error) {
    throw error instanceof BtcError && error.code.startsWith('store/') ? new UsageError(error.message) : error;
  }
  await io.writeOut('sound\n');
  return 0;
}
