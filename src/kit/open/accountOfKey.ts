import {
  assertKnownOptions,
  assertShape,
  invalidOption,
  isObject,
  type OptionNames,
} from '../../core/bytes/knownOptions.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import type { Descriptor } from '../../core/descriptors/types.ts';
import { BtcError } from '../../core/errors.ts';
import { type HeldKey, heldKeyFrom, heldKeyOf } from '../../core/holder/heldKey.ts';
import { resolveNetwork } from '../../core/network/networks.ts';
import { type Account, type AccountParts, createAccount } from '../account/account.ts';
import {
  ACCOUNT_OPTIONS,
  type AccountOptions,
  ADDRESS_PURPOSES,
  accountPartsFromExtended,
  accountPartsFromMaster,
  accountPartsFromSecret,
  assertAccountIndex,
  descriptorsBelow,
  KEY_OPTIONS,
  type KeyAccountOptions,
  usualDescriptors,
  usualName,
} from '../account/accountKeys.ts';
import { signerKeysOf } from '../account/publicKeys.ts';
import type { SignerKey } from '../account/walletFiles/walletFile.ts';
import type { OpenedKey } from './openKeys.ts';

/** Electrum's addresses: right below the master key, or below its first hardened child. @see Electrum `keystore.from_seed` */
const ELECTRUM = {
  standard: { path: 'm/<0;1>/*', purpose: 44 },
  segwit: { path: 'm/0h', purpose: 84 },
} as const;

/**
 * Creates the account of a key that `openKeys` opened. That of an Electrum seed has Electrum's own addresses.
 * @throws as `accountFromKey`
 *
 * @example
 * ```ts
 * import { accountOfKey, openKeys } from 'countersign';
 *
 * const [key] = openKeys(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * if (key) accountOfKey(key, { network: 'regtest' }).receive(0).address; // bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk
 * ```
 */
export function accountOfKey(key: OpenedKey, options: KeyAccountOptions = {}): Account {
  assertOpened(key);
  assertKnownOptions(options, KEY_OPTIONS);
  return createAccount(accountPartsOf(key, options));
}

/** Options of `signerKeys`. */
export interface SignerKeysOptions extends AccountOptions {
  /** Default 0. @see BIP48 "Account" */
  readonly account?: number;
}

const SIGNER_OPTIONS: OptionNames<SignerKeysOptions> = { ...ACCOUNT_OPTIONS, account: true };

/**
 * Lists the public keys of a master key for multisigs with others, for P2SH-P2WSH and P2WSH; of another extended key, itself.
 * `quorumDescriptor` makes the wallet from those of all signers.
 * @throws `argument/invalid` for a single key, which has none below it; `xkey/underivable`, `network/unknown`
 * @see BIP48
 *
 * @example
 * ```ts
 * import { openKeys, signerKeys } from 'countersign';
 *
 * const [key] = openKeys(`${'abandon '.repeat(11)}about`);
 * if (key) signerKeys(key)[1]?.text.slice(0, 27); // [73c5da0a/48h/0h/0h/2h]xpub
 * ```
 */
export function signerKeys(key: OpenedKey, options: SignerKeysOptions = {}): readonly SignerKey[] {
  assertOpened(key);
  assertKnownOptions(options, SIGNER_OPTIONS);
  const { network = 'main', ecc = nobleEcc, account = 0 } = options;
  assertAccountIndex(account);
  if (key.kind !== 'single') return signerKeysOf(key.key, { network: resolveNetwork(network), ecc, account });
  throw invalidOption('key', 'must be a seed or an extended key: a single key has none below it for multisigs');
}

const assertOpened = (key: OpenedKey): void =>
  assertShape(
    'key',
    isObject(key) && typeof key.kind === 'string' && isObject(key.key),
    'a key, as openKeys returns it',
  );

/** Returns what an account of a key is made of. @throws as `accountFromKey` */
export function accountPartsOf(opened: OpenedKey, options: KeyAccountOptions): AccountParts {
  switch (opened.kind) {
    case 'seed': {
      const { at, ...rest } = options;
      if (at === undefined) return accountPartsFromMaster(opened.key, rest);
      const message = 'The addresses of a seed are below its accounts: leave at out';
      throw new BtcError('account/at', {}, message);
    }
    case 'electrum':
      return accountPartsFromMaster(opened.key, { ...options, ...electrumPlace(opened.type, options) });
    case 'extended':
      return accountPartsFromExtended(opened, options);
    default:
      return accountPartsFromSecret(opened.key, resolveNetwork(options.network ?? 'main'), options);
  }
}

function electrumPlace(type: keyof typeof ELECTRUM, { purpose, account, path }: KeyAccountOptions): KeyAccountOptions {
  if (path !== undefined) return {};
  const own = ELECTRUM[type];
  if (account === undefined && (purpose === undefined || purpose === own.purpose)) return own;
  const message = `The seed is of Electrum, whose addresses of this kind are those of purpose ${own.purpose}, without accounts: leave purpose and account out, or name a path`;
  throw new BtcError('account/purpose', {}, message);
}

/** The key as a holder takes it, if it is private. */
export const heldOf = (opened: OpenedKey, { ecc = nobleEcc }: Pick<KeyAccountOptions, 'ecc'>): HeldKey | undefined =>
  opened.kind === 'single' ? heldKeyFrom(opened.key, ecc) : heldKeyOf(opened.key);

/** Lists the accounts of every kind of address that a key may have, with their names. @throws as `accountFromKey` */
export function usualAccounts(
  opened: OpenedKey,
  options: KeyAccountOptions,
): readonly { readonly name: string; readonly account: Account }[] {
  const { path, account } = options;
  const isPlaced = path !== undefined || account !== undefined;
  const parts =
    opened.kind === 'electrum' && !isPlaced
      ? [accountPartsOf(opened, options)]
      : purposesOf(opened).map((purpose) => accountPartsOf(opened, { ...options, ...(purpose && { purpose }) }));
  return parts.map((each) => {
    const [wallet] = each.wallets;
    return { name: wallet ? usualName(wallet.descriptor) : '', account: createAccount(each) };
  });
}

/** Segwit cannot spend coins of uncompressed keys. */
const purposesOf = (opened: OpenedKey): readonly KeyAccountOptions['purpose'][] =>
  opened.kind === 'single' && !opened.key.isCompressed ? [44] : ADDRESS_PURPOSES;

/** Describes the wallets that a key usually has: a restored wallet looks there. */
export function usualWallets(opened: OpenedKey, options: KeyAccountOptions): readonly Descriptor[] {
  switch (opened.kind) {
    case 'single':
      return [];
    case 'electrum':
      return accountPartsOf(opened, options).wallets.map(({ descriptor }) => descriptor);
    case 'seed':
      return usualDescriptors(opened.key, options);
    default:
      // Wallets have the addresses of a master key in either place.
      return [
        ...usualDescriptors(opened.key, options),
        ...(opened.key.depth === 0 ? descriptorsBelow(opened.key) : []),
      ];
  }
}
