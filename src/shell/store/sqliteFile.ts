import { existsSync, statfsSync } from 'node:fs';
import { shownPath } from '../../core/encoding/redaction.ts';
import { BtcError, type ErrorData } from '../../core/errors.ts';
import { KINDS, kindName } from '../../node/store/kinds.ts';
import { storeFault } from '../../node/store/storeFault.ts';
import {
  type Answered,
  type AnsweredFile,
  endAnswered,
  hasLog,
  IN_USE,
  isInUse,
  type LogSum,
  logPath,
  openAnswered,
  readAnswered,
  sumLog,
  WHOLE,
} from './answered.ts';
import { type Database, openDatabase, type SqlitePackage, type SqlRow, type Statement } from './database.ts';
import { attempt, tryTo } from './files.ts';

/** Of the file. @see FORMAT.md */
export const VERSION = 1;
/** Marks the file as ours; in its last byte, as whole by itself or in use. */
const APPLICATION = 0x6373_7700;

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

export const FROM = 'SELECT * FROM records WHERE (kind, key) >= (?, ?) ORDER BY kind, key';
const BEFORE = 'SELECT * FROM records WHERE (kind, key) < (?, ?) ORDER BY kind DESC, key DESC LIMIT 1';

export interface Place {
  readonly path: string;
  readonly sqlite: SqlitePackage;
  readonly waitsForDisk: boolean;
}

/** An open file. */
export interface Tables {
  readonly database: Database;
  /** All that are open: SQLite puts off closing a file until the last one is. */
  readonly statements: Set<Statement>;
  readonly first: Statement;
  readonly before: Statement;
  batch: number;
  isClosed: boolean;
  /** Missing until the first change. */
  readonly writer?: Writer;
}

export type WritableTables = Required<Tables>;

interface Writer {
  readonly put: Statement;
  readonly remove: Statement;
  readonly setBatch: Statement;
  readonly answered: AnsweredFile;
  /**
   * `moving` from the beginning of a move of the log into the file until one succeeds: the record says that the file
   * needs the whole log. `moved`: it still does, although all is in the file.
   */
  log: 'kept' | 'moving' | 'moved';
}

/** Creates an empty store in an empty file, whole only once this returns. @throws `store/full`, `store/failed` */
export function createSqliteStore(path: string, sqlite: SqlitePackage): void {
  let database: Database | undefined;
  try {
    database = openDatabase(sqlite, path);
    database.get('PRAGMA journal_mode=OFF');
    database.exec(`BEGIN; ${SCHEMA.join('; ')}; ${ROWS}
      PRAGMA application_id = ${APPLICATION + WHOLE}; PRAGMA user_version = ${VERSION}; COMMIT`);
    database.get('PRAGMA journal_mode=WAL');
  } catch (error) {
    throw asFault(path, error);
  } finally {
    tryTo(() => database?.close());
  }
}

/**
 * Opens a file for reading, verifies its structure and that it and its log hold what was answered, and changes neither.
 * @throws `store/corrupt`, `store/version`, `store/failed`
 */
export function openToRead({ path, sqlite }: Place): Tables {
  const answered = attempt(path, () => findAnswered(path));
  let database: Database | undefined;
  try {
    database = openDatabase(sqlite, path, { readOnly: true });
    assertSound(path, database);
    const batch = batchOf(database);
    if (answered && batch < answered.batch) throw damagedLog(path);
    return prepare(database, batch);
  } catch (error) {
    if (database) closeReader(path, database);
    throw asFault(path, error);
  }
}

/** Refuses a log that is not the file's, or is no longer what a move into the file needs. */
function findAnswered(path: string): Answered | undefined {
  if (!isInUse(path)) {
    if (hasLog(path)) throw damagedLog(path, 'may lack');
    return undefined;
  }
  const answered = readAnswered(path);
  if (!answered) throw damagedLog(path, 'may lack');
  const { log } = answered;
  if (log && !(hasLog(path) && isSame(log, sumLog(path, log.length)))) throw damagedLog(path);
  return answered;
}

const isSame = (one: LogSum, other: LogSum): boolean => one.length === other.length && one.sum === other.sum;

const batchOf = (database: Database): number => Number(database.get('SELECT number FROM batches')?.['number']);

function prepare(database: Database, batch: number): Tables {
  const [first, before] = [database.prepare(`${FROM} LIMIT 1`), database.prepare(BEFORE)];
  return { database, statements: new Set([first, before]), first, before, batch, isClosed: false };
}

/** Opens a file for changes, which {@link openToRead} has found to be sound and which is closed. */
export function openToWrite({ path, sqlite, waitsForDisk }: Place, batch: number): WritableTables {
  const answered = attempt(path, () => openAnswered(path, batch, waitsForDisk));
  try {
    const database = openDatabase(sqlite, path);
    const synchronous = `synchronous=${waitsForDisk ? 'FULL' : 'OFF'}`;
    for (const pragma of ['journal_mode=WAL', 'wal_autocheckpoint=0', synchronous, 'secure_delete=ON'])
      database.get(`PRAGMA ${pragma}`);
    const put = database.prepare(
      'INSERT INTO records VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value, sum = excluded.sum',
    );
    const remove = database.prepare('DELETE FROM records WHERE kind = ? AND key = ?');
    const setBatch = database.prepare('UPDATE batches SET number = ?');
    const tables = prepare(database, batch);
    for (const statement of [put, remove, setBatch]) tables.statements.add(statement);
    return { ...tables, writer: { put, remove, setBatch, answered, log: answered.needsLog ? 'moving' : 'kept' } };
  } catch (error) {
    answered.close();
    throw error;
  }
}

/**
 * Records the batch that is about to be answered. After a move that did not succeed, the file is of use only with the
 * whole log, whatever was added to it since.
 */
export const recordAnswered = (path: string, { answered, log }: Writer, batch: number): void =>
  answered.record({ batch, log: log === 'kept' ? undefined : sumLog(path) });

/** Moves the log into the file, and empties it. */
export function moveLog(path: string, { database, writer, batch }: WritableTables): void {
  // What a failed change has left in the log counts for nothing.
  if (!isMoved(checkpoint(database, 'NOOP'))) {
    writer.log = 'moving';
    recordAnswered(path, writer, batch);
    if (!isMoved(checkpoint(database, 'PASSIVE'))) throw storeFault(path, 'SQLite did not move its log');
  }
  if (writer.log !== 'kept') {
    writer.log = 'moved';
    writer.answered.record({ batch });
    writer.log = 'kept';
  }
  checkpoint(database, 'TRUNCATE');
}

const checkpoint = (database: Database, how: 'NOOP' | 'PASSIVE' | 'TRUNCATE'): SqlRow =>
  database.get(`PRAGMA wal_checkpoint(${how})`) ?? {};

/** Whether all frames of the log are in the file, too. */
const isMoved = ({ busy, log, checkpointed }: SqlRow): boolean => busy === 0 && log === checkpointed;

/** Closes a file that was only read, unless SQLite would then remove a log, as it finds nothing in it. */
function closeReader(path: string, database: Database): void {
  tryTo(() => {
    if (!hasLog(path) || Number(checkpoint(database, 'NOOP')['log']) > 0) database.close();
  });
}

/** Closes a file. One that was changed is whole by itself afterwards, unless its log cannot be moved into it. */
export function closeTables({ path, waitsForDisk }: Place, tables: Tables): void {
  const { database, statements, writer } = tables;
  if (tables.isClosed) return;
  tables.isClosed = true;
  // A statement that has failed fails again here.
  for (const statement of statements) tryTo(() => statement.finalize());
  if (!writer) {
    closeReader(path, database);
    return;
  }
  tryTo(() => moveLog(path, { ...tables, writer }));
  // SQLite would remove a log that it has moved, and the record could not say so.
  if (writer.log !== 'moved') tryTo(() => database.close());
  tryTo(() => writer.answered.close());
  if (!existsSync(logPath(path))) tryTo(() => endAnswered(path, waitsForDisk));
}

/** Changes nothing in a file of another program or version. */
function assertSound(path: string, database: Database): void {
  const [application, version] = ['application_id', 'user_version'].map((name) =>
    Number(database.get(`PRAGMA ${name}`)?.[name]),
  );
  const isOurs = [WHOLE, IN_USE].some((mark) => application === APPLICATION + mark);
  if (!isOurs || version === 0) throw damaged(path, 'header');
  if (version !== VERSION) throw otherVersion(path, version ?? 0);
  const schema = database.all('SELECT sql FROM sqlite_schema').map(({ sql }) => sql);
  const [first] = database.all('PRAGMA quick_check(1)');
  if (schema.join() !== SCHEMA.join() || first?.['quick_check'] !== 'ok') throw damaged(path, 'structure');
}

const WAY_OUT = 'restore it from a backup, or import the descriptors into a new directory';

export function damaged(path: string, reason: ErrorData['store/corrupt']['reason'], kind?: string): BtcError {
  const place = kind === undefined ? '' : ` in the records of the kind "${kindName(kind)}"`;
  return new BtcError(
    'store/corrupt',
    { path, reason },
    `${shownPath(path)} is damaged${place} (${reason}): ${WAY_OUT}`,
  );
}

/** `may lack`: nothing that is still there tells. */
function damagedLog(path: string, lacks: 'lacks' | 'may lack' = 'lacks'): BtcError {
  const message = `${shownPath(path)} ${lacks} answered calls (log): put back its "-wal" and "-answered" as they were, ${WAY_OUT}`;
  return new BtcError('store/corrupt', { path, reason: 'log' }, message);
}

function otherVersion(path: string, version: number): BtcError {
  const message = `${shownPath(path)} has version ${version}, and this program reads version ${VERSION}: use a newer countersign`;
  return new BtcError('store/version', { path, version, newest: VERSION }, message);
}

/** Returns an error of SQLite as one of a store. The package says only in words what SQLite has refused. */
export function asFault(path: string, error: unknown): BtcError {
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
