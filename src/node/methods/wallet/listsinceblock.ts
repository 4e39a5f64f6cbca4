import { parseTxidArgument } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { RPC_INVALID_ADDRESS_OR_KEY, RPC_INVALID_PARAMETER } from '../../../answers/method/errorCodes.ts';
import { bool, hexString, int32, optional, string } from '../../../answers/method/parameters.ts';
import { type Answer, hex, likeAnswer, list, maybe, members } from '../../../answers/method/results.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { RpcError } from '../../../core/errors.ts';
import { blockKey } from '../../chain/blockHeader.ts';
import { activeBlock, findFork, inactiveBranch, txsInBlock } from '../../chain/chainState.ts';
import type { ChainBlock } from '../../chain/types.ts';
import { countEntries } from '../../wallet/queries/entryCounts.ts';
import { recentRecords } from '../../wallet/records/recordIndex.ts';
import type { WalletTx } from '../../wallet/records/walletTx.ts';
import { type WalletContext, walletMethod } from '../context.ts';
import { inOrder, recordsInOrder } from '../recordOrder.ts';
import { parseLabel } from '../walletArguments.ts';
import type { EntryDraft } from './listEntries.ts';
import { type EntryOptions, listEntries, transactionEntryResult } from './listEntries.ts';

const entriesResult = likeAnswer('listtransactions', list(transactionEntryResult));

const sinceBlockResult = members({
  transactions: entriesResult,
  removed: maybe({ ...entriesResult, about: 'of transactions in disconnected blocks' }),
  lastblock: hex('the block to pass in the next call'),
});

/** The answer of `listsinceblock`. */
export type SinceBlockJson = Answer<typeof sinceBlockResult>;

/** Less than any depth. */
const ANY_DEPTH = -100_000_000;

export const listsinceblock = walletMethod({
  name: 'listsinceblock',
  checksLate: true,
  about: "Lists the wallet's transactions in the blocks after a given block, and those in no block.",
  params: [
    optional(hexString('blockhash', 'the hash of the block; by default, lists all transactions')),
    optional(int32('target_confirmations', 'the confirmations of the block to return as "lastblock"'), 1),
    optional(bool('include_watchonly', 'whether to list watch-only entries; default true for watch-only wallets')),
    optional(bool('include_removed', 'whether to list transactions of blocks since disconnected'), true),
    lasting(optional(bool('include_change', 'whether to list change'), false), { since: 'core-29' }),
    lasting(optional(string('label', 'lists only received outputs with this label')), { since: 'core-29' }),
  ],
  result: sinceBlockResult,
  examples: ['listsinceblock 00000000000000000001... 6'],
  run: (args, context) => {
    const { wallet, node } = context;
    const { chain } = node;
    const since = findBlock(args.blockhash, context);
    const confirmations = args.target_confirmations;
    if (confirmations < 1) throw new RpcError(RPC_INVALID_PARAMETER, 'Invalid parameter');
    const watches = args.include_watchonly ?? wallet.row.disablesPrivateKeys;
    const includesRemoved = args.include_removed;
    const options: EntryOptions = {
      filter: watches ? 'all' : 'own',
      minDepth: 0,
      includesChange: args.include_change,
      label: args.label === undefined ? undefined : parseLabel(args.label),
      trusted: new Map(),
    };
    const fork = since && findFork(chain, since);
    const selected = fork ? recordsAfter(fork, options, context) : recordsInOrder(context);
    const last = wallet.row.tip.height + 1 - Math.min(confirmations, wallet.row.tip.height + 1);
    return {
      transactions: [...selected].flatMap((record) => listEntries(record, options, context)),
      ...(includesRemoved && { removed: since ? removedEntries(since, options, context) : [] }),
      lastblock: formatReversedHex(activeBlock(chain, last).hash),
    };
  },
});

function recordsAfter(fork: ChainBlock, options: EntryOptions, context: WalletContext): readonly WalletTx[] {
  const { wallet } = context;
  const { filter, includesChange, label } = options;
  const recent = recentRecords(wallet, wallet.row.tip.height + 1 - fork.height);
  if (includesChange || label !== undefined) return inOrder(recent, context);
  return inOrder(
    recent.filter((record) => countEntries(wallet, record, filter) > 0),
    context,
  );
}

function findBlock(text: string | undefined, { node }: WalletContext): ChainBlock | undefined {
  if (text === undefined || text === '') return undefined;
  const block = node.chain.blocks.get(blockKey(parseTxidArgument('blockhash', text)));
  if (block) return block;
  throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Block not found');
}

/** Lists the entries of the blocks from `since` back to the fork. */
function removedEntries(since: ChainBlock, options: EntryOptions, context: WalletContext): readonly EntryDraft[] {
  const { wallet, node } = context;
  const entries: EntryDraft[] = [];
  for (const block of inactiveBranch(node.chain, since)) {
    for (const { key } of txsInBlock(node.chain, block)) {
      const record = wallet.records.get(key);
      if (record) entries.push(...listEntries(record, { ...options, minDepth: ANY_DEPTH }, context));
    }
  }
  return entries;
}
