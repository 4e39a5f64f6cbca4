import { hex, maybe, members } from '../../answers/method/results.ts';
import { detailedTransactionDraft } from '../../answers/views/transactionJson.ts';
import { transactionResult } from '../../answers/views/transactionResults.ts';
import { formatReversedHex } from '../../core/bytes/hex.ts';
import { encodeTransaction } from '../../core/tx/codec.ts';
import { txKey } from '../../core/tx/txid.ts';
import type { Txid } from '../../core/tx/types.ts';
import { findTransaction } from '../methods/blockchain/getrawtransaction.ts';
import { resultText } from './methodText.ts';
import { inFormat, notFound, type RestReply } from './replies.ts';
import { type Asked, splitFormat, withHash } from './requestParts.ts';

/** The block stands before the hex, unlike in `getrawtransaction`. @see Bitcoin Core `TxToUniv` */
const restTransactionResult = members({ ...transactionResult.members, blockhash: maybe(hex()), hex: hex() });

/** @see Bitcoin Core `rest_tx` */
export function answerTransaction(asked: Asked): RestReply {
  const { context } = asked;
  const { text, format } = splitFormat(asked);
  return withHash(text, (hash) => {
    const found = findTransaction(txKey(hash as Txid), context);
    if (!found) return notFound(`${text} not found`);
    const { entry, block } = found;
    return inFormat(format, {
      bytes: () => encodeTransaction(entry.tx),
      json: () => {
        const draft = detailedTransactionDraft(entry, {}, context);
        const blockhash = block && formatReversedHex(block.hash);
        return resultText(restTransactionResult, { ...draft, blockhash }, context);
      },
    });
  });
}
