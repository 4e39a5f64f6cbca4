import { parseHex } from '../bytes/hex.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import type { Scrypt } from '../crypto/sealing.ts';
import { BtcError } from '../errors.ts';
import type { Network } from '../network/networks.ts';
import { type Block, decodeBlock } from './block.ts';
import type { Chain } from './chainState.ts';
import { createDerivations } from './derivations.ts';
import type { NodeEvent, WalletEvent } from './events.ts';
import { beginJournal, journalEntry, readJournal, replaceMaster, sealJournal } from './journal.ts';
import { createNodeState, happen, type NodeState } from './nodeState.ts';
import type { WalletRules } from './rules.ts';
import type { SealedMasterKey } from './secrets.ts';
import { createMemoryStore, type JournalStore } from './store.ts';
import { lockVault, type Random } from './vault.ts';
import { type Deadlines, lockWallet, type Wallet } from './walletState.ts';

/** What a node is made of. */
export interface NodeOptions {
  readonly network: Network;
  readonly rules: WalletRules;
  /** Where its life is written down. Default in memory only. */
  readonly store?: JournalStore;
  /** UNIX time in seconds, of a clock that is right; fractions count for how long a wallet stays unlocked. */
  readonly clock: () => number;
  /** Seconds of a clock that cannot be set, counted from any moment. Default `clock`. */
  readonly steadyClock?: () => number;
  readonly random: Random;
  /** Default `nobleEcc`. */
  readonly ecc?: Ecc;
  /** Default that of @noble/hashes. */
  readonly scrypt?: Scrypt | undefined;
}

/** A chain that is fed, and the wallets that follow it. It changes by events only. */
export interface Node {
  readonly network: Network;
  readonly rules: WalletRules;
  /** A block in hex, decoded; the last one is remembered. @throws as `decodeBlock` and `parseHex` do */
  readonly decodeBlock: (hex: string) => Block;
  readonly chain: Chain;
  /** All wallets there are, loaded or not. */
  readonly wallets: ReadonlyMap<string, Wallet>;
  /** Names of those that are loaded, in the order in which they were. */
  readonly loaded: ReadonlySet<string>;
  readonly random: Random;
  /** As it was handed in. */
  readonly scrypt: Scrypt | undefined;
  /** UNIX time: of the clock, or the one that was set. */
  readonly now: () => number;
  /** Keeps a wallet unlocked for some seconds from now on, by the wall clock and by the steady one. */
  readonly keepUnlocked: (wallet: Wallet, seconds: number) => void;
  readonly setTime: (time: number | undefined) => void;
  /** Has events happen. */
  readonly change: (...events: readonly NodeEvent[]) => void;
  /**
   * Writes down, as one, what has happened since the last time.
   * @throws BtcError `store/*`: then none of it has happened, and all wallets are locked; where not even the journal can
   *   be read, nothing is answered any more
   */
  readonly commit: () => void;
  /**
   * Writes down that a wallet is encrypted, and leaves none of its private keys in the clear. Where it has none, this is
   * one more event: with those since the last time, it is kept or is not.
   * @throws BtcError `store/*`
   */
  readonly encrypt: (name: string, event: Extract<WalletEvent, { type: 'encrypt' }>) => void;
  /**
   * Replaces the sealed master key of an encrypted wallet, here and wherever the journal has it: what was opened stays
   * so, and the old passphrase opens nothing any more.
   * @throws BtcError `store/*`: then it is as before
   */
  readonly changeMaster: (name: string, master: SealedMasterKey) => void;
  /** Locks wallets whose time is over by either clock. */
  readonly lockExpired: () => void;
  /** Locks all wallets and ends the use of the store. */
  readonly close: () => void;
}

/**
 * Opens a node: everything that was written down happens again, to the same end.
 * @throws BtcError `store/*`, `network/invalid`
 */
export function openNode(options: NodeOptions): Node {
  const { network, rules, store = createMemoryStore(), clock, random, ecc = nobleEcc } = options;
  const { steadyClock = clock, scrypt } = options;
  const blockOf = rememberLast((hex: string) => decodeBlock(parseHex(hex), network));
  const derivations = createDerivations(store.derivations);
  const relive = (): NodeState => {
    const state = createNodeState({ network, rules, ecc, derivations, blockOf });
    for (const { at, event } of readJournal(store)) happen(state, at, event);
    return state;
  };
  beginJournal(store, { type: 'begin', network: network.name, rules: rules.name }, Math.floor(clock()));
  let state = relive();
  derivations.save();
  let unwritten: string[] = [];
  /** Set once nobody knows what has happened. */
  let lost: BtcError | undefined;
  let mockTime: number | undefined;
  const now = (): number => mockTime ?? Math.floor(clock());
  const lockAll = (): void => {
    for (const { vault } of state.wallets.values()) lockVault(vault);
  };
  /** Does, or leaves everything as the journal has it. */
  const orRelive = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      unwritten = [];
      lockAll();
      try {
        state = relive();
      } catch {
        lost = new BtcError('store/failed', { path: '', reason: 'what is kept shows when it is opened again' });
      }
      throw error;
    }
  };
  const current = (): NodeState => {
    if (lost) throw lost;
    return state;
  };
  const commit = (): void => {
    orRelive(() => {
      if (unwritten.length > 0) store.append(unwritten);
      unwritten = [];
    });
    derivations.save();
  };
  const change = (...events: readonly NodeEvent[]): void => {
    const at = now();
    orRelive(() => {
      for (const event of events) {
        happen(state, at, event);
        unwritten.push(journalEntry({ at, event }));
      }
    });
  };
  return {
    ...{ network, rules },
    decodeBlock: blockOf,
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
      if (Object.keys(event.secrets).length === 0) return change({ type: 'wallet', name, event });
      commit();
      const at = now();
      sealJournal(store, name, event, at);
      happen(state, at, { type: 'wallet', name, event });
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

/** A function that need not be asked twice in a row for the same. */
function rememberLast<R>(work: (text: string) => R): (text: string) => R {
  let last: { readonly text: string; readonly result: R } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: work(text) };
    return last.result;
  };
}
