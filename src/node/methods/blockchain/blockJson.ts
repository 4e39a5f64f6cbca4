import type { Json, Members } from '../../../answers/json/jsonForm.ts';
import { RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import {
  type Answer,
  either,
  hex,
  likeAnswer,
  list,
  maybe,
  members,
  numeric,
  time,
} from '../../../answers/method/results.ts';
import { detailedTransactionJson, type TransactionDetails } from '../../../answers/views/transactionJson.ts';
import { type BlockTransactionJson, blockTransactionResult } from '../../../answers/views/transactionResults.ts';
import { formatHex, formatReversedHex } from '../../../core/bytes/hex.ts';
import { createReader, readCompactSize } from '../../../core/bytes/reader.ts';
import { RpcError } from '../../../core/errors.ts';
import { formatTxid } from '../../../core/tx/txid.ts';
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
import { asHex32, computeDifficulty, hex256, targetMembers } from '../targets.ts';

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
  difficulty: numeric(),
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

export const blockResult = members({
  ...blockHeaderResult.members,
  strippedsize: numeric(),
  size: numeric(),
  weight: numeric(),
  coinbase_tx: maybe(coinbaseResult, { since: 'core-31' }),
  tx: list(
    either(hex(), likeAnswer('getrawtransaction', blockTransactionResult)),
    'the ids, or with verbosity 2 and 3 the transactions',
  ),
});

/** The answer of `getblock`. */
export type BlockJson = Answer<typeof blockResult>;

/** Counts the blocks from this one to the tip; -1 outside the active chain. */
export function countConfirmations({ chain }: Pick<Node, 'chain'>, block: ChainBlock): number {
  return isActive(chain, block) ? activeTip(chain).height - block.height + 1 : -1;
}

/** The members of a header, in the groups between which 0.21 puts other members. */
interface HeaderParts {
  readonly place: Pick<BlockHeaderJson, 'hash' | 'confirmations'>;
  readonly own: Pick<BlockHeaderJson, 'height' | 'version' | 'versionHex' | 'merkleroot'>;
  readonly rest: Omit<BlockHeaderJson, 'hash' | 'confirmations' | 'height' | 'version' | 'versionHex' | 'merkleroot'>;
}

function headerParts(block: ChainBlock, context: NodeContext): HeaderParts {
  const { chain } = context.node;
  const header: BlockHeader = decodeBlockHeader(block.header);
  const isShown = isActive(chain, block);
  const next = isShown ? findActiveBlock(chain, block.height + 1) : undefined;
  const { version, merkleRoot, time, nonce, bits } = header;
  return {
    place: { hash: formatReversedHex(block.hash), confirmations: countConfirmations(context.node, block) },
    own: {
      height: block.height,
      version,
      versionHex: asHex32(version),
      merkleroot: formatReversedHex(merkleRoot),
    },
    rest: {
      time: block.height === 0 ? block.time : time,
      mediantime: medianTimePast(chain, block),
      nonce,
      ...targetMembers(bits, context),
      difficulty: computeDifficulty(bits),
      chainwork: hex256(block.work),
      nTx: transactionCount(block, context.node),
      ...(block.height > 0 && { previousblockhash: formatReversedHex(header.previous) }),
      ...(next && { nextblockhash: formatReversedHex(next.hash) }),
    },
  };
}

/** Counts without decoding the transactions; 0 if they are unknown. */
export function transactionCount(block: ChainBlock, { chain }: Node): number {
  if (block.height === 0) return 1;
  const bytes = chain.bodies.get(block.key)?.bytes;
  return bytes ? readCompactSize(createReader(bytes.subarray(HEADER_SIZE))) : 0;
}

/** @see Bitcoin Core `blockheaderToJSON` */
export function blockHeaderJson(block: ChainBlock, context: NodeContext): BlockHeaderJson {
  const { place, own, rest } = headerParts(block, context);
  return { ...place, ...own, ...rest };
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
 * Lists txids with `verbosity` 1, transactions with 2, and also the coins that they spend with 3.
 * @throws RpcError -1 if only the header is known
 * @see Bitcoin Core `blockToJSON`
 */
export function blockJson(block: ChainBlock, verbosity: number, context: NodeContext): Json<BlockJson> {
  const { dialect, json } = context;
  const { bytes, txs } = getBody(block, context);
  const { place, own, rest } = headerParts(block, context);
  const { strippedsize } = blockSizes(txs.map(({ tx }) => tx));
  const size = bytes.length;
  const sizes = { strippedsize, size, weight: 3 * strippedsize + size };
  const findDetails = verbosity === 1 ? undefined : detailsIn(block, verbosity, context);
  const tx = json.list<(typeof txs)[number], string | BlockTransactionJson>(txs, (entry) =>
    findDetails ? detailedTransactionJson(entry, findDetails(entry), context) : json.plain(formatTxid(entry.id)),
  );
  const plainMembers = <T extends object>(members: T): Members<T> =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [name, typeof value === 'string' ? json.plain(value) : value]),
    ) as Members<T>;
  if (!chainRules[dialect.generation].showsTargets) {
    return json.object<BlockJson>({
      ...plainMembers(place),
      ...plainMembers(sizes),
      ...plainMembers(own),
      tx,
      ...plainMembers(rest),
    });
  }
  const [first] = txs;
  const coinbase = first &&
    chainRules[dialect.generation].showsCoinbases && { coinbase_tx: coinbaseJson(first.tx, context) };
  return json.object<BlockJson>({
    ...plainMembers(place),
    ...plainMembers(own),
    ...plainMembers(rest),
    ...plainMembers(sizes),
    ...coinbase,
    tx,
  });
}

/** @see Bitcoin Core 31 `coinbaseTxToJSON` */
function coinbaseJson({ version, locktime, inputs }: Transaction, { json }: NodeContext): Json<CoinbaseJson> {
  const { sequence = 0, scriptSig = new Uint8Array(0), witness = [] } = inputs[0] ?? {};
  const [reserved] = witness;
  return json.object<CoinbaseJson>({
    version,
    locktime,
    sequence,
    coinbase: json.hex(scriptSig),
    ...(reserved && { witness: json.hex(reserved) }),
  });
}

/** Takes fees and, with verbosity 3, spent coins from the block's undo data. */
export function detailsIn(
  block: ChainBlock,
  verbosity: number,
  { node, dialect }: NodeContext,
): (entry: { readonly spends: readonly OutpointKey[] }) => TransactionDetails {
  const undo = chainRules[dialect.generation].showsFees ? node.chain.undo.get(block.key) : undefined;
  const coins = new Map<OutpointKey, ChainCoin>(undo);
  return ({ spends }) => {
    const spent = spends.flatMap((key) => coins.get(key) ?? []);
    const isKnown = undo !== undefined && spends.length > 0 && spent.length === spends.length;
    return { withHex: true, ...(isKnown && { spent, showsSpent: verbosity >= 3 }) };
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
