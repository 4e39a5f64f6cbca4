import { compareUtf8 } from '../../bytes/utf8.ts';
import { RpcError } from '../../errors.ts';
import { walletMethodRules } from '../../generations.ts';
import { formatTxid } from '../../tx/txid.ts';
import { labelledEntries } from '../../wallet/addressBook.ts';
import { destinationOrder } from '../../wallet/destinationOrder.ts';
import { bookEntryOf, type Filter, isMine, matches, ownershipOf } from '../../wallet/ownership.ts';
import { type Received, type ReceivedQuery, receivedBy } from '../../wallet/received.ts';
import type { BookEntry } from '../../wallet/walletState.ts';
import { addressText, parseAddressOf } from '../addressArgument.ts';
import { readValue } from '../argumentValues.ts';
import { RPC_WALLET_ERROR } from '../errorCodes.ts';
import { keepExact, toCoins } from '../json/exactAmounts.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import type { ReceivedByAddressJson, ReceivedJson } from '../views/walletJsonTypes.ts';
import { viewOf, type WalletContext, type WalletMethod } from './context.ts';
import { IMMATURE } from './getreceived.ts';
import { boolArg, filterArg, INCLUDE_WATCHONLY, int32Arg, MINCONF } from './walletArguments.ts';

const INCLUDE_EMPTY = { name: 'include_empty', type: 'bool', isOptional: true } as const;

/** @see Bitcoin Core `listreceivedbyaddress` */
export const listreceivedbyaddress: WalletMethod<readonly ReceivedByAddressJson[]> = {
  name: 'listreceivedbyaddress',
  needs: 'wallet',
  params: [
    MINCONF,
    INCLUDE_EMPTY,
    INCLUDE_WATCHONLY,
    { name: 'address_filter', type: 'string', isOptional: true },
    IMMATURE,
  ],
  checksLate: true,
  help: `Lists the totals that the labelled addresses of the wallet have ever received.

Arguments:
1. minconf                      (number, optional, default 1) counts only transactions with at least this many confirmations
2. include_empty                (bool, optional, default false) whether to list addresses that received nothing
3. include_watchonly            (bool, optional) whether to list watch-only addresses (0.21); default true for watch-only
                                wallets
4. address_filter               (string, optional) lists only this address
5. include_immature_coinbase    (bool, optional, default false) whether to count coinbases that are too young; core-31 only

Result:
[ { "address", "amount", "confirmations", "label", "txids" }, ... ]

Examples:
> countersign listreceivedbyaddress 6 true`,
  run: (args, context) => {
    const { minDepth, includesEmpty, filter } = commonArguments(args, context);
    const address = addressFilter(args, context);
    const query = { minDepth, includesImmature: boolArg(args[4], false, context) };
    return receipts({ ...query, includesEmpty, filter }, address, context).map(
      ({ label, entry, received, watches }) => {
        const { amount = 0n, depth = 0, txids = [] } = received ?? {};
        const element = {
          ...watches,
          address: addressText(entry.script, context) ?? '',
          amount: toCoins(amount),
          confirmations: depth,
          label,
          txids: txids.map(formatTxid),
        };
        return keepExact(element, 'amount', amount);
      },
    );
  },
};

/** @see Bitcoin Core `listreceivedbylabel` */
export const listreceivedbylabel: WalletMethod<readonly ReceivedJson[]> = {
  name: 'listreceivedbylabel',
  needs: 'wallet',
  params: [MINCONF, INCLUDE_EMPTY, INCLUDE_WATCHONLY, IMMATURE],
  checksLate: true,
  help: `Lists the totals that the wallet's addresses have ever received, by label.

Arguments:
1. minconf                      (number, optional, default 1) counts only transactions with at least this many confirmations
2. include_empty                (bool, optional, default false) whether to list labels whose addresses received nothing
3. include_watchonly            (bool, optional) whether to list watch-only addresses (0.21); default true for watch-only
                                wallets
4. include_immature_coinbase    (bool, optional, default false) whether to count coinbases that are too young; core-31 only

Result:
[ { "amount", "confirmations", "label" }, ... ]

Examples:
> countersign listreceivedbylabel`,
  run: (args, context) => {
    const { minDepth, includesEmpty, filter } = commonArguments(args, context);
    const query = { minDepth, includesImmature: boolArg(args[3], false, context) };
    const byLabel = new Map<string, { amount: bigint; depth: number; watches: Receipt['watches'] }>();
    for (const { label, received, watches } of receipts({ ...query, includesEmpty, filter }, undefined, context)) {
      const { amount = 0n, depth = Number.POSITIVE_INFINITY } = received ?? {};
      const sum = byLabel.get(label) ?? { amount: 0n, depth };
      // Core keeps what it finds out about the last address.
      byLabel.set(label, { amount: sum.amount + amount, depth: Math.min(sum.depth, depth), watches });
    }
    const sorted = [...byLabel].sort(([a], [b]) => compareUtf8(a, b));
    return sorted.map(([label, { amount, depth, watches }]) => {
      const confirmations = Number.isFinite(depth) ? depth : 0;
      return keepExact({ ...watches, amount: toCoins(amount), confirmations, label }, 'amount', amount);
    });
  },
};

interface Selection extends ReceivedQuery {
  readonly includesEmpty: boolean;
  readonly filter: Filter;
}

/** @throws RpcError -1, -3 */
const commonArguments = (
  [minconf, empty, watchonly]: readonly (JsonValue | undefined)[],
  context: WalletContext,
): Pick<Selection, 'minDepth' | 'includesEmpty' | 'filter'> => ({
  minDepth: int32Arg(minconf, 1, context),
  includesEmpty: boolArg(empty, false, context),
  filter: filterArg(watchonly, context),
});

/** @returns the script of the address, if one is given @throws RpcError -1, -3, -4 */
function addressFilter(args: readonly (JsonValue | undefined)[], context: WalletContext): Uint8Array | undefined {
  const { dialect } = context;
  const value = args[3];
  if (!value) return undefined;
  const { takesEmptyAddresses } = walletMethodRules[dialect.generation];
  if (takesEmptyAddresses && value.type === 'null') return undefined;
  const text = readValue(value, 'string', dialect).value;
  if (takesEmptyAddresses && text === '') return undefined;
  const script = parseAddressOf(text, context);
  if (script) return script;
  throw new RpcError(RPC_WALLET_ERROR, 'address_filter parameter was invalid');
}

/** A labelled address and the payments to it. */
interface Receipt {
  readonly label: string;
  readonly entry: BookEntry;
  readonly received: Received | undefined;
  readonly watches: { readonly involvesWatchonly?: true };
}

/** Lists what labelled addresses received, in the order of the addresses. @see Bitcoin Core `ListReceived` */
function receipts(selection: Selection, address: Uint8Array | undefined, context: WalletContext): readonly Receipt[] {
  const { wallet, dialect } = context;
  const view = viewOf(context);
  const { listsOnlyOwnEmpty } = walletMethodRules[dialect.generation];
  const found: Receipt[] = [];
  for (const [label, entry] of entriesFor(address, context)) {
    const isOurs = matches(wallet, entry.script, selection.filter);
    const received = isOurs ? receivedBy(view, entry.script, selection) : undefined;
    if (!received && !(selection.includesEmpty && (!listsOnlyOwnEmpty || isMine(wallet, entry.script)))) continue;
    const isWatched = received !== undefined && ownershipOf(wallet, entry.script) === 'watched';
    found.push({ label, entry, received, watches: isWatched ? { involvesWatchonly: true } : {} });
  }
  const compare = destinationOrder(dialect.templates);
  return found.sort((a, b) => compare(a.entry.script, b.entry.script));
}

function entriesFor(
  address: Uint8Array | undefined,
  { wallet }: WalletContext,
): Iterable<readonly [label: string, entry: BookEntry]> {
  if (!address) return labelledEntries(wallet);
  const entry = bookEntryOf(wallet, address);
  return entry?.label === undefined ? [] : [[entry.label, entry]];
}
