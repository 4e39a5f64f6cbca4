import { existsSync, statfsSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { bytesKey, parseBytesKey } from '../../core/bytes/compare.ts';
import { shownPath } from '../../core/encoding/redaction.ts';
import { BtcError, type ErrorData } from '../../core/errors.ts';
import { KINDS, kindName } from '../../node/store/kinds.ts';
import type { RecordChange, RecordStore } from '../../node/store/recordStore.ts';
import { storeFault, UNSURE } from '../../node/store/storeFault.ts';
import { type Database, openDatabase, type SqlitePackage, type SqlRow, type Statement } from './database.ts';
import { tryTo } from './files.ts';

/** Of the file. @see FORMAT.md */
export const VERSION = 1;
/** Marks the file as ours. */
const APPLICATION = 0x6373_7701;

const SCHEMA = [
  `CREATE TABLE records (kind TEXT NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, sum INTEGER NOT NULL,
    PRIMARY KEY (kind, key)) WITHOUT ROWID`,
  'CREATE TABLE kinds (kind TEXT PRIMARY KEY, name TEXT NOT NULL, count INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE TABLE batches (number INTEGER NOT NULL)',
  `CREATE TRIGGER added AFTER INSERT ON records
    BEGIN UPDATE kinds SET count = count + 1 WHERE kind = new.kind; END`,
  `CREATE TRIGGER removed AFTER DELETE ON records
    BEGIN UPDATE kinds SET count = count - 1 WHERE kind = old.kind; END`,
];
const ROWS = `INSERT INTO batches VALUES (0);
  INSERT INTO kinds VALUES ${Object.entries(KINDS).map(([name, kind]) => `('${kind}', '${name}', 0)`)};`;

const FROM = 'SELECT * FROM records WHERE (kind, key) >= (?, ?) ORDER BY kind, key';
const BEFORE = 'SELECT * FROM records WHERE (kind, key) < (?, ?) ORDER BY kind DESC, key DESC LIMIT 1';

interface OpenStore {
  readonly path: string;
  readonly open: () => Tables;
  tables: Tables;
  unusable: string | undefined;
  writes: number;
}

interface Tables {
  readonly database: Database;
  readonly first: Statement;
  readonly before: Statement;
  readonly put: Statement;
  readonly remove: Statement;
  readonly setBatch: Statement;
  batch: number;
}

/** Creates an empty store in an empty file, whole only once this returns. @throws `store/full`, `store/failed` */
export const createSqliteStore = (path: string, sqlite: SqlitePackage): void =>
  withDatabase(path, sqlite, (database) => {
    database.get('PRAGMA journal_mode=OFF');
    database.exec(`BEGIN; ${SCHEMA.join('; ')}; ${ROWS}
      PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${VERSION}; COMMIT`);
    database.close();
  });

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
  const open = (): Tables => withDatabase(path, sqlite, (database) => prepare(path, database, waitsForDisk));
  const store: OpenStore = { path, open, tables: open(), unusable: undefined, writes: 0 };
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
      closeTables(store.tables);
    },
  };
}

const CLOSED = 'closed';

/** Closes the database if `use` throws. */
function withDatabase<T>(path: string, sqlite: SqlitePackage, use: (database: Database) => T): T {
  let database: Database | undefined;
  try {
    database = openDatabase(sqlite, path);
    return use(database);
  } catch (error) {
    tryTo(() => database?.close());
    throw asFault(path, error);
  }
}

function prepare(path: string, database: Database, waitsForDisk: boolean): Tables {
  assertSound(path, database);
  const synchronous = `synchronous=${waitsForDisk ? 'FULL' : 'OFF'}`;
  for (const pragma of ['journal_mode=WAL', synchronous, 'secure_delete=ON']) database.get(`PRAGMA ${pragma}`);
  return {
    database,
    first: database.prepare(`${FROM} LIMIT 1`),
    before: database.prepare(BEFORE),
    put: database.prepare(
      'INSERT INTO records VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value, sum = excluded.sum',
    ),
    remove: database.prepare('DELETE FROM records WHERE kind = ? AND key = ?'),
    setBatch: database.prepare('UPDATE batches SET number = ?'),
    batch: Number(database.get('SELECT number FROM batches')?.['number']),
  };
}

/** Changes nothing in a file of another program or version. */
function assertSound(path: string, database: Database): void {
  const [application, version] = ['application_id', 'user_version'].map((name) =>
    Number(database.get(`PRAGMA ${name}`)?.[name]),
  );
  if (application !== APPLICATION || version === 0) throw damaged(path, 'header');
  if (version !== VERSION) throw otherVersion(path, version ?? 0);
  const schema = database.all('SELECT sql FROM sqlite_schema').map(({ sql }) => sql);
  const [first] = database.all('PRAGMA quick_check(1)');
  if (schema.join() !== SCHEMA.join() || first?.['quick_check'] !== 'ok') throw damaged(path, 'structure');
}

function closeTables({ database, first, before, put, remove, setBatch }: Tables): void {
  // A statement that has failed fails again here.
  for (const statement of [first, before, put, remove, setBatch]) tryTo(() => statement.finalize());
  tryTo(() => database.close());
}

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
  const statement = using(store, ({ database }) => database.prepare(FROM));
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
  }
}

function write(store: OpenStore, changes: readonly RecordChange[]): void {
  store.writes += 1;
  using(store, (tables) => {
    const { database, put, remove, setBatch, batch } = tables;
    try {
      database.exec('BEGIN IMMEDIATE');
      for (const [name, value] of changes) {
        const [kind, key] = splitKey(name);
        if (value) put.run([kind, key, value, recordSum(kind, key, value)]);
        else remove.run([kind, key]);
      }
      setBatch.run([batch + 1]);
      database.exec('COMMIT');
    } catch (error) {
      // Reopening may free space.
      const fault = asFault(store.path, error);
      reopen(store);
      throw fault;
    }
    tables.batch = batch + 1;
    // Another program that reads the file may have taken the log away, as it saw no lock: then only this connection has it.
    if (!existsSync(`${store.path}-wal`)) reopen(store);
  });
}

/** Opens the file anew: only the file says whether a change is there. Closing it first moves the log into it. */
function reopen(store: OpenStore): void {
  const { tables } = store;
  closeTables(tables);
  try {
    store.tables = store.open();
  } catch {
    store.unusable = UNSURE;
  }
  if (store.tables.batch !== tables.batch) store.unusable = UNSURE;
  assertUsable(store);
}

/** Takes replaced and removed records out of the database and its log. */
const purge = (store: OpenStore): void =>
  using(store, ({ database }) => {
    database.exec('VACUUM');
    database.get('PRAGMA wal_checkpoint(TRUNCATE)');
  });

export function damaged(path: string, reason: ErrorData['store/corrupt']['reason'], kind?: string): BtcError {
  const place = kind === undefined ? '' : ` in the records of the kind "${kindName(kind)}"`;
  const message = `${shownPath(path)} is damaged${place} (${reason}): restore it from a backup, or import the descriptors into a new directory`;
  return new BtcError('store/corrupt', { path, reason }, message);
}

function otherVersion(path: string, version: number): BtcError {
  const message = `${shownPath(path)} has version ${version}, and this program reads version ${VERSION}: use a newer countersign`;
  return new BtcError('store/version', { path, version, newest: VERSION }, message);
}

/** The package says only in words what SQLite has refused. */
function asFault(path: string, error: unknown): BtcError {
  if (error instanceof BtcError) return error;
  const text = error instanceof Error ? error.message : 'unknown';
  if (/malformed|not a database|unsupported file format/.test(text)) return damaged(path, 'structure');
  if (/Could not open/.test(text))
    return storeFault(path, 'it cannot be opened for writing: check its owner and its mode');
  if (!/full/.test(text) && !isFull(path)) return storeFault(path, `SQLite refused it (${text})`);
  const message = `Cannot use ${shownPath(path)}: the disk is full: free some space`;
  return new BtcError('store/full', { path, reason: 'ENOSPC' }, message);
}

/** SQLite reports any failed write in the same words. */
function isFull(path: string): boolean {
  try {
    return statfsSync(path).bavail === 0;
  } catch {
    return false;
  }
}
