import { walletError } from '../../../answers/method/errorCodes.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import type { RpcError } from '../../../core/errors.ts';
import type { NodeContext } from '../context.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

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
  const refused = (reason: string): RpcError => walletError(`Wallet file verification failed. ${reason}`);
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
