import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import type { BackupFiles } from '../rpc/wallet/context.ts';
import { systemReason, writeReason } from '../terminal/systemReason.ts';
import { type Files, syncDirectory, systemCode, systemFiles, tryTo, writeAll } from './files.ts';

/**
 * Creates the access to the files of backups. A file is written under a temporary name and gets its own once it is on disk,
 * so that no reader and no crash sees half of it.
 *
 * - `files`: replaces `node:fs` in tests
 */
export function createBackupFiles(files: Files = systemFiles): BackupFiles {
  return {
    write: (path, content) => {
      try {
        return writeNew(files, path, content);
      } catch (error) {
        return writeReason(error, UNKNOWN);
      }
    },
    read: (path) => {
      try {
        return exists(files, path) ? readWhole(files, path) : 'missing';
      } catch (error) {
        return systemReason(error, UNKNOWN);
      }
    },
  };
}

const UNKNOWN = 'unknown error';
const TAKEN = 'exists already';

/** Writes a new file durably. @returns why it could not be written */
function writeNew(files: Files, path: string, content: Uint8Array): string | undefined {
  if (isDirectory(files, path)) return 'is a directory';
  if (exists(files, path)) return TAKEN;
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  const file = files.openSync(temporary, 'wx', 0o600);
  try {
    try {
      writeAll({ files, path: temporary, file }, content, 0);
      files.fsyncSync(file);
    } finally {
      files.closeSync(file);
    }
    if (!isNamed(files, temporary, path)) return TAKEN;
    tryTo(() => syncDirectory(files, dirname(path)));
    return undefined;
  } finally {
    tryTo(() => files.unlinkSync(temporary));
  }
}

/** Gives a file another name unless that is taken. File systems of memory cards have no links. */
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

function exists(files: Files, path: string): boolean {
  try {
    files.lstatSync(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** The bits of a file's mode that tell its type, and those of a directory and of a regular file. */
const [TYPE_BITS, DIRECTORY, REGULAR] = [0o170000, 0o040000, 0o100000];
/** The most bytes of a backup. */
const LARGEST = 2 ** 30;

function isDirectory(files: Files, path: string): boolean {
  try {
    return (files.statSync(path).mode & TYPE_BITS) === DIRECTORY;
  } catch {
    return false;
  }
}

/** Reads a file. @returns its content, or why it was not read */
function readWhole(files: Files, path: string): Uint8Array | string {
  // A pipe could keep the program waiting.
  const { mode, size } = files.statSync(path);
  if ((mode & TYPE_BITS) !== REGULAR) return 'is not a regular file';
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
