import { BtcError } from '../../core/errors.ts';
import { beginChain, isSaved, refreshChain, saveChain } from '../chain/chainState.ts';
import type { RecordStore } from '../chain/recordStore.ts';
import { isNews } from './events.ts';
import { firstEntry } from './journal.ts';
import { type JournalCodec, loggedIn, type ParsedEntry, unexpected, withCommit } from './journalCodec.ts';
import { applyEvent, openState, type StateParts, settle } from './nodeState.ts';
import type { NodeState } from './nodeWallets.ts';
import { restoreEvent } from './restoreEvent.ts';
import { applyKept, readSnapshot, type SnapshotReading } from './snapshot.ts';
import type { JournalStore, Refresh } from './store.ts';
import type { Trace } from './trace.ts';

interface Restored {
  readonly state: NodeState;
  /** True if the records of the chain are gone. */
  readonly hasLostChain: boolean;
  /** The number of the journal's entries. */
  readonly length: number;
}

/**
 * Restores the state of a node: the chain from its records, the wallets from the journal. Removes entries whose commit of
 * the chain never happened, since a crash came before it. Without the records of the chain, the wallets forget in which
 * blocks their transactions are.
 * @throws BtcError `store/*`
 */
export function restoreState(store: JournalStore, codec: JournalCodec, parts: StateParts): Restored {
  const snapshot = store.snapshots?.read();
  if (snapshot === undefined) return restoreAfter(undefined, { store, codec, parts });
  try {
    return restoreAfter(readSnapshot(snapshot), { store, codec, parts });
  } catch {
    // Whatever is wrong, the journal alone tells, or shows what is wrong with it.
    return restoreAfter(undefined, { store, codec, parts });
  }
}

interface RestoreParts {
  readonly store: JournalStore;
  readonly codec: JournalCodec;
  readonly parts: StateParts;
}

/** Restores a state from a snapshot, if there is one, and the entries after it. */
function restoreAfter(snapshot: SnapshotReading | undefined, { store, codec, parts }: RestoreParts): Restored {
  const state = openState(parts);
  const { trace } = state;
  const commits = isSaved(state.chain) ? state.chain.counts.commits : undefined;
  if (commits !== undefined && (snapshot?.commit ?? 0) > commits) throw olderRecords();
  const isNeeded = (entry: number): boolean => !snapshot || entry >= snapshot.entries || snapshot.needs(entry);
  const isTorn = readEntries(state, snapshot, { entries: store.read(isNeeded), codec, commits });
  if (trace.entries < state.chain.counts.entries)
    throw olderFault('journal', 'The journal is', 'the records of the chain');
  if (isTorn) store.truncate(trace.entries);
  const hasLostChain = commits === undefined && trace.hasSeenBlocks;
  if (hasLostChain) forgetBlocks(state, trace.commit, (timed) => store.append([codec.format(timed)]));
  settle(state);
  return { state, hasLostChain, length: trace.entries };
}

interface Reading {
  readonly entries: Iterable<string>;
  readonly codec: JournalCodec;
  /** The number of commits of the chain, unless its records are gone. */
  readonly commits: number | undefined;
}

/** Applies the entries of a journal. @returns whether its end belongs to a commit that never happened */
function readEntries(
  state: NodeState,
  snapshot: SnapshotReading | undefined,
  { entries, codec, commits }: Reading,
): boolean {
  const { trace } = state;
  let [number, isTorn] = [0, false];
  for (const entry of entries) {
    if (snapshot && number < snapshot.entries) restoreKept(state, snapshot, { number, entry }, codec);
    else {
      const parsed = codec.parse(entry);
      isTorn = commits !== undefined && isTornAfter(parsed, commits, isTorn);
      traceParsed(trace, parsed, entry);
      if (!isTorn) restoreEvent(state, loggedIn(parsed));
    }
    number += 1;
  }
  if (snapshot && number < snapshot.entries) throw new Error('the journal is shorter than its snapshot');
  return isTorn;
}

function traceParsed(trace: Trace, { commit, tip }: ParsedEntry, entry: string): void {
  trace.added += entry.length;
  trace.commit = Math.max(trace.commit, commit ?? 0);
  trace.hasSeenBlocks ||= commit !== undefined || tip !== undefined;
}

/** Does what a snapshot needs of an entry that it holds. */
function restoreKept(
  state: NodeState,
  snapshot: SnapshotReading,
  { number, entry }: { readonly number: number; readonly entry: string },
  codec: JournalCodec,
): void {
  if (snapshot.needs(number)) applyKept(state, loggedIn(codec.parse(entry)));
  snapshot.applyEffects(state, number);
  if (number === snapshot.entries - 1) snapshot.finish(state);
}

/**
 * Takes the loaded wallets back to the first block, and begins a new chain. That comes last: until then, the next opening
 * finds the chain lost as well.
 */
function forgetBlocks(state: NodeState, commits: number, append: NodeState['log']): void {
  const { log } = state;
  state.log = append;
  state.tip = state.chain.first;
  for (const name of state.loaded) applyEvent(state, state.at, { type: 'load', name });
  state.log = log;
  beginChain(state.chain, commits);
}

/** Applies what other processes have written. @throws BtcError `store/*` */
export function applyForeign(
  state: NodeState,
  codec: JournalCodec,
  { appended, changed }: Exclude<Refresh, 'all'>,
): void {
  if (appended.length + changed.length === 0) return;
  refreshChain(state.chain, changed);
  for (const entry of appended) restoreEvent(state, loggedIn(codec.parse(entry)));
  settle(state);
}

/**
 * Tells whether an entry belongs to the commit after the last one of the chain, which only the end of the journal may.
 *
 * - `isTorn`: whether the entry before does
 *
 * @throws BtcError `store/corrupt` if the chain had a commit that its records have not
 */
function isTornAfter({ commit = 0 }: ParsedEntry, commits: number, isTorn: boolean): boolean {
  if (commit === commits + 1) return true;
  if (commit <= commits && !isTorn) return false;
  throw olderRecords();
}

const olderRecords = (): BtcError => olderFault('records', 'The records of the chain are', 'the journal');

/** Returns the error for a journal and records that are not of the same time. */
function olderFault(path: 'journal' | 'records', which: string, newer: string): BtcError {
  const message = `${which} older than ${newer}: restore both from the same backup, or move "records", "records-wal" and "records-head" away and fetch the chain again`;
  return new BtcError('store/corrupt', { path, reason: 'state' }, message);
}

/** The number of commands after which a conversion writes the chain. */
const BATCH = 1000;

/**
 * Converts a journal that holds all blocks: they become records, and the journal keeps what the wallets found in them. If
 * a crash interrupts it, the next opening begins anew.
 * @throws BtcError `store/*`
 */
export function convertJournal(store: JournalStore, codec: JournalCodec, parts: StateParts): void {
  clear(parts.records);
  const entries: string[] = [];
  const state = openState({
    ...parts,
    log: (timed) => entries.push(withCommit(codec.format(timed), state.chain.counts.commits + 1)),
  });
  let count = 0;
  for (const entry of store.read()) {
    const { at, event } = codec.parse(entry);
    if (event.type === 'begin') entries.push(firstEntry(event, at));
    else if (isNews(event)) throw unexpected(event.type);
    else applyEvent(state, at, event);
    count += 1;
    if (count % BATCH === 0) saveChain(state.chain);
  }
  saveChain(state.chain, entries.length);
  store.rewrite(entries);
  parts.derivations.save();
}

function clear(records: RecordStore): void {
  for (;;) {
    const keys: string[] = [];
    for (const [key] of records.list('')) {
      keys.push(key);
      if (keys.length === BATCH) break;
    }
    if (keys.length === 0) return;
    records.write(keys.map((key) => [key, undefined] as const));
  }
}
