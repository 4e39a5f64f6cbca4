import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { BtcError } from '../../core/errors.ts';
import { endOfPrefix, type RecordChange, type RecordStore } from '../../node/chain/recordStore.ts';
import { storeFault, UNSURE } from '../../node/state/store.ts';
import { attempt, type Files, syncDirectory, systemFiles, tryTo, writeAll } from './files.ts';
import { createPageFiles, firstPage, type PageFiles } from './pageFiles.ts';
import { createRecordHead, damagedRecords, markBatch, openRecordHead, type RecordHead } from './recordHead.ts';
import { openSqlite, SQLITE_CORRUPT, SQLITE_NOTADB, type Sqlite, type Statement } from './sqlite.ts';
import { readSqlite, SQLITE_PACKAGE, type SqliteCode } from './sqlitePackage.ts';
import { discard, findStat } from './trust.ts';

/** SQLite adds `-wal` for its write-ahead log. */
const NAME = 'records';
const HEAD = 'records-head';
const NEXT = 'records.new';

/** A larger log is moved into the database. */
const LOG_LIMIT = 4 << 20;
/** A log up to this size stays for the next opening. */
const LOG_LEFT = 256 << 10;

/** A larger value is read by itself. */
const INLINE = 4096;
const TOGETHER = 256;
/** SQLite's memory holds at most 2 GiB. */
const LARGEST = 2 ** 28;

export interface RecordOptions {
  /** 16 lower-case hex digits: a database of another owner is refused. */
  readonly owner: string;
  /** Names the kind of a record in errors. Default: `a record`. */
  readonly describeRecord?: (key: string) => string;
  readonly files?: Files;
  readonly sqlite?: () => SqliteCode | undefined;
}

/**
 * Opens or creates the database in a wallet directory, which the caller has locked and checked.
 * @throws `store/corrupt`, `store/version`, `store/unsafe`, `store/full`, `store/failed`
 */
export function openRecords(directory: string, options: RecordOptions): RecordStore {
  const { owner, files = systemFiles, describeRecord = () => 'a record', sqlite = readSqlite } = options;
  const path = join(directory, NAME);
  const head = openHead(files, directory, owner);
  const pages = createPageFiles(files, path, head.seed);
  try {
    const use: Use = { path, head, pages, describeRecord, unusable: undefined, changes: 0 };
    return useRecords(
      use,
      attempted(use, () => openTables(use, sqlite())),
    );
  } catch (error) {
    pages.closeAll();
    tryTo(() => files.closeSync(head.open.file));
    throw error;
  }
}

export const hasRecords = (files: Files, directory: string): boolean =>
  [NAME, HEAD].some(
    (name) => attempt(join(directory, name), () => findStat(files, join(directory, name))) !== undefined,
  );

/** A crash that interrupted the database's creation leaves a head without a batch: then it begins again. */
function openHead(files: Files, directory: string, owner: string): RecordHead {
  const [path, headPath, next] = [join(directory, NAME), join(directory, HEAD), join(directory, NEXT)];
  const [hasPages, hasHead] = [path, headPath].map((name) => attempt(name, () => findStat(files, name)) !== undefined);
  if (hasPages && !hasHead) throw damagedRecords(headPath, 'missing');
  if (hasHead) {
    const head = openRecordHead(files, headPath, owner);
    if (hasPages) return head;
    tryTo(() => files.closeSync(head.open.file));
    if (head.batch > 0) throw damagedRecords(path, 'missing');
  }
  attempt(directory, () => {
    for (const name of [headPath, next, `${path}-wal`]) discard(files, name);
  });
  const head = createRecordHead(files, headPath, owner);
  try {
    attempt(path, () => {
      const file = files.openSync(next, 'wx+', 0o600);
      try {
        writeAll({ files, path, file }, firstPage(head.seed), 0);
        files.fsyncSync(file);
      } finally {
        files.closeSync(file);
      }
      files.renameSync(next, path);
      syncDirectory(files, directory);
    });
    return head;
  } catch (error) {
    tryTo(() => files.closeSync(head.open.file));
    throw error;
  }
}

interface Use {
  readonly path: string;
  readonly head: RecordHead;
  readonly pages: PageFiles;
  readonly describeRecord: (key: string) => string;
  unusable: string | undefined;
  /** Incremented by each write. */
  changes: number;
}

const CLOSED = 'closed';

function assertUsable({ path, unusable }: Use): void {
  if (unusable !== undefined) throw storeFault(path, unusable);
}

function sqliteFault({ path, pages }: Use, code: number): BtcError {
  const pageFault = pages.fault();
  if (pageFault !== undefined) return pageFault;
  const isDamage = (code & 0xff) === SQLITE_CORRUPT || (code & 0xff) === SQLITE_NOTADB;
  return isDamage ? damagedRecords(path, 'structure') : storeFault(path, `SQLite refused it with code ${code}`);
}

/** An error other than SQLite's own may leave it in any state, and ends the use. */
function attempted<T>(use: Use, action: () => T): T {
  use.pages.forget();
  try {
    return action();
  } catch (error) {
    if (error instanceof BtcError) throw error;
    use.unusable ??= 'SQLite has failed; reopen the store';
    throw storeFault(use.path, use.unusable);
  }
}

interface Tables {
  readonly database: Sqlite;
  readonly get: Statement;
  readonly put: Statement;
  readonly remove: Statement;
  readonly list: Statement;
  readonly listToEnd: Statement;
  readonly setBatch: Statement;
  readonly checkpoint: Statement;
  batch: number;
}

const listSql = (end: string): string =>
  `SELECT key, length(value) <= ${INLINE}, CASE WHEN length(value) <= ${INLINE} THEN value END
   FROM records WHERE key >= ?1 ${end} ORDER BY key LIMIT ?2`;

function openTables(use: Use, code: SqliteCode | undefined): Tables {
  if (code === undefined) {
    throw storeFault(use.path, `SQLite is not installed: run "npm install --global ${SQLITE_PACKAGE}"`);
  }
  const database = openSqlite(code, use.pages, use.path, (result) => sqliteFault(use, result));
  database.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; PRAGMA cache_size = -8000;
    PRAGMA wal_autocheckpoint = 0; PRAGMA cell_size_check = ON;`);
  const batch = batchIn(database);
  if ((batch ?? 0) < use.head.batch) throw damagedRecords(use.path, 'state');
  if (batch === undefined) {
    database.exec(`BEGIN;
      CREATE TABLE records (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
      CREATE TABLE batches (number INTEGER NOT NULL);
      INSERT INTO batches VALUES (0);
      COMMIT;`);
  }
  use.pages.acknowledge();
  return {
    database,
    get: database.prepare('SELECT value FROM records WHERE key = ?'),
    put: database.prepare('INSERT INTO records VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2'),
    remove: database.prepare('DELETE FROM records WHERE key = ?'),
    list: database.prepare(listSql('AND key < ?3')),
    listToEnd: database.prepare(listSql('')),
    setBatch: database.prepare('UPDATE batches SET number = ?'),
    checkpoint: database.prepare('PRAGMA wal_checkpoint(PASSIVE)'),
    batch: batch ?? 0,
  };
}

function batchIn(database: Sqlite): number | undefined {
  let batch: number | undefined;
  const read = (sql: string): void => {
    database.prepare(sql).run([], (row) => {
      batch = row.number(0);
    });
  };
  read('SELECT 0 FROM sqlite_schema LIMIT 1');
  if (batch !== undefined) read('SELECT number FROM batches');
  return batch;
}

function useRecords(use: Use, tables: Tables): RecordStore {
  return {
    get: (key) => {
      assertUsable(use);
      return getValue(use, tables, encodeKey(use, key));
    },
    list: (prefix, from = '') => {
      assertUsable(use);
      return listRecords(use, tables, prefix, from > prefix ? from : prefix);
    },
    write: (changes) => {
      assertUsable(use);
      // Iterating the changes may read the store.
      const all = [...changes];
      assertUsable(use);
      if (all.length > 0) writeBatch(use, tables, all);
    },
    close: () => {
      if (use.unusable === CLOSED) return;
      const isSound = use.unusable === undefined;
      if (isSound && use.pages.logSize() > LOG_LEFT) tryTo(() => checkpoint(use, tables) && use.pages.emptyLog());
      use.unusable = CLOSED;
      // Nothing waits to be written, and closing by SQLite would remove the log.
      use.pages.closeAll();
      tryTo(() => use.head.open.files.closeSync(use.head.open.file));
    },
  };
}

const BYTES = /^[\0-\xff]*$/;

function encodeKey({ path }: Use, key: string): Buffer {
  if (!BYTES.test(key)) throw storeFault(path, 'a key is not a byte string');
  return Buffer.from(key, 'latin1');
}

function getValue(use: Use, { get }: Tables, key: Buffer): Uint8Array | undefined {
  let stored: Uint8Array | undefined;
  attempted(use, () =>
    get.run([key], (row) => {
      stored = row.bytes(0);
    }),
  );
  return stored && valueIn(use, key, stored);
}

/** Of the sum over key and value that follows a value. */
const SUM_SIZE = 4;

/** Without bytes, zlib may begin anew. */
const continueSum = (bytes: Uint8Array, seed: number): number => (bytes.length === 0 ? seed : crc32(bytes, seed));

function sealed({ path, head }: Use, key: Buffer, value: Uint8Array): Buffer {
  if (value.length > LARGEST) throw storeFault(path, 'too large a change');
  const stored = Buffer.allocUnsafe(value.length + SUM_SIZE);
  stored.set(value);
  stored.writeUInt32LE(continueSum(value, continueSum(key, head.seed)), value.length);
  return stored;
}

function valueIn({ path, head, describeRecord }: Use, key: Buffer, stored: Uint8Array): Uint8Array {
  const size = Math.max(0, stored.length - SUM_SIZE);
  const value = stored.subarray(0, size);
  const sum = Buffer.from(stored.buffer, stored.byteOffset + size, stored.length - size);
  if (sum.length === SUM_SIZE && sum.readUInt32LE() === continueSum(value, continueSum(key, head.seed))) return value;
  throw damagedRecords(path, 'record', describeRecord(key.toString('latin1')));
}

function* listRecords(
  use: Use,
  tables: Tables,
  prefix: string,
  from: string,
): Generator<readonly [string, Uint8Array]> {
  const { changes } = use;
  const assertCurrent = (): void => {
    assertUsable(use);
    if (use.changes !== changes) throw storeFault(use.path, 'changed while it was listed');
  };
  const endKey = endOfPrefix(prefix);
  const end = endKey === undefined ? undefined : encodeKey(use, endKey);
  let first = encodeKey(use, from);
  for (let count = 8; ; count = Math.min(TOGETHER, count * 2)) {
    assertCurrent();
    const rows = readRows(use, tables, { first, end, count });
    for (const { key, stored } of rows) {
      assertCurrent();
      const value = stored ? valueIn(use, key, stored) : getValue(use, tables, key);
      if (value === undefined) throw damagedRecords(use.path, 'structure');
      yield [key.toString('latin1'), value];
    }
    const last = rows.at(-1)?.key;
    if (last === undefined || rows.length < count) return;
    // The least key above it.
    first = Buffer.concat([last, Buffer.of(0)]);
  }
}

interface ListedRow {
  readonly key: Buffer;
  /** With its sum; `undefined` for a large value. */
  readonly stored: Uint8Array | undefined;
}

function readRows(
  use: Use,
  { list, listToEnd }: Tables,
  { first, end, count }: { readonly first: Buffer; readonly end: Buffer | undefined; readonly count: number },
): readonly ListedRow[] {
  const rows: ListedRow[] = [];
  attempted(use, () =>
    (end ? list : listToEnd).run(end ? [first, count, end] : [first, count], (row) => {
      const stored = row.number(1) === 1 ? row.bytes(2) : undefined;
      rows.push({ key: Buffer.from(row.bytes(0).buffer), stored });
    }),
  );
  return rows;
}

function writeBatch(use: Use, tables: Tables, changes: readonly RecordChange[]): void {
  use.changes += 1;
  const { database, put, remove, setBatch } = tables;
  const batch = tables.batch + 1;
  try {
    attempted(use, () => {
      database.exec('BEGIN IMMEDIATE');
      for (const [name, value] of changes) {
        const key = encodeKey(use, name);
        if (value === undefined) remove.run([key]);
        else put.run([key, sealed(use, key, value)]);
      }
      setBatch.run([batch]);
      database.exec('COMMIT');
    });
  } catch (error) {
    undo(use, database);
    throw error;
  }
  use.pages.acknowledge();
  tables.batch = batch;
  tryTo(() => markBatch(use.head, batch));
  if (use.pages.logSize() > LOG_LIMIT) moveLog(use, tables);
}

/** @throws `store/failed`: the store is then unusable */
function undo(use: Use, database: Sqlite): void {
  try {
    if (use.unusable === undefined && database.isInTransaction()) database.exec('ROLLBACK');
    // The log may hold a whole transaction that could not be synced: an opening would take it for durable.
    use.pages.takeBack();
  } catch {
    use.unusable = UNSURE;
    assertUsable(use);
  }
}

/** On a full disk, the log waits for another batch. */
function moveLog(use: Use, tables: Tables): void {
  try {
    checkpoint(use, tables);
  } catch (error) {
    // Pages that could not be synced must not be taken for durable once another sync succeeds.
    if (!(error instanceof BtcError) || error.code !== 'store/full') {
      use.unusable ??= 'the disk failed; reopen the store';
    }
  }
}

/** @returns whether all pages of the log are in the database */
function checkpoint(use: Use, { checkpoint: run }: Tables): boolean {
  let isWhole = false;
  attempted(use, () =>
    run.run([], (row) => {
      isWhole = row.number(0) === 0 && row.number(1) === row.number(2);
    }),
  );
  return isWhole;
}
