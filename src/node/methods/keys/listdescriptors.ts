import { walletError } from '../../../answers/method/errorCodes.ts';
import { bool, optional } from '../../../answers/method/parameters.ts';
import { assertUnlocked, walletMethod } from '../context.ts';
import type { ListedDescriptorJson, ListedDescriptorsJson } from '../walletJsonTypes.ts';

export const listdescriptors = walletMethod({
  name: 'listdescriptors',
  onlyIn: 'core-31',
  checksLate: true,
  about: "Lists the wallet's descriptors.",
  params: [optional(bool('private', 'whether to show private keys'), false)],
  result:
    'wallet_name, descriptors: [ { "desc", "timestamp", "active", "internal", "range", "next", "next_index" }, ... ]',
  examples: ['listdescriptors'],
  run: (args, context): ListedDescriptorsJson => {
    const { wallet } = context;
    const { descriptors } = wallet;
    if (!descriptors) throw walletError('listdescriptors is not available for non-descriptor wallets');
    const isPrivate = args.private;
    if (isPrivate && wallet.disablesPrivateKeys)
      throw walletError("Can't get private descriptor string for watch-only wallets");
    if (isPrivate) assertUnlocked(wallet);
    const listed = descriptors.descriptors().map((descriptor): ListedDescriptorJson => {
      const { timestamp, first, end, next } = descriptor.source;
      const side = descriptors.findSide(descriptor);
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
});
