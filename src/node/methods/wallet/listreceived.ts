import { addressText, tryParseAddress } from '../../../answers/arguments/addressArgument.ts';
import { readValue } from '../../../answers/arguments/argumentValues.ts';
import type { RpcContext } from '../../../answers/dialect/dialect.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { RPC_WALLET_ERROR } from '../../../answers/method/errorCodes.ts';
import { bool, optional, reading, string } from '../../../answers/method/parameters.ts';
import { amount, flag, hex, list, maybe, members, numeric, text } from '../../../answers/method/results.ts';
import { compareUtf8 } from '../../../core/bytes/utf8.ts';
import { RpcError } from '../../../core/errors.ts';
import { formatTxid } from '../../../core/tx/txid.ts';
import { destinationOrder } from '../../wallet/queries/destinationOrder.ts';
import { type Filter, findBookEntry, findOwnership, isMine, matches } from '../../wallet/queries/ownership.ts';
import { type Received, type ReceivedQuery, receivedBy } from '../../wallet/queries/received.ts';
import { labelledEntries } from '../../wallet/records/addressBook.ts';
import type { BookEntry } from '../../wallet/records/walletState.ts';
import { createView, type WalletContext, walletMethod } from '../context.ts';
import { RECEIVED_PARAMS, watchFilter } from '../walletArguments.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

const receivedMembers = {
  amount: amount(),
  confirmations: numeric('the fewest of its transactions; 0 without any'),
  label: text(),
};

const watchesMember = { involvesWatchonly: maybe(flag(), { until: 'core-0.21' }) };

const receivedResult = members({ ...watchesMember, ...receivedMembers });

const receivedByAddressResult = members({
  ...watchesMember,
  address: text(),
  ...receivedMembers,
  txids: list(hex(), 'one for each output'),
});

const [MINCONF, INCLUDE_IMMATURE_COINBASE] = RECEIVED_PARAMS;
const INCLUDE_WATCHONLY = optional(
  bool('include_watchonly', 'whether to list watch-only addresses (0.21); default true for watch-only wallets'),
);

const ADDRESS_FILTER = optional(reading(string('address_filter', 'lists only this address'), parseAddressFilter));

export const listreceivedbyaddress = walletMethod({
  name: 'listreceivedbyaddress',
  checksLate: true,
  about: 'Lists the totals that the labelled addresses of the wallet have ever received.',
  params: [
    MINCONF,
    optional(bool('include_empty', 'whether to list addresses that received nothing'), false),
    INCLUDE_WATCHONLY,
    ADDRESS_FILTER,
    INCLUDE_IMMATURE_COINBASE,
  ],
  result: list(receivedByAddressResult),
  examples: ['listreceivedbyaddress 6 true'],
  run: (args, context) => {
    const { minconf: minDepth, include_empty: includesEmpty } = args;
    const filter = watchFilter(args.include_watchonly, context);
    const address = args.address_filter;
    const query = { minDepth, includesImmature: args.include_immature_coinbase };
    return receipts({ ...query, includesEmpty, filter }, address, context).map(
      ({ label, entry, received, watches }) => {
        const { amount = 0n, depth = 0, txids = [] } = received ?? {};
        return {
          ...watches,
          address: addressText(entry.script, context) ?? '',
          amount,
          confirmations: depth,
          label,
          txids: txids.map(formatTxid),
        };
      },
    );
  },
});

export const listreceivedbylabel = walletMethod({
  name: 'listreceivedbylabel',
  checksLate: true,
  about: "Lists the totals that the wallet's addresses have ever received, by label.",
  params: [
    MINCONF,
    optional(bool('include_empty', 'whether to list labels whose addresses received nothing'), false),
    INCLUDE_WATCHONLY,
    INCLUDE_IMMATURE_COINBASE,
  ],
  result: list(receivedResult),
  examples: ['listreceivedbylabel'],
  run: (args, context) => {
    const { minconf: minDepth, include_empty: includesEmpty } = args;
    const filter = watchFilter(args.include_watchonly, context);
    const query = { minDepth, includesImmature: args.include_immature_coinbase };
    const byLabel = new Map<string, { amount: bigint; depth: number; watches: Receipt['watches'] }>();
    for (const { label, received, watches } of receipts({ ...query, includesEmpty, filter }, undefined, context)) {
      const { amount = 0n, depth = Number.POSITIVE_INFINITY } = received ?? {};
      const sum = byLabel.get(label) ?? { amount: 0n, depth };
      // Core shows this member as of the last address.
      byLabel.set(label, { amount: sum.amount + amount, depth: Math.min(sum.depth, depth), watches });
    }
    const sorted = [...byLabel].sort(([a], [b]) => compareUtf8(a, b));
    return sorted.map(([label, { amount, depth, watches }]) => {
      const confirmations = Number.isFinite(depth) ? depth : 0;
      return { ...watches, amount, confirmations, label };
    });
  },
});

interface Selection extends ReceivedQuery {
  readonly includesEmpty: boolean;
  readonly filter: Filter;
}

function parseAddressFilter(value: JsonValue | undefined, context: RpcContext): Uint8Array | undefined {
  const { dialect } = context;
  if (!value) return undefined;
  const { takesEmptyAddresses } = walletMethodRules[dialect.generation];
  if (takesEmptyAddresses && value.type === 'null') return undefined;
  const text = readValue(value, 'string', dialect).value;
  if (takesEmptyAddresses && text === '') return undefined;
  const script = tryParseAddress(text, context);
  if (script) return script;
  throw new RpcError(RPC_WALLET_ERROR, 'address_filter parameter was invalid');
}

interface Receipt {
  readonly label: string;
  readonly entry: BookEntry;
  readonly received: Received | undefined;
  readonly watches: { readonly involvesWatchonly?: true };
}

/** @see Bitcoin Core `ListReceived` */
function receipts(selection: Selection, address: Uint8Array | undefined, context: WalletContext): readonly Receipt[] {
  const { wallet, dialect } = context;
  const view = createView(context);
  const { listsOnlyOwnEmpty } = walletMethodRules[dialect.generation];
  const collected: Receipt[] = [];
  for (const [label, entry] of entriesFor(address, context)) {
    const isOurs = matches(wallet, entry.script, selection.filter);
    const received = isOurs ? receivedBy(view, entry.script, selection) : undefined;
    if (!received && !(selection.includesEmpty && (!listsOnlyOwnEmpty || isMine(wallet, entry.script)))) continue;
    const isWatched = received !== undefined && findOwnership(wallet, entry.script) === 'watched';
    collected.push({ label, entry, received, watches: isWatched ? { involvesWatchonly: true } : {} });
  }
  const compare = destinationOrder(dialect.templates);
  return collected.sort((a, b) => compare(a.entry.script, b.entry.script));
}

function entriesFor(
  address: Uint8Array | undefined,
  { wallet }: WalletContext,
): Iterable<readonly [label: string, entry: BookEntry]> {
  if (!address) return labelledEntries(wallet);
  const entry = findBookEntry(wallet, address);
  return entry?.label === undefined ? [] : [[entry.label, entry]];
}
