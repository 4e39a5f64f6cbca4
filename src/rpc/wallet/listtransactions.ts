import { entryCounter, recordsLabelled } from '../../wallet/entryCounts.ts';
import { readOptional } from '../argumentValues.ts';
import { invalidParameter } from '../errorCodes.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import type { WalletContext, WalletMethod } from './context.ts';
import { type EntryJson, type EntryOptions, listEntries } from './listEntries.ts';
import { filterArg, INCLUDE_WATCHONLY, int32Arg } from './walletArguments.ts';

/** @see Bitcoin Core `listtransactions` */
export const listtransactions: WalletMethod<readonly EntryJson[]> = {
  name: 'listtransactions',
  needs: 'wallet',
  params: [
    { name: 'label', type: 'string', isOptional: true, aliases: ['dummy'] },
    { name: 'count', type: 'number', isOptional: true },
    { name: 'skip', type: 'number', isOptional: true },
    INCLUDE_WATCHONLY,
  ],
  checksLate: true,
  help: `Lists the latest transactions of the wallet, the oldest of them first, with one entry for each output sent or
received.

Arguments:
1. label                (string, optional, default "*") lists only received outputs with this label; "*" lists all entries
2. count                (number, optional, default 10) the number of entries
3. skip                 (number, optional, default 0) the number of latest entries to leave out
4. include_watchonly    (bool, optional) whether to list watch-only entries (0.21); default true for watch-only wallets

Result:
the entries, as in listsinceblock

Examples:
> countersign listtransactions '*' 20 100`,
  run: (args, context) => {
    const label = labelFilter(args[0], context);
    const count = int32Arg(args[1], 10, context);
    const skip = int32Arg(args[2], 0, context);
    const filter = filterArg(args[3], context);
    if (count < 0) throw invalidParameter('Negative count');
    if (skip < 0) throw invalidParameter('Negative from');
    const options: EntryOptions = { filter, minDepth: 0, includesChange: false, label, trusted: new Map() };
    return latestEntries({ count, skip }, options, context);
  },
};

/** @returns `undefined` for all labels @throws RpcError -1, -3, -8 */
function labelFilter(value: JsonValue | undefined, { dialect }: WalletContext): string | undefined {
  const label = readOptional(value, 'string', dialect)?.value ?? '*';
  if (label === '') throw invalidParameter('Label argument must be a valid label name or "*".');
  return label === '*' ? undefined : label;
}

/** Lists the last entries of records, from the latest back: within a transaction, Core turns their order around, too. */
function latestEntries(
  { count, skip }: { readonly count: number; readonly skip: number },
  options: EntryOptions,
  context: WalletContext,
): readonly EntryJson[] {
  const { wallet } = context;
  const { label } = options;
  const records = label === undefined ? wallet.ordered : recordsLabelled(wallet, label);
  const countOf = entryCounter(wallet, options.filter);
  const latest: EntryJson[] = [];
  /** The entries still to leave out. */
  let left = skip;
  for (let at = records.length - 1; at >= 0 && latest.length < left + count; at -= 1) {
    const record = records[at];
    if (!record) continue;
    const entries = label === undefined ? countOf(record) : 0;
    const isLeftOut = entries > 0 && latest.length + entries <= left;
    if (isLeftOut) left -= entries;
    else if (entries > 0 || label !== undefined) latest.push(...listEntries(record, options, context));
  }
  return latest.slice(left, left + count).reverse();
}
