// Takes the place of src/shell/store/sqlitePackage.ts in countersign.mjs, which contains SQLite.

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import readScript from 'node-sqlite3-wasm/dist/node-sqlite3-wasm.js?bytes';
import readWasm from 'node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm?bytes';
import { name, version } from '../../node_modules/node-sqlite3-wasm/package.json';

export const SQLITE_PACKAGE = `${name}@${version}`;

let loaded;

/** Runs the package's script, and gives it the WebAssembly when it reads the file beside it. */
export function loadSqlite() {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  const files = { ...fs, readFileSync: readWasm };
  const module = { exports: {} };
  const run = compileFunction(readScript().toString(), ['require', 'module', '__filename', '__dirname']);
  run((id) => (id === 'node:fs' ? files : require(id)), module, '', '');
  loaded = module.exports;
  return loaded;
}
