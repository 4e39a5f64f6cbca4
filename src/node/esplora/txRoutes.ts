import { formatHex, formatReversedHex } from '../../core/bytes/hex.ts';
import { encodeTransaction } from '../../core/tx/codec.ts';
import { formatTxid, outputKey, parseTxKey } from '../../core/tx/txid.ts';
import type { OutpointKey, TxKey } from '../../core/tx/types.ts';
import { findBody } from '../chain/chainState.ts';
import { createMerkleBlock, encodeMerkleBlock } from '../chain/merkleBlock.ts';
import { buildMerkleTree } from '../chain/merkleTree.ts';
import type { ChainBlock } from '../chain/types.ts';
import { type FoundTx, findBlockOf, findSpend, findTx, type Source } from './foundTx.ts';
import { bytesReply, type EsploraReply, jsonReply, notFound, textReply } from './replies.ts';
import { MAX_U32, withNumber, withTxid } from './segments.ts';
import { statusJson, transactionJson } from './txJson.ts';

/** Answers `/tx/:txid…`; returns nothing for another path. */
export function answerTx(source: Source, id: string, part?: string, place?: string): EsploraReply | undefined {
  const { network } = source.node;
  const found = (answer: (tx: FoundTx) => EsploraReply): EsploraReply =>
    withTxid(id, (key) => {
      const tx = findTx(source, key);
      return tx ? answer(tx) : notFound('Transaction not found');
    });
  if (place !== undefined) {
    if (part !== 'outspend') return undefined;
    return withTxid(id, (tx) =>
      withNumber(place, MAX_U32, (vout) => jsonReply(spendJson(source, outputKey(tx, vout)))),
    );
  }
  switch (part) {
    case undefined:
      return found((tx) => jsonReply(transactionJson(tx, network)));
    case 'status':
      return withTxid(id, (key) => jsonReply(statusJson(findBlockOf(source, key))));
    case 'hex':
      return found(({ entry }) => textReply(formatHex(encodeTransaction(entry.tx))));
    case 'raw':
      return found(({ entry }) => bytesReply(encodeTransaction(entry.tx)));
    case 'merkle-proof':
      return withTxid(id, (key) => proven(source, key, merkleProof));
    case 'merkleblock-proof':
      return withTxid(id, (key) => proven(source, key, merkleBlockProof));
    case 'outspends':
      return found(({ entry: { key, tx } }) =>
        jsonReply([...tx.outputs.keys()].map((vout) => spendJson(source, outputKey(key, vout)))),
      );
    default:
      return undefined;
  }
}

/** @see Blockstream electrs `SpendingValue` */
function spendJson(source: Source, outpoint: OutpointKey): object {
  const spend = findSpend(source, outpoint);
  if (!spend) return { spent: false };
  const { tx, vin } = spend;
  return { spent: true, txid: formatTxid(parseTxKey(tx)), vin, status: statusJson(findBlockOf(source, tx)) };
}

interface Proof {
  readonly block: ChainBlock;
  readonly ids: readonly Uint8Array[];
  readonly position: number;
}

function proven(source: Source, key: TxKey, answer: (proof: Proof) => EsploraReply): EsploraReply {
  const { position } = source.index.places.get(key) ?? {};
  const block = findBlockOf(source, key);
  if (position === undefined || !block) return notFound('Transaction not found or is unconfirmed');
  const ids = (findBody(source.node.chain, block)?.txs ?? []).map(({ id }) => id);
  return answer({ block, ids, position });
}

/** Proves as Electrum's protocol does: by the hashes beside those of which the transaction is part, lowest first. */
function merkleProof({ block, ids, position }: Proof): EsploraReply {
  const merkle = buildMerkleTree(ids)
    .slice(0, -1)
    .map((level, height) => {
      const place = position >> height;
      return formatReversedHex(level[place ^ 1] ?? level[place] ?? new Uint8Array(32));
    });
  return jsonReply({ block_height: block.height, merkle, pos: position });
}

const merkleBlockProof = ({ block, ids, position }: Proof): EsploraReply =>
  textReply(formatHex(encodeMerkleBlock(createMerkleBlock(block.header, ids, (index) => index === position))));
