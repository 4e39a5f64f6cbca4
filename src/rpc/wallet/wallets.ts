import { withoutSecrets } from '../../encoding/redaction.ts';
import { RpcError } from '../../errors.ts';
import { walletMethodRules } from '../../generations.ts';
import { missedBy } from '../../wallet/chainSync.ts';
import type { Wallet } from '../../wallet/walletState.ts';
import { readOptional, readValue } from '../argumentValues.ts';
import {
  invalidParameter,
  RPC_INVALID_PARAMETER,
  RPC_MISC_ERROR,
  RPC_WALLET_ALREADY_LOADED,
  RPC_WALLET_ERROR,
  RPC_WALLET_NOT_FOUND,
  walletError,
} from '../errorCodes.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import type { WalletNameJson } from '../views/walletJsonTypes.ts';
import type { NodeContext, NodeMethod, WalletContext } from './context.ts';
import { encryptWallet, parsePassphrase } from './encryption.ts';
import { generateKeys, newSecretKey } from './newKeys.ts';

/** Returns the answer of a method that makes or loads a wallet. */
export function nameAnswer(name: string, warnings: readonly string[], { dialect }: NodeContext): WalletNameJson {
  if (!walletMethodRules[dialect.generation].listsWarnings) return { name, warning: warnings.join('\n') };
  return warnings.length > 0 ? { name, warnings } : { name };
}

/** @see Bitcoin Core `createwallet` */
export const createwallet: NodeMethod<WalletNameJson> = {
  name: 'createwallet',
  needs: 'node',
  params: [
    { name: 'wallet_name', type: 'string' },
    { name: 'disable_private_keys', type: 'bool', isOptional: true },
    { name: 'blank', type: 'bool', isOptional: true },
    { name: 'passphrase', type: 'string', isOptional: true, isSecret: true },
    { name: 'avoid_reuse', type: 'bool', isOptional: true },
    { name: 'descriptors', type: 'bool', isOptional: true },
    { name: 'load_on_startup', type: 'bool', isOptional: true },
    { name: 'external_signer', type: 'bool', isOptional: true, since: 'core-31' },
  ],
  checksLate: true,
  help: `Creates a wallet, with keys of its own unless it is blank or watch-only.

Arguments:
1. wallet_name             (string, required) the name of the wallet
2. disable_private_keys    (bool, optional, default false) whether the wallet is watch-only
3. blank                   (bool, optional, default false) whether the wallet has no keys until some are imported or set
4. passphrase              (string, optional) the passphrase that encrypts private keys
5. avoid_reuse             (bool, optional, default false) whether to mark coins of addresses that were spent from
6. descriptors             (bool, optional) whether it is a descriptor wallet: in core-31 always, in 0.21 never
7. load_on_startup         (bool, optional) ignored
8. external_signer         (bool, optional) must be false; core-31 only

Result:
name                       the name of the wallet
warning                    (core-31: warnings) warnings for the caller

Examples:
> countersign createwallet watching true`,
  run: (args, context) => {
    const { node, dialect } = context;
    const disablesPrivateKeys = readOptional(args[1], 'bool', dialect)?.value ?? false;
    const isBlank = readOptional(args[2], 'bool', dialect)?.value ?? false;
    const passphrase = readOptional(args[3], 'string', dialect) && parsePassphrase(args[3], context);
    const avoidsReuse = readOptional(args[4], 'bool', dialect)?.value ?? false;
    assertKind(args[5], context);
    readOptional(args[6], 'bool', dialect);
    const hasSigner = readOptional(args[7], 'bool', dialect)?.value ?? false;
    const name = readValue(args[0], 'string', dialect).value;
    const warnings = passphrase === '' ? ['Empty string given as passphrase, wallet will not be encrypted.'] : [];
    if (hasSigner && name !== '' && !disablesPrivateKeys) {
      throw walletError('Private keys must be disabled when using an external signer');
    }
    assertCreatable(name, Boolean(passphrase) && disablesPrivateKeys, context);
    // Core's error without the option -signer; there is no external signer here.
    if (hasSigner) throw new RpcError(RPC_MISC_ERROR, 'restart bitcoind with -signer=<cmd>');
    const secretKey = isBlank || disablesPrivateKeys ? undefined : newSecretKey(node.random);
    node.change({ type: 'create', name, disablesPrivateKeys, avoidsReuse, isBlank });
    const wallet = node.wallets.get(name);
    if (wallet) initialize({ ...context, wallet }, { passphrase, secretKey });
    return nameAnswer(name, warnings, context);
  },
};

/** Encrypts a new wallet, and derives its keys unless it is blank or watch-only. */
function initialize(
  context: WalletContext,
  { passphrase, secretKey }: { readonly passphrase: string | undefined; readonly secretKey: Uint8Array | undefined },
): void {
  const { wallet, node } = context;
  const renew = secretKey && ((): void => generateKeys(secretKey, context));
  if (passphrase) encryptWallet(wallet, passphrase, node, renew);
  else renew?.();
}

/**
 * Returns the path of a wallet in a node's errors; without a directory, the wallet's name.
 * @see Bitcoin Core `GetWalletPath`
 */
export function databasePath(name: string, walletDir: string | undefined): string {
  if (walletDir === undefined || name.startsWith('/')) return name;
  return name === '' ? walletDir : `${walletDir}/${name}`;
}

/** `..` in front of a relative path, which normalizing keeps. */
const LEADING_PARENTS = /^(?:\.\.(?:\/+(?=[^/])|$))+/;

/** Checks the name of a wallet as a path. @throws RpcError -4 @see Bitcoin Core `GetWalletPath` */
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

/**
 * - `isUseless`: true if there is a passphrase, but private keys are disabled
 *
 * @throws RpcError -4; in Core 31 -8 for an empty name
 */
function assertCreatable(name: string, isUseless: boolean, context: NodeContext): void {
  const { node, dialect, walletDir } = context;
  const { refusesEmptyNames, checksPassphraseFirst } = walletMethodRules[dialect.generation];
  const useless = walletError(
    'Passphrase provided but private keys are disabled. A passphrase is only used to encrypt private keys, so cannot be used for wallets with private keys disabled.',
  );
  if (refusesEmptyNames && name === '') throw new RpcError(RPC_INVALID_PARAMETER, 'Wallet name cannot be empty');
  if (isUseless && checksPassphraseFirst) throw useless;
  assertWalletPath(name, context);
  if (node.wallets.has(name)) {
    const path = databasePath(name, walletDir);
    throw walletError(
      `Wallet file verification failed. Failed to create database path '${withoutSecrets(path, 'path')}'. Database already exists.`,
    );
  }
  if (isUseless) throw useless;
}

/** Checks `descriptors`. Core 31 has descriptor wallets only; our 0.21 dialect, like Debian's build, has no SQLite. */
function assertKind(value: JsonValue | undefined, { node, dialect }: NodeContext): void {
  const { keyStore } = node.rules;
  const descriptors = readOptional(value, 'bool', dialect)?.value;
  if (descriptors === true && keyStore === 'legacy') {
    const message = 'Compiled without sqlite support (required for descriptor wallets)';
    throw new RpcError(RPC_WALLET_ERROR, message);
  }
  if (descriptors !== false || keyStore === 'legacy') return;
  throw new RpcError(
    RPC_WALLET_ERROR,
    'descriptors argument must be set to "true"; it is no longer possible to create a legacy wallet.',
  );
}

/** Tells whether a name is a folder without a wallet: the wallet directory, or a folder with wallets inside. */
const isFolder = (name: string, { node }: NodeContext): boolean =>
  name === '' || [...node.wallets.keys()].some((other) => other.startsWith(`${name}/`));

/** Returns the path of a wallet's data file in the errors of 0.21. */
function dataFile(name: string, walletDir: string | undefined): string {
  const path = databasePath(name, walletDir);
  return path === '' ? 'wallet.dat' : `${path}/wallet.dat`;
}

/** @see Bitcoin Core `loadwallet` */
export const loadwallet: NodeMethod<WalletNameJson> = {
  name: 'loadwallet',
  needs: 'node',
  params: [
    { name: 'filename', type: 'string' },
    { name: 'load_on_startup', type: 'bool', isOptional: true },
  ],
  checksLate: true,
  help: `Loads a wallet that was unloaded. It catches up with the blocks submitted in between.

Arguments:
1. filename           (string, required) the name of the wallet
2. load_on_startup    (bool, optional) ignored

Result:
name                  the name of the wallet
warning               (core-31: warnings) warnings for the caller

Examples:
> countersign loadwallet watching`,
  run: (args, context) => {
    const { node, dialect, walletDir } = context;
    const name = readValue(args[0], 'string', dialect).value;
    readOptional(args[1], 'bool', dialect);
    if (node.loaded.has(name)) {
      throw walletMethodRules[dialect.generation].knowsLoadedWallets
        ? new RpcError(RPC_WALLET_ALREADY_LOADED, `Wallet "${withoutSecrets(name)}" is already loaded.`)
        : walletError(
            `Wallet file verification failed. Refusing to load database. Data file '${withoutSecrets(dataFile(name, walletDir), 'path')}' is already loaded.`,
          );
    }
    assertWalletPath(name, context);
    if (!node.wallets.has(name)) {
      const why = isFolder(name, context) ? 'Data is not in recognized format.' : 'Path does not exist.';
      const path = databasePath(name, walletDir);
      throw new RpcError(
        RPC_WALLET_NOT_FOUND,
        `Wallet file verification failed. Failed to load database path '${withoutSecrets(path, 'path')}'. ${why}`,
      );
    }
    const wallet = node.wallets.get(name);
    if (wallet) assertCatchable(wallet, context);
    node.change({ type: 'load', name });
    return nameAnswer(name, [], context);
  },
};

/** Refuses a wallet that needs blocks of which the transactions are unknown. @throws RpcError -4 */
export function assertCatchable(wallet: Wallet, { node, dialect }: NodeContext): void {
  if (!missedBy(wallet, node.chain)) return;
  const { prunedNode } = walletMethodRules[dialect.generation];
  throw walletError(
    `Wallet loading failed. Prune: last wallet synchronisation goes beyond pruned data. You need to -reindex (download the whole blockchain again in case of ${prunedNode})`,
  );
}

/** @see Bitcoin Core `unloadwallet` */
export const unloadwallet: NodeMethod<{ readonly warning?: string }> = {
  name: 'unloadwallet',
  needs: 'node',
  params: [
    { name: 'wallet_name', type: 'string', isOptional: true },
    { name: 'load_on_startup', type: 'bool', isOptional: true },
  ],
  checksLate: true,
  help: `Unloads a wallet: locks its private keys, and no longer updates it with new blocks and transactions.

Arguments:
1. wallet_name        (string, optional) the name of the wallet; default: the wallet that the request is for
2. load_on_startup    (bool, optional) ignored

Result:
warning               (0.21) an empty string

Examples:
> countersign unloadwallet watching`,
  run: (args, context) => {
    const { node, dialect } = context;
    const name = nameToUnload(args[0], context);
    if (!node.loaded.has(name)) {
      throw new RpcError(RPC_WALLET_NOT_FOUND, 'Requested wallet does not exist or is not loaded');
    }
    readOptional(args[1], 'bool', dialect);
    node.change({ type: 'unload', name });
    return walletMethodRules[dialect.generation].listsWarnings ? {} : { warning: '' };
  },
};

/** @throws RpcError -1, -8 @see Bitcoin Core 31 `EnsureUniqueWalletName`; 0.21 `unloadwallet` */
function nameToUnload(value: JsonValue | undefined, { dialect, walletName }: NodeContext): string {
  if (!walletMethodRules[dialect.generation].takesNameTwice) {
    if (walletName === undefined) return readValue(value, 'string', dialect).value;
    if (!value || value.type === 'null') return walletName;
    throw invalidParameter('Both the RPC endpoint wallet and wallet_name parameter were provided (only one allowed)');
  }
  const given = readOptional(value, 'string', dialect)?.value;
  if (given !== undefined && walletName !== undefined && given !== walletName) {
    throw invalidParameter('The RPC endpoint wallet and the wallet name parameter specify different wallets');
  }
  const name = given ?? walletName;
  if (name !== undefined) return name;
  throw invalidParameter('Either the RPC endpoint wallet or the wallet name parameter must be provided');
}
