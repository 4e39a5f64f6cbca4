import type { Ecc } from '../../core/crypto/ecc.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import type { Scrypt } from '../../core/crypto/sealing.ts';
import { BtcError, isBtcError } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';
import type { BlockKey } from '../chain/blockHeader.ts';
import { activeTip, type BlockValidation, type Chain } from '../chain/chainState.ts';
import { hasStrongInvalidBranch } from '../chain/forkWarning.ts';
import { waiverWarnings } from '../chain/waivers.ts';
import { KINDS } from '../store/kinds.ts';
import { createMemoryStore } from '../store/memoryStore.ts';
import type { RecordStore, SharedStore } from '../store/recordStore.ts';
import { UNSURE } from '../store/storeFault.ts';
import type { Random } from '../wallet/keys/vault.ts';
import { assertSecrets } from '../wallet/records/recordFaults.ts';
import { type Deadlines, lockWallet, type Wallet } from '../wallet/records/walletState.ts';
import type { NodeRules } from '../wallet/rules.ts';
import { type CallHooks, type Calls, NO_HOOKS, openCalls } from './calls.ts';
import type { NodeEvent } from './events.ts';
import { applyEvent, type NodeState, openState, refreshState, settleWallets, walletNamed } from './nodeState.ts';
import { collectNotices, type NoticeListener, type Notices } from './notices.ts';
import { needsOwner, type Owner, type OwnerTable, ownerCodec } from './owner.ts';
import { type BackupContent, backUpWallet, readWalletBackup, type WalletBackup } from './walletBackup.ts';

export interface NodeOptions {
  readonly network: Network;
  readonly rules: NodeRules;
  /** Default: in memory only. */
  readonly store?: RecordStore | SharedStore;
  /** UNIX time in seconds; fractions make unlock timeouts exact. */
  readonly clock: () => number;
  /** Seconds of a monotonic clock. Default `clock`. */
  readonly steadyClock?: () => number;
  readonly random: Random;
  /** Default `nobleEcc`. */
  readonly ecc?: Ecc;
  readonly validation: BlockValidation;
  /** In seconds, after which the last block is too old to be the last of the network. */
  readonly maxTipAge: number;
  /** Default: scrypt of @noble/hashes. */
  readonly scrypt?: Scrypt | undefined;
}

/** A chain of submitted blocks and the wallets that follow it, in the records of a store. */
export interface Node {
  readonly network: Network;
  readonly rules: NodeRules;
  readonly chain: Chain;
  /** By name, loaded or not. */
  readonly wallets: ReadonlyMap<string, Wallet>;
  /** In loading order. */
  readonly loaded: ReadonlySet<string>;
  readonly random: Random;
  readonly scrypt: Scrypt | undefined;
  /**
   * Looks at the last block, as `noteTip`, and tells whether it was too old to be the last of the network each time since the
   * node was opened. @see Bitcoin Core `IsInitialBlockDownload`
   */
  readonly isCatchingUp: (again: boolean) => boolean;
  /** Looks at the last block if it is another than before, or (`again`) in any case. Changes look at it, too. */
  readonly noteTip: (again: boolean) => void;
  readonly now: () => number;
  /** UNIX time when the node was opened. */
  readonly startTime: number;
  /** Whole seconds since the node was opened. */
  readonly uptime: () => number;
  /**
   * Runs a call as a transaction: its changes are written at its end, all or none. Where processes share the store, it
   * reads one snapshot, and writers take turns.
   * @throws BtcError `store/*`: the changes of the call are dropped then, and all wallets are locked
   */
  readonly inCall: <T>(work: () => T) => T;
  /** Applies events, which are part of a call. */
  readonly change: (...events: readonly NodeEvent[]) => void;
  /** Applies an event that replaces secrets, and makes the former ones unreadable once the call is written. */
  readonly changeSecrets: (event: Extract<NodeEvent, { type: 'wallet' }>) => void;
  /** Returns a backup of a wallet, or of one that only watches it. @throws BtcError `store/*` */
  readonly backUp: (name: string, content?: BackupContent) => Uint8Array;
  /** Opens the wallet in a backup. Changes nothing. */
  readonly readBackup: (bytes: Uint8Array) => WalletBackup;
  /** Keeps a wallet unlocked for a time, by the wall clock and by the steady one. */
  readonly keepUnlocked: (wallet: Wallet, seconds: number) => void;
  /** The mock time; `undefined` while the clock counts. */
  readonly mockTime: () => number | undefined;
  /** Sets the mock time; `undefined` returns to the clock. */
  readonly setTime: (time: number | undefined) => void;
  /** Locks the wallets whose unlock time has passed by either clock. */
  readonly lockExpired: () => void;
  /** What is wrong as far as the node can tell, in a release's words. @see Bitcoin Core `node::Warnings` */
  readonly warnings: () => readonly string[];
  /** Tells what calls change, once each is written. @returns what ends it */
  readonly listen: (listener: NoticeListener) => () => void;
  /** Locks all wallets and closes the store. */
  readonly close: () => void;
}

/** Opens a node on the records of a store. @throws BtcError `store/*`, `network/invalid` */
export function openNode(options: NodeOptions): Node {
  const { network, rules, store = createMemoryStore(), clock, random, scrypt, ecc = nobleEcc, validation } = options;
  const { maxTipAge, steadyClock = clock } = options;
  const owner: Owner = { network: network.name, rules: rules.name };
  const calls = openCalls(store);
  const state = takeOver(calls, store, owner, (owners) =>
    openState({ network, rules, ecc, validation, tables: calls.tables, owners }),
  );
  const opened = steadyClock();
  const startTime = Math.floor(clock());
  let mockTime: number | undefined;
  const now = (): number => mockTime ?? Math.floor(clock());
  let lastSeen: BlockKey | undefined;
  let hasCaughtUp = false;
  const noteTip: Node['noteTip'] = (again) => {
    const { key, time } = activeTip(state.chain);
    if (key === lastSeen && !again) return;
    lastSeen = key;
    hasCaughtUp ||= time >= now() - maxTipAge;
  };
  const isCatchingUp: Node['isCatchingUp'] = (again) => {
    noteTip(again);
    return !hasCaughtUp;
  };
  const warnings: Node['warnings'] = () => {
    const { forkWarning, warnsWhileCatchingUp } = rules;
    const isLooking = warnsWhileCatchingUp || !isCatchingUp(false);
    const hasFork = isLooking && hasStrongInvalidBranch(state.chain);
    return [...(hasFork ? [forkWarning] : []), ...waiverWarnings(state.chain)];
  };
  const notices = collectNotices(state.chain, state.parts.recorded, {
    isCatchingUp: () => isCatchingUp(false),
    alerts: () => (rules.alertsOfForks ? warnings() : []),
  });
  const hooks = callHooks(state, notices);
  const change: Node['change'] = (...events) => {
    calls.beginChange();
    try {
      noteTip(false);
      for (const event of events) {
        applyEvent(state, now(), event);
        notices.endEvent();
      }
      noteTip(false);
    } catch (error) {
      calls.tables.discard();
      throw hooks.revert(error, true);
    }
  };
  return {
    network,
    rules,
    chain: state.chain,
    wallets: state.wallets,
    loaded: state.loaded,
    random,
    scrypt,
    isCatchingUp,
    noteTip,
    warnings,
    now,
    startTime,
    uptime: () => Math.floor(steadyClock() - opened),
    inCall: (work) => {
      try {
        return calls.run(hooks, work);
      } finally {
        notices.tell();
      }
    },
    change,
    changeSecrets: (event) => {
      assertSecrets(walletNamed(state, event.name));
      change(event);
      calls.purgeAfterwards();
    },
    backUp: (name, content) => {
      const wallet = walletNamed(state, name);
      assertSecrets(wallet);
      return backUpWallet(owner, wallet, content);
    },
    readBackup: (bytes) => readWalletBackup(bytes, owner, { network, rules, ecc }),
    keepUnlocked: (wallet, seconds) => {
      wallet.deadlines = { wall: clock() + seconds, steady: steadyClock() + seconds };
      wallet.relockTime = now() + seconds;
    },
    mockTime: () => mockTime,
    setTime: (time) => {
      noteTip(false);
      mockTime = time;
    },
    lockExpired: () => {
      const isOver = ({ wall, steady }: Deadlines): boolean => clock() >= wall || steadyClock() >= steady;
      lockWallets(state, ({ deadlines }) => isOver(deadlines));
    },
    listen: (listener) => {
      notices.listeners.add(listener);
      return () => notices.listeners.delete(listener);
    },
    close: () => {
      lockWallets(state, () => true);
      calls.close();
    },
  };
}

function lockWallets({ wallets }: NodeState, isDue: (wallet: Wallet) => boolean): void {
  for (const wallet of wallets.values()) if (isDue(wallet)) lockWallet(wallet);
}

/** Opens the state in a call, since a new store gets its owner. */
function takeOver(calls: Calls, store: RecordStore, owner: Owner, open: (owners: OwnerTable) => NodeState): NodeState {
  const owners: OwnerTable = calls.tables.table(KINDS.owner, ownerCodec, Number.POSITIVE_INFINITY);
  return calls.run(NO_HOOKS, () => {
    if (needsOwner(store, owner)) owners.set('', { ...owner, wallets: 0 });
    return open(owners);
  });
}

/** Reads the state anew at the next call if it could not be read at this one. */
function callHooks(state: NodeState, notices: Notices): CallHooks {
  let isUnknown = false;
  return {
    refresh: (changed) => {
      // A call may run again.
      notices.forget();
      if (!isUnknown && changed.length === 0) return;
      const all = isUnknown ? 'all' : changed;
      isUnknown = true;
      refreshState(state, all);
      isUnknown = false;
    },
    finish: () => settleWallets(state),
    revert: (error, isChange) => {
      notices.forget();
      if (isChange) lockWallets(state, () => true);
      try {
        refreshState(state, 'all');
        return error;
      } catch {
        isUnknown = true;
        return unsureAfter(error);
      }
    },
  };
}

function unsureAfter(error: unknown): BtcError {
  if (isBtcError(error, 'store/failed') && error.data.isUnsure) return error;
  const message = error instanceof BtcError ? `${error.message}; ${UNSURE}` : `The store failed: ${UNSURE}`;
  return new BtcError('store/failed', { path: '', reason: UNSURE, isUnsure: true }, message);
}
