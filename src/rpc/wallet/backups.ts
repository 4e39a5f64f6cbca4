import { shownPath, withoutSecrets } from '../../encoding/redaction.ts';
import { RpcError } from '../../errors.ts';
import { walletMethodRules } from '../../generations.ts';
import { readOptional, readValue } from '../argumentValues.ts';
import { walletDialects } from '../dialect.ts';
import { invalidParameter, RPC_WALLET_ALREADY_EXISTS, RPC_WALLET_NOT_FOUND, walletError } from '../errorCodes.ts';
import type { WalletNameJson } from '../views/walletJsonTypes.ts';
import type { BackupFiles, NodeContext, NodeMethod, WalletMethod } from './context.ts';
import { assertCatchable, assertWalletPath, databasePath, nameAnswer } from './wallets.ts';

/** Returns the access to files. @throws RpcError -4 if the program gives none */
function filesOf(method: string, { backupFiles }: NodeContext): BackupFiles {
  if (backupFiles) return backupFiles;
  throw walletError(
    `${method} has no access to files: use the command line or serve, or pass backupFiles to createNodeRpc`,
  );
}

/** Returns the path of the file that a request names. @throws RpcError -4 if requests may not use it */
function pathFor(given: string, { locate }: BackupFiles, refused: string): string {
  const place = locate?.(given) ?? { path: given };
  if ('path' in place) return place.path;
  throw walletError(`${refused} ${shownPath(given)} ${place.fault}`);
}

const BACKUP_FAILED = 'Error: Wallet backup failed!';
const UNVERIFIED = 'Wallet file verification failed.';

/** @see Bitcoin Core `backupwallet` */
export const backupwallet: WalletMethod<null> = {
  name: 'backupwallet',
  needs: 'wallet',
  params: [{ name: 'destination', type: 'string' }],
  checksLate: true,
  help: `Writes the wallet into a new file, which only restorewallet of countersign reads. The file holds all of the wallet's
private keys, encrypted if the wallet is; only its owner may read it. No file is replaced. A request to serve or batch
may name files below the directories of --backup-dir, and below "backups" in the wallet directory.

Arguments:
1. destination    (string, required) the path of the file; in 0.21 also of a directory, in which it becomes wallet.dat

Result:
null

Examples:
> countersign backupwallet savings.backup --wallet-dir wallets`,
  run: (args, context) => {
    const { wallet, node, dialect } = context;
    const destination = readValue(args[0], 'string', dialect).value;
    const files = filesOf('backupwallet', context);
    const backup = node.backUp(wallet.name);
    const write = (given: string): string | undefined => files.write(pathFor(given, files, BACKUP_FAILED), backup);
    const outcome = write(destination);
    const isPlaced = outcome === 'is a directory' && walletMethodRules[dialect.generation].backsUpIntoDirectories;
    const reason = isPlaced ? write(`${destination || '.'}/wallet.dat`) : outcome;
    if (reason === undefined) return null;
    const { explainsBackups } = walletDialects[dialect.name];
    const why = explainsBackups ? ` ${shownPath(destination)} ${reason}: name another file` : '';
    throw walletError(`${BACKUP_FAILED}${why}`);
  },
};

/** @see Bitcoin Core `restorewallet` */
export const restorewallet: NodeMethod<WalletNameJson> = {
  name: 'restorewallet',
  needs: 'node',
  params: [
    { name: 'wallet_name', type: 'string' },
    { name: 'backup_file', type: 'string' },
    { name: 'load_on_startup', type: 'bool', isOptional: true },
  ],
  checksLate: true,
  help: `Makes a wallet of a file that backupwallet of countersign wrote, and loads it. It catches up with the blocks since
then. Other wallets' files, such as a wallet.dat of Core, are refused. Nodes of 0.21 lack this method.

Arguments:
1. wallet_name        (string, required) the name of the new wallet
2. backup_file        (string, required) the path of the file, as in backupwallet
3. load_on_startup    (bool, optional) ignored

Result:
name                  the name of the wallet
warning               (core-31: warnings) warnings for the caller

Examples:
> countersign restorewallet savings savings.backup --wallet-dir wallets`,
  run: (args, context) => {
    const { node, dialect } = context;
    const path = readValue(args[1], 'string', dialect).value;
    const name = readValue(args[0], 'string', dialect).value;
    readOptional(args[2], 'bool', dialect);
    if (walletMethodRules[dialect.generation].refusesEmptyNames && name === '') {
      throw invalidParameter('Wallet name cannot be empty');
    }
    const bytes = readBackup(path, context);
    assertFree(name, context);
    assertWalletPath(name, context);
    const backup = node.readBackup(bytes, name);
    if (backup.kind === 'refused') throw refusal(backup, { name, path }, context);
    assertCatchable(backup.wallet, context);
    node.change({ type: 'restore', name, history: backup.history });
    return nameAnswer(name, [], context);
  },
};

/** @throws RpcError -4, -8 */
function readBackup(path: string, context: NodeContext): Uint8Array {
  const files = filesOf('restorewallet', context);
  const outcome = files.read(pathFor(path, files, UNVERIFIED));
  if (outcome === 'missing') throw invalidParameter('Backup file does not exist');
  if (outcome instanceof Uint8Array) return outcome;
  throw walletError(`${UNVERIFIED} Cannot read ${shownPath(path)}: ${outcome}`);
}

/** @throws RpcError -36 */
function assertFree(name: string, { node, walletDir }: NodeContext): void {
  if (!node.wallets.has(name)) return;
  const file = withoutSecrets(`${databasePath(name, walletDir)}/wallet.dat`, 'path');
  throw new RpcError(RPC_WALLET_ALREADY_EXISTS, `Failed to restore wallet. Database file exists in '${file}'.`);
}

/** Returns the error for a file that is no whole backup of this node's kind. */
function refusal(
  { reason, isOther }: { readonly reason: string; readonly isOther?: true },
  { name, path }: { readonly name: string; readonly path: string },
  { walletDir }: NodeContext,
): RpcError {
  if (!isOther) return walletError(`${UNVERIFIED} ${shownPath(path)} ${reason}: use another copy`);
  const database = withoutSecrets(databasePath(name, walletDir), 'path');
  const core = `${UNVERIFIED} Failed to load database path '${database}'. Data is not in recognized format.`;
  return new RpcError(RPC_WALLET_NOT_FOUND, `${core} ${shownPath(path)} ${reason} of countersign`);
}
