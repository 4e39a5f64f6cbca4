import { readOptional } from '../argumentValues.ts';
import { walletError } from '../errorCodes.ts';
import type { ListedDescriptorJson, ListedDescriptorsJson } from '../views/walletJsonTypes.ts';
import { assertUnlocked, type WalletMethod } from './context.ts';

/** @see Bitcoin Core `listdescriptors` */
export const listdescriptors: WalletMethod<ListedDescriptorsJson> = {
  name: 'listdescriptors',
  needs: 'wallet',
  onlyIn: 'core-31',
  params: [{ name: 'private', type: 'bool', isOptional: true }],
  checksLate: true,
  help: `Lists the wallet's descriptors.

Arguments:
1. private    (bool, optional, default false) whether to show private keys

Result:
wallet_name, descriptors: [ { "desc", "timestamp", "active", "internal", "range", "next", "next_index" }, ... ]

Examples:
> countersign listdescriptors`,
  run: (args, context) => {
    const { wallet, dialect } = context;
    const { descriptors } = wallet;
    if (!descriptors) throw walletError('listdescriptors is not available for non-descriptor wallets');
    const isPrivate = readOptional(args[0], 'bool', dialect)?.value ?? false;
    if (isPrivate && wallet.disablesPrivateKeys)
      throw walletError("Can't get private descriptor string for watch-only wallets");
    if (isPrivate) assertUnlocked(wallet);
    const listed = descriptors.descriptors().map((descriptor): ListedDescriptorJson => {
      const { timestamp, first, end, next } = descriptor.source;
      const side = descriptors.sideOf(descriptor);
      return {
        desc: isPrivate ? descriptors.privateText(descriptor) : descriptor.text,
        timestamp,
        active: side !== undefined,
        ...(side && { internal: side === 'internal' }),
        ...(descriptor.isRanged && { range: [first, end - 1] as const, next, next_index: next }),
      };
    });
    return { wallet_name: wallet.name, descriptors: listed.sort((a, b) => (a.desc < b.desc ? -1 : 1)) };
  },
};
