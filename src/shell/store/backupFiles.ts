import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { shownPath } from '../../core/encoding/redaction.ts';
import type { BackupFiles, BackupPlace } from '../../node/methods/context.ts';
import { systemReason, writeReason } from '../terminal/systemReason.ts';
import { type Files, makeDirectory, syncDirectory, systemCode, systemFiles, tryTo, writeAll } from './files.ts';
import { DIRECTORY, findStat, KIND, REGULAR } from './trust.ts';

export interface BackupDirectories {
  /** The directory of a store. Among its files no backup may lie, except in its directory `backups`. */
  readonly walletDir?: string | undefined;
  /** Other directories that may hold backups. Default: all may. */
  readonly named?: readonly string[] | undefined;
}

/**
 * A file gets its name once it is on disk, so that neither a reader nor a crash sees half of it. Relative paths begin
 * in the first directory.
 */
export function createBackupFiles(directories: BackupDirectories = {}, files: Files = systemFiles): BackupFiles {
  const own = directories.walletDir === undefined ? undefined : join(resolve(directories.walletDir), 'backups');
  const attempt = (path: string, write: () => string | undefined): string | undefined => {
    try {
      if (own !== undefined && isWithin(path, withoutLinks(own))) makeDirectory(files, own);
      return write();
    } catch (error) {
      return writeReason(error, UNKNOWN);
    }
  };
  return {
    locate: (path) => locate(path, directories, own),
    write: (path, content) => attempt(path, () => writeNew(files, path, content)),
    replace: (path, content) => attempt(path, () => writeOver(files, path, content)),
    read: (path) => {
      try {
        return exists(files, path) ? readWhole(files, path) : 'missing';
      } catch (error) {
        return systemReason(error, UNKNOWN);
      }
    },
  };
}

function locate(path: string, { walletDir, named }: BackupDirectories, own: string | undefined): BackupPlace {
  const allowed = named && [...named.map((directory) => resolve(directory)), ...(own === undefined ? [] : [own])];
  const [first] = allowed ?? ['.'];
  if (first === undefined) return { fault: 'lies in no directory for backups: start with --backup-dir DIRECTORY' };
  if (path.length > LONGEST_PATH) return { fault: `is longer than ${LONGEST_PATH} characters: choose a shorter path` };
  const target = withoutLinks(resolve(first, path));
  const isIn = (directory: string): boolean => isWithin(target, withoutLinks(directory));
  if (allowed && !allowed.some(isIn)) {
    const places = allowed.map(shownPath).join(' or ');
    return { fault: `lies outside ${places}: name a file there, or start with --backup-dir DIRECTORY` };
  }
  if (own === undefined || walletDir === undefined || !isIn(walletDir) || isIn(own)) return { path: target };
  return { fault: `would lie among the files of the wallet directory: name a file in ${shownPath(own)}` };
}

const LONGEST_PATH = 4096;

/** Resolves the links in an absolute path, whose end may be missing. */
function withoutLinks(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(withoutLinks(above), basename(path));
  }
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const UNKNOWN = 'unknown error';
const TAKEN = 'exists already';

/** @returns why it could not be written */
function writeNew(files: Files, path: string, content: Uint8Array): string | undefined {
  if (isDirectory(path, files)) return IS_DIRECTORY;
  if (exists(files, path)) return TAKEN;
  return writeAs(files, path, content, (temporary) => (isNamed(files, temporary, path) ? undefined : TAKEN));
}

/** @returns why it could not be written */
function writeOver(files: Files, path: string, content: Uint8Array): string | undefined {
  if (isDirectory(path, files)) return IS_DIRECTORY;
  return writeAs(files, path, content, (temporary) => {
    files.renameSync(temporary, path);
    return undefined;
  });
}

const IS_DIRECTORY = 'is a directory';

/** Writes a temporary file, which `name` gives its name. */
function writeAs(
  files: Files,
  path: string,
  content: Uint8Array,
  name: (temporary: string) => string | undefined,
): string | undefined {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  const file = files.openSync(temporary, 'wx', 0o600);
  try {
    try {
      writeAll({ files, path: temporary, file }, content, 0);
      files.fsyncSync(file);
    } finally {
      files.closeSync(file);
    }
    const reason = name(temporary);
    if (reason === undefined) tryTo(() => syncDirectory(files, dirname(path)));
    return reason;
  } finally {
    tryTo(() => files.unlinkSync(temporary));
  }
}

/** File systems of memory cards have no links. */
function isNamed(files: Files, from: string, to: string): boolean {
  try {
    files.linkSync(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST' || exists(files, to)) return false;
    files.renameSync(from, to);
    return true;
  }
}

const exists = (files: Files, path: string): boolean => findStat(files, path) !== undefined;

const LARGEST = 2 ** 30;

export function isDirectory(path: string, files: Files = systemFiles): boolean {
  try {
    return (files.statSync(path).mode & KIND) === DIRECTORY;
  } catch {
    return false;
  }
}

/** @returns a text if it was not read */
function readWhole(files: Files, path: string): Uint8Array | string {
  // Reading a pipe could block.
  const { mode, size } = files.statSync(path);
  if ((mode & KIND) !== REGULAR) return 'is not a regular file';
  if (size > LARGEST) return `is larger than ${LARGEST} bytes`;
  const file = files.openSync(path, 'r');
  try {
    const content = new Uint8Array(size);
    let done = 0;
    while (done < size) {
      const read = files.readSync(file, content, done, size - done, done);
      if (read === 0) break;
      done += read;
    }
    return content.subarray(0, done);
  } finally {
    files.closeSync(file);
  }
}
