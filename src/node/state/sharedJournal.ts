import { bytesKey, parseBytesKey } from '../../core/bytes/compare.ts';
import { orderKey } from '../chain/chainCodec.ts';
import type { RecordChange, RecordStore, SharedStore } from '../chain/recordStore.ts';
import type { CallHooks, JournalStore, Refresh } from './store.ts';

const ENTRY = 'j';
const ORDER_SIZE = 6;
const keyAt = (order: number): string => ENTRY + orderKey(order, ORDER_SIZE);

/** Ends a call that is to run again. */
const STALE = new Error('another process has written meanwhile');

/** Keeps a journal among the records of a store that several processes use. Changes wait until the call ends. */
export function openSharedJournal(store: SharedStore): JournalStore {
  const journal: SharedJournal = { store, waiting: new Map(), length: Number.NaN, hasTurn: false };
  const records = withWaiting(journal);
  function* read(): Generator<string> {
    for (const [, value] of records.list(ENTRY)) yield bytesKey(value);
  }
  return {
    records,
    read,
    append: (entries) => {
      for (const entry of entries) {
        put(journal, journal.length, ascii(entry));
        journal.length += 1;
      }
    },
    truncate: (count) => {
      for (; journal.length > count; journal.length -= 1) put(journal, journal.length - 1, undefined);
    },
    rewrite: (entries) => {
      const former = [...read()];
      let order = 0;
      for (const entry of entries) {
        const text = ascii(entry);
        if (text !== former[order]) put(journal, order, text);
        order += 1;
      }
      for (let last = order; last < former.length; last += 1) put(journal, last, undefined);
      journal.length = order;
    },
    close: store.close,
    calls: {
      run: (hooks, work) => {
        for (;;) {
          const outcome = attempt(journal, hooks, work);
          if (outcome) return outcome.value;
        }
      },
      claim: () => claim(journal),
    },
  };
}

interface SharedJournal {
  readonly store: SharedStore;
  readonly waiting: Map<string, Uint8Array | undefined>;
  /** The entries that this process has seen; NaN before its first call. */
  length: number;
  hasTurn: boolean;
}

/** Waits for the turn to write. @throws `STALE` if another process has written since the call began */
function claim(journal: SharedJournal): void {
  if (journal.hasTurn) return;
  if (!journal.store.claim()) throw STALE;
  journal.hasTurn = true;
}

function put(journal: SharedJournal, order: number, entry: string | undefined): void {
  claim(journal);
  journal.waiting.set(keyAt(order), entry === undefined ? undefined : parseBytesKey(entry));
}

/** Runs a call once. @returns `undefined` if it must run again */
function attempt<T>(
  journal: SharedJournal,
  { refresh, revert }: CallHooks,
  work: () => T,
): { readonly value: T } | undefined {
  const { store, waiting } = journal;
  waiting.clear();
  journal.hasTurn = false;
  try {
    const changes = sortChanges(store.begin(), journal.length);
    const isUnknown = changes === 'all' || Number.isNaN(journal.length);
    journal.length = isUnknown ? journalLength(store) : journal.length + changes.appended.length;
    refresh(changes);
    const outcome = captureOutcome(work);
    if ('error' in outcome && outcome.error === STALE) return undefined;
    try {
      if (waiting.size > 0) store.write(waiting);
      waiting.clear();
    } catch (error) {
      waiting.clear();
      journal.length = journalLength(store);
      revert();
      throw error;
    }
    if ('error' in outcome) throw outcome.error;
    return outcome;
  } finally {
    store.end();
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

/** Returns `all` if other processes rewrote the journal. */
function sortChanges(changes: readonly RecordChange[] | 'all', length: number): Refresh {
  if (changes === 'all') return 'all';
  const appended: string[] = [];
  const changed: string[] = [];
  for (const [key, value] of changes) {
    if (!key.startsWith(ENTRY)) {
      changed.push(key);
      continue;
    }
    // Changes come in the order of their keys, so that new entries continue the known ones.
    if (key !== keyAt(length + appended.length) || !value) return 'all';
    appended.push(bytesKey(value));
  }
  return { appended, changed };
}

/** Bisects, since the numbers of entries have no gaps. */
function journalLength(store: RecordStore): number {
  const hasAtLeast = (count: number): boolean => store.get(keyAt(count - 1)) !== undefined;
  let [count, above] = [0, 1];
  while (hasAtLeast(above)) [count, above] = [above, 2 * above];
  while (above - count > 1) {
    const middle = Math.floor((count + above) / 2);
    if (hasAtLeast(middle)) count = middle;
    else above = middle;
  }
  return count;
}

/** Escapes non-ASCII letters, which occur only in strings of the JSON. */
const ascii = (entry: string): string =>
  entry.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

type Row = readonly [key: string, value: Uint8Array];

/** Overlays the records with the waiting changes. */
function withWaiting(journal: SharedJournal): RecordStore {
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
