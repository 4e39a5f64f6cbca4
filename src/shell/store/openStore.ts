import { dirname, join, resolve } from 'node:path';
import { shownPath } from '../../core/encoding/redaction.ts';
import { BtcError, unlessRefused } from '../../core/errors.ts';
import { type Owner, ownerOf } from '../../node/state/owner.ts';
import { KINDS } from '../../node/store/kinds.ts';
import { storeFault } from '../../node/store/storeFault.ts';
import type { SqlitePackage } from './database.ts';
import { attempt, type Files, makeDirectory, syncDirectory, systemFiles, tryTo } from './files.ts';
import { lockDirectory } from './lock.ts';
import { createSqliteStore, damaged, VERSION } from './sqliteFile.ts';
import { loadSqlite, SQLITE_PACKAGE } from './sqlitePackage.ts';
import { openSqliteStore, type SqliteStore } from './sqliteStore.ts';
import { assertOwnDirectory, assertOwnFile, assertOwnPath, findStat } from './trust.ts';

export { openNonceDirectory } from './nonceDirectory.ts';

const NAME = 'wallet.sqlite';

/** Options for opening a store. */
export interface StoreOptions {
  /** Whether each change is on disk before it counts as written. Default: true; without it, a power failure may damage the file. */
  readonly waitsForDisk?: boolean;
  /** Replaces `node:fs` in tests, but for what SQLite does. */
  readonly files?: Files;
  readonly sqlite?: typeof loadSqlite;
}

/** Describes a sound store. */
export interface StoreReport {
  /** The number of records of each kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** Missing in a store that no node has used. */
  readonly owner: Owner | undefined;
}

/**
 * Opens or creates the store in a directory, for one process at a time, and verifies the structure of its file. Only
 * the owner may read it. Network file systems do not work: they guarantee neither the locks nor the order of writes.
 *
 * - `directory`: created with mode 700 if missing. Refused if another user owns it, can write to it or can redirect
 *   it; so are links and other users' files in it
 *
 * @throws BtcError `store/locked`, `store/unsafe`, `store/corrupt`, `store/version`, `store/full`, `store/failed`
 */
export function openStore(
  directory: string,
  { waitsForDisk = true, files = systemFiles, sqlite = loadSqlite }: StoreOptions = {},
): SqliteStore {
  const folder = resolve(directory);
  const path = join(folder, NAME);
  assertOwnPath(files, folder);
  attempt(folder, () => makeDirectory(files, folder));
  assertOwnDirectory(files, folder);
  assertNotOld(files, folder);
  const unlock = lockDirectory(files, folder);
  try {
    const code = sqlite();
    if (!code) throw storeFault(path, `SQLite is not installed: run "npm install --global ${SQLITE_PACKAGE}"`);
    if (!hasOwnFiles(files, path)) createFile(files, path, code);
    const store = openSqliteStore(path, code, { waitsForDisk });
    return {
      ...store,
      close: () => {
        store.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Verifies the store in a directory: the structure of its file, and every record.
 * @throws BtcError `store/corrupt` at the first damage, and what {@link openStore} throws
 */
export function checkStore(directory: string): StoreReport {
  const path = join(resolve(directory), NAME);
  assertNotOld(systemFiles, resolve(directory));
  if (!isThere(path)) throw storeFault(path, 'there is no such file: name a directory as --wallet-dir does');
  const store = openStore(directory);
  try {
    const counts = new Map<string, number>();
    for (const [key] of store.list('')) {
      const kind = key.slice(0, 1);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    for (const [kind, count] of store.counts()) {
      if ((counts.get(kind) ?? 0) !== count) throw damaged(path, 'missing', kind);
    }
    const named = Object.entries(KINDS).map(([name, kind]) => [name, counts.get(kind) ?? 0] as const);
    return { counts: Object.fromEntries(named), owner: ownerOf(store) };
  } finally {
    store.close();
  }
}

/** Opens the store of a directory whose wallets have a network and a dialect; `undefined` if it cannot be read. */
export function openOwnedStore(directory: string): { readonly store: SqliteStore; readonly owner: Owner } | undefined {
  if (unlessRefused(() => isThere(join(resolve(directory), NAME))) !== true) return undefined;
  const store = unlessRefused(() => openStore(directory));
  const owner = store && unlessRefused(() => ownerOf(store));
  if (owner) return { store, owner };
  store?.close();
  return undefined;
}

const isThere = (path: string): boolean => attempt(path, () => findStat(systemFiles, path)) !== undefined;

/** Refuses a directory of a version that kept a journal of its own. */
function assertNotOld(files: Files, folder: string): void {
  if (attempt(folder, () => findStat(files, join(folder, 'journal'))) === undefined) return;
  const message = `${shownPath(folder)} was made before 1.0 (file "journal"): list its keys with git commit 85be1ac ("listdescriptors true", in 0.21 "dumpprivkey"), and import them into a new directory`;
  throw new BtcError('store/version', { path: folder, version: 0, newest: VERSION }, message);
}

/** Returns false if there is no file yet. SQLite gives its log the mode of the database. */
function hasOwnFiles(files: Files, path: string): boolean {
  const names = [path, ...['-wal', '-answered', '-journal'].map((end) => path + end)];
  const [isThere, ...logs] = names.map((name) => {
    const stat = attempt(name, () => findStat(files, name));
    if (stat) assertOwnFile(name, stat);
    if (stat && (stat.mode & OTHERS) !== 0) attempt(name, () => files.chmodSync(name, 0o600));
    return stat !== undefined;
  });
  if (!isThere && logs.includes(true)) throw damaged(path, 'missing');
  return isThere === true;
}

const OTHERS = 0o077;

/** Lets the file get its name once it is whole. */
function createFile(files: Files, path: string, sqlite: SqlitePackage): void {
  const draft = `${path}.new`;
  tryTo(() => files.unlinkSync(draft));
  attempt(draft, () => files.closeSync(files.openSync(draft, 'wx', 0o600)));
  createSqliteStore(draft, sqlite);
  attempt(path, () => {
    files.renameSync(draft, path);
    syncDirectory(files, dirname(path));
  });
}
