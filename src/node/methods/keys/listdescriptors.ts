import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { walletError } from '../../../answers/method/errorCodes.ts';
import { bool, optional } from '../../../answers/method/parameters.ts';
import {
  type Answer,
  flag,
  list,
  maybe,
  members,
  numeric,
  text,
  time,
  tuple,
} from '../../../answers/method/results.ts';
import { bytesKey } from '../../../core/bytes/compare.ts';
import { keyExpressions } from '../../../core/descriptors/keyExpressions.ts';
import type { KeyExpression } from '../../../core/descriptors/types.ts';
import type { OwnedDescriptor } from '../../wallet/keys/ownedDescriptor.ts';
import { assertUnlocked, walletMethod } from '../context.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

const listedDescriptorResult = members({
  desc: text(),
  timestamp: time('of its first possible payment'),
  active: flag('whether new addresses come from it'),
  internal: maybe(flag('whether they are for change')),
  range: maybe(tuple([numeric(), numeric()], 'the first and the last index')),
  next: maybe(numeric('the next index to use')),
  next_index: maybe(numeric('the same')),
});

/** A descriptor in `listdescriptors`. */
export type ListedDescriptorJson = Answer<typeof listedDescriptorResult>;

const listedDescriptorsResult = members({ wallet_name: text(), descriptors: list(listedDescriptorResult) });

/** The answer of `listdescriptors`. */
export type ListedDescriptorsJson = Answer<typeof listedDescriptorsResult>;

export const listdescriptors = lasting(
  walletMethod({
    name: 'listdescriptors',
    checksLate: true,
    about: "Lists the wallet's descriptors.",
    params: [optional(bool('private', 'whether to show private keys'), false)],
    result: listedDescriptorsResult,
    examples: ['listdescriptors'],
    run: (args, context) => {
      const { wallet } = context;
      const { descriptors } = wallet;
      if (!descriptors) throw walletError('listdescriptors is not available for non-descriptor wallets');
      const isPrivate = args.private;
      const { listsPartialKeys } = walletMethodRules[context.dialect.generation];
      if (isPrivate && listsPartialKeys && wallet.row.disablesPrivateKeys)
        throw walletError("Can't get private descriptor string for watch-only wallets");
      if (isPrivate) assertUnlocked(wallet);
      if (isPrivate && !listsPartialKeys && descriptors.descriptors().some(lacksKeys))
        throw walletError("Can't get descriptor string.");
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
      return { wallet_name: wallet.row.name, descriptors: listed.sort((a, b) => (a.desc < b.desc ? -1 : 1)) };
    },
  }),
  { since: 'core-29' },
);

function lacksKeys({ source, held }: OwnedDescriptor): boolean {
  const isHeld = (key: KeyExpression): boolean =>
    key.kind === 'musig'
      ? key.participants.some(isHeld)
      : held.has(bytesKey(key.kind === 'extended' ? key.key.publicKey : key.publicKey));
  return !keyExpressions(source.descriptor).every(isHeld);
}
