import { bytesKey } from '../bytes/compare.ts';
import type { ChainTx } from '../chain/types.ts';
import { BtcError } from '../errors.ts';
import { applyWalletEvent } from '../wallet/applyWalletEvent.ts';
import {
  catchUp,
  concerns,
  connectBlock,
  disconnectBlock,
  type MinedTx,
  rescan,
  type Scan,
  type SeenBlock,
  transactionAddedToMempool,
  transactionRemovedFromMempool,
} from '../wallet/chainSync.ts';
import type { Findings, FoundTx } from '../wallet/events.ts';
import type { Wallet } from '../wallet/walletState.ts';
import { type ChainNews, isNews, type LoggedEvent, type TimedEvent } from './events.ts';
import { knownTx, minedFrom } from './findings.ts';
import { applyPlain, moveTip, type NodeState, restoreSavedState, tipAfter, walletNamed } from './nodeState.ts';
import { traceEntry } from './trace.ts';

/** Finds the transaction of a finding. */
type Finder = (found: FoundTx) => ChainTx;

/**
 * Applies a logged event to the wallets, without the chain: the event holds whatever concerned them.
 * @throws BtcError `store/failed` for an event of another journal
 */
export function restoreEvent(state: NodeState, { at, tip, event }: TimedEvent): void {
  state.at = at;
  if (tip) moveTip(state, tip);
  const txOf = knownTx(state.wallets);
  if (isNews(event)) restoreNews(state, event, txOf);
  else restoreWalletsEvent(state, event, txOf);
  state.tip = tipAfter(event) ?? state.tip;
  state.loggedTip = state.tip;
  traceEntry(state.trace, event, state.wallets);
}

function restoreNews(state: NodeState, event: ChainNews, txOf: Finder): void {
  const tell = toldBy(event, state.at, txOf);
  for (const name of state.loaded) tell(walletNamed(state, name));
}

/** Returns the function that tells a wallet the news. */
function toldBy(event: ChainNews, at: number, txOf: Finder): (wallet: Wallet) => void {
  switch (event.type) {
    case 'connected': {
      const mined = minedFrom(event.txs, txOf);
      return (wallet) => connectBlock(wallet, event.block, mined, at);
    }
    case 'disconnected': {
      const mined = minedFrom(event.txs, txOf);
      return (wallet) => disconnectBlock(wallet, event, mined, at);
    }
    case 'added': {
      const tx = txOf(event.tx);
      return (wallet) => concerns(wallet, tx) && transactionAddedToMempool(wallet, tx, at);
    }
    default: {
      const tx = txOf(event.tx);
      return (wallet) => concerns(wallet, tx) && transactionRemovedFromMempool(wallet, tx, event.reason, at);
    }
  }
}

function restoreWalletsEvent(state: NodeState, event: Exclude<LoggedEvent, ChainNews>, txOf: Finder): void {
  switch (event.type) {
    case 'load': {
      const wallet = walletNamed(state, event.name);
      if (!event.missed) throw lacksFindings(event.type);
      state.loaded.add(event.name);
      restoreSavedState(wallet, state.at);
      const { left, tip } = event.missed;
      catchUp(
        wallet,
        { left: new Set(left.map((hash) => bytesKey(hash))), tip, ...scanOf(event.missed, txOf) },
        state.at,
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
      rescan(wallet, scanOf(event.event.found, txOf), state.at);
      break;
    }
    default:
      applyPlain(state, event);
  }
}

function scanOf({ blocks, mempool }: Findings, txOf: Finder): Scan {
  return {
    blocks: lazily(blocks, ({ block, txs }): readonly [SeenBlock, readonly MinedTx[]] => [block, minedFrom(txs, txOf)]),
    mempool: lazily(mempool, txOf),
  };
}

/** Maps one value at a time: a transaction may be known only once those before it are applied. */
function* lazily<T, U>(values: Iterable<T>, map: (value: T) => U): Generator<U> {
  for (const value of values) yield map(value);
}

function lacksFindings(type: string): BtcError {
  const reason = `a ${type} without its findings`;
  return new BtcError('store/failed', { path: '', reason }, `The journal holds ${reason}`);
}
