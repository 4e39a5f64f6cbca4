import { bytesKey } from '../../bytes/compare.ts';
import { formatReversedHex } from '../../bytes/hex.ts';
import { activeBlock, branchOf, forkOf, txsOf } from '../../chain/chainState.ts';
import type { ChainBlock } from '../../chain/types.ts';
import { RpcError } from '../../errors.ts';
import { entryCounter } from '../../wallet/entryCounts.ts';
import { recentRecords } from '../../wallet/recordIndex.ts';
import type { WalletTx } from '../../wallet/walletState.ts';
import { parseInt32, parseTxidArgument, readOptional } from '../argumentValues.ts';
import { RPC_INVALID_ADDRESS_OR_KEY, RPC_INVALID_PARAMETER, RPC_WALLET_INVALID_LABEL_NAME } from '../errorCodes.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import { inOrder, recordsInOrder, type WalletContext, type WalletMethod } from './context.ts';
import { type EntryJson, type EntryOptions, listEntries } from './listEntries.ts';

interface SinceJson {
  readonly transactions: readonly EntryJson[];
  readonly removed?: readonly EntryJson[];
  readonly lastblock: string;
}

/** Less than any depth, so that it selects every entry. */
const ANY_DEPTH = -100_000_000;

/** @see Bitcoin Core `listsinceblock` */
export const listsinceblock: WalletMethod<SinceJson> = {
  name: 'listsinceblock',
  needs: 'wallet',
  params: [
    { name: 'blockhash', type: 'string', isOptional: true },
    { name: 'target_confirmations', type: 'number', isOptional: true },
    { name: 'include_watchonly', type: 'bool', isOptional: true },
    { name: 'include_removed', type: 'bool', isOptional: true },
    { name: 'include_change', type: 'bool', isOptional: true, since: 'core-31' },
    { name: 'label', type: 'string', isOptional: true, since: 'core-31' },
  ],
  checksLate: true,
  help: `Lists the wallet's transactions in the blocks after a given block, and those in no block.

Arguments:
1. blockhash               (string, optional) the hash of the block; by default, lists all transactions
2. target_confirmations    (number, optional, default 1) the confirmations of the block to return as "lastblock"
3. include_watchonly       (bool, optional) whether to list watch-only entries; default true for watch-only wallets
4. include_removed         (bool, optional, default true) whether to list transactions of blocks since disconnected
5. include_change          (bool, optional, default false) whether to list change
6. label                   (string, optional) lists only received outputs with this label

Result:
transactions               the transactions, one entry for each output sent or received
removed                    the entries of transactions in disconnected blocks
lastblock                  the blockhash to pass in the next call

Examples:
> countersign listsinceblock 00000000000000000001... 6`,
  run: (args, context) => {
    const { wallet, node, dialect } = context;
    const { chain } = node;
    const since = blockArg(args[0], context);
    const target = readOptional(args[1], 'number', dialect);
    const confirmations = target ? parseInt32(target) : 1;
    if (confirmations < 1) throw new RpcError(RPC_INVALID_PARAMETER, 'Invalid parameter');
    const watches = readOptional(args[2], 'bool', dialect)?.value ?? wallet.disablesPrivateKeys;
    const includesRemoved = readOptional(args[3], 'bool', dialect)?.value ?? true;
    const options: EntryOptions = {
      filter: watches ? 'all' : 'own',
      minDepth: 0,
      includesChange: readOptional(args[4], 'bool', dialect)?.value ?? false,
      label: labelArg(args[5], context),
      trusted: new Map(),
    };
    const fork = since && forkOf(chain, since);
    const selected = fork ? recordsAfter(fork, options, context) : recordsInOrder(context);
    const last = wallet.tip.height + 1 - Math.min(confirmations, wallet.tip.height + 1);
    return {
      transactions: selected.flatMap((record) => listEntries(record, options, context)),
      ...(includesRemoved && { removed: since ? removedEntries(since, options, context) : [] }),
      lastblock: formatReversedHex(activeBlock(chain, last).hash),
    };
  },
};

/** Lists the transactions after a block that have entries, in the order of a node. */
function recordsAfter(fork: ChainBlock, options: EntryOptions, context: WalletContext): readonly WalletTx[] {
  const { wallet } = context;
  const { filter, includesChange, label } = options;
  const recent = recentRecords(wallet, wallet.tip.height + 1 - fork.height);
  if (includesChange || label !== undefined) return inOrder(recent, context);
  const countOf = entryCounter(wallet, filter);
  return inOrder(
    recent.filter((record) => countOf(record) > 0),
    context,
  );
}

/** @throws RpcError -1, -3, -5, -8 */
function blockArg(value: JsonValue | undefined, { node, dialect }: WalletContext): ChainBlock | undefined {
  const text = readOptional(value, 'string', dialect)?.value ?? '';
  if (text === '') return undefined;
  const block = node.chain.blocks.get(bytesKey(parseTxidArgument('blockhash', text)));
  if (block) return block;
  throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Block not found');
}

/** @throws RpcError -11 */
function labelArg(value: JsonValue | undefined, { dialect }: WalletContext): string | undefined {
  const label = readOptional(value, 'string', dialect)?.value;
  if (label !== '*') return label;
  throw new RpcError(RPC_WALLET_INVALID_LABEL_NAME, 'Invalid label name');
}

/** Returns the entries of transactions in the blocks from the given one back to the fork. */
function removedEntries(since: ChainBlock, options: EntryOptions, context: WalletContext): readonly EntryJson[] {
  const { wallet, node } = context;
  const entries: EntryJson[] = [];
  for (const block of branchOf(node.chain, since)) {
    for (const { key } of txsOf(node.chain, block)) {
      const record = wallet.records.get(key);
      if (record) entries.push(...listEntries(record, { ...options, minDepth: ANY_DEPTH }, context));
    }
  }
  return entries;
}
