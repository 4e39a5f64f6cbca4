import { readFileSync } from 'node:fs';
import { trailingFileReader } from './trailingFiles.mjs';

/** The folder of the package below node_modules, and its files. */
const folder = 'node-sqlite3-wasm';
const script = `${folder}/dist/node-sqlite3-wasm.js`;
const wasm = `${folder}/dist/node-sqlite3-wasm.wasm`;

/** The files that must be at the end of the program. */
export const sqliteFiles = [script, wasm];

const reader = (path) => trailingFileReader(path, "readFileSync(import.meta.filename, 'latin1')");

/** Replaces `src/store/sqlitePackage.ts`, which reads the installed package. */
const code = (version) => `
import { readFileSync } from 'node:fs';
export const SQLITE_PACKAGE = ${JSON.stringify(`${folder}@${version}`)};
const readScript = ${reader(script)};
const readWasm = ${reader(wasm)};
let code;
export function readSqlite() {
  code ??= { script: readScript().toString(), wasm: readWasm() };
  return code;
}
`;

/** A Rolldown plugin that lets the single-file program read SQLite from its own end. */
export const embeddedSqlite = (root) => ({
  name: 'embedded-sqlite',
  load: {
    filter: { id: /\/src\/store\/sqlitePackage\.ts$/ },
    handler: () => {
      const { version } = JSON.parse(readFileSync(`${root}node_modules/${folder}/package.json`, 'utf8'));
      return { code: code(version), moduleType: 'js' };
    },
  },
});
