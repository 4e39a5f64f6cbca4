import { type Answer, hex, members, numeric } from '../../answers/method/results.ts';
import { formatReversedHex } from '../../core/bytes/hex.ts';
import type { RpcError } from '../../core/errors.ts';
import { activeTip } from '../chain/chainState.ts';
import type { Node } from '../state/node.ts';
import type { NodeContext } from './context.ts';

export const tipResult = members({ hash: hex('of the last block'), height: numeric('of the last block') });

/** The last block, in the answers of `waitforblock` and its like. */
export type TipJson = Answer<typeof tipResult>;

/** What a call that waits looks at. */
export interface News {
  readonly tip: TipJson;
  /** Changes of the mempool so far, blocks too. */
  readonly updates: number;
}

/** A call that waits: what it waits for, and for how long in milliseconds, 0 for ever. */
export interface Wait {
  /** `waited`: for how long, in milliseconds. */
  readonly isOver: (news: News, waited: number) => boolean;
  readonly timeout: number;
  /** The error to answer if the server stops during the wait. Default: the answer at the end of the timeout. */
  readonly whenStopped?: RpcError;
}

/** `before`: when the call comes. */
export interface Waiting extends Pick<NodeContext, 'dialect' | 'network'> {
  readonly before: News;
}

export function readNews({ chain }: Pick<Node, 'chain'>): News {
  const { hash, height } = activeTip(chain);
  return { tip: { hash: formatReversedHex(hash), height }, updates: chain.poolTotals.updates };
}
