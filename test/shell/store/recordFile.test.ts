import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { createMemoryRecords } from '../../../src/node/store/memoryRecords.ts';
import { openRecords } from '../../../src/shell/store/recordFile.ts';
import { readSqlite } from '../../../src/shell/store/sqlitePackage.ts';
import { describeRecords } from '../../support/recordContract.ts';
import { refusalOf } from '../../support/refusal.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const newPath = temporaryPaths();
const options = { owner: '0123456789abcdef' };

describeRecords('records in memory', () => ({ store: createMemoryRecords(), reopen: (store) => store }));

function newDirectory(): string {
  const directory = newPath();
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}

describeRecords('records in a directory', () => {
  const directory = newDirectory();
  return {
    store: openRecords(directory, options),
    reopen: (store) => {
      store.close();
      return openRecords(directory, options);
    },
  };
});

const value = Uint8Array.of(1, 2, 3);

test('the files of a database are readable by their owner only, and others are not opened', () => {
  const directory = newDirectory();
  // Another program may have left them, or put them there.
  writeFileSync(join(directory, 'records-journal'), 'a rollback journal');
  mkdirSync(join(directory, 'records.lock'));
  const store = openRecords(directory, options);
  store.write([['a', value]]);
  store.close();
  const made = ['records', 'records-head', 'records-wal'];
  expect(readdirSync(directory).sort()).toEqual([...made, 'records-journal', 'records.lock'].sort());
  for (const name of made) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
});

test.each(['records', 'records-head', 'records-wal'])('%s is refused as a link', (name) => {
  const directory = newDirectory();
  const store = openRecords(directory, options);
  store.write([['a', value]]);
  store.close();
  const path = join(directory, name);
  const moved = newPath();
  writeFileSync(moved, readFileSync(path));
  chmodSync(moved, 0o600);
  rmSync(path);
  symlinkSync(moved, path);
  expect(refusalOf(() => openRecords(directory, options))).toMatchObject({
    code: 'store/unsafe',
    data: { path, reason: 'link' },
  });
});

test('a head of a newer version is refused', () => {
  const directory = newDirectory();
  openRecords(directory, options).close();
  const path = join(directory, 'records-head');
  const text = 'countersign records 2 0123456789abcdef 0123456789abcdef';
  writeFileSync(path, `${text} ${crc32(text).toString(16).padStart(8, '0')}\n`);
  expect(refusalOf(() => openRecords(directory, options))).toMatchObject({
    code: 'store/version',
    data: { path, version: 2, newest: 1 },
  });
});

test('a missing package is named, with what to do', () => {
  const refusal = refusalOf(() => openRecords(newDirectory(), { ...options, sqlite: () => undefined }));
  expect(refusal.code).toBe('store/failed');
  expect(refusal.message).toContain('SQLite is not installed: run "npm install --global node-sqlite3-wasm@');
});

test.each(['_sqlite3_step', '_malloc'])(
  'a database that fails in %s refuses every further call, and loses nothing',
  (name) => {
    const directory = newDirectory();
    const code = readSqlite() ?? { script: '', wasm: Uint8Array.of() };
    /** Fails as WebAssembly does without memory, or where its code is damaged. */
    const failing = `${code.script}
    const real = Module.${name};
    Module.${name} = (given) => { if (globalThis.sqliteTest.fails) throw new WebAssembly.RuntimeError('unreachable'); return real(given); };`;
    const state = { fails: false };
    Object.assign(globalThis, { sqliteTest: state });
    const store = openRecords(directory, { ...options, sqlite: () => ({ ...code, script: failing }) });
    store.write([['a', value]]);
    state.fails = true;
    expect(refusalOf(() => store.write([['b', value]])).code).toBe('store/failed');
    state.fails = false;
    for (const call of [() => store.get('a'), () => store.list(''), () => store.write([['c', value]])]) {
      expect(refusalOf(call).data).toMatchObject({ reason: 'SQLite has failed; reopen the store' });
    }
    store.close();
    Reflect.deleteProperty(globalThis, 'sqliteTest');
    const again = openRecords(directory, options);
    expect(Array.from(again.list(''), ([key]) => key)).toEqual(['a']);
    again.close();
  },
);

test('a value that changed under its sum is refused, by what it is', () => {
  const directory = newDirectory();
  const describeRecord = (key: string): string => (key.startsWith('t') ? 'a transaction' : 'a block');
  const code = readSqlite() ?? { script: '', wasm: Uint8Array.of() };
  /** Flips a bit of each blob that is read, as a fault of the memory could. */
  const flipping = `${code.script}
    const blob = Module._sqlite3_column_blob;
    Module._sqlite3_column_blob = (...given) => { const at = blob(...given); if (at) HEAPU8[at] ^= 1; return at; };`;
  const store = openRecords(directory, { ...options, describeRecord, sqlite: () => ({ ...code, script: flipping }) });
  store.write([
    ['t1', value],
    ['b1', value],
  ]);
  expect(refusalOf(() => store.get('t1')).message).toMatch(/is damaged in a transaction \(record\): move/);
  expect(refusalOf(() => store.get('b1')).message).toMatch(/is damaged in a block \(record\): move/);
  expect(refusalOf(() => [...store.list('')]).code).toBe('store/corrupt');
  store.close();
});
