import type { DialectName } from '../../../answers/dialect/dialectNames.ts';
import { quoted } from '../../../core/encoding/redaction.ts';
import { BtcError } from '../../../core/errors.ts';
import { type NetworkName, networks } from '../../../core/network/networks.ts';
import type { Owner } from '../../../node/state/owner.ts';
import { checkStore, openStore } from '../../store/openStore.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import type { CommandLine } from '../options.ts';

const options = {};

export const checkWallet = declareCommand({
  synopsis: 'check-wallet DIRECTORY',
  about: `Verifies a wallet directory: the structure of its file, the sum of every record, and that the records of each wallet
agree with each other, so that none is missing. Counts the records of each kind and ends with "sound". No other program
may have the directory open.`,
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
    const { counts, owner } = checkStore(directory);
    for (const [kind, count] of Object.entries(counts)) if (count > 0) await io.writeOut(`${kind}: ${count}\n`);
    if (owner) await checkWallets(directory, owner, io);
  } catch (error) {
    throw error instanceof BtcError && error.code.startsWith('store/') ? new UsageError(error.message) : error;
  }
  await io.writeOut('sound\n');
  return 0;
}

async function checkWallets(directory: string, { network, rules }: Owner, io: Io): Promise<void> {
  if (!Object.hasOwn(networks, network)) {
    await io.writeOut(`The wallets are of a network of its own, ${quoted(network)}: their records were not compared\n`);
    return;
  }
  const { createNodeRpc } = await import('../../../node/createNodeRpc.ts');
  const store = openStore(directory);
  try {
    const options = { network: network as NetworkName, dialect: rules as DialectName };
    createNodeRpc({ ...options, store, clock: io.unixTime, random: io.random }).checkWallets();
  } finally {
    store.close();
  }
}
