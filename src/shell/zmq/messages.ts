import { createWriter, writeBytes, writeI64, writeU8, written } from '../../core/bytes/writer.ts';
import { encodeTransaction } from '../../core/tx/codec.ts';
import type { ChainTx } from '../../node/chain/types.ts';
import type { Notice } from '../../node/state/notices.ts';

/** In the order in which a node tells of one thing. */
export const TOPICS = ['hashblock', 'hashtx', 'rawblock', 'rawtx', 'sequence'] as const;

export type Topic = (typeof TOPICS)[number];

/** A message without its number. */
export interface Message {
  readonly topic: Topic;
  readonly makeBody: () => Uint8Array;
}

/** Lists the messages that tell of a notice. @see Bitcoin Core `CZMQNotificationInterface` */
export function messagesOf(notice: Notice): readonly Message[] {
  switch (notice.type) {
    case 'block connected':
    case 'block disconnected': {
      const label = notice.type === 'block connected' ? 'C' : 'D';
      return [...notice.txs.flatMap(txMessages), sequenceMessage(notice.block.hash, label)];
    }
    case 'tip':
      return notice.isNew && !notice.isCatchingUp ? tipMessages(notice) : [];
    case 'transaction added':
      return [...txMessages(notice.tx), sequenceMessage(notice.tx.id, 'A', notice.sequence)];
    case 'transaction removed':
      return [sequenceMessage(notice.tx.id, 'R', notice.sequence)];
    case 'wallet transaction':
    case 'warning':
      return [];
    default:
      return notice satisfies never;
  }
}

const txMessages = ({ id, tx }: ChainTx): readonly Message[] => [
  { topic: 'hashtx', makeBody: () => reversed(id) },
  { topic: 'rawtx', makeBody: () => encodeTransaction(tx) },
];

function tipMessages({ block: { hash }, bytes }: Extract<Notice, { readonly type: 'tip' }>): readonly Message[] {
  const hashMessage: Message = { topic: 'hashblock', makeBody: () => reversed(hash) };
  // Of some blocks only the header is known.
  return bytes ? [hashMessage, { topic: 'rawblock', makeBody: () => bytes }] : [hashMessage];
}

/** A hash as people write it. */
const reversed = (hash: Uint8Array): Uint8Array => new Uint8Array(hash).reverse();

const sequenceMessage = (hash: Uint8Array, label: string, sequence?: number): Message => ({
  topic: 'sequence',
  makeBody: () => {
    const writer = createWriter();
    writeBytes(writer, reversed(hash));
    writeU8(writer, label.charCodeAt(0));
    if (sequence !== undefined) writeI64(writer, BigInt(sequence));
    return written(writer);
  },
});
