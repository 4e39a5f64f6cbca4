import { join, resolve } from 'node:path';
import { shownPath } from '../../core/encoding/redaction.ts';
import { BtcError, unlessRefused } from '../../core/errors.ts';
import { type Owner, ownerIn } from '../../node/state/journal.ts';
import { openJournalStore } from '../../node/state/journalStore.ts';
import type { RecordStore } from '../../node/store/recordStore.ts';
import { storeFault } from '../../node/store/storeFault.ts';
import { attempt, type Files, makeDirectory, syncDirectory, systemFiles } from './files.ts';
import { lockDirectory } from './lock.ts';
import { loadSqlite, SQLITE_PACKAGE } from './sqlitePackage.ts';
import { openSqliteStore, type SqliteStore, type StoreReport, VERSION } from './sqliteStore.ts';
import { assertOwnDirectory, assertOwnFile, assertOwnPath, findStat } from './trust.ts';

export type { StoreReport } from './sqliteStore.ts';

const NAME = 'wallet.sqlite';

interface StoreOptions {
  /** Replaces `node:fs` in tests, but for what SQLite does. */
  readonly files?: Files;
  readonly sqlite?: typeof loadSqlite;
}

/**
 * Opens or creates the store in a directory, for one process at a time. Only the owner may read it. Network file
 * systems do not work: they guarantee neither the locks nor the order of writes.
 *
 * - `directory`: created with mode 700 if missing. Refused if another user owns it, can write to it or can redirect
 *   it; so are links and other users' files in it
 *
 * @throws BtcError `store/locked`, `store/unsafe`, `store/corrupt`, `store/version`, `store/full`, `store/failed`
 */
export function openStore(directory: string, options: StoreOptions = {}): RecordStore {
  const { check: _, ...store } = openDirectory(directory, options);
  return store;
}

/**
 * Verifies the store in a directory: the structure of its file, every record, and the number of records of each kind.
 * @throws BtcError `store/corrupt` at the first damage, and what {@link openStore} throws
 */
export function checkStore(directory: string): StoreReport {
  const path = join(resolve(directory), NAME);
  if (findStat(systemFiles, path) === undefined) throw storeFault(path, 'there is no such file');
  const store = openDirectory(directory, {});
  try {
    return store.check();
  } finally {
    store.close();
  }
}

/** Reads the network and dialect of a directory's wallets; `undefined` if it cannot be read. */
export function storeOwner(directory: string): Owner | undefined {
  return unlessRefused(() => {
    if (findStat(systemFiles, join(resolve(directory), NAME)) === undefined) return undefined;
    const store = openStore(directory);
    try {
      return ownerIn(openJournalStore(store).entryAt(0));
    } finally {
      store.close();
    }
  });
}

function openDirectory(directory: string, { files = systemFiles, sqlite = loadSqlite }: StoreOptions): SqliteStore {
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
    createMissing(files, folder);
    const store = openSqliteStore(path, code);
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

/** Refuses a directory of a version that kept a journal of its own. */
function assertNotOld(files: Files, folder: string): void {
  if (attempt(folder, () => findStat(files, join(folder, 'journal'))) === undefined) return;
  const message = `${shownPath(folder)} was made before 1.0, with a file "journal": list its descriptors and keys with commit 85be1ac ("countersign listdescriptors true", in 0.21 "countersign dumpprivkey ADDRESS"), and import them into a new directory`;
  throw new BtcError('store/version', { path: folder, version: 0, newest: VERSION }, message);
}

/** SQLite takes an empty file for an empty database, and gives its log the same mode. */
function createMissing(files: Files, folder: string): void {
  const [path, log] = [join(folder, NAME), join(folder, `${NAME}-wal`)];
  const [stat, logStat] = [path, log].map((name) => attempt(name, () => findStat(files, name)));
  if (stat) assertOwnFile(path, stat);
  if (logStat) assertOwnFile(log, logStat);
  if (stat) return;
  attempt(path, () => {
    files.closeSync(files.openSync(path, 'wx', 0o600));
    syncDirectory(files, folder);
  });
}
