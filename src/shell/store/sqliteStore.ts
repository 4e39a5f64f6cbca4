import { statfsSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { bytesKey, parseBytesKey } from '../../core/bytes/compare.ts';
import { shownPath } from '../../core/encoding/redaction.ts';
import { BtcError, type ErrorData } from '../../core/errors.ts';
import { KINDS } from '../../node/store/kinds.ts';
import type { RecordChange, RecordStore } from '../../node/store/recordStore.ts';
import { storeFault, UNSURE } from '../../node/store/storeFault.ts';
import { type Database, openDatabase, type SqlitePackage, type SqlRow, type Statement } from './database.ts';
import { tryTo } from './files.ts';

/** Of the file. @see FORMAT.md */
export const VERSION = 1;
/** Marks the file as ours. */
const APPLICATION = 0x6373_7701;

const SCHEMA = `
CREATE TABLE records (kind TEXT NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, sum INTEGER NOT NULL,
  PRIMARY KEY (kind, key)) WITHOUT ROWID;
CREATE TABLE kinds (kind TEXT PRIMARY KEY, count INTEGER NOT NULL, name TEXT) WITHOUT ROWID;
CREATE TABLE batches (number INTEGER NOT NULL);
CREATE TRIGGER added AFTER INSERT ON records BEGIN
  INSERT INTO kinds VALUES (new.kind, 1, NULL) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER removed AFTER DELETE ON records BEGIN
  UPDATE kinds SET count = count - 1 WHERE kind = old.kind;
END;
INSERT INTO batches VALUES (0);
INSERT INTO kinds VALUES ${Object.entries(KINDS)
  .map(([name, kind]) => `('${kind}', 0, '${name}')`)
  .join(', ')};`;

/** What a check found in a sound store. */
export interface StoreReport {
  /** The number of records of each kind. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface SqliteStore extends Required<RecordStore> {
  /** Verifies the structure, each record and the number of records of each kind. @throws `store/corrupt` */
  readonly check: () => StoreReport;
}

interface OpenStore {
  readonly path: string;
  readonly open: () => Database;
  tables: Tables;
  unusable: string | undefined;
  writes: number;
}

interface Tables {
  readonly database: Database;
  readonly get: Statement;
  readonly put: Statement;
  readonly remove: Statement;
  readonly count: Statement;
  readonly setBatch: Statement;
  batch: number;
}

/**
 * Opens or creates a store in a file, which the caller has locked.
 * @throws `store/corrupt`, `store/version`, `store/full`, `store/failed`
 */
export function openSqliteStore(path: string, sqlite: SqlitePackage): SqliteStore {
  const open = (): Database => connect(path, sqlite);
  const store: OpenStore = { path, open, tables: prepare(open()), unusable: undefined, writes: 0 };
  return {
    get: (key) => get(store, key),
    list: (prefix, from = prefix) => {
      assertUsable(store);
      return list(store, prefix, from > prefix ? from : prefix);
    },
    write: (changes) => write(store, [...changes]),
    purge: () => purge(store),
    check: () => check(store),
    close: () => {
      if (store.unusable === CLOSED) return;
      store.unusable = CLOSED;
      tryTo(() => closeTables(store.tables));
    },
  };
}

const CLOSED = 'closed';

function connect(path: string, sqlite: SqlitePackage): Database {
  let database: Database | undefined;
  try {
    database = openDatabase(sqlite, path);
    const [application, version] = [pragma(database, 'application_id'), pragma(database, 'user_version')];
    if (application === 0 && version === 0) createTables(database);
    else if (application !== APPLICATION) throw damaged(path, 'header');
    else if (version !== VERSION) throw otherVersion(path, version);
    return database;
  } catch (error) {
    tryTo(() => database?.close());
    throw error instanceof BtcError ? error : sqliteFault(path, error);
  }
}

const pragma = (database: Database, name: string): number => Number(database.get(`PRAGMA ${name}`)?.[name]);

function createTables(database: Database): void {
  database.exec(`BEGIN IMMEDIATE; ${SCHEMA}
    PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${VERSION}; COMMIT;`);
}

function prepare(database: Database): Tables {
  return {
    database,
    get: database.prepare('SELECT value, sum FROM records WHERE kind = ? AND key = ?'),
    put: database.prepare(
      'INSERT INTO records VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value, sum = excluded.sum',
    ),
    remove: database.prepare('DELETE FROM records WHERE kind = ? AND key = ?'),
    count: database.prepare('SELECT count FROM kinds WHERE kind = ?'),
    setBatch: database.prepare('UPDATE batches SET number = ?'),
    batch: Number(database.get('SELECT number FROM batches')?.['number']),
  };
}

function closeTables({ database, get, put, remove, count, setBatch }: Tables): void {
  for (const statement of [get, put, remove, count, setBatch]) statement.finalize();
  database.close();
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
    throw error instanceof BtcError ? error : sqliteFault(store.path, error);
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
  using(store, (tables) => {
    const [kind, key] = splitKey(name);
    const [row] = tables.get.all([kind, key]);
    return row ? soundValue(store, { kind, key, ...row }) : undefined;
  });

function soundValue({ path }: OpenStore, row: SqlRow): Uint8Array {
  const [kind, key, value] = [String(row['kind']), row['key'] as Uint8Array, row['value'] as Uint8Array];
  if (recordSum(kind, key, value) !== Number(row['sum'])) throw damaged(path, 'record', kind);
  return value;
}

function* list(store: OpenStore, prefix: string, from: string): Generator<readonly [key: string, value: Uint8Array]> {
  const { writes } = store;
  const statement = using(store, ({ database }) =>
    database.prepare('SELECT kind, key, value, sum FROM records WHERE (kind, key) >= (?, ?) ORDER BY kind, key'),
  );
  let listed = 0;
  try {
    const rows = using(store, () => statement.iterate(splitKey(from)));
    for (let next = rows.next(); !next.done; next = using(store, () => rows.next())) {
      const row = next.value;
      const key = row['kind'] + bytesKey(row['key'] as Uint8Array);
      if (!key.startsWith(prefix)) break;
      listed += 1;
      yield [key, soundValue(store, row)];
      if (store.writes !== writes) throw storeFault(store.path, 'written while it was read');
    }
  } finally {
    tryTo(() => statement.finalize());
  }
  if (prefix.length === 1 && from === prefix) assertComplete(store, prefix, listed);
}

/** A flipped bit in the structure of the file can hide records. */
const assertComplete = (store: OpenStore, kind: string, listed: number): void =>
  using(store, ({ count }) => {
    const [counted] = count.all([kind]);
    if (listed !== Number(counted?.['count'] ?? 0)) throw damaged(store.path, 'missing', kind);
  });

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
      reopen(store);
      throw error;
    }
    tables.batch = batch + 1;
  });
}

/** Opens the file anew after a failed commit: only the file says whether the change is there. */
function reopen(store: OpenStore): void {
  const { tables } = store;
  try {
    tryTo(() => closeTables(tables));
    store.tables = prepare(store.open());
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

const check = (store: OpenStore): StoreReport =>
  using(store, ({ database }) => {
    const [first] = database.all('PRAGMA integrity_check');
    if (first?.['integrity_check'] !== 'ok') throw damaged(store.path, 'structure');
    const counts = Object.entries(KINDS).map(([name, kind]) => {
      let count = 0;
      for (const _ of list(store, kind, kind)) count += 1;
      return [name, count] as const;
    });
    return { counts: Object.fromEntries(counts) };
  });

function damaged(path: string, reason: ErrorData['store/corrupt']['reason'], kind?: string): BtcError {
  const name = Object.entries(KINDS).find(([, letter]) => letter === kind)?.[0] ?? kind;
  const place = name === undefined ? '' : ` in the records of the kind "${name}"`;
  const message = `${shownPath(path)} is damaged${place} (${reason}): restore it from a backup, or import the descriptors into a new directory`;
  return new BtcError('store/corrupt', { path, reason }, message);
}

function otherVersion(path: string, version: number): BtcError {
  const message = `${shownPath(path)} has version ${version}, and this program reads version ${VERSION}: use a newer countersign`;
  return new BtcError('store/version', { path, version, newest: VERSION }, message);
}

/** The package says only in words what SQLite has refused. */
function sqliteFault(path: string, error: unknown): BtcError {
  const text = error instanceof Error ? error.message : 'unknown';
  if (/malformed|not a database/.test(text)) return damaged(path, 'structure');
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
