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
import { historyOf } from './walletHistory.ts';

type EncryptEvent = Extract<WalletEvent, { type: 'encrypt' }>;

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
  readonly encrypt: (name: string, event: EncryptEvent) => void;
  /**
   * Commits, then replaces the sealed master key of an encrypted wallet, in memory and throughout the journal. An
   * unlocked wallet stays unlocked; the old passphrase no longer opens it.
   * @throws BtcError `store/*`: then the master key is unchanged
   */
  readonly changeMaster: (name: string, master: SealedMasterKey) => void;
  /** Returns the backup of a wallet, which {@link StateChanges.readBackup} reads. @throws BtcError `store/*` */
  readonly backUp: (name: string) => Uint8Array;
  /** Reads the backup of a wallet, and tries whether it can be restored under a name. Changes nothing. */
  readonly readBackup: (bytes: Uint8Array, name: string) => WalletBackup;
  /** Runs a call as a transaction where processes share the store: it reads one snapshot, and writers are serialized. */
  readonly inCall: <T>(work: () => T) => T;
}

/** A wallet in a backup, or why the backup is refused, as the end of a sentence. */
type WalletBackup =
  | {
      readonly kind: 'wallet';
      readonly history: readonly TimedEvent[];
      /** The wallet as it was, not loaded. */
      readonly wallet: Wallet;
    }
  | Extract<ReadBackup, { kind: 'refused' }>;

interface JournaledState extends StateChanges {
  /** True if the records of the chain were gone: the wallets are back, but the chain must be fetched again. */
  readonly hasLostChain: boolean;
  /** Returns the state. @throws BtcError `store/failed` once it is unknown */
  readonly current: () => NodeState;
  /** Keeps a snapshot of the state, if that is worth it. It may throw, after which nothing is lost. */
  readonly keepSnapshot: () => void;
  /** Locks the wallets that a condition holds for. */
  readonly lockWallets: (isDue: (wallet: Wallet) => boolean) => void;
}

interface JournalOptions {
  readonly network: Network;
  readonly rules: NodeRules;
  readonly store: JournalStore;
  readonly ecc?: Ecc;
  /** Returns the time that new events get, UNIX time. */
  readonly now: () => number;
}

/**
 * Replays a journal, and keeps the state and the journal together from then on.
 * @throws BtcError `store/*`
 */
export function openJournaledState(options: JournalOptions): JournaledState {
  const { store, now } = options;
  const journal = openJournal(options);
  const { codec, owner, parts, held } = journal;
  const { derivations } = parts;
  const { calls } = store;
  const hooks: CallHooks = {
    refresh: (changes) => {
      if (changes === 'all') return held.replay();
      applyForeign(held.current(), codec, changes);
      journal.length += changes.appended.length;
    },
    revert: held.replay,
  };
  const change: StateChanges['change'] = (...events) => {
    calls?.claim();
    const at = now();
    held.attempt((state) => {
      for (const event of events) applyEvent(state, at, event);
    });
  };
  const commit = (): void => {
    held.attempt((state) => saveTogether(journal, state));
    derivations.save();
  };
  return {
    change,
    commit,
    hasLostChain: journal.hasLostChain,
    current: held.current,
    lockWallets: held.lockWallets,
    inCall: (work) => {
      try {
        return calls ? calls.run(hooks, work) : work();
      } finally {
        // A question about a script may be the first since an import.
        derivations.save();
      }
    },
    keepSnapshot: () => keepSnapshot(journal),
    backUp: (name) => {
      commit();
      return encodeBackup(owner, historyOf(name, now(), { store, codec, parts }).map(codec.format));
    },
    readBackup: (bytes, name) => {
      const read = decodeBackup(bytes, owner);
      return read.kind === 'refused' ? read : tryBackup(read.entries, name, { codec, state: held.current() });
    },
    encrypt: (name, event) => {
      if (event.secrets.length === 0) return change({ type: 'wallet', name, event });
      commit();
      sealWallet(journal, { at: now(), name, event });
    },
    changeMaster: (name, master) => {
      commit();
      replaceMaster(store, name, master);
      const wallet = held.current().wallets.get(name);
      if (wallet) wallet.vault.master = master;
    },
  };
}

interface Journal {
  readonly store: JournalStore;
  readonly codec: JournalCodec;
  readonly owner: Owner;
  readonly parts: StateParts;
  /** The number of entries in the store. */
  length: number;
  /** The entries that the next commit adds to them. */
  unwritten: string[];
  /** @see JournaledState.hasLostChain */
  hasLostChain: boolean;
}

/** A journal and the state that its entries give. */
interface OpenJournal extends Journal {
  readonly held: Revertible;
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
  const held = inFirstCall(store, () => {
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
  return Object.assign(journal, { held });
}

/** @see JournaledState.keepSnapshot */
function keepSnapshot({ store, parts, held, length, unwritten }: OpenJournal): void {
  const { snapshots } = store;
  if (unwritten.length > 0 || !snapshots) return;
  const state = held.current();
  const { trace } = state;
  if (trace.needsJournal || trace.entries !== length || !snapshots.isDue(trace.added)) return;
  snapshots.write(makeSnapshot(state));
  trace.added = 0;
  parts.derivations.save();
}

/** @see StateChanges.encrypt */
function sealWallet(
  journal: OpenJournal,
  { at, name, event }: { readonly at: number; readonly name: string; readonly event: EncryptEvent },
): void {
  const { store, codec, held } = journal;
  const state = held.current();
  const wallet = walletNamed(state, name);
  sealJournal(store, codec, { at, name, event, keys: wallet.legacy?.hd.allKeys() ?? [] });
  journal.length += 1;
  applyWalletEvent(wallet, event, at);
  traceEntry(state.trace, { type: 'wallet', name, event }, state.wallets);
}

/** Parses the entries of a backup, and makes the wallet of them, apart from the others. */
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

/** Gives the wallet of an event another name. */
function renamed(timed: TimedEvent, name: string): TimedEvent {
  const { event } = timed;
  return 'name' in event ? { ...timed, event: { ...event, name } } : timed;
}

/** Runs the opening of a store, which may write, as a call. */
const inFirstCall = <T>({ calls }: JournalStore, open: () => T): T =>
  calls ? calls.run({ refresh: () => undefined, revert: () => undefined }, open) : open();

/**
 * Writes the changes of the chain and the unwritten entries that came with them, both or neither: each entry names the
 * commit of the chain that makes it valid. The entries come first, so that a crash in between leaves entries to drop. They
 * stay if the records fail in a way that leaves it open whether they have changed: the next opening finds out.
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
      // The changes that wait in an unknown state must not be written by a later call.
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

/** Returns the error for a change whose outcome is unknown after an error. */
function unsureAfter(error: unknown): BtcError {
  if (isBtcError(error, 'store/failed') && error.data.isUnsure) return error;
  return unsureFault(error instanceof BtcError ? `${error.message}; ` : 'The store failed: ');
}
