import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidParameter } from '../../../answers/method/errorCodes.ts';
import { bool, int32, optional, string } from '../../../answers/method/parameters.ts';
import { list } from '../../../answers/method/results.ts';
import { countEntries, recordsLabelled } from '../../wallet/queries/entryCounts.ts';
import { latestRecords } from '../../wallet/records/recordIndex.ts';
import type { WalletContext } from '../context.ts';
import { walletMethod } from '../context.ts';
import { watchFilter } from '../walletArguments.ts';
import type { EntryDraft } from './listEntries.ts';
import { type EntryOptions, listEntries, transactionEntryResult } from './listEntries.ts';

const LABEL = string('label', 'lists only received outputs with this label; "*" lists all entries', { default: '"*"' });

export const listtransactions = walletMethod({
  name: 'listtransactions',
  checksLate: true,
  about: `Lists the latest transactions of the wallet, the oldest of them first, with one entry for each output sent or
received.`,
  params: [
    lasting(optional({ ...LABEL, aliases: ['dummy'] }), { until: 'core-0.21' }),
    lasting(optional(LABEL), { since: 'core-29' }),
    optional(int32('count', 'the number of entries'), 10),
    optional(int32('skip', 'the number of latest entries to leave out'), 0),
    optional(
      bool('include_watchonly', 'whether to list watch-only entries (0.21); default true for watch-only wallets'),
    ),
  ],
  result: list(transactionEntryResult, 'for each output sent or received'),
  examples: ["listtransactions '*' 20 100"],
  run: (args, context) => {
    const label = labelFilter(args.label);
    const count = args.count;
    const skip = args.skip;
    const filter = watchFilter(args.include_watchonly, context);
    if (count < 0) throw invalidParameter('Negative count');
    if (skip < 0) throw invalidParameter('Negative from');
    const options: EntryOptions = { filter, minDepth: 0, includesChange: false, label, trusted: new Map() };
    return latestEntries({ count, skip }, options, context);
  },
});

/** Returns `undefined` for all labels. */
function labelFilter(label = '*'): string | undefined {
  if (label === '') throw invalidParameter('Label argument must be a valid label name or "*".');
  return label === '*' ? undefined : label;
}

/** Walks back from the latest record, since Core reverses the order within a transaction, too. */
function latestEntries(
  { count, skip }: { readonly count: number; readonly skip: number },
  options: EntryOptions,
  context: WalletContext,
): readonly EntryDraft[] {
  const { wallet } = context;
  const { label } = options;
  const records = label === undefined ? latestRecords(wallet) : [...recordsLabelled(wallet, label)].reverse();
  const latest: EntryDraft[] = [];
  /** Entries still to leave out. */
  let toSkip = skip;
  for (const record of records) {
    if (latest.length >= toSkip + count) break;
    const entries = label === undefined && toSkip > 0 ? countEntries(wallet, record, options.filter) : 0;
    if (entries > 0 && latest.length + entries <= toSkip) toSkip -= entries;
    else latest.push(...listEntries(record, options, context));
  }
  return latest.slice(toSkip, toSkip + count).reverse();
}
