import type { Ecc } from '../crypto/ecc.ts';
import { nobleEcc } from '../crypto/nobleEcc.ts';
import { BtcError } from '../errors.ts';
import type { Network } from '../network/networks.ts';
import { createDerivations, type DerivedRange } from '../wallet/derivations.ts';
import type { WalletEvent } from '../wallet/events.ts';
import type { NodeRules } from '../wallet/rules.ts';
import type { SealedMasterKey } from '../wallet/sealedSecrets.ts';
import { lockWallet, type Wallet } from '../wallet/walletState.ts';
import type { NodeEvent } from './events.ts';
import { readJournal, replaceMaster, sealJournal } from './journal.ts';
import { journalCodec } from './journalCodec.ts';
import { applyEvent, createNodeState, type NodeState } from './nodeState.ts';
import type { JournalStore } from './store.ts';

/** The ways to change a node's state and its journal together. */
export interface StateChanges {
  /** Applies events; {@link StateChanges.commit} writes them to the journal. */
  readonly change: (...events: readonly NodeEvent[]) => void;
  /**
   * Writes the events since the last commit to the journal, all or none.
   * @throws BtcError `store/*`: then the node reverts to the journal's state and locks all wallets; if it cannot read
   *   the journal either, every later access to its state throws
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
  /** Takes scripts that were derived elsewhere, for imports before the next commit. */
  readonly addScripts: (range: DerivedRange) => void;
}

interface JournaledState extends StateChanges {
  /** Returns the state. @throws BtcError `store/failed` once it is unknown */
  readonly current: () => NodeState;
  /** Locks the wallets that a condition holds for. */
  readonly lockWallets: (isDue: (wallet: Wallet) => boolean) => void;
}

/**
 * Replays a journal, and keeps the state and the journal together from then on.
 *
 * - `now`: returns the time that new events get, UNIX time
 *
 * @throws BtcError `store/*`
 */
export function openJournaledState({
  network,
  rules,
  store,
  ecc = nobleEcc,
  now,
}: {
  readonly network: Network;
  readonly rules: NodeRules;
  readonly store: JournalStore;
  readonly ecc?: Ecc;
  readonly now: () => number;
}): JournaledState {
  const codec = journalCodec(network, rules, ecc);
  const derivations = createDerivations(store.derivations);
  let unwritten: string[] = [];
  const held = revertible(() => {
    unwritten = [];
    const state = createNodeState({ network, rules, ecc, derivations });
    for (const { at, event } of readJournal(store, codec)) applyEvent(state, at, event);
    return state;
  });
  derivations.save();
  const change: StateChanges['change'] = (...events) => {
    const at = now();
    held.attempt((state) => {
      for (const event of events) {
        applyEvent(state, at, event);
        unwritten.push(codec.format({ at, event }));
      }
    });
  };
  const commit = (): void => {
    held.attempt(() => {
      if (unwritten.length > 0) store.append(unwritten);
      unwritten = [];
    });
    derivations.save();
  };
  return {
    ...{ change, commit, current: held.current, lockWallets: held.lockWallets },
    addScripts: derivations.add,
    encrypt: (name, event) => {
      if (event.secrets.length === 0) return change({ type: 'wallet', name, event });
      commit();
      const at = now();
      sealJournal(store, codec, { at, name, event });
      applyEvent(held.current(), at, { type: 'wallet', name, event });
    },
    changeMaster: (name, master) => {
      commit();
      replaceMaster(store, name, master);
      const wallet = held.current().wallets.get(name);
      if (wallet) wallet.vault.master = master;
    },
  };
}

interface Revertible extends Pick<JournaledState, 'current' | 'lockWallets'> {
  /** Runs `work`; if it throws, locks all wallets, replays the state and throws the same. */
  readonly attempt: (work: (state: NodeState) => void) => void;
}

/** Holds a state. If a change to it fails, replaces it by the result of `replay`. */
function revertible(replay: () => NodeState): Revertible {
  let state = replay();
  /** Set once the state is unknown: a change failed, and so did the replay. */
  let failure: BtcError | undefined;
  const lockWallets: Revertible['lockWallets'] = (isDue) => {
    for (const wallet of state.wallets.values()) if (isDue(wallet)) lockWallet(wallet);
  };
  return {
    lockWallets,
    current: () => {
      if (failure) throw failure;
      return state;
    },
    attempt: (work) => {
      try {
        work(state);
      } catch (error) {
        lockWallets(() => true);
        try {
          state = replay();
        } catch {
          failure = new BtcError('store/failed', { path: '', reason: UNKNOWN }, `The store failed: ${UNKNOWN}`);
        }
        throw error;
      }
    },
  };
}

const UNKNOWN = 'the last change may or may not be kept; reopen the store to see';
