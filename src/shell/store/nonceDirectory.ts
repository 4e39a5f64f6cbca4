import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statfsSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { equalBytes } from '../../core/bytes/compare.ts';
import { encodeUtf8 } from '../../core/bytes/utf8.ts';
import type { NonceStore } from '../../core/psbt/roles/musig2Stored.ts';
import { attempt, makeDirectory, syncDirectory, systemCode, systemFault, systemFiles } from './files.ts';
import { assertOwnDirectory, assertOwnPath } from './trust.ts';

const KEPT = '.nonce';
/** Empty, and never removed: while it is there, the nonce of this name is used. */
const USED = '.used';

/** In milliseconds: longer than the clock of a file system takes for a tick. */
const TICK = 20;

/** Windows has no such flag, and links there need rights. */
const NO_LINKS = constants.O_NOFOLLOW ?? 0;

const EXT2_TO_EXT4 = 0xef53;
const XFS = 0x58465342;
const TMPFS = 0x01021994;

/**
 * Lists the types of file systems whose files change only by writing to them. Others may bring back a directory as it was, with
 * numbers and times (by a snapshot of btrfs or ZFS), or show the files of another system, which may do so (overlays, networks, FUSE).
 * @see statfs(2)
 */
const WITHOUT_HISTORY: ReadonlySet<number> = new Set([EXT2_TO_EXT4, XFS, TMPFS]);

type FindType = (path: string) => number;

const typeOf: FindType = (path) => statfsSync(path).type;

/** @internal Lets tests find a directory for nonces. */
export const isWithoutHistory = (path: string, find: FindType = typeOf): boolean => WITHOUT_HISTORY.has(find(path));

/**
 * Keeps MuSig2 nonces between two commands, each for one use, in a file that only the owner may read. The first nonce creates the
 * directory, on ext2 to ext4, xfs or tmpfs: all other file systems are refused, as a snapshot of their own could bring back a used
 * nonce. A nonce opens only in the file and the directory that it was written to: a copy of either, put back or elsewhere, is
 * refused, and a used one stays used. No program can tell a copy of the disk below its file system, such as a snapshot of a volume
 * or of a machine: never sign from two of these.
 *
 * @throws `store/unsafe`, `store/failed`, `store/full`
 */
export const openNonceDirectory = (directory: string): NonceStore => openNonceDirectoryOn(directory, typeOf);

/** @internal Apart for tests, which answer for other file systems. */
export function openNonceDirectoryOn(directory: string, findType: FindType): NonceStore {
  const folder = resolve(directory);
  const pathOf = (name: string, ending: string): string => join(folder, `${name}${ending}`);
  return {
    put: (name, seal) => {
      assertOwnPath(systemFiles, folder);
      attempt(folder, () => {
        const there = [folder, dirname(folder)].find(exists);
        if (there !== undefined && !isWithoutHistory(there, findType)) throw withHistory(folder);
        makeDirectory(systemFiles, folder);
      });
      assertOwnDirectory(systemFiles, folder);
      attempt(pathOf(name, KEPT), () => {
        const file = openSync(pathOf(name, KEPT), 'wx', 0o600);
        try {
          const place = placeOf(file, folder);
          assertLasting(file, folder, place);
          writeFileSync(file, seal(place));
          fsyncSync(file);
        } catch (error) {
          unlinkSync(pathOf(name, KEPT));
          throw error;
        } finally {
          closeSync(file);
        }
        syncDirectory(systemFiles, folder);
      });
    },
    has: (name) => attempt(folder, () => exists(pathOf(name, KEPT)) && !exists(pathOf(name, USED))),
    take: (name) =>
      attempt(pathOf(name, KEPT), () => {
        const file = openKept(pathOf(name, KEPT));
        if (file === undefined) return exists(pathOf(name, USED)) ? 'used' : 'missing';
        try {
          if (!isWithoutHistory(folder, findType)) throw withHistory(folder);
          // Before anything is read: one process alone can make the mark.
          if (!claim(pathOf(name, USED), folder)) return 'used';
          const sealed = new Uint8Array(readFileSync(file));
          const place = placeOf(file, folder);
          ftruncateSync(file);
          fsyncSync(file);
          unlinkSync(pathOf(name, KEPT));
          syncDirectory(systemFiles, folder);
          return { sealed, place };
        } finally {
          closeSync(file);
        }
      }),
  };
}

function openKept(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDWR | NO_LINKS);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes the mark of use, durably. @returns false if it is there */
function claim(path: string, folder: string): boolean {
  try {
    const mark = openSync(path, 'wx', 0o600);
    fsyncSync(mark);
    closeSync(mark);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
  syncDirectory(systemFiles, folder);
  return true;
}

function exists(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Identifies a file and its directory: their numbers, and when they were made.
 * @throws `store/failed` for a file with a second name (a hard link), under which it could be taken again
 */
const placeOf = (file: number, folder: string): Uint8Array => placeIn(fstatSync(file, { bigint: true }), folder);

/** @internal Apart for tests: few file systems at hand lack what it needs. */
export function placeIn(own: Pick<BigIntStats, 'ino' | 'birthtimeNs' | 'nlink'>, folder: string): Uint8Array {
  if (own.nlink !== 1n) throw systemFault(folder, 'a nonce in it has a second name: start a new session');
  const places = [own, statSync(folder, { bigint: true })].map(({ ino, birthtimeNs }) => {
    if (birthtimeNs <= 0n) throw withoutTimes(folder);
    return `${ino} ${birthtimeNs}`;
  });
  return encodeUtf8(places.join(' in '));
}

/** Refuses a file system that does not record when a file was made, for which some systems show its last change. */
function assertLasting(file: number, folder: string, before: Uint8Array): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TICK);
  fchmodSync(file, 0o600);
  const after = placeOf(file, folder);
  if (!equalBytes(before, after)) throw withoutTimes(folder);
}

const WAY_OUT = 'keep nonces below /dev/shm or /run/user, on ext4 or xfs (docs/signing.md)';

const withHistory = (folder: string): Error =>
  systemFault(folder, `a snapshot by its file system could bring back used nonces: ${WAY_OUT}`);

const withoutTimes = (folder: string): Error =>
  systemFault(folder, `its file system does not record when a file was made: ${WAY_OUT}`);
