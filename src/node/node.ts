import type { Chain } from '../chain/chainState.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import type { Scrypt } from '../crypto/sealing.ts';
import { BtcError } from '../errors.ts';
import type { Network } from '../network/networks.ts';
import { createDerivations } from '../wallet/derivations.ts';
import type { WalletEvent } from '../wallet/events.ts';
import type { NodeRules } from '../wallet/rules.ts';
import type { SealedMasterKey } from '../wallet/sealedSecrets.ts';
import { lockVault, type Random } from '../wallet/vault.ts';
import { type Deadlines, lockWallet, type Wallet } from '../wallet/walletState.ts';
import type { NodeEvent } from './events.ts';
import { beginJournal, readJournal, replaceMaster, sealJournal } from './journal.ts';
import { journalCodec } from './journalCodec.ts';
import { applyEvent, createNodeState, type NodeState } from './nodeState.ts';
import { createMemoryStore, type JournalStore } from './store.ts';

/** A node's settings and dependencies. */
export interface NodeOptions {
  readonly network: Network;
  readonly rules: NodeRules;
  /** The journal of all changes. Default: in memory only. */
  readonly store?: JournalStore;
  /** Returns the UNIX time in seconds; fractions make unlock timeouts exact. */
  readonly clock: () => number;
  /** Returns the seconds of a monotonic clock, from any starting point. Default `clock`. */
  readonly steadyClock?: () => number;
  readonly random: Random;
  /** Default `nobleEcc`. */
  readonly ecc?: Ecc;
  /** Default: scrypt of @noble/hashes. */
  readonly scrypt?: Scrypt | undefined;
}

/** A chain of submitted blocks and the wallets that follow it. Only events change what the journal keeps. */
export interface Node {
  readonly network: Network;
  readonly rules: NodeRules;
  readonly chain: Chain;
  /** All wallets by name, loaded or not. */
  readonly wallets: ReadonlyMap<string, Wallet>;
  /** Names of the loaded wallets, in loading order. */
  readonly loaded: ReadonlySet<string>;
  readonly random: Random;
  /** As given in the options. */
  readonly scrypt: Scrypt | undefined;
  /** Returns the mock time if set, otherwise the UNIX time of the clock. */
  readonly now: () => number;
  /** Keeps a wallet unlocked for a number of seconds, by the wall clock and by the steady one. */
  readonly keepUnlocked: (wallet: Wallet, seconds: number) => void;
  /** Sets the mock time, UNIX time; `undefined` returns to the clock. */
  readonly setTime: (time: number | undefined) => void;
  /** Applies events; {@link Node.commit} writes them to the journal. */
  readonly change: (...events: readonly NodeEvent[]) => void;
  /**
   * Writes the events since the last commit to the journal, all or none.
   * @throws BtcError `store/*`: then the node reverts to the journal's state and locks all wallets; if it cannot read the
   *   journal either, every later access to its state throws
   */
  readonly commit: () => void;
  /**
   * Commits, then records that a wallet is encrypted, and seals its private keys throughout the journal. For a wallet
   * without private keys, applies an ordinary event, which waits for the next commit.
   * @throws BtcError `store/*`
   */
  readonly encrypt: (name: string, event: Extract<WalletEvent, { type: 'encrypt' }>) => void;
  /**
   * Commits, then replaces the sealed master key of an encrypted wallet, in memory and throughout the journal. An
   * unlocked wallet stays unlocked; the old passphrase no longer opens it.
   * @throws BtcError `store/*`: then the master key is unchanged
   */
  readonly changeMaster: (name: string, master: SealedMasterKey) => void;
  /** Locks the wallets whose unlock time has passed by either clock. */
  readonly lockExpired: () => void;
  /** Locks all wallets and closes the store. */
  readonly close: () => void;
}

/**
 * Opens a node and replays its journal.
 * @throws BtcError `store/*`, `network/invalid`
 */
export function openNode(options: NodeOptions): Node {
  const { network, rules, store = createMemoryStore(), clock, random, ecc = nobleEcc } = options;
  const { steadyClock = clock, scrypt } = options;
  const codec = journalCodec(network, rules);
  const derivations = createDerivations(store.derivations);
  const replay = (): NodeState => {
    const state = createNodeState({ network, rules, ecc, derivations });
    for (const { at, event } of readJournal(store, codec)) applyEvent(state, at, event);
    return state;
  };
  beginJournal(store, { type: 'begin', network: network.name, rules: rules.name }, Math.floor(clock()));
  let state = replay();
  derivations.save();
  let unwritten: string[] = [];
  /** Set once the state is unknown: a change failed, and so did reading the journal. */
  let failure: BtcError | undefined;
  let mockTime: number | undefined;
  const now = (): number => mockTime ?? Math.floor(clock());
  const lockAll = (): void => {
    for (const { vault } of state.wallets.values()) lockVault(vault);
  };
  /** Runs `work`; if it throws, reverts to the journal's state and locks all wallets. */
  const orRevert = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      unwritten = [];
      lockAll();
      try {
        state = replay();
      } catch {
        failure = new BtcError('store/failed', {
          path: '',
          reason: 'the last change may or may not be kept; reopen the store to see',
        });
      }
      throw error;
    }
  };
  const current = (): NodeState => {
    if (failure) throw failure;
    return state;
  };
  const commit = (): void => {
    orRevert(() => {
      if (unwritten.length > 0) store.append(unwritten);
      unwritten = [];
    });
    derivations.save();
  };
  const change = (...events: readonly NodeEvent[]): void => {
    const at = now();
    orRevert(() => {
      for (const event of events) {
        applyEvent(state, at, event);
        unwritten.push(codec.format({ at, event }));
      }
    });
  };
  return {
    ...{ network, rules },
    get chain() {
      return current().chain;
    },
    get wallets() {
      return current().wallets;
    },
    get loaded() {
      return current().loaded;
    },
    random,
    scrypt,
    now,
    keepUnlocked: (wallet, seconds) => {
      wallet.deadlines = { wall: clock() + seconds, steady: steadyClock() + seconds };
      wallet.relockTime = now() + seconds;
    },
    setTime: (time) => {
      mockTime = time;
    },
    change,
    commit,
    encrypt: (name, event) => {
      if (event.secrets.length === 0) return change({ type: 'wallet', name, event });
      commit();
      const at = now();
      sealJournal(store, codec, { at, name, event });
      applyEvent(state, at, { type: 'wallet', name, event });
    },
    changeMaster: (name, master) => {
      commit();
      replaceMaster(store, name, master);
      const wallet = state.wallets.get(name);
      if (wallet) wallet.vault.master = master;
    },
    lockExpired: () => {
      const isOver = ({ wall, steady }: Deadlines): boolean => clock() >= wall || steadyClock() >= steady;
      for (const wallet of state.wallets.values()) if (isOver(wallet.deadlines)) lockWallet(wallet);
    },
    close: () => {
      lockAll();
      store.close();
    },
  };
}
