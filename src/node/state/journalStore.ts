import { bytesKey, parseBytesKey } from '../../core/bytes/compare.ts';
import { decodeUtf8WithoutMark, encodeUtf8 } from '../../core/bytes/utf8.ts';
import { BtcError, isBtcError } from '../../core/errors.ts';
import { orderKey, parseOrderKey } from '../chain/chainCodec.ts';
import { KINDS } from '../store/kinds.ts';
import type { RecordChange, RecordStore, SharedStore } from '../store/recordStore.ts';
import type { DerivationLog } from '../wallet/keys/derivations.ts';

/** The journal of a node, JSON texts which give the wallets if applied in order, and the records of its chain. */
export interface JournalStore {
  /** The records, as the call in progress has changed them. */
  readonly records: RecordStore;
  readonly length: () => number;
  /** Reads the entries lazily, oldest first. @throws BtcError `store/corrupt`, `store/failed` */
  readonly read: (from?: number) => Iterable<string>;
  readonly entryAt: (order: number) => string;
  readonly append: (entries: readonly string[]) => void;
  /** Replaces all entries, so that the old ones can no longer be read. `entries` may read the store. */
  readonly rewrite: (entries: Iterable<string>) => void;
  /**
   * Runs a call, and writes its changes at its end, all or none. Where several processes use the store, it reads one
   * snapshot, and runs again if it writes after another process has.
   * @throws BtcError `store/*`, and what `work` throws, whose changes are written as well
   */
  readonly run: <T>(hooks: CallHooks, work: () => T) => T;
  /** Waits for the turn to write. Makes the call run again if its snapshot is no longer the newest. */
  readonly claim: () => void;
  /** Tells whether the call in progress has changed anything. */
  readonly isChanged: () => boolean;
  readonly close: () => void;
  /** Spares openings work, in a store that one process uses. */
  readonly caches?: Caches;
}

interface Caches {
  /** The cache of derived scripts. */
  readonly derivations: DerivationLog;
  /** Returns the last snapshot of the entries of the journal. */
  readonly snapshot: () => Snapshot | undefined;
  readonly keepSnapshot: (snapshot: Snapshot) => void;
}

/** The state after the entries of a journal, so that an opening need not apply them all. */
export interface Snapshot {
  readonly head: string;
  /** One character per byte; most openings do not read them. */
  readonly rows: string;
}

/** The changes of other processes since the last call; `all` if they cannot be listed. */
export type Refresh =
  | 'all'
  | {
      readonly appended: readonly string[];
      readonly changed: readonly string[];
    };

export interface CallHooks {
  readonly refresh: (changes: Refresh) => void;
  /** Drops the changes of the call, which could not be written, and may throw a better error. */
  readonly revert: (error: unknown) => void;
}

/** Of a call before there is a state to refresh. */
export const NO_HOOKS: CallHooks = { refresh: () => undefined, revert: () => undefined };

const { 'journal entry': ENTRY, 'journal length': LENGTH, 'derived scripts': DERIVED, snapshot: SNAPSHOT } = KINDS;
const UNPURGED = KINDS['purge mark'];

const ORDER_SIZE = 6;
const placed = (kind: string, order: number): string => kind + orderKey(order, ORDER_SIZE);

/** Ends a call that is to run again. */
const STALE = new Error('another process has written meanwhile');

interface OpenJournal {
  readonly store: RecordStore;
  readonly turns: Turns;
  readonly waiting: Map<string, Uint8Array | undefined>;
  /** The entries that this process has seen; NaN before its first call, and after a failed write. */
  length: number;
  isInCall: boolean;
  hasTurn: boolean;
}

type Turns = Pick<SharedStore, 'begin' | 'claim' | 'end'>;

const ALONE: Turns = { begin: () => [], claim: () => true, end: () => undefined };

/** Keeps a journal among the records of a store. Changes wait until the call ends. */
export function openJournalStore(store: RecordStore | SharedStore): JournalStore {
  const isShared = 'begin' in store;
  const journal: OpenJournal = {
    store,
    turns: isShared ? store : ALONE,
    waiting: new Map(),
    length: Number.NaN,
    isInCall: false,
    hasTurn: false,
  };
  try {
    purgeMarked(store);
  } catch {
    // The next opening tries again.
  }
  const records = withWaiting(journal);
  function* read(from = 0): Generator<string> {
    let next = from;
    for (const [key, value] of records.list(ENTRY, placed(ENTRY, from))) {
      if (key !== placed(ENTRY, next)) throw missingEntry(next);
      next += 1;
      yield bytesKey(value);
    }
    if (next !== (Number.isNaN(journal.length) ? storedLength(store) : journal.length)) throw missingEntry(next);
  }
  return {
    records,
    read,
    length: () => journal.length,
    entryAt: (order) => {
      const entry = records.get(placed(ENTRY, order));
      if (!entry) throw missingEntry(order);
      return bytesKey(entry);
    },
    append: (entries) => putEntries(journal, journal.length, entries.map(ascii)),
    rewrite: (entries) => {
      const former = [...read()];
      const texts = [...entries].map(ascii);
      for (const [order, text] of texts.entries()) if (text !== former[order]) putEntries(journal, order, [text]);
      for (let order = texts.length; order < former.length; order += 1) put(journal, placed(ENTRY, order), undefined);
      setLength(journal, texts.length);
      for (const [key] of [...records.list(SNAPSHOT)]) put(journal, key, undefined);
      if (store.purge) put(journal, UNPURGED, Uint8Array.of());
    },
    run: (hooks, work) => {
      for (;;) {
        const outcome = attempt(journal, hooks, work);
        if (outcome) return outcome.value;
      }
    },
    claim: () => claim(journal),
    isChanged: () => journal.waiting.size > 0,
    close: store.close,
    ...(!isShared && { caches: createCaches(journal, records) }),
  };
}

function createCaches(journal: OpenJournal, records: RecordStore): Caches {
  return {
    derivations: createDerivationLog(journal, records),
    snapshot: () => {
      const head = unlessDamaged(() => records.get(SNAPSHOT));
      return (
        head && {
          head: decodeUtf8WithoutMark(head) ?? '',
          get rows() {
            return [...records.list(SNAPSHOT, placed(SNAPSHOT, 0))].map(([, piece]) => bytesKey(piece)).join('');
          },
        }
      );
    },
    keepSnapshot: ({ head, rows }) => {
      const changes = new Map<string, Uint8Array | undefined>();
      for (const [key] of records.list(SNAPSHOT)) changes.set(key, undefined);
      changes.set(SNAPSHOT, encodeUtf8(head));
      for (let order = 0; order * PIECE < rows.length; order += 1) {
        changes.set(placed(SNAPSHOT, order), parseBytesKey(rows.slice(order * PIECE, (order + 1) * PIECE)));
      }
      journal.store.write(changes);
    },
  };
}

function createDerivationLog(journal: OpenJournal, records: RecordStore): DerivationLog {
  /** The order of the next entry; unknown until the log was read. */
  let next: number | undefined;
  const read = (): readonly string[] | undefined =>
    unlessDamaged(() => {
      const rows = [...records.list(DERIVED)];
      const last = rows.at(-1);
      next = last ? parseOrderKey(last[0].slice(DERIVED.length)) + 1 : 0;
      return rows.map(([, value]) => bytesKey(value));
    });
  return {
    read: () => read() ?? [],
    append: (entries) => {
      if (next === undefined) read();
      if (next === undefined) return;
      for (const entry of entries) {
        put(journal, placed(DERIVED, next), parseBytesKey(entry));
        next += 1;
      }
    },
  };
}

/** Treats a damaged cache as missing. */
function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isBtcError(error, 'store/corrupt')) return undefined;
    throw error;
  }
}

/** Bytes of a part of a snapshot. */
const PIECE = 1 << 20;

/** Waits for the turn to write. @throws `STALE` if another process has written since the call began */
function claim(journal: OpenJournal): void {
  if (journal.hasTurn) return;
  if (!journal.isInCall) throw new TypeError('a change must be part of a call');
  if (!journal.turns.claim()) throw STALE;
  journal.hasTurn = true;
}

function put(journal: OpenJournal, key: string, value: Uint8Array | undefined): void {
  claim(journal);
  journal.waiting.set(key, value);
}

function putEntries(journal: OpenJournal, from: number, entries: readonly string[]): void {
  for (const [i, entry] of entries.entries()) put(journal, placed(ENTRY, from + i), parseBytesKey(entry));
  if (from + entries.length > journal.length) setLength(journal, from + entries.length);
}

function setLength(journal: OpenJournal, length: number): void {
  put(journal, LENGTH, parseBytesKey(orderKey(length, ORDER_SIZE)));
  journal.length = length;
}

function storedLength(store: RecordStore): number {
  const length = store.get(LENGTH);
  if (length) return parseOrderKey(bytesKey(length));
  for (const _ of store.list(ENTRY)) throw missingEntry(0);
  return 0;
}

/** Runs a call once. @returns `undefined` if it must run again */
function attempt<T>(
  journal: OpenJournal,
  { refresh, revert }: CallHooks,
  work: () => T,
): { readonly value: T } | undefined {
  const { store, turns, waiting } = journal;
  Object.assign(journal, { isInCall: true, hasTurn: false });
  waiting.clear();
  try {
    const changes = sortChanges(turns.begin(), journal.length);
    journal.length = changes === 'all' ? storedLength(store) : journal.length + changes.appended.length;
    refresh(changes);
    const outcome = captureOutcome(work);
    if ('error' in outcome && outcome.error === STALE) return undefined;
    const isRewritten = waiting.has(UNPURGED);
    try {
      if (waiting.size > 0) store.write(waiting);
      waiting.clear();
    } catch (error) {
      waiting.clear();
      journal.length = Number.NaN;
      revert(error);
      throw error;
    }
    if (isRewritten) purge(store);
    if ('error' in outcome) throw outcome.error;
    return outcome;
  } finally {
    Object.assign(journal, { isInCall: false, hasTurn: false });
    turns.end();
  }
}

/** Purges after a rewrite, whose mark is still there if a crash came first. */
function purgeMarked(store: RecordStore): void {
  if (!store.purge || !store.get(UNPURGED)) return;
  store.purge();
  store.write([[UNPURGED, undefined]]);
}

/** @throws BtcError `store/failed`, although the changes of the call are kept */
function purge(store: RecordStore): void {
  try {
    purgeMarked(store);
  } catch (error) {
    const reason = 'The change was made, but what it replaced may still be readable';
    const why = error instanceof BtcError ? error.message : 'the store failed';
    throw new BtcError('store/failed', { path: '', reason, isUnsure: true }, `${reason}: ${why}`);
  }
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

function captureOutcome<T>(work: () => T): Outcome<T> {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/** Returns `all` if other processes rewrote the journal, or its length is unknown. */
function sortChanges(changes: readonly RecordChange[] | 'all', length: number): Refresh {
  if (changes === 'all' || Number.isNaN(length)) return 'all';
  const appended: string[] = [];
  const changed: string[] = [];
  for (const [key, value] of changes) {
    if (key === LENGTH) continue;
    if (!key.startsWith(ENTRY)) {
      changed.push(key);
      continue;
    }
    // Changes come in the order of their keys, so that new entries continue the known ones.
    if (key !== placed(ENTRY, length + appended.length) || !value) return 'all';
    appended.push(bytesKey(value));
  }
  return { appended, changed };
}

function missingEntry(order: number): BtcError {
  const message = `The journal lacks entry ${order}, which was written: restore the whole store from a backup`;
  return new BtcError('store/corrupt', { path: 'journal', reason: 'missing' }, message);
}

/** Escapes non-ASCII letters, which occur only in strings of the JSON. */
const ascii = (entry: string): string =>
  entry.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

type Row = readonly [key: string, value: Uint8Array];

/** Overlays the records with the waiting changes. */
function withWaiting(journal: OpenJournal): RecordStore {
  const { store, waiting } = journal;
  const waitingFrom = (prefix: string, from: string): readonly Row[] =>
    [...waiting]
      .flatMap(([key, value]): readonly Row[] => (value && key.startsWith(prefix) && key >= from ? [[key, value]] : []))
      .sort(([a], [b]) => (a < b ? -1 : 1));
  function* unchanged(prefix: string, from: string): Generator<Row> {
    for (const row of store.list(prefix, from)) if (!waiting.has(row[0])) yield row;
  }
  return {
    get: (key) => (waiting.has(key) ? waiting.get(key) : store.get(key)),
    list: (prefix, from = prefix) => merged(unchanged(prefix, from), waitingFrom(prefix, from)),
    write: (changes) => {
      claim(journal);
      for (const [key, value] of changes) waiting.set(key, value);
    },
    close: store.close,
  };
}

/** Merges two sorted lists without common keys. */
function* merged(rows: Iterable<Row>, others: readonly Row[]): Generator<Row> {
  let next = 0;
  for (const row of rows) {
    for (let other = others[next]; other && other[0] < row[0]; other = others[next]) {
      yield other;
      next += 1;
    }
    yield row;
  }
  yield* others.slice(next);
}
