import { txKey } from '../../core/tx/txid.ts';
import { blockKey, parseBlockKey } from '../chain/blockHeader.ts';
import { activeBlock, activeTip, genesisBlock, openChain } from '../chain/chainState.ts';
import { chainTx } from '../chain/chainTx.ts';
import { invalidateBlock, reconsiderBlock, submitBlock, submitHeaders, updateCoins } from '../chain/connect.ts';
import { keepFilterHeaders } from '../chain/filterHeaders.ts';
import { addTransaction, dropTransaction } from '../chain/mempool.ts';
import { prependHeaders, pruneBlocks, startChain } from '../chain/partialChain.ts';
import type { ChainBlock } from '../chain/types.ts';
import type { RecordStore } from '../store/recordStore.ts';
import { openTables } from '../store/tables.ts';
import { applyWalletEvent } from '../wallet/records/applyWalletEvent.ts';
import {
  catchUp,
  computeAbsence,
  concerns,
  connectBlock,
  disconnectBlock,
  minedTxs,
  rescan,
  type SeenBlock,
  scanWithin,
  transactionAddedToMempool,
  transactionRemovedFromMempool,
} from '../wallet/records/chainSync.ts';
import type { WalletEvent } from '../wallet/records/events.ts';
import type { BlockPlace, Wallet } from '../wallet/records/walletState.ts';
import type { LoggedEvent, NodeEvent, TimedEvent } from './events.ts';
import { createFindings, type FindingsLog } from './findings.ts';
import {
  applyPlain,
  moveTip,
  type NodeState,
  restoreSavedState,
  tipAfter,
  toPlace,
  walletNamed,
} from './nodeWallets.ts';
import { replayHistory } from './restoreEvent.ts';
import { createTrace, traceEntry } from './trace.ts';

export type StateParts = Pick<NodeState, 'network' | 'rules' | 'ecc' | 'derivations' | 'log'> & {
  readonly records: RecordStore;
};

/** Opens the chain, without wallets: {@link restoreEvent} brings them back. @throws BtcError `store/*` */
export function openState({ records, ...parts }: StateParts): NodeState {
  const chain = openChain(parts.network, openTables(records));
  // Events before the start of a chain at another block do not determine the tip.
  const genesis = genesisBlock(parts.network);
  const state: NodeState = {
    ...parts,
    chain,
    wallets: new Map(),
    loaded: new Set(),
    at: 0,
    tip: genesis,
    loggedTip: genesis,
    trace: createTrace(),
  };
  follow(state);
  return state;
}

/** Forwards chain and mempool changes to the loaded wallets, and logs what concerns them. */
function follow(state: NodeState): void {
  const { chain } = state;
  const news = (
    tell: (wallet: Wallet, findings: FindingsLog) => void,
    logged: (findings: FindingsLog) => readonly LoggedEvent[],
  ): void => {
    const findings = createFindings(state.wallets);
    const { tip } = state;
    for (const name of state.loaded) tell(walletNamed(state, name), findings);
    for (const event of logged(findings)) record(state, event, tip);
  };
  chain.listeners.add({
    transactionAdded: (tx) =>
      news(
        (wallet, findings) => {
          if (!concerns(wallet, tx)) return;
          findings.pooled(tx);
          transactionAddedToMempool(wallet, tx, state.at);
        },
        ({ collected }) => collected().mempool.map((each) => ({ type: 'added', tx: each })),
      ),
    transactionRemoved: (tx, reason) =>
      news(
        (wallet, findings) => {
          if (!concerns(wallet, tx)) return;
          findings.pooled(tx);
          transactionRemovedFromMempool(wallet, tx, { reason, now: state.at });
        },
        ({ collected }) => collected().mempool.map((each) => ({ type: 'removed', tx: each, reason })),
      ),
    blockConnected: (block, txs) => {
      const seen = seenBlock(block);
      news(
        (wallet, findings) => connectBlock(wallet, { block: seen, txs: minedTxs(txs) }, { now: state.at, ...findings }),
        ({ collected }) => collected().blocks.map((each) => ({ type: 'connected', ...each })),
      );
      state.tip = toPlace(block);
    },
    blockDisconnected: (block, txs) => {
      const [seen, before] = [seenBlock(block), toPlace(activeBlock(chain, block.height - 1))];
      news(
        (wallet, findings) =>
          disconnectBlock(wallet, { block: seen, txs: minedTxs(txs), before }, { now: state.at, ...findings }),
        ({ collected }) => collected().blocks.map((each) => ({ type: 'disconnected', before, ...each })),
      );
      state.tip = before;
    },
  });
}

const seenBlock = ({ hash, key, height, time, maxTime }: ChainBlock): SeenBlock => ({
  hash,
  key,
  height,
  time,
  maxTime,
});

/** Logs an event, after the keys that it needs. `tip`: of the wallets before it. */
function record(state: NodeState, event: LoggedEvent, tip: BlockPlace = state.tip): void {
  recordKeys(state);
  const isKnown = tip.key === state.loggedTip.key;
  logEntry(state, { at: state.at, ...(!isKnown && { tip }), event });
  state.loggedTip = tipAfter(event) ?? tip;
}

function logEntry(state: NodeState, timed: TimedEvent): void {
  state.log(timed);
  traceEntry(state.trace, timed.event, state.wallets);
}

/** Logs the public keys that wallets derived while unlocked: restored from the journal, they may be locked. */
function recordKeys(state: NodeState): void {
  const log = (name: string, event: WalletEvent): void =>
    logEntry(state, { at: state.at, event: { type: 'wallet', name, event } });
  for (const { name, legacy, descriptors } of state.wallets.values()) {
    for (const noted of legacy?.hd.takeNoted() ?? []) log(name, { type: 'seed-keys', ...noted });
    for (const run of descriptors?.takeHardenedKeys() ?? []) log(name, { type: 'descriptor-keys', ...run });
  }
}

/** Applies and logs an event that the caller has validated. */
export function applyEvent(state: NodeState, at: number, event: NodeEvent): void {
  const { chain } = state;
  state.at = at;
  chain.now = at;
  switch (event.type) {
    case 'block':
      submitBlock(chain, event.block, event.bytes);
      break;
    case 'start':
      startChain(chain, event.header, event.height);
      settle(state);
      break;
    case 'prepend':
      prependHeaders(chain, event.headers, genesisBlock(state.network));
      break;
    case 'prune':
      pruneBlocks(chain, event.kept);
      break;
    case 'headers':
      submitHeaders(chain, event.headers);
      break;
    case 'coins':
      updateCoins(chain, event.from);
      break;
    case 'filters':
      keepFilterHeaders(chain, event.headers);
      break;
    case 'invalidate':
      invalidateBlock(chain, blockKey(event.hash));
      break;
    case 'reconsider':
      reconsiderBlock(chain, blockKey(event.hash));
      break;
    case 'transaction':
      addTransaction(chain, chainTx(event.tx));
      break;
    case 'drop':
      dropTransaction(chain, txKey(event.txid));
      break;
    case 'load':
      record(state, { ...event, missed: load(state, event.name) });
      break;
    case 'restore':
      state.wallets.set(event.name, replayHistory(state, event));
      record(state, { ...event, missed: load(state, event.name) });
      break;
    case 'wallet':
      record(state, { ...event, event: applyToWallet(state, event) });
      break;
    default:
      applyPlain(state, event);
      record(state, event);
  }
}

type EventOf<T extends LoggedEvent['type']> = Extract<LoggedEvent, { type: T }>;

function load(state: NodeState, name: string): NonNullable<EventOf<'load'>['missed']> {
  const wallet = walletNamed(state, name);
  state.loaded.add(name);
  restoreSavedState(wallet, state.at);
  const findings = createFindings(state.wallets);
  const absence = computeAbsence(wallet, state.chain);
  catchUp(wallet, absence, { now: state.at, ...findings });
  return { left: [...absence.left].map(parseBlockKey), tip: absence.tip, ...findings.collected() };
}

function applyToWallet(state: NodeState, { name, event }: EventOf<'wallet'>): EventOf<'wallet'>['event'] {
  const wallet = walletNamed(state, name);
  if (event.type !== 'rescan') {
    applyWalletEvent(wallet, event, state.at);
    return event;
  }
  const findings = createFindings(state.wallets);
  rescan(wallet, scanWithin(state.chain, event), { now: state.at, ...findings });
  return { ...event, found: findings.collected() };
}

/** Brings the loaded wallets to the tip of the chain. */
export function settle(state: NodeState): void {
  moveTip(state, toPlace(activeTip(state.chain)));
}
