import { parseTxidArgument, readOptional } from '../../../answers/arguments/argumentValues.ts';
import type { Json, Members } from '../../../answers/json/jsonForm.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { RPC_INVALID_ADDRESS_OR_KEY, RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { json, of, optional, string } from '../../../answers/method/parameters.ts';
import { either, hex } from '../../../answers/method/results.ts';
import { shownMembers } from '../../../answers/method/shownMembers.ts';
import { detailedTransactionJson } from '../../../answers/views/transactionJson.ts';
import { type FoundTransactionJson, foundTransactionResult } from '../../../answers/views/transactionResults.ts';
import { formatHex, formatReversedHex } from '../../../core/bytes/hex.ts';
import { RpcError } from '../../../core/errors.ts';
import { encodeTransaction } from '../../../core/tx/codec.ts';
import { txKey } from '../../../core/tx/txid.ts';
import type { Txid } from '../../../core/tx/types.ts';
import { policySize } from '../../../core/tx/weight.ts';
import { blockKey } from '../../chain/blockHeader.ts';
import { coinAt, isActive, txsInBlock } from '../../chain/chainState.ts';
import type { ChainBlock, ChainTx } from '../../chain/types.ts';
import type { NodeContext } from '../context.ts';
import { nodeMethod } from '../context.ts';
import { countConfirmations, detailsIn } from './blockJson.ts';
import { parseVerbosity } from './getblock.ts';

export const getrawtransaction = nodeMethod({
  name: 'getrawtransaction',
  checksLate: true,
  about: 'Returns a transaction of the mempool, or of a block.',
  params: [
    string('txid', 'the transaction id'),
    optional(
      json(
        'verbosity',
        of<number | boolean>(),
        { shownType: 'number or boolean' },
        '0 for hex, 1 for JSON, 2 for the fee and the coins that it spends, too (since core-29)',
        { aliases: ['verbose'], default: '0' },
      ),
    ),
    optional(json('blockhash', of<string>(), { type: 'string' }, 'the block to look in, rather than the mempool')),
  ],
  result: either(hex('with verbosity 0'), foundTransactionResult),
  examples: ['getrawtransaction b56862e91da29eadd13d6ca1ded756ed... 1'],
  run: (args, context) => {
    const { dialect, node, json } = context;
    const txid = parseTxidArgument('parameter 1', args.txid);
    assertOrdinary(txid, context);
    const verbosity = parseVerbosity(args.verbosity, 0, dialect);
    const named = blockNamed(args.blockhash, context);
    const pooled = named ? undefined : node.chain.mempool.get(txKey(txid));
    const block = named ?? (pooled ? undefined : context.indexes.txs?.find(txKey(txid)));
    const entry = block ? minedIn(block, txid, context) : pooled;
    if (!entry) throw notFound(named, context);
    if (verbosity <= 0) return formatHex(encodeTransaction(entry.tx));
    return json.answer(
      block
        ? minedJson(entry, { block, isNamed: named !== undefined, verbosity }, context)
        : pooledJson(entry, context),
    );
  },
});

function assertOrdinary(txid: Uint8Array, { network }: NodeContext): void {
  if (formatReversedHex(txid) !== network.genesis?.header?.merkleRoot) return;
  throw new RpcError(
    RPC_INVALID_ADDRESS_OR_KEY,
    'The genesis block coinbase is not considered an ordinary transaction and cannot be retrieved',
  );
}

function blockNamed(value: JsonValue | undefined, { node, dialect }: NodeContext): ChainBlock | undefined {
  const blockHash = readOptional(value, 'string', dialect);
  if (!blockHash) return undefined;
  const block = node.chain.blocks.get(blockKey(parseTxidArgument('parameter 3', blockHash.value)));
  if (block) return block;
  throw new RpcError(RPC_INVALID_ADDRESS_OR_KEY, 'Block hash not found');
}

function minedIn(block: ChainBlock, txid: Txid, { node: { chain } }: NodeContext): ChainTx | undefined {
  if (block.height > 0 && !chain.bodies.has(block.key)) throw new RpcError(RPC_MISC_ERROR, 'Block not available');
  const key = txKey(txid);
  return txsInBlock(chain, block).find((tx) => tx.key === key);
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

function minedJson(
  entry: ChainTx,
  { block, isNamed, verbosity }: { readonly block: ChainBlock; readonly isNamed: boolean; readonly verbosity: number },
  context: NodeContext,
): Json<FoundTransactionJson> {
  const { node, json } = context;
  const isShown = isActive(node.chain, block);
  const details = verbosity >= 2 ? detailsIn(block, 3, context)(entry) : { withHex: true };
  const times = isShown && { time: block.time, blocktime: block.time };
  const after: Members<Partial<FoundTransactionJson>> = {
    blockhash: json.plain(formatReversedHex(block.hash)),
    confirmations: isShown ? countConfirmations(node, block) : 0,
    ...times,
  };
  return detailedTransactionJson(
    entry,
    { ...details, before: isNamed ? { in_active_chain: isShown } : {}, after },
    context,
  );
}

function pooledJson(entry: ChainTx, context: NodeContext): Json<FoundTransactionJson> {
  const { node, dialect } = context;
  const scripts = entry.spends.map((key) => coinAt(node.chain, key)?.scriptPubKey);
  const before = shownMembers(foundTransactionResult, { vsize_adjusted: policySize(entry.tx, scripts) }, dialect);
  return detailedTransactionJson(entry, { withHex: true, before }, context);
}
