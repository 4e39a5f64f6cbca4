import { formatHex, formatReversedHex } from '../../core/bytes/hex.ts';
import { formatTxid } from '../../core/tx/txid.ts';
import { type BlockKey, decodeBlockHeader } from '../chain/blockHeader.ts';
import { blockSizes } from '../chain/blockSizes.ts';
import { activeTip, findActiveBlock, findBody, isActive, medianTimePast } from '../chain/chainState.ts';
import type { ChainBlock } from '../chain/types.ts';
import { computeDifficulty } from '../methods/targets.ts';
import type { Node } from '../state/node.ts';
import { type Source, spentIn } from './foundTx.ts';
import { badRequest, bytesReply, type EsploraReply, jsonReply, notFound, textReply } from './replies.ts';
import { MAX_U64, parseUnsigned, withBlockHash, withNumber } from './segments.ts';
import { transactionJson } from './txJson.ts';

const BLOCKS_PER_PAGE = 10;
export const TXS_PER_PAGE = 25;

const unknownBlock = (): EsploraReply => notFound('Block not found');

/** Answers `/blocks…`; returns nothing for another path. */
export function answerBlocks({ node }: Source, start?: string, place?: string): EsploraReply | undefined {
  const tip = activeTip(node.chain);
  if (place !== undefined) {
    if (start !== 'tip') return undefined;
    if (place === 'height') return textReply(String(tip.height));
    return place === 'hash' ? textReply(formatReversedHex(tip.hash)) : undefined;
  }
  const height = parseUnsigned(start, MAX_U64) ?? tip.height;
  if (!findActiveBlock(node.chain, height)) return unknownBlock();
  const page = Array.from({ length: BLOCKS_PER_PAGE }, (_, i) => findActiveBlock(node.chain, height - i));
  return jsonReply(page.flatMap((block) => (block ? [blockJson(block, node)] : [])));
}

export const answerBlockHeight = ({ node }: Source, text: string): EsploraReply =>
  withNumber(text, MAX_U64, (height) => {
    const block = findActiveBlock(node.chain, height);
    return block ? textReply(formatReversedHex(block.hash)) : unknownBlock();
  });

/** Answers `/block/:hash…`; returns nothing for another path. */
export function answerBlock(source: Source, hash: string, part?: string, place?: string): EsploraReply | undefined {
  const { node } = source;
  const active = (answer: (block: ChainBlock) => EsploraReply): EsploraReply =>
    withBlockHash(hash, (key) => {
      const block = node.chain.blocks.get(key);
      return block && isActive(node.chain, block) ? answer(block) : unknownBlock();
    });
  if (part === 'txs') return active((block) => txsReply(source, block, parseUnsigned(place, MAX_U64) ?? 0));
  if (part === 'txid' && place !== undefined) return withBlockHash(hash, (key) => txidReply(node, key, place));
  if (place !== undefined) return undefined;
  switch (part) {
    case undefined:
      return active((block) => jsonReply(blockJson(block, node)));
    case 'header':
      return active((block) => textReply(formatHex(block.header)));
    case 'status':
      return withBlockHash(hash, (key) => statusReply(node, key));
    case 'txids':
      return withBlockHash(hash, (key) => {
        const txids = findTxids(node, key);
        return txids ? jsonReply(txids) : unknownBlock();
      });
    case 'raw':
      return active((block) => {
        const body = findBody(node.chain, block);
        return body ? bytesReply(body.bytes) : unknownBlock();
      });
    default:
      return undefined;
  }
}

/** @see Blockstream electrs `BlockValue` */
function blockJson(block: ChainBlock, node: Node): object {
  const { version, merkleRoot, previous, bits, nonce } = decodeBlockHeader(block.header);
  const { bytes, txs } = findBody(node.chain, block) ?? { bytes: block.header, txs: [] };
  const { strippedsize, size: ofAll } = blockSizes(txs.map(({ tx }) => tx));
  // A network of a caller's own may not state the transaction of its genesis block.
  const size = block.height === 0 ? ofAll : bytes.length;
  return {
    id: formatReversedHex(block.hash),
    height: block.height,
    version: version >>> 0,
    timestamp: block.time,
    tx_count: txs.length,
    size,
    weight: 3 * strippedsize + size,
    merkle_root: formatReversedHex(merkleRoot),
    previousblockhash: block.height > 0 ? formatReversedHex(previous) : null,
    mediantime: medianTimePast(node.chain, block),
    nonce,
    bits,
    difficulty: computeDifficulty(bits),
  };
}

/** @see Blockstream electrs `BlockStatus` */
function statusReply({ chain }: Node, key: BlockKey): EsploraReply {
  const block = chain.blocks.get(key);
  if (!block || !isActive(chain, block)) return jsonReply({ in_best_chain: false, height: null, next_best: null });
  const next = findActiveBlock(chain, block.height + 1);
  return jsonReply({
    in_best_chain: true,
    height: block.height,
    next_best: next ? formatReversedHex(next.hash) : null,
  });
}

/** Lists the transactions also of a block that has left the active chain. */
function findTxids(node: Node, key: BlockKey): readonly string[] | undefined {
  const block = node.chain.blocks.get(key);
  return block && findBody(node.chain, block)?.txs.map(({ id }) => formatTxid(id));
}

function txidReply(node: Node, key: BlockKey, place: string): EsploraReply {
  return withNumber(place, MAX_U64, (position) => {
    const txids = findTxids(node, key);
    if (!txids) return unknownBlock();
    const id = txids[position];
    return id === undefined ? notFound('tx index out of range') : textReply(id);
  });
}

function txsReply({ node }: Source, block: ChainBlock, start: number): EsploraReply {
  const txs = findBody(node.chain, block)?.txs ?? [];
  if (start % TXS_PER_PAGE !== 0) return badRequest(`start index must be a multiple of ${TXS_PER_PAGE}`);
  if (start > 0 && start >= txs.length) return badRequest('start index out of range');
  const findCoin = spentIn(node.chain, block);
  const page = txs.slice(start, start + TXS_PER_PAGE);
  return jsonReply(page.map((entry) => transactionJson({ entry, block, findCoin }, node.network)));
}
