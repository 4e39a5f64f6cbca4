import type { Ecc } from '../../core/crypto/ecc.ts';
import { quoted, withoutSecrets } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';
import type { Chain } from '../chain/chainState.ts';
import type { Derivations } from '../wallet/keys/derivations.ts';
import { createWallet } from '../wallet/records/createWallet.ts';
import { restoreSpends } from '../wallet/records/records.ts';
import { type BlockPlace, lockWallet, type Wallet } from '../wallet/records/walletState.ts';
import type { NodeRules } from '../wallet/rules.ts';
import type { LoggedEvent, TimedEvent } from './events.ts';
import type { Trace } from './trace.ts';

type EventOf<T extends LoggedEvent['type']> = Extract<LoggedEvent, { type: T }>;

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
  /** The last block that the loaded wallets have seen. */
  tip: BlockPlace;
  /** The tip according to the logged events. */
  loggedTip: BlockPlace;
  log: (timed: TimedEvent) => void;
  readonly trace: Trace;
}

export const toPlace = ({ hash, key, height }: BlockPlace): BlockPlace => ({ hash, key, height });

/** Returns the tip of the loaded wallets after an event that changes it. */
export function tipAfter(event: LoggedEvent): BlockPlace | undefined {
  if (event.type === 'connected') return toPlace(event.block);
  return event.type === 'disconnected' ? event.before : undefined;
}

/** @throws BtcError `store/failed` */
export function walletNamed({ wallets }: Pick<NodeState, 'wallets'>, name: string): Wallet {
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

/** Locks an unloaded wallet and drops what Core keeps in memory only. */
function dropTransientState(wallet: Wallet): void {
  const { locked, legacy } = wallet;
  lockWallet(wallet);
  legacy?.forgetTimes();
  wallet.payTxFee = 0n;
  for (const [name, { isPersistent }] of locked) if (!isPersistent) locked.delete(name);
}

/** Restores what Core reads from a wallet's file, and fills the keypool. */
export function restoreSavedState(wallet: Wallet, now: number): void {
  const { descriptors, legacy, ordered } = wallet;
  legacy?.hd.topUp(now);
  if (wallet.rules.forgetsRivalSpends) restoreSpends(wallet);
  if (!descriptors) return;
  descriptors.reload();
  wallet.birth = Number.POSITIVE_INFINITY;
  for (const { source } of descriptors.descriptors()) wallet.birth = Math.min(wallet.birth, source.timestamp);
  for (const { timeSmart } of ordered) wallet.birth = Math.min(wallet.birth, timeSmart);
}

/** Applies an event that needs neither the chain nor findings. */
export function applyPlain(state: NodeState, event: EventOf<'begin' | 'create' | 'unload'>): void {
  const { network, rules, ecc, derivations, wallets, loaded, tip } = state;
  switch (event.type) {
    case 'begin':
      break;
    case 'create':
      wallets.set(event.name, createWallet(event, { rules, network, ecc, derivations, tip: toPlace(tip) }));
      loaded.add(event.name);
      break;
    default:
      loaded.delete(event.name);
      dropTransientState(walletNamed(state, event.name));
  }
}

export function moveTip(state: NodeState, tip: BlockPlace): void {
  state.tip = tip;
  for (const name of state.loaded) walletNamed(state, name).tip = tip;
}
