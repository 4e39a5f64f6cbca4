import { statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { bytesKey, parseBytesKey } from '../../core/bytes/compare.ts';
import { KINDS } from '../../node/store/kinds.ts';
import type { RecordChange, RecordStore } from '../../node/store/recordStore.ts';
import { storeFault, UNSURE } from '../../node/store/storeFault.ts';
import { logPath } from './answered.ts';
import type { SqlitePackage, SqlRow } from './database.ts';
import { tryTo } from './files.ts';
import {
  asFault,
  closeTables,
  damaged,
  FROM,
  moveLog,
  openToRead,
  openToWrite,
  type Place,
  recordAnswered,
  type Tables,
  type WritableTables,
} from './sqliteFile.ts';

interface OpenStore extends Place {
  tables: Tables;
  unusable: string | undefined;
  writes: number;
}

export interface SqliteStore extends RecordStore {
  /** Returns the number of records of each kind, according to the file. */
  readonly counts: () => ReadonlyMap<string, number>;
}

/**
 * Opens the store in a file, which the caller has locked, and verifies the structure of the file.
 * @throws `store/corrupt`, `store/version`, `store/full`, `store/failed`
 */
export function openSqliteStore(
  path: string,
  sqlite: SqlitePackage,
  { waitsForDisk = true }: { readonly waitsForDisk?: boolean } = {},
): SqliteStore {
  const place = { path, sqlite, waitsForDisk };
  const store: OpenStore = { ...place, tables: openToRead(place), unusable: undefined, writes: 0 };
  return {
    get: (key) => get(store, key),
    list: (prefix, from = prefix) => {
      assertUsable(store);
      return list(store, prefix, from > prefix ? from : prefix);
    },
    write: (changes) => write(store, [...changes]),
    purge: () => purge(store),
    counts: () =>
      new Map(
        using(store, ({ database }) =>
          database.all('SELECT kind, count FROM kinds').map(({ kind, count }) => [String(kind), Number(count)]),
        ),
      ),
    close: () => {
      if (store.unusable === CLOSED) return;
      store.unusable = CLOSED;
      closeTables(store, store.tables);
    },
  };
}

const CLOSED = 'closed';

function assertUsable({ path, unusable }: OpenStore): void {
  if (unusable !== undefined) throw storeFault(path, unusable);
}

/** Throws the errors of SQLite as those of a store. */
function using<T>(store: OpenStore, work: (tables: Tables) => T): T {
  assertUsable(store);
  try {
    return work(store.tables);
  } catch (error) {
    throw asFault(store.path, error);
  }
}

/** Returns the kind of a key, and the rest of the key. */
const splitKey = (key: string): readonly [kind: string, rest: Uint8Array] => [
  key.slice(0, 1),
  parseBytesKey(key.slice(1)),
];

/** Guards a value in its place. */
const recordSum = (kind: string, key: Uint8Array, value: Uint8Array): number => crc32(value, crc32(key, crc32(kind)));

const get = (store: OpenStore, name: string): Uint8Array | undefined =>
  using(store, ({ first }) => {
    for (const row of first.all(splitKey(name))) {
      const [key, value] = soundRecord(store, row);
      if (key === name) return value;
    }
    assertSoundBefore(store, name);
    return undefined;
  });

/**
 * A damaged key hides other records from a search, which then ends next to it: so the records on both sides of a gap
 * must be sound.
 */
const assertSoundBefore = (store: OpenStore, name: string): void =>
  using(store, ({ before }) => {
    for (const row of before.all(splitKey(name))) soundRecord(store, row);
  });

function soundRecord({ path }: OpenStore, row: SqlRow): readonly [key: string, value: Uint8Array] {
  const { kind, key, value, sum } = row;
  // The sum of a text is that of its bytes.
  const isTyped = typeof kind === 'string' && key instanceof Uint8Array && value instanceof Uint8Array;
  if (isTyped && recordSum(kind, key, value) === Number(sum)) return [kind + bytesKey(key), value];
  throw damaged(path, 'record', String(kind));
}

function* list(store: OpenStore, prefix: string, from: string): Generator<readonly [key: string, value: Uint8Array]> {
  const { writes } = store;
  assertSoundBefore(store, from);
  const { statements } = store.tables;
  const statement = using(store, ({ database }) => database.prepare(FROM));
  statements.add(statement);
  try {
    const rows = using(store, () => statement.iterate(splitKey(from)));
    const read = (): IteratorResult<SqlRow> => using(store, () => rows.next());
    for (let next = read(); !next.done; next = read()) {
      const record = soundRecord(store, next.value);
      if (!record[0].startsWith(prefix)) return;
      yield record;
      if (store.writes !== writes) throw storeFault(store.path, 'written while it was read');
    }
  } finally {
    tryTo(() => statement.finalize());
    statements.delete(statement);
  }
}

function write(store: OpenStore, changes: readonly RecordChange[]): void {
  store.writes += 1;
  const isOrigin = changes.some(([name, value]) => value && ORIGINS.has(name.slice(0, 1)) && !get(store, name));
  change(store, (tables) => {
    const { database, writer } = tables;
    const batch = tables.batch + 1;
    database.exec('BEGIN IMMEDIATE');
    for (const [name, value] of changes) {
      const [kind, key] = splitKey(name);
      if (value) writer.put.run([kind, key, value, recordSum(kind, key, value)]);
      else writer.remove.run([kind, key]);
    }
    writer.setBatch.run([batch]);
    database.exec('COMMIT');
    recordAnswered(store.path, writer, batch);
    tables.batch = batch;
  });
  const size = statSync(logPath(store.path), { throwIfNoEntry: false })?.size;
  // Another program that reads the file may have taken the log away, as it saw no lock: then only this connection has it.
  if (size === undefined) reopen(store);
  // The batch is kept, whether this succeeds or not.
  else if (isOrigin || size > MOST_LOG) tryTo(() => move(store));
}

/** The kinds of records that no others give back. A batch that adds one is in the file itself before its answer. */
const ORIGINS: ReadonlySet<string> = new Set([
  KINDS.wallet,
  KINDS['private key'],
  KINDS.descriptor,
  KINDS.seed,
  KINDS['watched script'],
]);

/** In bytes: about a thousand pages, as SQLite would by itself. */
const MOST_LOG = 2 ** 22;

/** Makes a change. After an error the file, opened anew, says what is there. */
function change(store: OpenStore, make: (tables: WritableTables) => void): void {
  assertUsable(store);
  try {
    make(toWrite(store));
  } catch (error) {
    const fault = asFault(store.path, error);
    reopen(store);
    throw fault;
  }
}

function toWrite(store: OpenStore): WritableTables {
  if (isWritable(store.tables)) return store.tables;
  const { tables } = store;
  closeTables(store, tables);
  const writable = openToWrite(store, tables.batch);
  store.tables = writable;
  return writable;
}

const isWritable = (tables: Tables): tables is WritableTables => tables.writer !== undefined;

/** Opens the file anew: only the file says whether a change is there. Closing it first moves the log into it. */
function reopen(store: OpenStore): void {
  const { tables } = store;
  closeTables(store, tables);
  try {
    store.tables = openToRead(store);
  } catch {
    store.unusable = UNSURE;
  }
  if (store.tables.batch !== tables.batch) store.unusable = UNSURE;
  assertUsable(store);
}

/** Takes replaced and removed records out of the database and its log. */
const purge = (store: OpenStore): void =>
  change(store, (tables) => {
    tables.database.exec('VACUUM');
    moveLog(store.path, tables);
  });

const move = (store: OpenStore): void => change(store, (tables) => moveLog(store.path, tables));
