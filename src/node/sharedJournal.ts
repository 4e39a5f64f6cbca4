import { bytesKey, bytesOfKey } from '../bytes/compare.ts';
import { orderKey } from '../chain/chainCodec.ts';
import type { RecordChange, RecordStore, SharedStore } from '../chain/recordStore.ts';
import type { CallHooks, JournalStore, Refresh } from './store.ts';

/** The prefix of the keys of journal entries. */
const ENTRY = 'j';
const ORDER_SIZE = 6;
const keyAt = (order: number): string => ENTRY + orderKey(order, ORDER_SIZE);

/** Ends a call that is to run again. */
const STALE = new Error('another process has written meanwhile');

/** Keeps a journal among the records of a store that several processes use. Changes wait until the call ends. */
export function openSharedJournal(store: SharedStore): JournalStore {
  const waiting = new Map<string, Uint8Array | undefined>();
  const records = withWaiting(store, waiting, () => claim());
  /** The number of entries, as far as this process knows; before its first call, nothing. */
  let length = Number.NaN;
  let hasTurn = false;

  const claim = (): void => {
    if (hasTurn) return;
    if (!store.claim()) throw STALE;
    hasTurn = true;
  };
  const put = (order: number, entry: string | undefined): void => {
    claim();
    waiting.set(keyAt(order), entry === undefined ? undefined : bytesOfKey(entry));
  };
  function* read(): Generator<string> {
    for (const [, value] of records.list(ENTRY)) yield bytesKey(value);
  }
  const flush = (): void => {
    if (waiting.size > 0) store.write(waiting);
    waiting.clear();
  };
  /** Runs a call once. @returns `undefined` if it must run again */
  const attempt = <T>({ refresh, revert }: CallHooks, work: () => T): { readonly value: T } | undefined => {
    waiting.clear();
    hasTurn = false;
    try {
      const changes = sortChanges(store.begin(), length);
      const isUnknown = changes === 'all' || Number.isNaN(length);
      length = isUnknown ? countOf(store) : length + changes.appended.length;
      refresh(changes);
      const outcome = outcomeOf(work);
      if ('error' in outcome && outcome.error === STALE) return undefined;
      try {
        flush();
      } catch (error) {
        waiting.clear();
        length = countOf(store);
        revert();
        throw error;
      }
      if ('error' in outcome) throw outcome.error;
      return outcome;
    } finally {
      store.end();
    }
  };
  return {
    records,
    read,
    append: (entries) => {
      for (const entry of entries) {
        put(length, ascii(entry));
        length += 1;
      }
    },
    truncate: (count) => {
      for (; length > count; length -= 1) put(length - 1, undefined);
    },
    rewrite: (entries) => {
      const former = [...read()];
      let order = 0;
      for (const entry of entries) {
        const text = ascii(entry);
        if (text !== former[order]) put(order, text);
        order += 1;
      }
      for (let last = order; last < former.length; last += 1) put(last, undefined);
      length = order;
    },
    close: store.close,
    calls: {
      run: (hooks, work) => {
        for (;;) {
          const outcome = attempt(hooks, work);
          if (outcome) return outcome.value;
        }
      },
      claim,
    },
  };
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

function outcomeOf<T>(work: () => T): Outcome<T> {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/** Sorts the changes of other processes; `all` if they rewrote the journal. */
function sortChanges(changes: readonly RecordChange[] | 'all', length: number): Refresh {
  if (changes === 'all') return 'all';
  const appended: string[] = [];
  const changed: string[] = [];
  for (const [key, value] of changes) {
    if (!key.startsWith(ENTRY)) {
      changed.push(key);
      continue;
    }
    // Changes come in the order of their keys, so that new entries continue those that are known.
    if (key !== keyAt(length + appended.length) || !value) return 'all';
    appended.push(bytesKey(value));
  }
  return { appended, changed };
}

/** Counts the entries, which are numbered without gaps, by reading few of them. */
function countOf(store: RecordStore): number {
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

/** Escapes all letters but ASCII, which occur only inside the strings of the JSON. */
const ascii = (entry: string): string =>
  entry.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

type Row = readonly [key: string, value: Uint8Array];

/** Shows records with the changes that wait. */
function withWaiting(store: RecordStore, waiting: Map<string, Uint8Array | undefined>, claim: () => void): RecordStore {
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
      claim();
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
