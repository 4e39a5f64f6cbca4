import { amount, list, members } from '../../answers/method/results.ts';
import { scriptPubKeyDraft } from '../../answers/views/scriptJson.ts';
import { scriptPubKeyResult } from '../../answers/views/transactionResults.ts';
import { createWriter, writeCompactSize, written } from '../../core/bytes/writer.ts';
import { txOutCodec } from '../../core/tx/codec.ts';
import type { OutpointKey, TxOut } from '../../core/tx/types.ts';
import { blockKey } from '../chain/blockHeader.ts';
import { type Chain, findBody } from '../chain/chainState.ts';
import type { ChainBlock } from '../chain/types.ts';
import { getblock } from '../methods/blockchain/getblock.ts';
import { methodText, resultText } from './methodText.ts';
import { badRequest, inFormat, notFound, type RestReply } from './replies.ts';
import { type Asked, parseUnsigned, splitFormat, withHash, withParameter } from './requestParts.ts';

export const answerBlock = (asked: Asked): RestReply => blockReply(asked, asked.rules.blockVerbosity);

export const answerBlockWithIds = (asked: Asked): RestReply => blockReply(asked, 1);

const blockReply = (asked: Asked, verbosity: number): RestReply =>
  withBlock(asked, (bytes, { hash }) =>
    inFormat(splitFormat(asked).format, {
      bytes: () => bytes,
      json: () => methodText(getblock, { blockhash: hash, verbosity }, asked.context),
      lasting: ['bin', 'hex'],
    }),
  );

/** Answers with a part of the bytes of a block. */
export const answerBlockPart = (asked: Asked): RestReply =>
  withPlace(asked, 'offset', (offset) => withPlace(asked, 'size', (size) => partReply(asked, offset, size)));

function withPlace(asked: Asked, name: 'offset' | 'size', answer: (place: bigint) => RestReply): RestReply {
  return withParameter(asked, name, '', (text) => {
    const place = parseUnsigned(text, 64);
    return place === undefined ? badRequest(`Block part ${name} missing or invalid`) : answer(place);
  });
}

function partReply(asked: Asked, offset: bigint, size: bigint): RestReply {
  const { text, format } = splitFormat(asked);
  return withBlock(asked, (bytes) => {
    if (size === 0n || offset + size > BigInt(bytes.length)) {
      return badRequest(`Bad block part offset/size ${offset}/${size} for ${text}`);
    }
    if (format === 'json') return badRequest('JSON output is not supported for this request type');
    return inFormat(format, {
      bytes: () => bytes.subarray(Number(offset), Number(offset + size)),
      json: () => '',
      lasting: ['bin', 'hex'],
    });
  });
}

/** @see Bitcoin Core `rest_block` */
function withBlock(asked: Asked, answer: (bytes: Uint8Array, block: ChainBlock) => RestReply): RestReply {
  const { chain } = asked.context.node;
  const { text } = splitFormat(asked);
  return withHash(text, (hash) => {
    const block = chain.blocks.get(blockKey(hash));
    if (!block) return notFound(`${text} not found`);
    const body = findBody(chain, block);
    if (body) return answer(body.bytes, block);
    return notFound(
      `${text} ${chain.awaited.get(block.key) ? asked.rules.awaitedBlock : 'not available (pruned data)'}`,
    );
  });
}

const spentOutputsResult = list(list(members({ value: amount(), scriptPubKey: scriptPubKeyResult })));

/** Answers with the coins that the transactions of a block spent. @see Bitcoin Core `rest_spent_txouts` */
export function answerSpentOutputs(asked: Asked): RestReply {
  const { context } = asked;
  const { chain } = context.node;
  const { text, format } = splitFormat(asked);
  if (text.includes('/')) return badRequest('Invalid URI format. Expected /rest/spenttxouts/<hash>.<ext>');
  return withHash(text, (hash) => {
    const block = chain.blocks.get(blockKey(hash));
    if (!block) return notFound(`${text} not found`);
    const spent = spentOutputs(chain, block);
    if (!spent) return notFound(`${text} undo not available`);
    return inFormat(format, {
      bytes: () => encodeSpent(spent),
      json: () =>
        resultText(
          spentOutputsResult,
          spent.map((coins) =>
            coins.map(({ value, scriptPubKey }) => ({ value, scriptPubKey: scriptPubKeyDraft(scriptPubKey, context) })),
          ),
          context,
        ),
      lasting: ['bin', 'hex', 'json'],
    });
  });
}

/** Lists the coins that each transaction spent; `undefined` for a block that was never connected. */
function spentOutputs(chain: Chain, block: ChainBlock): readonly (readonly TxOut[])[] | undefined {
  const undo = chain.undo.get(block.key);
  if (!undo && block.height > 0) return undefined;
  const coins = new Map<OutpointKey, TxOut>(undo);
  const txs = findBody(chain, block)?.txs;
  const spent = txs?.map(({ spends }) => spends.flatMap((key) => coins.get(key) ?? []));
  const isWhole = txs?.every(({ spends }, i) => spends.length === spent?.[i]?.length);
  return isWhole ? spent : undefined;
}

function encodeSpent(spent: readonly (readonly TxOut[])[]): Uint8Array {
  const writer = createWriter();
  writeCompactSize(writer, spent.length);
  for (const coins of spent) {
    writeCompactSize(writer, coins.length);
    for (const coin of coins) txOutCodec.write(writer, coin);
  }
  return written(writer);
}
