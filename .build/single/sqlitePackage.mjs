// Takes the place of src/shell/store/sqlitePackage.ts in countersign.mjs, which contains SQLite.

import readScript from 'node-sqlite3-wasm/dist/node-sqlite3-wasm.js?bytes';
import readWasm from 'node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm?bytes';
import { name, version } from '../../node_modules/node-sqlite3-wasm/package.json';

export const SQLITE_PACKAGE = `${name}@${version}`;

let code;
export function readSqlite() {
  code ??= { script: readScript().toString(), wasm: readWasm() };
  return code;
}
