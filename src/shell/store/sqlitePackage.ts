import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const SQLITE_PACKAGE = 'node-sqlite3-wasm@0.8.60';

/** A CommonJS script, and the WebAssembly that it instantiates. */
export interface SqliteCode {
  readonly script: string;
  readonly wasm: Uint8Array;
}

let code: SqliteCode | undefined;

/** Reads SQLite from its package; `undefined` if that is missing. The release program contains it instead. */
export function readSqlite(): SqliteCode | undefined {
  const { resolve } = createRequire(import.meta.filename);
  try {
    const path = resolve('node-sqlite3-wasm');
    const wasm = join(dirname(path), 'node-sqlite3-wasm.wasm');
    code ??= { script: readFileSync(path, 'utf8'), wasm: readFileSync(wasm) };
    return code;
  } catch {
    return undefined;
  }
}
