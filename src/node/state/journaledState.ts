import type { Ecc } from '../../core/crypto/ecc.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { BtcError, isBtcError } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';
import { beginChain, isChainChanged, isSaved, isUnchanged, saveChain } from '../chain/chainState.ts';
import { createDerivations } from '../wallet/keys/derivations.ts';
import type { SealedMasterKey } from '../wallet/keys/sealedSecrets.ts';
import { applyWalletEvent } from '../wallet/records/applyWalletEvent.ts';
import type { WalletEvent } from '../wallet/records/events.ts';
import { lockWallet, type Wallet } from '../wallet/records/walletState.ts';
import type { NodeRules } from '../wallet/rules.ts';
import { decodeBackup, encodeBackup, type ReadBackup } from './backupFile.ts';
import type { NodeEvent, TimedEvent } from './events.ts';
import { beginJournal, type Owner, replaceMaster, sealJournal } from './journal.ts';
import { type JournalCodec, journalCodec, loggedIn, withCommit } from './journalCodec.ts';
import { applyEvent, type StateParts } from './nodeState.ts';
import { type NodeState, walletNamed } from './nodeWallets.ts';
import { replayHistory } from './restoreEvent.ts';
import { applyForeign, convertJournal, restoreState } from './restoreState.ts';
import { makeSnapshot } from './snapshot.ts';
import { type CallHooks, type JournalStore, UNSURE } from './store.ts';
import { traceEntry } from './trace.ts';
import { walletHistory } from './walletHistory.ts';

type EncryptEvent = Extract<WalletEvent, { type: 'encrypt' }>;

export interface StateChanges {
  /** Applies events, which {@link StateChanges.commit} writes to the journal. */
  readonly change: (...events: readonly NodeEvent[]) => void;
  /**
   * Writes the events since the last commit to the journal, all or none.
   * @throws BtcError `store/*`: the node then reverts to the journal's state and locks all wallets; if the journal
   *   cannot be read either, every later access to the state throws
   */
  readonly commit: () => void;
  /**
   * Commits, then records an encryption and seals private keys throughout the journal. Without private keys, only
   * applies the event.
   * @throws BtcError `store/*`
   */
  readonly encrypt: (name: string, event: EncryptEvent) => void;
  /**
   * Commits, then replaces a sealed master key in memory and throughout the journal. An unlocked wallet stays unlocked.
   * @throws BtcError `store/*`: the master key is unchanged
   */
  readonly changeMaster: (name: string, master: SealedMasterKey) => void;
  /** Commits, then returns a backup of a wallet. @throws BtcError `store/*` */
  readonly backUp: (name: string) => Uint8Array;
  /** Tries whether a backup can be restored under a name. Changes nothing. */
  readonly readBackup: (bytes: Uint8Array, name: string) => WalletBackup;
  /** Runs a call as a transaction where processes share the store: it reads one snapshot, and writers take turns. */
  readonly inCall: <T>(work: () => T) => T;
}

type WalletBackup =
  | {
      readonly kind: 'wallet';
      readonly history: readonly TimedEvent[];
      /** Not loaded. */
      readonly wallet: Wallet;
    }
  | Extract<ReadBackup, { kind: 'refused' }>;

interface JournaledState extends StateChanges {
  readonly hasLostChain: boolean;
  /** @throws BtcError `store/failed` once the state is unknown */
  readonly current: () => NodeState;
  /** Writes a snapshot if one is due. If it throws, nothing is lost. */
  readonly keepSnapshot: () => void;
  readonly lockWallets: (isDue: (wallet: Wallet) => boolean) => void;
}

interface JournalOptions {
  readonly network: Network;
  readonly rules: NodeRules;
  readonly store: JournalStore;
  readonly ecc?: Ecc;
  readonly now: () => number;
}

/** Replays a journal, and keeps state and journal together from then on. @throws BtcError `store/*` */
export function openJournaledState(options: JournalOptions): JournaledState {
  const { store, now } = options;
  const journal = openJournal(options);
  const { codec, owner, parts, stateHolder } = journal;
  const { derivations } = parts;
  const { calls } = store;
  const hooks: CallHooks = {
    refresh: (changes) => {
      if (changes === 'all') return stateHolder.replay();
      applyForeign(stateHolder.current(), codec, changes);
      journal.length += changes.appended.length;
    },
    revert: stateHolder.replay,
  };
  const change: StateChanges['change'] = (...events) => {
    calls?.claim();
    const at = now();
    stateHolder.attempt((state) => {
      for (const event of events) applyEvent(state, at, event);
    });
  };
  const commit = (): void => {
    stateHolder.attempt((state) => saveTogether(journal, state));
    derivations.save();
  };
  return {
    change,
    commit,
    hasLostChain: journal.hasLostChain,
    current: stateHolder.current,
    lockWallets: stateHolder.lockWallets,
    inCall: (work) => {
      try {
        return calls ? calls.run(hooks, work) : work();
      } finally {
        // A query may derive scripts, too.
        derivations.save();
      }
    },
    keepSnapshot: () => keepSnapshot(journal),
    backUp: (name) => {
      commit();
      return encodeBackup(owner, walletHistory(name, now(), { store, codec, parts }).map(codec.format));
    },
    readBackup: (bytes, name) => {
      const read = decodeBackup(bytes, owner);
      return read.kind === 'refused' ? read : tryBackup(read.entries, name, { codec, state: stateHolder.current() });
    },
    encrypt: (name, event) => {
      if (event.secrets.length === 0) return change({ type: 'wallet', name, event });
      commit();
      sealWallet(journal, { at: now(), name, event });
    },
    changeMaster: (name, master) => {
      commit();
      replaceMaster(store, name, master);
      const wallet = stateHolder.current().wallets.get(name);
      if (wallet) wallet.vault.master = master;
    },
  };
}

interface Journal {
  readonly store: JournalStore;
  readonly codec: JournalCodec;
  readonly owner: Owner;
  readonly parts: StateParts;
  length: number;
  /** Entries that the next commit adds. */
  unwritten: string[];
  hasLostChain: boolean;
}

interface OpenJournal extends Journal {
  readonly stateHolder: Revertible;
}

function openJournal({ network, rules, store, ecc = nobleEcc, now }: JournalOptions): OpenJournal {
  const codec = journalCodec(network, rules, ecc);
  const derivations = createDerivations(store.derivations);
  const log = (timed: TimedEvent): void => {
    journal.unwritten.push(codec.format(timed));
  };
  const parts: StateParts = { network, rules, ecc, derivations, log, records: store.records };
  const owner = { network: network.name, rules: rules.name };
  const journal: Journal = { store, codec, owner, parts, length: 0, unwritten: [], hasLostChain: false };
  const stateHolder = inFirstCall(store, () => {
    if (beginJournal(store, owner, now()) === 'old') convertJournal(store, codec, parts);
    const opened = revertible(() => {
      journal.unwritten = [];
      const restored = restoreState(store, codec, parts);
      journal.hasLostChain ||= restored.hasLostChain;
      journal.length = restored.length;
      return restored.state;
    });
    if (journal.unwritten.length > 0) saveTogether(journal, opened.current());
    return opened;
  });
  derivations.save();
  return Object.assign(journal, { stateHolder });
}

function keepSnapshot({ store, parts, stateHolder, length, unwritten }: OpenJournal): void {
  const { snapshots } = store;
  if (unwritten.length > 0 || !snapshots) return;
  const state = stateHolder.current();
  const { trace } = state;
  if (trace.needsJournal || trace.entries !== length || !snapshots.isDue(trace.added)) return;
  snapshots.write(makeSnapshot(state));
  trace.added = 0;
  parts.derivations.save();
}

function sealWallet(
  journal: OpenJournal,
  { at, name, event }: { readonly at: number; readonly name: string; readonly event: EncryptEvent },
): void {
  const { store, codec, stateHolder } = journal;
  const state = stateHolder.current();
  const wallet = walletNamed(state, name);
  sealJournal(store, codec, { at, name, event, keys: wallet.legacy?.hd.allKeys() ?? [] });
  journal.length += 1;
  applyWalletEvent(wallet, event, at);
  traceEntry(state.trace, { type: 'wallet', name, event }, state.wallets);
}

function tryBackup(
  entries: readonly string[],
  name: string,
  { codec, state }: { readonly codec: JournalCodec; readonly state: NodeState },
): WalletBackup {
  const history: TimedEvent[] = [];
  try {
    for (const entry of entries) history.push(renamed(loggedIn(codec.parse(entry)), name));
  } catch {
    // The heading is line 1.
    return { kind: 'refused', reason: `cannot be read from line ${history.length + 2} on` };
  }
  try {
    return { kind: 'wallet', history, wallet: replayHistory(state, { name, history }) };
  } catch {
    return { kind: 'refused', reason: 'does not hold the whole history of a wallet' };
  }
}

function renamed(timed: TimedEvent, name: string): TimedEvent {
  const { event } = timed;
  return 'name' in event ? { ...timed, event: { ...event, name } } : timed;
}

/** Opens a store in a call, since opening it may write. */
const inFirstCall = <T>({ calls }: JournalStore, open: () => T): T =>
  calls ? calls.run({ refresh: () => undefined, revert: () => undefined }, open) : open();

/**
 * Writes the changes of the chain and the entries that came with them, both or neither: each entry names the commit
 * that makes it valid. Entries come first, so that a crash leaves entries to drop. They stay if it is unknown whether
 * the records have changed: the next opening finds out.
 * @throws BtcError `store/*`
 */
function saveTogether(journal: Journal, { chain, trace }: NodeState): void {
  const { store, unwritten: entries } = journal;
  journal.unwritten = [];
  const length = journal.length + entries.length;
  for (const entry of entries) trace.added += entry.length;
  if (!isChainChanged(chain)) {
    if (entries.length > 0) store.append(entries);
    journal.length = length;
    return;
  }
  if (!isSaved(chain)) beginChain(chain);
  const commit = chain.counts.commits + 1;
  if (entries.length > 0) Object.assign(trace, { commit, hasSeenBlocks: true });
  if (entries.length > 0) store.append(entries.map((entry) => withCommit(entry, commit)));
  try {
    saveChain(chain, length);
  } catch (error) {
    if (!isUnchanged(chain)) throw unsureAfter(error);
    if (entries.length > 0) store.truncate(journal.length);
    throw error;
  }
  journal.length = length;
}

interface Revertible extends Pick<JournaledState, 'current' | 'lockWallets'> {
  /** Locks all wallets and replays the state. */
  readonly replay: () => void;
  /** Runs `work`; if it throws, replays and throws the same. */
  readonly attempt: (work: (state: NodeState) => void) => void;
}

function revertible(replay: () => NodeState): Revertible {
  let state = replay();
  /** Set once the state is unknown: a change failed, and so did the replay. */
  let failure: BtcError | undefined;
  const lockWallets: Revertible['lockWallets'] = (isDue) => {
    for (const wallet of state.wallets.values()) if (isDue(wallet)) lockWallet(wallet);
  };
  const replayAll = (): void => {
    lockWallets(() => true);
    try {
      state = replay();
    } catch {
      failure = unsureFault('The store failed: ');
    }
  };
  return {
    lockWallets,
    replay: replayAll,
    current: () => {
      if (failure) throw failure;
      return state;
    },
    attempt: (work) => {
      // A later call must not write the changes that wait in an unknown state.
      if (failure) throw failure;
      try {
        work(state);
      } catch (error) {
        replayAll();
        throw failure ? unsureAfter(error) : error;
      }
    },
  };
}

const unsureFault = (message: string): BtcError =>
  new BtcError('store/failed', { path: '', reason: UNSURE, isUnsure: true }, `${message}${UNSURE}`);

function unsureAfter(error: unknown): BtcError {
  if (isBtcError(error, 'store/failed') && error.data.isUnsure) return error;
  return unsureFault(error instanceof BtcError ? `${error.message}; ` : 'The store failed: ');
}
