import { formatReversedHex } from '../../core/bytes/hex.ts';
import { printable } from '../../core/encoding/printable.ts';
import { RpcError } from '../../core/errors.ts';
import { formatTxid } from '../../core/tx/txid.ts';
import type { Node } from '../../node/state/node.ts';
import type { Notice } from '../../node/state/notices.ts';
import { counted } from '../sync/syncProgress.ts';

/** More blocks of one call get one line. */
const MOST_BLOCKS = 3;

type BlockNotice = Notice & { readonly type: 'block connected' };

/** Tells in lines what the notices of a call say. */
export function noticeLines(notices: readonly Notice[], { chain }: Pick<Node, 'chain'>): readonly string[] {
  const blocks = notices.filter((notice): notice is BlockNotice => notice.type === 'block connected');
  const others = notices.flatMap((notice) => {
    switch (notice.type) {
      case 'transaction added': {
        const fee = chain.mempool.get(notice.tx.key)?.fee;
        return [`tx ${formatTxid(notice.tx.id)}${fee === undefined ? '' : ` ${fee} sat`}`];
      }
      case 'transaction removed':
        return [`${notice.reason} ${formatTxid(notice.tx.id)}`];
      case 'block disconnected':
        return [`block ${notice.block.height} taken back`];
      default:
        return [];
    }
  });
  return [...others, ...(blocks.length > MOST_BLOCKS ? [summary(blocks)] : blocks.map(blockLine))];
}

function blockLine({ block, txs }: BlockNotice): string {
  return `block ${block.height} ${formatReversedHex(block.hash)} ${counted(txs.length - 1, 'tx')}`;
}

function summary(blocks: readonly BlockNotice[]): string {
  const [first, last] = [blocks[0]?.block, blocks.at(-1)?.block];
  return `blocks ${first?.height} to ${last?.height}${last ? ` ${formatReversedHex(last.hash)}` : ''}`;
}

/** The calls that send transactions. */
const SENDING: ReadonlySet<string> = new Set([
  ...['sendrawtransaction', 'submitpackage'],
  ...['sendtoaddress', 'sendmany', 'send', 'sendall', 'bumpfee'],
]);

/** Tells why a call sent nothing. @returns `undefined` for another call */
export function refusalLine(method: string, error: unknown): string | undefined {
  if (!(error instanceof RpcError && SENDING.has(method))) return undefined;
  return `refused ${method}: ${printable(error.message)} (${error.code})`;
}
