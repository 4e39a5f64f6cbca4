import { addressGroups, type GroupedAddress } from '../../wallet/addressGroups.ts';
import { destinationOrder } from '../../wallet/destinationOrder.ts';
import { bookEntryOf } from '../../wallet/ownership.ts';
import { addressText } from '../addressArgument.ts';
import { markAmount, toCoins } from '../json/exactAmounts.ts';
import type { GroupedAddressJson } from '../views/walletJsonTypes.ts';
import { viewOf, type WalletContext, walletMethod } from './context.ts';

/** @see Bitcoin Core `listaddressgroupings` */
export const listaddressgroupings = walletMethod({
  name: 'listaddressgroupings',
  about: `Lists groups of addresses that others can tell to belong to one wallet, because a transaction spends from them
together or pays its change to them.`,
  params: [],
  result: '[ [ [ "address", balance in coins, "label" ], ... ], ... ]',
  examples: ['listaddressgroupings'],
  run: (_, context): readonly (readonly GroupedAddressJson[])[] => {
    const compare = destinationOrder(context.dialect.templates);
    const byScript = (a: GroupedAddress, b: GroupedAddress): number => compare(a.script, b.script);
    const groups = addressGroups(viewOf(context)).map((group) => [...group].sort(byScript));
    const byFirst = groups.sort(([a], [b]) => (a && b ? byScript(a, b) : 0));
    return byFirst.map((group) => group.map((address) => elementOf(address, context)));
  },
});

function elementOf({ script, balance }: GroupedAddress, context: WalletContext): GroupedAddressJson {
  const address = addressText(script, context) ?? '';
  const label = bookEntryOf(context.wallet, script)?.label;
  return markAmount(label === undefined ? [address, toCoins(balance)] : [address, toCoins(balance), label], 1, balance);
}
