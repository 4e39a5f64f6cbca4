import { RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import type { Described, Draft } from '../../../answers/method/results.ts';
import {
  type Answer,
  double,
  hex,
  likeAnswer,
  list,
  maybe,
  members,
  numeric,
  time,
} from '../../../answers/method/results.ts';
import type { BlockTransactionDraft } from '../../../answers/views/transactionJson.ts';
import { detailedTransactionDraft } from '../../../answers/views/transactionJson.ts';
import { blockTransactionResult, spendingTransactionResult } from '../../../answers/views/transactionResults.ts';
import { formatHex, formatReversedHex } from '../../../core/bytes/hex.ts';
import { createReader, readCompactSize } from '../../../core/bytes/reader.ts';
import { RpcError } from '../../../core/errors.ts';
import type { OutpointKey, Transaction } from '../../../core/tx/types.ts';
import { HEADER_SIZE } from '../../chain/block.ts';
import { type BlockHeader, decodeBlockHeader } from '../../chain/blockHeader.ts';
import { blockSizes } from '../../chain/blockSizes.ts';
import type { BlockBody } from '../../chain/chainCodec.ts';
import { activeTip, findActiveBlock, findBody, isActive, medianTimePast } from '../../chain/chainState.ts';
import type { ChainBlock, ChainCoin, ChainTx } from '../../chain/types.ts';
import type { Node } from '../../state/node.ts';
import { chainRules } from '../chainRules.ts';
import type { NodeContext } from '../context.ts';
import { asHex32, computeDifficulty, hex256, targetDraft } from '../targets.ts';

export const blockHeaderResult = members({
  hash: hex(),
  confirmations: numeric('-1 outside the active chain'),
  height: numeric(),
  version: numeric(),
  versionHex: hex(),
  merkleroot: hex(),
  time: time(),
  mediantime: time(),
  nonce: numeric(),
  bits: hex(),
  target: maybe(hex(), { since: 'core-29' }),
  difficulty: double(),
  chainwork: hex(),
  nTx: numeric('the number of transactions, 0 if only the header is present'),
  previousblockhash: maybe(hex()),
  nextblockhash: maybe(hex()),
});

/** The answer of `getblockheader`. */
export type BlockHeaderJson = Answer<typeof blockHeaderResult>;

const coinbaseResult = members({
  version: numeric(),
  locktime: numeric(),
  sequence: numeric(),
  coinbase: hex(),
  witness: maybe(hex()),
});

/** The coinbase in `getblock`. */
export type CoinbaseJson = Answer<typeof coinbaseResult>;

/** 0.21 puts the sizes and the transactions between the members of the header. */
const ORDERS = [
  {
    until: 'core-0.21',
    first: [
      'hash',
      'confirmations',
      'strippedsize',
      'size',
      'weight',
      'height',
      'version',
      'versionHex',
      'merkleroot',
      'tx',
    ],
  },
] as const;

const blockMembers = {
  ...blockHeaderResult.members,
  strippedsize: numeric(),
  size: numeric(),
  weight: numeric(),
  coinbase_tx: maybe(coinbaseResult, { since: 'core-31' }),
};

const blockWith = <R extends Described>(tx: R, about: string) =>
  members({ ...blockMembers, tx: list(tx, about) }, '', ORDERS);

export const blockResult = blockWith(hex(), 'the ids of the transactions');
export const blockWithTransactionsResult = blockWith(
  likeAnswer('getrawtransaction', blockTransactionResult),
  'the transactions, as in getrawtransaction',
);
export const blockWithCoinsResult = blockWith(
  likeAnswer('getrawtransaction', spendingTransactionResult),
  'the transactions, and the coins that they spend, as in getrawtransaction',
);

/** The answer of `getblock`, with the ids of the transactions. */
export type BlockJson = Answer<typeof blockResult>;
/** The answer of `getblock` with verbosity 2. */
export type BlockWithTransactionsJson = Answer<typeof blockWithTransactionsResult>;
/** The answer of `getblock` with verbosity 3. */
export type BlockWithCoinsJson = Answer<typeof blockWithCoinsResult>;

/** Counts the blocks from this one to the tip; -1 outside the active chain. */
export function countConfirmations({ chain }: Pick<Node, 'chain'>, block: ChainBlock): number {
  return isActive(chain, block) ? activeTip(chain).height - block.height + 1 : -1;
}

/** @see Bitcoin Core `blockheaderToJSON` */
export function blockHeaderDraft(block: ChainBlock, { node }: NodeContext): Draft<typeof blockHeaderResult> {
  const { chain } = node;
  const { version, merkleRoot, time, nonce, bits, previous }: BlockHeader = decodeBlockHeader(block.header);
  const next = isActive(chain, block) ? findActiveBlock(chain, block.height + 1) : undefined;
  return {
    hash: formatReversedHex(block.hash),
    confirmations: countConfirmations(node, block),
    height: block.height,
    version,
    versionHex: asHex32(version),
    merkleroot: formatReversedHex(merkleRoot),
    time: block.height === 0 ? block.time : time,
    mediantime: medianTimePast(chain, block),
    nonce,
    ...targetDraft(bits),
    difficulty: computeDifficulty(bits),
    chainwork: hex256(block.work),
    nTx: transactionCount(block, node),
    previousblockhash: block.height > 0 ? formatReversedHex(previous) : undefined,
    nextblockhash: next && formatReversedHex(next.hash),
  };
}

/** Counts without decoding the transactions; 0 if they are unknown. */
export function transactionCount(block: ChainBlock, { chain }: Node): number {
  if (block.height === 0) return 1;
  const bytes = chain.bodies.get(block.key)?.bytes;
  return bytes ? readCompactSize(createReader(bytes.subarray(HEADER_SIZE))) : 0;
}

/** @throws RpcError -1 if only the header is known */
export function getBody(block: ChainBlock, context: NodeContext): BlockBody {
  const body = findBody(context.node.chain, block);
  if (body) return body;
  throw unavailableBlock(block, context);
}

/** The error of a block of which only the header is known. @see Bitcoin Core `CheckBlockDataAvailability` */
export function unavailableBlock(block: ChainBlock | undefined, { node, dialect }: NodeContext): RpcError {
  const isAwaited = block !== undefined && node.chain.awaited.get(block.key);
  const message = isAwaited ? chainRules[dialect.generation].awaitedBlock : 'Block not available (pruned data)';
  return new RpcError(RPC_MISC_ERROR, message);
}

export const blockHex = (block: ChainBlock, context: NodeContext): string => formatHex(getBody(block, context).bytes);

/**
 * Shows each transaction by `show`.
 * @throws RpcError -1 if only the header is known
 * @see Bitcoin Core `blockToJSON`
 */
export function blockDraft<T>(
  block: ChainBlock,
  show: (entry: ChainTx) => T,
  context: NodeContext,
): Omit<Draft<typeof blockResult>, 'tx'> & { readonly tx: readonly T[] } {
  const { bytes, txs } = getBody(block, context);
  const { strippedsize } = blockSizes(txs.map(({ tx }) => tx));
  const size = bytes.length;
  const [first] = txs;
  return {
    ...blockHeaderDraft(block, context),
    strippedsize,
    size,
    weight: 3 * strippedsize + size,
    coinbase_tx: first && coinbaseDraft(first.tx),
    tx: txs.map(show),
  };
}

/** @see Bitcoin Core 31 `coinbaseTxToJSON` */
function coinbaseDraft({ version, locktime, inputs }: Transaction): Draft<typeof coinbaseResult> {
  const { sequence = 0, scriptSig = new Uint8Array(0), witness = [] } = inputs[0] ?? {};
  return { version, locktime, sequence, coinbase: scriptSig, witness: witness[0] };
}

/** Takes fees, and if asked spent coins, from the undo data of the block. */
export function detailsIn(
  block: ChainBlock,
  { showsSpent }: { readonly showsSpent: boolean },
  context: NodeContext,
): (entry: ChainTx) => BlockTransactionDraft {
  const undo = context.node.chain.undo.get(block.key);
  const coins = new Map<OutpointKey, ChainCoin>(undo);
  return (entry) => {
    const { spends } = entry;
    const spent = spends.flatMap((key) => coins.get(key) ?? []);
    const isKnown = undo !== undefined && spends.length > 0 && spent.length === spends.length;
    return detailedTransactionDraft(entry, isKnown ? { spent, showsSpent } : {}, context);
  };
}

/** @throws RpcError -1 if the chain lacks a coin */
export function spentCoins(
  block: ChainBlock,
  txs: readonly ChainTx[],
  { node, dialect }: NodeContext,
): ReadonlyMap<OutpointKey, ChainCoin> {
  const { explainsStatistics } = chainRules[dialect.generation];
  if (block.height === 0 && !explainsStatistics) throw new RpcError(RPC_MISC_ERROR, "Can't read undo data from disk");
  const undo = node.chain.undo.get(block.key);
  const coins = new Map<OutpointKey, ChainCoin>(undo);
  const wasConnected = undo !== undefined || block.height === 0;
  if (wasConnected && txs.every(({ spends }) => spends.every((key) => coins.has(key)))) return coins;
  throw new RpcError(RPC_MISC_ERROR, 'Undo data not available');
}
