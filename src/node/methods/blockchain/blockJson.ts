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
import { compactSizeLength } from '../../../core/bytes/writer.ts';
import { RpcError } from '../../../core/errors.ts';
import { formatTxid } from '../../../core/tx/txid.ts';
import type { OutpointKey, Transaction } from '../../../core/tx/types.ts';
import { transactionSize } from '../../../core/tx/weight.ts';
import { encodeBlock, HEADER_SIZE } from '../../chain/block.ts';
import { type BlockHeader, decodeBlockHeader } from '../../chain/blockHeader.ts';
import type { BlockBody } from '../../chain/chainCodec.ts';
import { activeTip, findActiveBlock, isActive, medianTimePast } from '../../chain/chainState.ts';
import { genesisBody } from '../../chain/genesis.ts';
import { decodeCompact } from '../../chain/proofOfWork.ts';
import type { ChainBlock, ChainCoin, ChainTx } from '../../chain/types.ts';
import type { Node } from '../../state/node.ts';
import { chainRules } from '../chainRules.ts';
import type { NodeContext } from '../context.ts';

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

/** The target of difficulty 1. */
const UNIT_MANTISSA = 0xffff;
const UNIT_SIZE = 29;

/** @see Bitcoin Core `GetDifficulty` */
export function computeDifficulty(bits: number): number {
  const mantissa = bits & 0x00ff_ffff;
  if (mantissa === 0) return 0;
  const difficulty = (UNIT_MANTISSA / mantissa) * 256 ** (UNIT_SIZE - (bits >>> 24));
  // A node prints 16 digits.
  return Number(difficulty.toPrecision(16));
}

const asHex = (number: number): string => (number >>> 0).toString(16).padStart(8, '0');

export const hex256 = (number: bigint): string => number.toString(16).padStart(64, '0');

export function targetMembers(bits: number, { dialect }: NodeContext): { bits: string; target?: string } {
  const compact = { bits: asHex(bits) };
  return chainRules[dialect.generation].showsTargets
    ? { ...compact, target: hex256(decodeCompact(bits) ?? 0n) }
    : compact;
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
      versionHex: asHex(version),
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

/** Returns `undefined` if only the header is known. */
export function blockTxs(block: ChainBlock, { chain, network }: Node): readonly ChainTx[] | undefined {
  const body = chain.bodies.get(block.key);
  if (body) return body.txs;
  return block.height === 0 ? genesisBody(network)?.txs : undefined;
}

/** @throws RpcError -1 if only the header is known */
export function getBody(block: ChainBlock, { chain, network }: Node): BlockBody {
  const body = chain.bodies.get(block.key);
  if (body) return body;
  const genesis = block.height === 0 ? genesisBody(network) : undefined;
  if (!genesis) throw unavailableBlock();
  return genesis;
}

export const unavailableBlock = (): RpcError => new RpcError(RPC_MISC_ERROR, 'Block not available (pruned data)');

/** Returns a block as a node stores it: with the witness reserved value (BIP141), even if submitted without. */
export function blockHex(block: ChainBlock, { node }: NodeContext): string {
  const { bytes, txs } = getBody(block, node);
  const plain = txs.map(({ tx }) => tx);
  const isComplete = bytes.length >= blockSizes(plain).size;
  return formatHex(isComplete ? bytes : encodeBlock(bytes.subarray(0, HEADER_SIZE), plain));
}

function blockSizes(txs: readonly Transaction[]): { readonly strippedsize: number; readonly size: number } {
  let strippedsize = HEADER_SIZE + compactSizeLength(txs.length);
  let size = strippedsize;
  for (const tx of txs) {
    const sizes = transactionSize(tx);
    strippedsize += sizes.strippedSize;
    size += sizes.size;
  }
  return { strippedsize, size };
}

/**
 * Lists txids with `verbosity` 1, transactions with 2, and also the coins that they spend with 3.
 * @throws RpcError -1 if only the header is known
 * @see Bitcoin Core `blockToJSON`
 */
export function blockJson(block: ChainBlock, verbosity: number, context: NodeContext): Json<BlockJson> {
  const { node, dialect, json } = context;
  const { bytes, txs } = getBody(block, node);
  const { place, own, rest } = headerParts(block, context);
  const { strippedsize, size: ownSize } = blockSizes(txs.map(({ tx }) => tx));
  const size = Math.max(bytes.length, ownSize);
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
