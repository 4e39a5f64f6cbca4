import { lasting } from '../../../answers/dialect/dialectNames.ts';
import {
  invalidParameter,
  RPC_WALLET_ALREADY_EXISTS,
  RPC_WALLET_NOT_FOUND,
  walletError,
} from '../../../answers/method/errorCodes.ts';
import { string } from '../../../answers/method/parameters.ts';
import { members, nothing, text } from '../../../answers/method/results.ts';
import { shownPath, withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import type { BackupFiles, NodeContext } from '../context.ts';
import { nodeMethod, walletMethod } from '../context.ts';
import { resubmitPayments } from '../resubmitPayments.ts';
import { checkLoadOnStartup, LOAD_ON_STARTUP } from '../walletArguments.ts';
import { walletDialects } from '../walletDialect.ts';
import { walletMethodRules } from '../walletMethodRules.ts';
import { assertShortPath, assertWalletPath, databaseExists, databasePath } from './walletPaths.ts';
import { assertCatchable, nameAnswer, walletNameResult } from './wallets.ts';

function requireFiles(method: string, { backupFiles }: NodeContext): BackupFiles {
  if (backupFiles) return backupFiles;
  throw walletError(
    `${method} has no access to files: use the command line or serve, or pass backupFiles to createNodeRpc`,
  );
}

function pathFor(requestedPath: string, { locate }: BackupFiles, refused: string): string {
  const place = locate?.(requestedPath) ?? { path: requestedPath };
  if ('path' in place) return place.path;
  throw walletError(`${refused} ${shownPath(requestedPath)} ${place.fault}`);
}

const BACKUP_FAILED = 'Error: Wallet backup failed!';
const UNVERIFIED = 'Wallet file verification failed.';

export const backupwallet = walletMethod({
  name: 'backupwallet',
  checksLate: true,
  about: `Writes the wallet into a new file, which only countersign's restorewallet reads. The file holds all of the wallet's
private keys, encrypted if the wallet is; only its owner may read it. No file is replaced. A request to serve or batch
may name files below the directories of --backup-dir, and below "backups" in the wallet directory.`,
  params: [string('destination', 'the path of the file; in 0.21 also of a directory, in which it becomes wallet.dat')],
  result: nothing(),
  examples: ['backupwallet savings.backup --wallet-dir wallets'],
  run: (args, context) => {
    const { wallet, node, dialect } = context;
    const destination = args.destination;
    const files = requireFiles('backupwallet', context);
    const { name } = wallet.row;
    if (wallet.rules.savesTipInBackups) node.change({ type: 'wallet', name, event: { type: 'save-tip' } });
    const backup = node.backUp(name);
    const write = (path: string): string | undefined => files.write(pathFor(path, files, BACKUP_FAILED), backup);
    const outcome = write(destination);
    const isPlaced = outcome === 'is a directory' && walletMethodRules[dialect.generation].backsUpIntoDirectories;
    const reason = isPlaced ? write(`${destination || '.'}/wallet.dat`) : outcome;
    if (reason === undefined) return null;
    const { explainsBackups } = walletDialects[dialect.name];
    const why = explainsBackups ? ` ${shownPath(destination)} ${reason}: name another file` : '';
    throw walletError(`${BACKUP_FAILED}${why}`);
  },
});

export const exportwatchonlywallet = lasting(
  walletMethod({
    name: 'exportwatchonlywallet',
    checksLate: true,
    about: `Writes a wallet without private keys into a new file, which only countersign's restorewallet reads: it watches the
same descriptors, and has the same transactions and labels. Where files may be, backupwallet says.`,
    params: [string('destination', 'the path of the file')],
    result: members({ exported_file: text('the path of the file') }),
    examples: ['exportwatchonlywallet watching.backup --wallet-dir wallets'],
    run: ({ destination }, context) => {
      const { wallet, node } = context;
      const failed = (reason: string): RpcError => walletError(`Error: ${reason}`);
      if (destination === '') throw failed('Export destination cannot be empty');
      const files = requireFiles('exportwatchonlywallet', context);
      const path = pathFor(destination, files, 'Error: Could not create file');
      if (files.read(path) !== 'missing') throw failed(`Export destination '${shownPath(destination)}' already exists`);
      if (wallet.row.descriptorCount === 0) throw failed('Wallet has no descriptors to export');
      const reason = files.write(path, node.backUp(wallet.row.name, 'watching'));
      if (reason === undefined) return { exported_file: destination };
      throw failed(`Could not create file '${shownPath(destination)}'`);
    },
  }),
  { since: 'core-32' },
);

export const restorewallet = nodeMethod({
  name: 'restorewallet',
  category: 'wallet',
  checksLate: true,
  about: `Makes a wallet from a file that countersign's backupwallet wrote, and loads it. It catches up with the blocks since
then. Other wallets' files, such as a wallet.dat of Core, are refused. Nodes of 0.21 lack this method.`,
  params: [
    string('wallet_name', 'the name of the new wallet'),
    string('backup_file', 'the path of the file, as in backupwallet'),
    LOAD_ON_STARTUP,
  ],
  result: walletNameResult,
  examples: ['restorewallet savings savings.backup --wallet-dir wallets'],
  run: (args, context) => {
    const { node, dialect } = context;
    const path = args.backup_file;
    const name = args.wallet_name;
    checkLoadOnStartup(args);
    if (walletMethodRules[dialect.generation].refusesEmptyNames && name === '') {
      throw invalidParameter('Wallet name cannot be empty');
    }
    const bytes = readBackup(path, context);
    assertShortPath(name, 'restore', context);
    assertFree(name, context);
    assertWalletPath(name, context);
    const backup = node.readBackup(bytes);
    if (backup.kind === 'refused') throw refusal(backup, { name, path }, context);
    assertCatchable(backup.wallet, context);
    node.change({ type: 'restore', name, from: backup.wallet });
    const wallet = node.wallets.get(name);
    if (wallet) resubmitPayments({ ...context, wallet });
    return nameAnswer(name, [], context);
  },
});

function readBackup(path: string, context: NodeContext): Uint8Array {
  const files = requireFiles('restorewallet', context);
  const outcome = files.read(pathFor(path, files, UNVERIFIED));
  if (outcome === 'missing') throw invalidParameter('Backup file does not exist');
  if (outcome instanceof Uint8Array) return outcome;
  throw walletError(`${UNVERIFIED} Cannot read ${shownPath(path)}: ${outcome}`);
}

function assertFree(name: string, { node, walletDir, dialect }: NodeContext): void {
  if (!node.wallets.has(name)) return;
  if (!walletMethodRules[dialect.generation].namesRestoredFile) {
    throw new RpcError(RPC_WALLET_ALREADY_EXISTS, databaseExists(name, walletDir));
  }
  const file = withoutSecrets(`${databasePath(name, walletDir)}/wallet.dat`, 'path');
  throw new RpcError(RPC_WALLET_ALREADY_EXISTS, `Failed to restore wallet. Database file exists in '${file}'.`);
}

function refusal(
  { reason, isOther }: { readonly reason: string; readonly isOther?: true },
  { name, path }: { readonly name: string; readonly path: string },
  { walletDir }: NodeContext,
): RpcError {
  if (!isOther) return walletError(`${UNVERIFIED} ${shownPath(path)} ${reason}: use another copy`);
  const database = withoutSecrets(databasePath(name, walletDir), 'path');
  const core = `${UNVERIFIED} Failed to load database path '${database}'. Data is not in recognized format.`;
  return new RpcError(RPC_WALLET_NOT_FOUND, `${core} ${shownPath(path)} ${reason}`);
}
