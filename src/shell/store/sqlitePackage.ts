import { createRequire } from 'node:module';
import type { SqlitePackage } from './database.ts';

export const SQLITE_PACKAGE = 'node-sqlite3-wasm@0.8.60';

/** Loads SQLite; `undefined` if its package is missing. The release program contains it instead. */
export function loadSqlite(): SqlitePackage | undefined {
  try {
    return createRequire(import.meta.filename)('node-sqlite3-wasm') as SqlitePackage;
  } catch {
    return undefined;
  }
}
