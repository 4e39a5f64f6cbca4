import { RPC_MISC_ERROR, RPC_WALLET_ERROR, walletError } from '../../../answers/method/errorCodes.ts';
import { utf8Size } from '../../../core/bytes/utf8.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import type { NodeContext } from '../context.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

const UNVERIFIED = 'Wallet file verification failed.';

/** Returns the path in error texts. @see Bitcoin Core `GetWalletPath` */
export function databasePath(name: string, walletDir: string | undefined): string {
  if (walletDir === undefined || name.startsWith('/')) return name;
  return name === '' ? walletDir : `${walletDir}/${name}`;
}

export const databaseExists = (name: string, walletDir: string | undefined): string =>
  `Failed to create database path '${withoutSecrets(databasePath(name, walletDir), 'path')}'. Database already exists.`;

/** `..` in front of a relative path, which normalizing keeps. */
const LEADING_PARENTS = /^(?:\.\.(?:\/+(?=[^/])|$))+/;

export function assertWalletPath(name: string, { dialect }: NodeContext): void {
  if (!walletMethodRules[dialect.generation].checksWalletPaths) return;
  const refused = (reason: string): RpcError => walletError(`${UNVERIFIED} ${reason}`);
  const rest = name.replace(LEADING_PARENTS, '');
  const isNormalized = name === '.' || !rest.split('/').some((part) => part === '.' || part === '..');
  if (!isNormalized) throw refused('Wallet name given as a path must be normalized');
  if (name === '.' || rest !== name) {
    throw refused(
      'Wallet name given as a relative path cannot begin with ./ or ../, for wallets not in the walletdir, please use an absolute path.',
    );
  }
  if (/^\/+$/.test(name)) throw refused('Wallet name cannot be the root path');
}

/** Tells whether a name is the wallet directory, or a folder with wallets inside. */
export const isFolder = (name: string, { node }: NodeContext): boolean =>
  name === '' || [...node.wallets.keys()].some((other) => other.startsWith(`${name}/`));

export function dataFile(name: string, walletDir: string | undefined): string {
  const path = databasePath(name, walletDir);
  return path === '' ? 'wallet.dat' : `${path}/wallet.dat`;
}

/** In bytes. @see POSIX `NAME_MAX`, `PATH_MAX` */
const LONGEST_NAME = 255;
const LONGEST_PATH = 4_095;
const UNOPENED = 'SQLiteDatabase: Failed to open database: unable to open database file\n';

type Opening = 'create' | 'load' | 'restore';

/** Refuses a path that a file system or database finds too long. @throws RpcError as the node's libraries word it */
export function assertShortPath(name: string, opening: Opening, context: NodeContext): void {
  const { node, walletDir, dialect } = context;
  // Earlier releases of countersign took any name.
  if (node.wallets.has(name)) return;
  const { longPath, longNewPath, longRestoredPath, longestDataFile } = walletMethodRules[dialect.generation];
  const shown = withoutSecrets(databasePath(name, walletDir), 'path');
  const fault = findLongPart(name, context);
  if (fault && opening === 'restore') throw rpcError(longRestoredPath(shown));
  if (fault === 'met') throw new RpcError(opening === 'create' ? RPC_MISC_ERROR : RPC_WALLET_ERROR, longPath(shown));
  if (opening === 'load') return;
  if (fault) throw rpcError(longNewPath(shown));
  if (utf8Size(dataFile(name, walletDir)) > longestDataFile) throw walletError(`${UNVERIFIED} ${UNOPENED}`);
}

/** A file system looks for one directory after the other, so that it does not meet a name below a missing one. */
function findLongPart(name: string, context: NodeContext): 'met' | 'unmet' | undefined {
  if (utf8Size(databasePath(name, context.walletDir)) > LONGEST_PATH) return 'met';
  const parts = name.split('/');
  const long = parts.findIndex((part) => utf8Size(part) > LONGEST_NAME);
  if (long < 0) return undefined;
  return isDirectory(parts.slice(0, long), context) ? 'met' : 'unmet';
}

const rpcError = ({ code, message }: { readonly code: number; readonly message: string }): RpcError =>
  new RpcError(code, message);

/** Directories other than those of wallets count as existing: they are not looked at. */
function isDirectory(parts: readonly string[], { node }: NodeContext): boolean {
  const [first = ''] = parts;
  if (first === '' || first === '..') return true;
  const folder = `${parts.join('/')}/`;
  return [...node.wallets.keys()].some((name) => `${name}/`.startsWith(folder));
}
