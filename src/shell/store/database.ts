import { rmSync } from 'node:fs';

type SqlValue = string | number | bigint | Uint8Array | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** A prepared statement. The package's `get` is missing: it leaves a statement in progress, and SQLite cannot tidy up. */
export interface Statement {
  readonly run: (values: readonly SqlValue[]) => unknown;
  readonly all: (values: readonly SqlValue[]) => readonly SqlRow[];
  readonly iterate: (values: readonly SqlValue[]) => IterableIterator<SqlRow>;
  readonly finalize: () => void;
}

export interface Database {
  readonly exec: (sql: string) => void;
  readonly get: (sql: string) => SqlRow | null;
  readonly all: (sql: string) => readonly SqlRow[];
  readonly prepare: (sql: string) => Statement;
  readonly close: () => void;
}

/** The documented interface of node-sqlite3-wasm, as far as it is used. */
export interface SqlitePackage {
  readonly Database: new (path: string, options?: { readonly readOnly?: boolean }) => Database;
}

/**
 * Opens a database file that the caller has locked: a process that was killed leaves the package's own lock behind. The
 * write-ahead log needs no shared memory if only this connection has the file.
 */
export function openDatabase(
  { Database }: SqlitePackage,
  path: string,
  options: { readonly readOnly?: boolean } = {},
): Database {
  rmSync(`${path}.lock`, { recursive: true, force: true });
  const database = new Database(path, options);
  database.get('PRAGMA locking_mode=EXCLUSIVE');
  return database;
}
