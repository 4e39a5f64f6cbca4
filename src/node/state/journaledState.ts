import type { Ecc } from '../../core/crypto/ecc.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { BtcError, isBtcError } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';
import { saveChain } from '../chain/chainState.ts';
import type { RecordStore, SharedStore } from '../store/recordStore.ts';
import { UNSURE } from '../store/storeFault.ts';
import { createDerivations } from '../wallet/keys/derivations.ts';
import type { SealedMasterKey } from '../wallet/keys/sealedSecrets.ts';
import { applyWalletEvent } from '../wallet/records/applyWalletEvent.ts';
import type { WalletEvent } from '../wallet/records/events.ts';
import { lockWallet, type Wallet } from '../wallet/records/walletState.ts';
import type { NodeRules } from '../wallet/rules.ts';
import { decodeBackup, encodeBackup, type ReadBackup } from './backupFile.ts';
import type { NodeEvent, TimedEvent } from './events.ts';
import { beginJournal, type Owner, replaceMaster, sealJournal } from './journal.ts';
import { type JournalCodec, journalCodec } from './journalCodec.ts';
import { type CallHooks, type JournalStore, NO_HOOKS, openJournalStore } from './journalStore.ts';
import { applyEvent, type StateParts } from './nodeState.ts';
import { type NodeState, walletNamed } from './nodeWallets.ts';
import { replayHistory } from './restoreEvent.ts';
import { applyForeign, countEntry, restoreState } from './restoreState.ts';
import { makeSnapshot } from './snapshot.ts';
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
  /**
   * Runs a call as a transaction: its changes are written at its end, all or none. Where processes share the store, it
   * reads one snapshot, and writers take turns.
   */
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
  /** @throws BtcError `store/failed` once the state is unknown */
  readonly current: () => NodeState;
  /** Writes the derived scripts, and a snapshot if one is due. If it throws, nothing is lost. */
  readonly keepCaches: () => void;
  readonly lockWallets: (isDue: (wallet: Wallet) => boolean) => void;
  /** Closes the store. */
  readonly close: () => void;
}

interface JournalOptions {
  readonly network: Network;
  readonly rules: NodeRules;
  readonly store: RecordStore | SharedStore;
  readonly ecc?: Ecc;
  readonly now: () => number;
}

/** Replays a journal, and keeps state and journal together from then on. @throws BtcError `store/*` */
export function openJournaledState(options: JournalOptions): JournaledState {
  const { now } = options;
  const journal = openJournal(options);
  const { store, codec, owner, parts, stateHolder } = journal;
  const { derivations } = parts;
  const hooks: CallHooks = {
    refresh: (changes) => {
      if (changes === 'all') return stateHolder.replay();
      applyForeign(stateHolder.current(), codec, changes);
    },
    revert: stateHolder.revert,
  };
  const change: StateChanges['change'] = (...events) => {
    store.claim();
    const at = now();
    stateHolder.attempt((state) => {
      for (const event of events) applyEvent(state, at, event);
    });
  };
  const commit = (): void => stateHolder.attempt((state) => save(journal, state));
  return {
    change,
    commit,
    current: stateHolder.current,
    lockWallets: stateHolder.lockWallets,
    inCall: (work) => {
      // Throws if the state is unknown.
      stateHolder.current();
      return store.run(hooks, () => {
        try {
          return work();
        } finally {
          // A query that derives scripts must not fail on a full disk: they wait.
          if (store.isChanged()) derivations.save();
        }
      });
    },
    keepCaches: () => keepCaches(journal),
    close: store.close,
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
  /** Entries that the next commit adds. */
  unwritten: string[];
}

interface OpenJournal extends Journal {
  readonly stateHolder: Revertible;
}

function openJournal({ network, rules, store: records, ecc = nobleEcc, now }: JournalOptions): OpenJournal {
  const codec = journalCodec(network, rules, ecc);
  const store = openJournalStore(records);
  const derivations = createDerivations(store.caches?.derivations);
  const log = (timed: TimedEvent): void => {
    journal.unwritten.push(codec.format(timed));
  };
  const parts: StateParts = { network, rules, ecc, derivations, log, records: store.records };
  const owner = { network: network.name, rules: rules.name };
  const journal: Journal = { store, codec, owner, parts, unwritten: [] };
  // Opening a store may write.
  const stateHolder = store.run(NO_HOOKS, () => {
    beginJournal(store, owner, now());
    return revertible(() => {
      journal.unwritten = [];
      return restoreState(store, codec, parts);
    });
  });
  return Object.assign(journal, { stateHolder });
}

/** The least that is worth a snapshot: characters of new entries, and their share of the journal. */
const LEAST = 2 ** 16;
const SHARE = 16;

function keepCaches({ store, parts, stateHolder, unwritten }: OpenJournal): void {
  if (!store.caches) return;
  store.run(NO_HOOKS, parts.derivations.save);
  const state = stateHolder.current();
  const { trace } = state;
  if (unwritten.length > 0 || trace.needsJournal || trace.entries !== store.length()) return;
  if (trace.added < Math.max(LEAST, trace.size / SHARE)) return;
  store.caches.keepSnapshot(makeSnapshot(state));
  trace.added = 0;
}

function sealWallet(
  journal: OpenJournal,
  { at, name, event }: { readonly at: number; readonly name: string; readonly event: EncryptEvent },
): void {
  const { store, codec, stateHolder } = journal;
  const state = stateHolder.current();
  const wallet = walletNamed(state, name);
  sealJournal(store, codec, { at, name, event, keys: wallet.legacy?.hd.allKeys() ?? [] });
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
    for (const entry of entries) history.push(renamed(codec.parse(entry), name));
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

/** Adds the changes of the chain, and the entries that came with them, to those of the call. */
function save(journal: Journal, state: NodeState): void {
  const { store, unwritten } = journal;
  journal.unwritten = [];
  for (const entry of unwritten) countEntry(state, entry);
  if (unwritten.length > 0) store.append(unwritten);
  saveChain(state.chain);
}

interface Revertible extends Pick<JournaledState, 'current' | 'lockWallets'> {
  /** Locks all wallets and replays the state. */
  readonly replay: () => void;
  /** Replays after an error, and throws it, with a warning if the state is unknown now. */
  readonly revert: (error: unknown) => never;
  /** Runs `work`, and reverts if it throws. */
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
  const revert = (error: unknown): never => {
    replayAll();
    throw failure ? unsureAfter(error) : error;
  };
  return {
    lockWallets,
    replay: replayAll,
    revert,
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
        revert(error);
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
