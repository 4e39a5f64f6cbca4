import type { Txid } from '../../core/tx/types.ts';
import { activeTip, type Chain, findBody } from '../chain/chainState.ts';
import type { ChainBlock, ChainTx, RemovalReason } from '../chain/types.ts';
import type { BlockPlace } from '../wallet/records/walletRow.ts';
import type { Wallet } from '../wallet/records/walletState.ts';

interface BlockNotice {
  readonly block: ChainBlock;
  /** Empty for a block of which only the header is known. */
  readonly txs: readonly ChainTx[];
}

/**
 * What a node tells other programs, in the order of Core's signals.
 *
 * - `tip`: the last block, once the mempool fits it: not each of the blocks that a reorganization connects. `bytes`: as
 *   submitted, `undefined` if only the header is known; `isNew`: false if blocks were only disconnected;
 *   `isCatchingUp`: it was too old to be the last of the network, each time so far
 * - `wallet transaction`: one that a wallet has added or updated; `block`: that it is in, if any
 * - `warning`: one that the node had not before
 * - `sequence`: the number of the change of the mempool, where blocks count, too
 *
 * @see Bitcoin Core `CValidationInterface`, `kernel::Notifications::blockTip`
 */
export type Notice =
  | ({ readonly type: 'block connected' | 'block disconnected' } & BlockNotice)
  | {
      readonly type: 'tip';
      readonly block: ChainBlock;
      readonly bytes: Uint8Array | undefined;
      readonly isNew: boolean;
      readonly isCatchingUp: boolean;
    }
  | { readonly type: 'transaction added'; readonly tx: ChainTx; readonly sequence: number }
  | {
      readonly type: 'transaction removed';
      readonly tx: ChainTx;
      readonly reason: RemovalReason;
      readonly sequence: number;
    }
  | {
      readonly type: 'wallet transaction';
      readonly wallet: string;
      readonly txid: Txid;
      readonly block: BlockPlace | undefined;
    }
  | { readonly type: 'warning'; readonly text: string };

/** Must not throw. */
export type NoticeListener = (notices: readonly Notice[]) => void;

/** Collects the notices of a call, until it is written. */
export interface Notices {
  readonly listeners: Set<NoticeListener>;
  /** Ends an event: nothing that follows it may come before it. */
  readonly endEvent: () => void;
  readonly forget: () => void;
  /** Tells what was collected. */
  readonly tell: () => void;
}

/** What a node knows beside its chain. */
interface NodeView {
  readonly isCatchingUp: () => boolean;
  /** The warnings for which a node runs `-alertnotify`. */
  readonly alerts: () => readonly string[];
}

/** Collects nothing while nobody listens. */
export function collectNotices(
  chain: Chain,
  recorded: Wallet['recorded'],
  { isCatchingUp, alerts }: NodeView,
): Notices {
  const listeners = new Set<NoticeListener>();
  let collected: Notice[] = [];
  // Core tells of connected blocks after the mempool has taken in those that they replace.
  let connected: Notice[] = [];
  let warned: readonly string[] = [];
  /** As was written. */
  let warnedBefore = warned;
  const tellConnected = (): void => {
    collected.push(...connected.splice(0));
  };
  const endEvent = (): void => {
    tellConnected();
    if (listeners.size === 0) return;
    const now = alerts();
    for (const text of now) if (!warned.includes(text)) add({ type: 'warning', text });
    warned = now;
  };
  const add = (notice: Notice): void => {
    if (listeners.size > 0) collected.push(notice);
  };
  recorded.add(({ row }, { id, state }) => {
    const block = state.kind === 'confirmed' ? state.block : undefined;
    add({ type: 'wallet transaction', wallet: row.name, txid: id, block });
  });
  chain.listeners.add({
    transactionAdded: (tx, sequence) => add({ type: 'transaction added', tx, sequence }),
    transactionRemoved: (tx, reason, sequence) => add({ type: 'transaction removed', tx, reason, sequence }),
    blockConnected: (block, txs) => {
      if (listeners.size > 0) connected.push({ type: 'block connected', block, txs });
    },
    blockDisconnected: (block, txs) => {
      tellConnected();
      add({ type: 'block disconnected', block, txs });
    },
    tipChanged: (isNew) => {
      tellConnected();
      const block = activeTip(chain);
      add({ type: 'tip', block, bytes: findBody(chain, block)?.bytes, isNew, isCatchingUp: isCatchingUp() });
    },
  });
  return {
    listeners,
    endEvent,
    forget: () => {
      collected = [];
      connected = [];
      warned = warnedBefore;
    },
    tell: () => {
      const told = collected;
      collected = [];
      warnedBefore = warned;
      if (told.length > 0) for (const listener of listeners) listener(told);
    },
  };
}
