import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { BtcError } from '../../core/errors.ts';
import { attempt, type Files, type OpenFile, syncDirectory, systemFault, tryTo, writeAll } from './files.ts';
import { damagedRecords } from './recordHead.ts';
import type { SqliteFiles } from './sqlite.ts';
import { findStat, openOwnFile } from './trust.ts';

const PAGE_SIZE = 4096;
/** Bytes at the end of each page that SQLite leaves alone, for its sum. */
const RESERVED = 8;
const SUM_AT = PAGE_SIZE - RESERVED;
/** @see https://www.sqlite.org/fileformat.html#walformat */
const LOG_HEADER_SIZE = 32;
const FRAME_HEADER_SIZE = 24;

export interface PageFiles extends SqliteFiles {
  /** The first fault since the last `forget`, which SQLite reports as any disk error. */
  readonly fault: () => BtcError | undefined;
  readonly forget: () => void;
  readonly logSize: () => number;
  /** Notes that the log holds whole transactions only. */
  readonly acknowledge: () => void;
  /** Removes durably what was written to the log since the last `acknowledge`. */
  readonly takeBack: () => void;
  /** Empties, durably, a log whose content the database has. SQLite must not be used afterwards. */
  readonly emptyLog: () => void;
  readonly closeAll: () => void;
}

/**
 * Gives SQLite the two files of a database, and no others. Each page has a sum over its bytes and its number,
 * verified at every read. SQLite verifies its sums of the log only when it opens it; after that, sums in memory are
 * verified. The directory's lock replaces SQLite's.
 *
 * - `seed`: of the sums; differs between databases
 */
export function createPageFiles(files: Files, path: string, seed: number): PageFiles {
  const log = logFile(files, `${path}-wal`);
  const both: readonly PagedFile[] = [databaseFile(files, path, seed), log];
  const { noting, ...faults } = createFaultNotes();
  const named = (name: string, code: string): PagedFile => {
    for (const each of both) if (each.path === name) return each;
    throw systemFault(name, code);
  };
  const using = <T>(file: number, action: (paged: PagedFile, open: OpenFile) => T): T => {
    for (const each of both) {
      const { openFile } = each;
      if (openFile?.file === file) return noting(each.path, () => action(each, openFile));
    }
    throw systemFault(path, 'EBADF');
  };
  return {
    constants,
    ...faults,
    logSize: log.size,
    acknowledge: log.acknowledge,
    takeBack: log.takeBack,
    emptyLog: () => emptyLog(log),
    closeAll: () => {
      for (const { openFile } of both) if (openFile) tryTo(() => files.closeSync(openFile.file));
      for (const each of both) each.openFile = undefined;
    },
    openSync: (name) =>
      noting(name, () => {
        const each = named(name, 'EACCES');
        each.openFile ??= each.open();
        return each.openFile.file;
      }),
    // The log stays for the next process to read.
    closeSync: () => undefined,
    readSync: (file, into, at, length, position) =>
      using(file, ({ read }, open) => read(open, into.subarray(at, at + length), Number(position))),
    writeSync: (file, from, at, length, position) =>
      using(file, ({ write }, open) => {
        write(open, from.subarray(at, at + length), position);
        return length;
      }),
    fsyncSync: (file) => using(file, () => files.fsyncSync(file)),
    ftruncateSync: (file, size) => using(file, ({ truncate }) => truncate(file, size)),
    fstatSync: (file) => using(file, () => files.fstatSync(file)),
    accessSync: (name) => {
      // A rollback journal would belong to another database.
      named(name, 'ENOENT');
      if (findStat(files, name) === undefined) throw systemFault(name, 'ENOENT');
    },
    unlinkSync: (name) =>
      noting(name, () => {
        throw systemFault(name, 'EACCES');
      }),
    mkdirSync: () => undefined,
    rmdirSync: () => undefined,
  };
}

interface FaultNotes extends Pick<PageFiles, 'fault' | 'forget'> {
  /** Remembers the fault of an operation: SQLite does not pass it on. */
  readonly noting: <T>(path: string, action: () => T) => T;
}

function createFaultNotes(): FaultNotes {
  let first: BtcError | undefined;
  return {
    fault: () => first,
    forget: () => {
      first = undefined;
    },
    noting: (path, action) => {
      try {
        return attempt(path, action);
      } catch (error) {
        if (error instanceof BtcError) first ??= error;
        throw error;
      }
    },
  };
}

interface PagedFile {
  readonly path: string;
  /** Set once SQLite has opened the file. */
  openFile: OpenFile | undefined;
  readonly open: () => OpenFile;
  /** @returns the number of bytes read */
  readonly read: (open: OpenFile, into: Uint8Array, position: number) => number;
  readonly write: (open: OpenFile, from: Uint8Array, position: number) => void;
  readonly truncate: (file: number, size: number) => void;
}

function databaseFile(files: Files, path: string, seed: number): PagedFile {
  /** Reused: a buffer for each page would be freed late. */
  const page = Buffer.alloc(PAGE_SIZE);
  return {
    path,
    openFile: undefined,
    open: () => {
      const open = openOwnFile(files, path);
      const { size } = files.fstatSync(open.file);
      if (size >= PAGE_SIZE) return open;
      files.closeSync(open.file);
      // SQLite would take it for a new one.
      throw damagedRecords(path, 'length', size);
    },
    read: (open, into, position) => {
      // SQLite first reads the page size, which never changes. The page itself may be in the log.
      if (position === 0 && into.length < PAGE_SIZE) {
        into.set(firstPage(seed).subarray(0, into.length));
        return into.length;
      }
      const number = Math.floor(position / PAGE_SIZE);
      const from = position - number * PAGE_SIZE;
      const isWhole = readAll(open, page, number * PAGE_SIZE) === PAGE_SIZE && from + into.length <= PAGE_SIZE;
      if (!isWhole || page.readUInt32LE(SUM_AT) !== pageSum(page, number, seed)) {
        throw damagedRecords(path, 'page', number * PAGE_SIZE);
      }
      page.copy(into, 0, from);
      return into.length;
    },
    write: (open, from, position) => {
      if (from.length !== PAGE_SIZE) throw systemFault(path, 'EINVAL');
      page.set(from);
      sealPage(page, position / PAGE_SIZE, seed);
      writeAll(open, page, position);
    },
    truncate: (file, size) => files.ftruncateSync(file, size),
  };
}

interface LogFile extends PagedFile {
  readonly size: () => number;
  readonly acknowledge: PageFiles['acknowledge'];
  readonly takeBack: PageFiles['takeBack'];
}

function logFile(files: Files, path: string): LogFile {
  /** By frame number. */
  const sums = new Map<number, number>();
  let end = 0;
  /** Offset of the first byte since the last `acknowledge`. */
  let pending = Number.POSITIVE_INFINITY;
  const acknowledge = (): void => {
    pending = Number.POSITIVE_INFINITY;
  };
  const log: LogFile = {
    path,
    openFile: undefined,
    open: () => {
      if (findStat(files, path) !== undefined) return openOwnFile(files, path);
      const open = { files, path, file: files.openSync(path, 'wx+', 0o600) };
      syncDirectory(files, dirname(path));
      return open;
    },
    read: (open, into, position) => {
      const read = readAll(open, into, position);
      // Recovery reads whole frames, all else pages only.
      const page = into.subarray(Math.max(0, into.length - PAGE_SIZE));
      if (read < into.length || page.length < PAGE_SIZE) return read;
      const at = position + into.length - PAGE_SIZE;
      const sum = crc32(page);
      if ((sums.get(frameAt(at)) ?? sum) !== sum) throw damagedRecords(path, 'page', at);
      sums.set(frameAt(at), sum);
      end = Math.max(end, at + PAGE_SIZE);
      return read;
    },
    write: (open, from, position) => {
      pending = Math.min(pending, position);
      writeAll(open, from, position);
      // At 0, the log begins anew.
      end = position === 0 ? from.length : Math.max(end, position + from.length);
      // Around the place of a sync, SQLite writes a page in two parts.
      if (from.length === PAGE_SIZE) sums.set(frameAt(position), crc32(from));
      else sums.delete(frameAt(position));
    },
    truncate: (file, size) => {
      files.ftruncateSync(file, size);
      end = size;
    },
    size: () => end,
    acknowledge,
    takeBack: () => {
      const { openFile } = log;
      if (!openFile || pending === Number.POSITIVE_INFINITY) return;
      end = Math.max(LOG_HEADER_SIZE, pending);
      attempt(path, () => {
        files.ftruncateSync(openFile.file, end);
        files.fsyncSync(openFile.file);
      });
      acknowledge();
    },
  };
  return log;
}

function emptyLog({ openFile }: LogFile): void {
  if (!openFile) return;
  const { files, file } = openFile;
  // A log that a crash leaves partly truncated would take the database back in time.
  writeAll(openFile, Buffer.alloc(LOG_HEADER_SIZE), 0);
  files.fsyncSync(file);
  files.ftruncateSync(file, 0);
}

/**
 * Returns the first page of an empty database. SQLite's own would leave no room for sums.
 * @see https://www.sqlite.org/fileformat.html#the_database_header
 */
export function firstPage(seed: number): Buffer {
  const page = Buffer.alloc(PAGE_SIZE);
  page.write('SQLite format 3\0');
  page.writeUInt16BE(PAGE_SIZE, 16);
  // Write-ahead log for reading and writing; reserved bytes; payload fractions, which are fixed.
  page.set([2, 2, RESERVED, 64, 32, 32], 18);
  const counter = 1;
  const pages = 1;
  page.writeUInt32BE(counter, 24);
  page.writeUInt32BE(pages, 28);
  const [format, utf8] = [4, 1];
  page.writeUInt32BE(format, 44);
  page.writeUInt32BE(utf8, 56);
  page.writeUInt32BE(counter, 92);
  // An empty leaf of the schema table.
  page[100] = 13;
  page.writeUInt16BE(SUM_AT, 105);
  sealPage(page, 0, seed);
  return page;
}

function sealPage(page: Buffer, number: number, seed: number): void {
  page.fill(0, SUM_AT);
  page.writeUInt32LE(pageSum(page, number, seed), SUM_AT);
}

const frameAt = (offset: number): number => Math.floor((offset - LOG_HEADER_SIZE) / (FRAME_HEADER_SIZE + PAGE_SIZE));

function pageSum(page: Uint8Array, number: number, seed: number): number {
  const place = Buffer.allocUnsafe(4);
  place.writeUInt32LE(number);
  return crc32(page.subarray(0, SUM_AT), crc32(place, seed));
}

function readAll({ files, file }: OpenFile, into: Uint8Array, position: number): number {
  let done = 0;
  while (done < into.length) {
    const read = files.readSync(file, into, done, into.length - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}
