import { bytesKey } from '../bytes/compare.ts';
import { activeBlock, type Chain, chainTx, createChain, tipOf } from '../chain/chainState.ts';
import { invalidateBlock, reconsiderBlock, submitBlock } from '../chain/connect.ts';
import { addTransaction, dropTransaction } from '../chain/mempool.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { quoted, withoutSecrets } from '../encoding/redaction.ts';
import { BtcError } from '../errors.ts';
import type { Network } from '../network/networks.ts';
import { applyWalletEvent } from '../wallet/applyWalletEvent.ts';
import {
  catchUp,
  connectBlock,
  disconnectBlock,
  transactionAddedToMempool,
  transactionRemovedFromMempool,
} from '../wallet/chainSync.ts';
import { createWallet } from '../wallet/createWallet.ts';
import type { Derivations } from '../wallet/derivations.ts';
import type { NodeRules } from '../wallet/rules.ts';
import { lockWallet, type Wallet } from '../wallet/walletState.ts';
import type { NodeEvent } from './events.ts';

/**
 * The chain and the wallets of a node, as the events so far have left them. Only {@link applyEvent} applies events to it.
 */
export interface NodeState {
  readonly network: Network;
  readonly rules: NodeRules;
  readonly ecc: Ecc;
  readonly derivations: Derivations;
  readonly chain: Chain;
  readonly wallets: Map<string, Wallet>;
  readonly loaded: Set<string>;
  /** UNIX time of the event being applied. */
  at: number;
}

/** Creates the state of a new node: a chain of only the genesis block, and no wallets. */
export function createNodeState(given: Pick<NodeState, 'network' | 'rules' | 'ecc' | 'derivations'>): NodeState {
  const state: NodeState = {
    ...given,
    chain: createChain(given.network),
    wallets: new Map(),
    loaded: new Set(),
    at: 0,
  };
  follow(state);
  return state;
}

/** Forwards chain and mempool changes to the loaded wallets. */
function follow(state: NodeState): void {
  const { chain } = state;
  const each = (notify: (wallet: Wallet, now: number) => void): void => {
    for (const name of state.loaded) notify(walletNamed(state, name), state.at);
  };
  chain.listeners.add({
    transactionAdded: (tx) => each((wallet, now) => transactionAddedToMempool(wallet, tx, now)),
    transactionRemoved: (tx, reason) => each((wallet, now) => transactionRemovedFromMempool(wallet, tx, reason, now)),
    blockConnected: (block) => each((wallet, now) => connectBlock(wallet, block, now)),
    blockDisconnected: (block) =>
      each((wallet, now) => disconnectBlock(wallet, block, activeBlock(chain, block.height - 1), now)),
  });
}

function walletNamed({ wallets }: Pick<NodeState, 'wallets'>, name: string): Wallet {
  const wallet = wallets.get(name);
  if (!wallet) {
    const reason = `no wallet ${withoutSecrets(name)}`;
    throw new BtcError(
      'store/failed',
      { path: '', reason },
      `The journal names a wallet ${quoted(name)} that it lacks`,
    );
  }
  return wallet;
}

/** Locks an unloaded wallet and drops the state that a node keeps in memory only. */
function dropTransientState(wallet: Wallet): void {
  const { locked, legacy } = wallet;
  lockWallet(wallet);
  legacy?.forgetTimes();
  for (const [name, { isPersistent }] of locked) if (!isPersistent) locked.delete(name);
}

/** Restores the state that loading a descriptor wallet reads from its file. */
function restoreSavedState(wallet: Wallet): void {
  const { descriptors, ordered } = wallet;
  if (!descriptors) return;
  descriptors.reload();
  wallet.birth = Number.POSITIVE_INFINITY;
  for (const { source } of descriptors.descriptors()) wallet.birth = Math.min(wallet.birth, source.timestamp);
  for (const { timeSmart } of ordered) wallet.birth = Math.min(wallet.birth, timeSmart);
}

/** Applies an event at a UNIX time; the caller has validated it. */
export function applyEvent(state: NodeState, at: number, event: NodeEvent): void {
  const { chain, network, ecc, rules, derivations, wallets, loaded } = state;
  state.at = at;
  switch (event.type) {
    case 'begin':
      break;
    case 'block':
      submitBlock(chain, event.block);
      break;
    case 'invalidate':
      invalidateBlock(chain, bytesKey(event.hash));
      break;
    case 'reconsider':
      reconsiderBlock(chain, bytesKey(event.hash));
      break;
    case 'transaction':
      addTransaction(chain, chainTx(event.tx));
      break;
    case 'drop':
      dropTransaction(chain, bytesKey(event.txid));
      break;
    case 'create':
      wallets.set(event.name, createWallet(event, { rules, network, ecc, derivations, tip: tipOf(chain) }));
      loaded.add(event.name);
      break;
    case 'load': {
      loaded.add(event.name);
      const wallet = walletNamed(state, event.name);
      restoreSavedState(wallet);
      catchUp(wallet, chain, at);
      break;
    }
    case 'unload':
      loaded.delete(event.name);
      dropTransientState(walletNamed(state, event.name));
      break;
    default:
      applyWalletEvent(walletNamed(state, event.name), event.event, { chain, now: at });
  }
}
