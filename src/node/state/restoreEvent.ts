import { BtcError } from '../../core/errors.ts';
import { blockKey } from '../chain/blockHeader.ts';
import { genesisBlock } from '../chain/chainState.ts';
import type { ChainTx } from '../chain/types.ts';
import { applyWalletEvent } from '../wallet/records/applyWalletEvent.ts';
import {
  catchUp,
  concerns,
  connectBlock,
  disconnectBlock,
  rescan,
  type Scan,
  transactionAddedToMempool,
  transactionRemovedFromMempool,
} from '../wallet/records/chainSync.ts';
import type { Findings, FoundTx } from '../wallet/records/events.ts';
import type { Wallet } from '../wallet/records/walletState.ts';
import { type ChainNews, isNews, type LoggedEvent, type TimedEvent } from './events.ts';
import { type FindingsLog, knownTx, minedFrom } from './findings.ts';
import { applyPlain, moveTip, type NodeState, restoreSavedState, tipAfter, walletNamed } from './nodeWallets.ts';
import { createTrace, traceEntry } from './trace.ts';

type Finder = (finding: FoundTx) => ChainTx;

export interface Observer {
  readonly name: string;
  /** Collects the transactions that concern the wallet. */
  readonly findings: FindingsLog;
}

/**
 * Applies a logged event without the chain: it holds whatever concerned the wallets.
 * @throws BtcError `store/failed` for an event of another journal
 */
export function restoreEvent(state: NodeState, { at, tip, event }: TimedEvent, observer?: Observer): void {
  state.at = at;
  if (tip) moveTip(state, tip);
  const findTx = knownTx(state.wallets);
  const findWitness = (name: string): FindingsLog | undefined =>
    name === observer?.name ? observer.findings : undefined;
  if (isNews(event)) restoreNews(state, event, { findTx, findWitness });
  else restoreWalletsEvent(state, event, { findTx, findWitness });
  state.tip = tipAfter(event) ?? state.tip;
  state.loggedTip = state.tip;
  traceEntry(state.trace, event, state.wallets);
}

interface Restoring {
  readonly findTx: Finder;
  readonly findWitness: (name: string) => FindingsLog | undefined;
}

function restoreNews(state: NodeState, event: ChainNews, { findTx, findWitness }: Restoring): void {
  const apply = eventApplier(event, state.at, findTx);
  for (const name of state.loaded) apply(walletNamed(state, name), findWitness(name));
}

function eventApplier(event: ChainNews, at: number, findTx: Finder): (wallet: Wallet, witness?: FindingsLog) => void {
  switch (event.type) {
    case 'connected': {
      const connected = { ...event, txs: minedFrom(event.txs, findTx) };
      return (wallet, witness) => connectBlock(wallet, connected, { now: at, ...witness });
    }
    case 'disconnected': {
      const disconnected = { ...event, txs: minedFrom(event.txs, findTx) };
      return (wallet, witness) => disconnectBlock(wallet, disconnected, { now: at, ...witness });
    }
    default: {
      const tx = findTx(event.tx);
      return (wallet, witness) => {
        if (!concerns(wallet, tx)) return;
        witness?.pooled(tx);
        if (event.type === 'added') transactionAddedToMempool(wallet, tx, at);
        else transactionRemovedFromMempool(wallet, tx, { reason: event.reason, now: at });
      };
    }
  }
}

function restoreWalletsEvent(
  state: NodeState,
  event: Exclude<LoggedEvent, ChainNews>,
  { findTx, findWitness }: Restoring,
): void {
  switch (event.type) {
    case 'restore':
    case 'load': {
      if (event.type === 'restore') state.wallets.set(event.name, replayHistory(state, event));
      const wallet = walletNamed(state, event.name);
      if (!event.missed) throw lacksFindings(event.type);
      state.loaded.add(event.name);
      restoreSavedState(wallet, state.at);
      const { left, tip } = event.missed;
      catchUp(
        wallet,
        { left: new Set(left.map((hash) => blockKey(hash))), tip, ...toScan(event.missed, findTx) },
        { now: state.at, ...findWitness(event.name) },
      );
      break;
    }
    case 'wallet': {
      const wallet = walletNamed(state, event.name);
      if (event.event.type !== 'rescan') {
        applyWalletEvent(wallet, event.event, state.at);
        break;
      }
      if (!event.event.found) throw lacksFindings(event.event.type);
      rescan(wallet, toScan(event.event.found, findTx), { now: state.at, ...findWitness(event.name) });
      break;
    }
    default:
      applyPlain(state, event);
  }
}

/**
 * Restores a wallet from the history in its backup, apart from the others.
 * @throws BtcError `store/failed` for a history that no wallet has
 */
export function replayHistory(
  { network, rules, ecc, derivations, chain }: NodeState,
  { name, history }: Pick<Extract<LoggedEvent, { type: 'restore' }>, 'name' | 'history'>,
): Wallet {
  const genesis = genesisBlock(network);
  const alone: NodeState = {
    network,
    rules,
    ecc,
    derivations,
    chain,
    wallets: new Map(),
    loaded: new Set(),
    at: 0,
    tip: genesis,
    loggedTip: genesis,
    log: () => undefined,
    trace: createTrace(),
  };
  for (const timed of history) restoreEvent(alone, timed);
  return walletNamed(alone, name);
}

function toScan({ blocks, mempool }: Findings, findTx: Finder): Scan {
  return {
    blocks: lazily(blocks, ({ block, txs }) => ({ block, txs: minedFrom(txs, findTx) })),
    mempool: lazily(mempool, findTx),
  };
}

/** Maps lazily, since a transaction may be known only once those before it are applied. */
function* lazily<T, U>(values: Iterable<T>, map: (value: T) => U): Generator<U> {
  for (const value of values) yield map(value);
}

function lacksFindings(type: string): BtcError {
  const reason = `a ${type} without its findings`;
  return new BtcError('store/failed', { path: '', reason }, `The journal holds ${reason}`);
}
