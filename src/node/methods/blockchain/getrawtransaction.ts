import { hash } from '../../../answers/arguments/outpointArgument.ts';
import { RPC_INVALID_ADDRESS_OR_KEY, RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { optional } from '../../../answers/method/parameters.ts';
import type { Draft } from '../../../answers/method/results.ts';
import { chosenBy, hex, when } from '../../../answers/method/results.ts';
import { detailedTransactionDraft } from '../../../answers/views/transactionJson.ts';
import { foundSpendingResult, foundTransactionResult } from '../../../answers/views/transactionResults.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { RpcError } from '../../../core/errors.ts';
import { encodeTransaction } from '../../../core/tx/codec.ts';
import { txKey } from '../../../core/tx/txid.ts';
import type { TxKey } from '../../../core/tx/types.ts';
import { sizeOfWeight } from '../../../core/tx/weight.ts';
import { blockKey } from '../../chain/blockHeader.ts';
import { isActive, txsInBlock } from '../../chain/chainState.ts';
import type { ChainBlock, ChainTx, PoolEntry } from '../../chain/types.ts';
import type { NodeContext } from '../context.ts';
import { nodeMethod } from '../context.ts';
import { verbosity } from './blockArguments.ts';
import { countConfirmations, detailsIn } from './blockJson.ts';

export const getrawtransaction = nodeMethod({
  name: 'getrawtransaction',
  category: 'rawtransactions',
  checksLate: true,
  about: 'Returns a transaction of the mempool, or of a block.',
  params: [
    hash('txid', 'the transaction id', { shown: 'parameter 1' }),
    verbosity(0, '0 for hex, 1 for JSON, 2 for the fee and the coins that it spends, too (since core-29)'),
    optional(hash('blockhash', 'the block to look in, rather than the mempool', { shown: 'parameter 3' })),
  ],
  result: chosenBy(
    'verbosity',
    when([0, false, undefined], hex()),
    when([1, true], foundTransactionResult),
    when([2], foundSpendingResult),
  ),
  examples: ['getrawtransaction b56862e91da29eadd13d6ca1ded756ed... 1'],
  run: (args, context) => {
    const { txid } = args;
    assertOrdinary(txid, context);
    const { verbosity: level } = args;
    const named = blockNamed(args.blockhash, context);
    const found = named ? minedIn(named, txKey(txid), context) : findTransaction(txKey(txid), context);
    if (!found) throw notFound(named, context);
    if (level <= 0) return encodeTransaction(found.entry.tx);
    return found.block
      ? minedDraft(found.entry, { block: found.block, isNamed: named !== undefined, verbosity: level }, context)
      : pooledDraft(found.entry, context);
  },
});

function assertOrdinary(txid: Uint8Array, { network }: NodeContext): void {
  if (formatReversedHex(txid) !== network.genesis?.header?.merkleRoot) return;
  throw new RpcError(
    RPC_INVALID_ADDRESS_OR_KEY,
    'The genesis block coinbase is not considered an ordinary transaction and cannot be retrieved',
  );
}

function blockNamed(hash: Uint8Array | undefined, { node }: NodeContext): ChainBlock | undefined {
  if (!hash) return undefined;
  const block = node.chain.blocks.get(blockKey(hash));
  if (block) return block;
  throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Block hash not found');
}

/** A transaction of the mempool, or of a block. */
type FoundTransaction = { readonly entry: PoolEntry; readonly block?: undefined } | MinedTransaction;

interface MinedTransaction {
  readonly entry: ChainTx;
  readonly block: ChainBlock;
}

/**
 * Finds a transaction in the mempool, or else by the index in the active chain.
 * @see Bitcoin Core `GetTransaction`
 */
export function findTransaction(key: TxKey, context: NodeContext): FoundTransaction | undefined {
  const pooled = context.node.chain.mempool.get(key);
  if (pooled) return { entry: pooled };
  const block = context.indexes.txs?.find(key);
  return block && minedIn(block, key, context);
}

function minedIn(block: ChainBlock, key: TxKey, { node: { chain } }: NodeContext): MinedTransaction | undefined {
  if (block.height > 0 && !chain.bodies.has(block.key)) throw new RpcError(RPC_MISC_ERROR, 'Block not available');
  const entry = txsInBlock(chain, block).find((tx) => tx.key === key);
  return entry && { entry, block };
}

const ADVICE = 'Use gettransaction for wallet transactions.';

const notFound = (block: ChainBlock | undefined, { indexes }: NodeContext): RpcError =>
  new RpcError(
    RPC_INVALID_ADDRESS_OR_KEY,
    block
      ? `No such transaction found in the provided block. ${ADVICE}`
      : indexes.txs
        ? `No such mempool or blockchain transaction. ${ADVICE}`
        : `No such mempool transaction. Use -txindex or provide a block hash to enable blockchain transaction queries. ${ADVICE}`,
  );

type FoundDraft = Draft<typeof foundSpendingResult>;

function minedDraft(
  entry: ChainTx,
  { block, isNamed, verbosity }: { readonly block: ChainBlock; readonly isNamed: boolean; readonly verbosity: number },
  context: NodeContext,
): FoundDraft {
  const { node } = context;
  const isShown = isActive(node.chain, block);
  const isDetailed = verbosity >= 2;
  return {
    in_active_chain: isNamed ? isShown : undefined,
    ...(isDetailed
      ? detailsIn(block, { showsSpent: true }, context)(entry)
      : detailedTransactionDraft(entry, {}, context)),
    blockhash: formatReversedHex(block.hash),
    confirmations: isShown ? countConfirmations(node, block) : 0,
    ...(isShown && { time: block.time, blocktime: block.time }),
  };
}

function pooledDraft(entry: PoolEntry, context: NodeContext): FoundDraft {
  return {
    vsize_adjusted: sizeOfWeight(entry.policyWeight),
    ...detailedTransactionDraft(entry, {}, context),
  };
}
