import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { encodeUtf8 } from '../../core/bytes/utf8.ts';
import type { NonceStore } from '../../core/psbt/roles/musig2Stored.ts';
import { storeFault } from '../../node/store/storeFault.ts';
import { attempt, makeDirectory, syncDirectory, systemCode, systemFiles } from './files.ts';
import { assertOwnDirectory, assertOwnPath } from './trust.ts';

const KEPT = '.nonce';
/** Stays, so that nothing else gets the number of its file. */
const USED = '.used';

/** In milliseconds: longer than the clock of a file system takes for a tick. */
const TICK = 20;

/**
 * Opens or creates a directory that keeps MuSig2 nonces between two commands, each for one use, in a file that only the owner
 * may read. A nonce opens only in the file that it was written to: a copy of the file or directory, or a backup of it, is
 * refused, and a used one stays used. No program can tell a copy of the whole machine: never sign from two snapshots of one.
 *
 * @throws `store/unsafe`, `store/failed`, `store/full`
 */
export function openNonceDirectory(directory: string): NonceStore {
  const folder = resolve(directory);
  assertOwnPath(systemFiles, folder);
  attempt(folder, () => makeDirectory(systemFiles, folder));
  assertOwnDirectory(systemFiles, folder);
  const pathOf = (name: string, ending: string): string => join(folder, `${name}${ending}`);
  return {
    put: (name, seal) =>
      attempt(pathOf(name, KEPT), () => {
        const file = openSync(pathOf(name, KEPT), 'wx', 0o600);
        try {
          const place = placeOf(file);
          assertLasting(file, folder);
          writeFileSync(file, seal(place));
          fsyncSync(file);
        } finally {
          closeSync(file);
        }
        syncDirectory(systemFiles, folder);
      }),
    take: (name) =>
      attempt(pathOf(name, KEPT), () => {
        if (!claim(pathOf(name, KEPT), pathOf(name, USED))) return exists(pathOf(name, USED)) ? 'used' : 'missing';
        syncDirectory(systemFiles, folder);
        const file = openSync(pathOf(name, USED), 'r+');
        try {
          const sealed = new Uint8Array(readFileSync(file));
          const place = placeOf(file);
          // Also what a second name of the file (a hard link) shows.
          ftruncateSync(file);
          fsyncSync(file);
          return sealed.length === 0 ? 'used' : { sealed, place };
        } finally {
          closeSync(file);
        }
      }),
  };
}

/** Renames, which one process alone can do. */
function claim(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

const exists = (path: string): boolean => {
  try {
    closeSync(openSync(path, 'r'));
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
};

/** Identifies a file: its number, and when it was made. */
function placeOf(file: number): Uint8Array {
  const { ino, birthtimeNs } = fstatSync(file, { bigint: true });
  return encodeUtf8(`${ino} ${birthtimeNs}`);
}

/** Refuses a file system that does not record when a file was made, for which Node shows its last change. */
function assertLasting(file: number, folder: string): void {
  const before = placeOf(file);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TICK);
  fchmodSync(file, 0o600);
  if (before.every((byte, i) => byte === placeOf(file)[i])) return;
  throw storeFault(folder, 'its file system does not record when a file was made: keep nonces in another directory');
}
