import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import type { Descriptor } from '../../core/descriptors/types.ts';
import { BtcError } from '../../core/errors.ts';
import { type HeldKey, heldKeyFrom, heldKeyOf } from '../../core/holder/heldKey.ts';
import type { OfferedWallet } from '../../core/holder/heldWallets.ts';
import { resolveNetwork } from '../../core/network/networks.ts';
import type { AccountParts } from '../account/account.ts';
import {
  accountPartsFromExtended,
  accountPartsFromMaster,
  accountPartsFromSecret,
  descriptorsBelow,
  type KeyAccountOptions,
  usualDescriptors,
  usualName,
} from '../account/accountKeys.ts';
import type { OpenedKey } from './openKeys.ts';

/** Electrum's addresses: right below the master key, or below its first hardened child. @see Electrum `keystore.from_seed` */
const ELECTRUM = {
  standard: { path: 'm/<0;1>/*', purpose: 44 },
  segwit: { path: 'm/0h', purpose: 84 },
} as const;

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

/** Lists the wallets that a key usually has: a restored wallet looks there. `from` names the key in their names. */
export function usualWallets(opened: OpenedKey, from: string, options: KeyAccountOptions): readonly OfferedWallet[] {
  return usualOf(opened, options).map((descriptor) => ({ descriptor, name: `${from}, ${usualName(descriptor)}` }));
}

function usualOf(opened: OpenedKey, options: KeyAccountOptions): readonly Descriptor[] {
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
