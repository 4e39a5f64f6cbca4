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
  readonly hasLostChain: boolean;
  readonly length: number;
}

/**
 * Restores the chain from its records and the wallets from the journal. Removes entries whose commit a crash prevented.
 * Without the records, wallets forget in which blocks their transactions are.
 * @throws BtcError `store/*`
 */
export function restoreState(store: JournalStore, codec: JournalCodec, parts: StateParts): Restored {
  const snapshot = store.snapshots?.read();
  if (snapshot === undefined) return restoreAfter(undefined, { store, codec, parts });
  try {
    return restoreAfter(readSnapshot(snapshot), { store, codec, parts });
  } catch {
    // The journal alone gives the state, or its error.
    return restoreAfter(undefined, { store, codec, parts });
  }
}

interface RestoreParts {
  readonly store: JournalStore;
  readonly codec: JournalCodec;
  readonly parts: StateParts;
}

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
  /** `undefined` if the records of the chain are gone. */
  readonly commits: number | undefined;
}

/** Returns whether the end of the journal belongs to a commit that never happened. */
function readEntries(
  state: NodeState,
  snapshot: SnapshotReading | undefined,
  { entries, codec, commits }: Reading,
): boolean {
  const { trace } = state;
  let [number, isTorn] = [0, false];
  for (const entry of entries) {
    if (snapshot && number < snapshot.entries) restoreKept(state, snapshot, { number, entry, codec });
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

function restoreKept(
  state: NodeState,
  snapshot: SnapshotReading,
  { number, entry, codec }: { readonly number: number; readonly entry: string; readonly codec: JournalCodec },
): void {
  if (snapshot.needs(number)) applyKept(state, loggedIn(codec.parse(entry)));
  snapshot.applyEffects(state, number);
  if (number === snapshot.entries - 1) snapshot.finish(state);
}

/**
 * Takes the loaded wallets back to the first block. The new chain begins last: until then, the next opening finds the
 * chain lost as well.
 */
function forgetBlocks(state: NodeState, commits: number, append: NodeState['log']): void {
  const { log } = state;
  state.log = append;
  state.tip = state.chain.first;
  for (const name of state.loaded) applyEvent(state, state.at, { type: 'load', name });
  state.log = log;
  beginChain(state.chain, commits);
}

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
 * Tells whether an entry belongs to the commit after the chain's last one, which only entries at the end may.
 * @throws BtcError `store/corrupt` if the records lack a commit
 */
function isTornAfter({ commit = 0 }: ParsedEntry, commits: number, isTorn: boolean): boolean {
  if (commit === commits + 1) return true;
  if (commit <= commits && !isTorn) return false;
  throw olderRecords();
}

const olderRecords = (): BtcError => olderFault('records', 'The records of the chain are', 'the journal');

function olderFault(path: 'journal' | 'records', which: string, newer: string): BtcError {
  const message = `${which} older than ${newer}: restore both from the same backup, or move "records", "records-wal" and "records-head" away and fetch the chain again`;
  return new BtcError('store/corrupt', { path, reason: 'state' }, message);
}

const BATCH = 1000;

/**
 * Moves the blocks of an old journal into records; the journal keeps what the wallets found in them. If a crash
 * interrupts it, the next opening begins anew.
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
