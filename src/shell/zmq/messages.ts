import { concatBytes } from '../../core/bytes/compare.ts';
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
  makeBody: () =>
    concatBytes(
      reversed(hash),
      Uint8Array.of(label.charCodeAt(0)),
      sequence === undefined ? new Uint8Array(0) : u64le(sequence),
    ),
});

function u64le(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
  return bytes;
}
