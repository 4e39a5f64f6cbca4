import type { Ecc } from '../../core/crypto/ecc.ts';
import type { Scrypt } from '../../core/crypto/sealing.ts';
import type { Network } from '../../core/network/networks.ts';
import type { Chain } from '../chain/chainState.ts';
import { createMemoryStore } from '../store/memoryStore.ts';
import type { RecordStore, SharedStore } from '../store/recordStore.ts';
import type { Random } from '../wallet/keys/vault.ts';
import type { Deadlines, Wallet } from '../wallet/records/walletState.ts';
import type { NodeRules } from '../wallet/rules.ts';
import { openJournaledState, type StateChanges } from './journaledState.ts';

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
  /** Default: scrypt of @noble/hashes. */
  readonly scrypt?: Scrypt | undefined;
}

/** A chain of submitted blocks and the wallets that follow it. Only events change the journaled state. */
export interface Node extends StateChanges {
  readonly network: Network;
  readonly rules: NodeRules;
  readonly chain: Chain;
  /** By name, loaded or not. */
  readonly wallets: ReadonlyMap<string, Wallet>;
  /** In loading order. */
  readonly loaded: ReadonlySet<string>;
  readonly random: Random;
  readonly scrypt: Scrypt | undefined;
  readonly now: () => number;
  /** Whole seconds since the node was opened. */
  readonly uptime: () => number;
  /** Keeps a wallet unlocked for a time, by the wall clock and by the steady one. */
  readonly keepUnlocked: (wallet: Wallet, seconds: number) => void;
  /** Sets the mock time; `undefined` returns to the clock. */
  readonly setTime: (time: number | undefined) => void;
  /** Locks the wallets whose unlock time has passed by either clock. */
  readonly lockExpired: () => void;
  /** Locks all wallets and closes the store. */
  readonly close: () => void;
}

/** Opens a node and replays its journal. @throws BtcError `store/*`, `network/invalid` */
export function openNode(options: NodeOptions): Node {
  const { network, rules, store = createMemoryStore(), clock, random, scrypt } = options;
  const { steadyClock = clock } = options;
  let mockTime: number | undefined;
  const opened = steadyClock();
  const now = (): number => mockTime ?? Math.floor(clock());
  const { current, lockWallets, keepCaches, close, ...changes } = openJournaledState({ ...options, store, now });
  return {
    network,
    rules,
    random,
    scrypt,
    now,
    ...changes,
    get chain() {
      return current().chain;
    },
    get wallets() {
      return current().wallets;
    },
    get loaded() {
      return current().loaded;
    },
    uptime: () => Math.floor(steadyClock() - opened),
    keepUnlocked: (wallet, seconds) => {
      wallet.deadlines = { wall: clock() + seconds, steady: steadyClock() + seconds };
      wallet.relockTime = now() + seconds;
    },
    setTime: (time) => {
      mockTime = time;
    },
    lockExpired: () => {
      const isOver = ({ wall, steady }: Deadlines): boolean => clock() >= wall || steadyClock() >= steady;
      lockWallets(({ deadlines }) => isOver(deadlines));
    },
    close: () => {
      lockWallets(() => true);
      try {
        keepCaches();
      } catch {
        // The next opening applies the journal.
      }
      close();
    },
  };
}
