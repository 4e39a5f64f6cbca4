import { addressText } from '../../../answers/arguments/addressArgument.ts';
import type { Draft } from '../../../answers/method/results.ts';
import { amount, list, maybe, text, tuple } from '../../../answers/method/results.ts';
import { addressGroups, type GroupedAddress } from '../../wallet/queries/addressGroups.ts';
import { destinationOrder } from '../../wallet/queries/destinationOrder.ts';
import { findBookEntry } from '../../wallet/queries/ownership.ts';
import { createView, type WalletContext, walletMethod } from '../context.ts';

const groupedAddressResult = tuple([text(), amount(), maybe(text())]);

export const listaddressgroupings = walletMethod({
  name: 'listaddressgroupings',
  about: `Lists groups of addresses that others can tell to belong to one wallet, because a transaction spends from them
together or pays its change to them.`,
  params: [],
  result: list(list(groupedAddressResult), 'groups of addresses, each with its balance and label'),
  examples: ['listaddressgroupings'],
  run: (_, context) => {
    const compare = destinationOrder(context.dialect.templates);
    const byScript = (a: GroupedAddress, b: GroupedAddress): number => compare(a.script, b.script);
    const groups = addressGroups(createView(context)).map((group) => [...group].sort(byScript));
    const byFirst = groups.sort(([a], [b]) => (a && b ? byScript(a, b) : 0));
    return byFirst.map((group) => group.map((address) => groupedAddressDraft(address, context)));
  },
});

function groupedAddressDraft(
  { script, balance }: GroupedAddress,
  context: WalletContext,
): Draft<typeof groupedAddressResult> {
  const address = addressText(script, context) ?? '';
  const label = findBookEntry(context.wallet, script)?.label;
  return label === undefined ? [address, balance] : [address, balance, label];
}
