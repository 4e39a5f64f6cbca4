import { readOptional, readValue } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { JSON_NULL, type JsonValue } from '../../../answers/json/jsonValue.ts';
import {
  invalidParameter,
  RPC_INVALID_PARAMETER,
  RPC_MISC_ERROR,
  RPC_WALLET_ALREADY_LOADED,
  RPC_WALLET_ERROR,
  RPC_WALLET_NOT_FOUND,
  walletError,
} from '../../../answers/method/errorCodes.ts';
import { bool, optional, string, unread } from '../../../answers/method/parameters.ts';
import { type Answer, list, maybe, members, text } from '../../../answers/method/results.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import { missedBy } from '../../wallet/records/chainSync.ts';
import type { Wallet } from '../../wallet/records/walletState.ts';
import type { NodeContext, WalletContext } from '../context.ts';
import { isDeprecatedUsed, nodeMethod } from '../context.ts';
import { generateKeys, newSecretKey } from '../newKeys.ts';
import { resubmitPayments } from '../resubmitPayments.ts';
import { checkLoadOnStartup, LOAD_ON_STARTUP } from '../walletArguments.ts';
import { walletMethodRules } from '../walletMethodRules.ts';
import { encryptWallet, parsePassphrase } from './encryption.ts';
import { assertShortPath, assertWalletPath, databaseExists, databasePath, dataFile, isFolder } from './walletPaths.ts';

export const walletNameResult = members({
  name: text(),
  warning: maybe(text('may be empty'), { until: 'core-0.21' }),
  warnings: maybe(list(text()), { since: 'core-29' }),
});

/** The answer of `createwallet` and `loadwallet`. */
export type WalletNameJson = Answer<typeof walletNameResult>;

/** `own`: the warnings about this wallet alone. */
export function nameAnswer(name: string, own: readonly string[], { dialect, settings }: NodeContext): WalletNameJson {
  const warnings = [...own, ...settings.warnings];
  if (!walletMethodRules[dialect.generation].listsWarnings) return { name, warning: warnings.join('\n') };
  return warnings.length > 0 ? { name, warnings } : { name };
}

export const createwallet = nodeMethod({
  name: 'createwallet',
  category: 'wallet',
  checksLate: true,
  about: 'Creates a wallet, with keys of its own unless it is blank or watch-only.',
  params: [
    string('wallet_name', 'the name of the wallet'),
    optional(bool('disable_private_keys', 'whether the wallet is watch-only'), false),
    optional(bool('blank', 'whether the wallet has no keys until some are imported or set'), false),
    optional(string('passphrase', 'the passphrase that encrypts private keys', { isSecret: true })),
    optional(bool('avoid_reuse', 'whether to mark coins of addresses that were spent from'), false),
    optional(bool('descriptors', 'whether it is a descriptor wallet: since core-29 always, in 0.21 never')),
    LOAD_ON_STARTUP,
    lasting(optional(bool('external_signer', 'must be false'), false), { since: 'core-29' }),
  ],
  result: walletNameResult,
  examples: ['createwallet watching true'],
  run: (args, context) => {
    const { node } = context;
    const disablesPrivateKeys = args.disable_private_keys;
    const isBlank = args.blank;
    const passphrase = args.passphrase === undefined ? undefined : parsePassphrase(args.passphrase, context);
    const avoidsReuse = args.avoid_reuse;
    assertKind(args.descriptors, context);
    checkLoadOnStartup(args);
    const hasSigner = args.external_signer;
    const name = args.wallet_name;
    const warnings = passphrase === '' ? ['Empty string given as passphrase, wallet will not be encrypted.'] : [];
    if (hasSigner && name !== '' && !disablesPrivateKeys) {
      throw walletError('Private keys must be disabled when using an external signer');
    }
    assertCreatable(name, Boolean(passphrase) && disablesPrivateKeys, context);
    // Core's error without the option -signer.
    if (hasSigner) throw new RpcError(RPC_MISC_ERROR, 'restart bitcoind with -signer=<cmd>');
    const secretKey = isBlank || disablesPrivateKeys ? undefined : newSecretKey(node.random);
    node.change({ type: 'create', name, disablesPrivateKeys, avoidsReuse, isBlank });
    const wallet = node.wallets.get(name);
    if (wallet) initialize({ ...context, wallet }, { passphrase, secretKey });
    return nameAnswer(name, warnings, context);
  },
});

function initialize(
  context: WalletContext,
  { passphrase, secretKey }: { readonly passphrase: string | undefined; readonly secretKey: Uint8Array | undefined },
): void {
  if (passphrase) encryptWallet(passphrase, secretKey, context);
  else if (secretKey) generateKeys(secretKey, context);
}

/** Refuses a taken name, an empty one in Core 31, and (`isUseless`) a passphrase without private keys. */
function assertCreatable(name: string, isUseless: boolean, context: NodeContext): void {
  const { node, dialect, walletDir } = context;
  const { refusesEmptyNames, checksPassphraseFirst } = walletMethodRules[dialect.generation];
  const useless = walletError(
    'Passphrase provided but private keys are disabled. A passphrase is only used to encrypt private keys, so cannot be used for wallets with private keys disabled.',
  );
  if (refusesEmptyNames && name === '') throw new RpcError(RPC_INVALID_PARAMETER, 'Wallet name cannot be empty');
  if (isUseless && checksPassphraseFirst) throw useless;
  assertWalletPath(name, context);
  assertShortPath(name, 'create', context);
  if (node.wallets.has(name)) {
    throw walletError(`Wallet file verification failed. ${databaseExists(name, walletDir)}`);
  }
  if (isUseless) throw useless;
}

/** This Core 29, like builds without BDB, has descriptor wallets only; this 0.21, like Debian's build, has no SQLite. */
function assertKind(descriptors: boolean | undefined, context: NodeContext): void {
  const { node, dialect } = context;
  const { keyStore } = node.rules;
  if (descriptors === true && keyStore === 'legacy') {
    const message = 'Compiled without sqlite support (required for descriptor wallets)';
    throw new RpcError(RPC_WALLET_ERROR, message);
  }
  if (descriptors !== false || keyStore === 'legacy') return;
  const isEnabled = isDeprecatedUsed('create_bdb', context);
  throw new RpcError(RPC_WALLET_ERROR, walletMethodRules[dialect.generation].noLegacyWallets(isEnabled));
}

export const loadwallet = nodeMethod({
  name: 'loadwallet',
  category: 'wallet',
  checksLate: true,
  about: 'Loads a wallet that was unloaded. It catches up with the blocks submitted in between.',
  params: [string('filename', 'the name of the wallet'), LOAD_ON_STARTUP],
  result: walletNameResult,
  examples: ['loadwallet watching'],
  run: (args, context) => {
    const { node, dialect, walletDir } = context;
    const name = args.filename;
    checkLoadOnStartup(args);
    if (node.loaded.has(name)) {
      throw walletMethodRules[dialect.generation].knowsLoadedWallets
        ? new RpcError(RPC_WALLET_ALREADY_LOADED, `Wallet "${withoutSecrets(name)}" is already loaded.`)
        : walletError(
            `Wallet file verification failed. Refusing to load database. Data file '${withoutSecrets(dataFile(name, walletDir), 'path')}' is already loaded.`,
          );
    }
    assertWalletPath(name, context);
    assertShortPath(name, 'load', context);
    if (!node.wallets.has(name)) {
      throw new RpcError(RPC_WALLET_NOT_FOUND, `Wallet file verification failed. ${missingWallet(name, context)}`);
    }
    const wallet = node.wallets.get(name);
    if (wallet) assertCatchable(wallet, context);
    node.change({ type: 'load', name });
    if (wallet) resubmitPayments({ ...context, wallet });
    return nameAnswer(name, [], context);
  },
});

/** Says why there is no such wallet. @see Bitcoin Core `MakeDatabase` */
export function missingWallet(name: string, context: NodeContext): string {
  const why = isFolder(name, context) ? 'Data is not in recognized format.' : 'Path does not exist.';
  return `Failed to load database path '${withoutSecrets(databasePath(name, context.walletDir), 'path')}'. ${why}`;
}

/** Refuses a wallet that needs blocks whose transactions are unknown. */
export function assertCatchable(wallet: Wallet, { node, dialect }: NodeContext): void {
  if (!missedBy(wallet, node.chain)) return;
  const { prunedNode } = walletMethodRules[dialect.generation];
  throw walletError(
    `Wallet loading failed. Prune: last wallet synchronisation goes beyond pruned data. You need to -reindex (download the whole blockchain again in case of ${prunedNode})`,
  );
}

export const unloadwallet = nodeMethod({
  name: 'unloadwallet',
  category: 'wallet',
  checksLate: true,
  about: 'Unloads a wallet: locks its private keys, and no longer updates it with new blocks and transactions.',
  params: [
    optional(unread(string('wallet_name', 'the name of the wallet; default: the wallet that the request is for'))),
    LOAD_ON_STARTUP,
  ],
  result: members({
    warning: maybe(text('always empty'), { until: 'core-0.21' }),
    warnings: maybe(list(text(), 'never here'), { since: 'core-29' }),
  }),
  examples: ['unloadwallet watching'],
  run: (args, context) => {
    const { node, dialect } = context;
    const name = nameToUnload(args.wallet_name, context);
    if (!node.loaded.has(name)) {
      throw new RpcError(RPC_WALLET_NOT_FOUND, 'Requested wallet does not exist or is not loaded');
    }
    checkLoadOnStartup(args);
    node.change({ type: 'unload', name });
    return walletMethodRules[dialect.generation].listsWarnings ? {} : { warning: '' };
  },
});

/** @see Bitcoin Core 31 `EnsureUniqueWalletName` */
function nameToUnload(value: JsonValue | undefined, { dialect, walletName }: NodeContext): string {
  if (!walletMethodRules[dialect.generation].takesNameTwice) {
    if (walletName === undefined) return readValue(value, 'string', dialect).value;
    if (!value || value.type === 'null') return walletName;
    throw invalidParameter('Both the RPC endpoint wallet and wallet_name parameter were provided (only one allowed)');
  }
  const argument = readOptional(value, 'string', dialect)?.value;
  if (argument !== undefined && walletName !== undefined && argument !== walletName) {
    throw invalidParameter(walletMethodRules[dialect.generation].differentNames);
  }
  const name = argument ?? walletName;
  if (name !== undefined) return name;
  const { asksForName } = walletMethodRules[dialect.generation];
  if (!asksForName) return readValue(value ?? JSON_NULL, 'string', dialect).value;
  throw invalidParameter('Either the RPC endpoint wallet or the wallet name parameter must be provided');
}
