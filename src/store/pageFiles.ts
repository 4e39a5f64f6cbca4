import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { BtcError } from '../errors.ts';
import { attempt, type Files, type OpenFile, syncDirectory, systemFault, tryTo, writeAll } from './files.ts';
import { damagedRecords } from './recordHead.ts';
import type { SqliteFiles } from './sqlite.ts';
import { openOwnFile, statOf } from './trust.ts';

/** The size of a database's pages in bytes. */
const PAGE_SIZE = 4096;
/** Bytes at the end of each page that SQLite leaves alone: they hold its sum. */
const RESERVED = 8;
const SUM_AT = PAGE_SIZE - RESERVED;
/** The header of a write-ahead log, and of each of its frames. @see https://www.sqlite.org/fileformat.html#walformat */
const LOG_HEADER_SIZE = 32;
const FRAME_HEADER_SIZE = 24;

/** The files of a database as SQLite sees them. */
export interface PageFiles extends SqliteFiles {
  /** The first fault since the last `forget`, which SQLite reports as any error of a disk. */
  readonly fault: () => BtcError | undefined;
  readonly forget: () => void;
  /** Counts the bytes in the log since it last began anew. */
  readonly logSize: () => number;
  /** Notes that the log's content is a whole number of transactions. */
  readonly acknowledge: () => void;
  /** Removes from the log what was written since the last `acknowledge`, durably. @throws BtcError `store/failed` */
  readonly takeBack: () => void;
  /** Removes the content of a log that the database has, durably. SQLite must not be used afterwards. */
  readonly emptyLog: () => void;
  /** Closes all files. */
  readonly closeAll: () => void;
}

/**
 * Gives SQLite the two files of a database, and no others:
 *
 * - Each page of the database has a sum over its bytes and its number, which is verified whenever SQLite reads any of
 *   them. A page in the log has one by SQLite, which verifies it only when it opens the log; between these, a sum is kept
 *   in memory.
 * - Files are created as the store's other files are, and their names are made durable.
 * - Locks are left to the directory's.
 *
 * - `seed`: that of the sums; differs between databases
 */
export function createPageFiles(files: Files, path: string, seed: number): PageFiles {
  const logPath = `${path}-wal`;
  let database: OpenFile | undefined;
  let log: OpenFile | undefined;
  let firstFault: BtcError | undefined;
  let logEnd = 0;
  /** Where the log's first byte since the last `acknowledge` is. */
  let pending = Number.POSITIVE_INFINITY;
  /** A page under way; a buffer for each would take memory that is freed late. */
  const page = Buffer.alloc(PAGE_SIZE);
  /** Sums of the pages in the log, by the number of the frame. */
  const sums = new Map<number, number>();

  /** Runs an operation, and remembers its fault: SQLite does not pass it on. */
  const noting = <T>(at: string, action: () => T): T => {
    try {
      return attempt(at, action);
    } catch (error) {
      if (error instanceof BtcError) firstFault ??= error;
      throw error;
    }
  };
  const opened = (file: number): OpenFile => {
    for (const open of [database, log]) if (open?.file === file) return open;
    throw systemFault(path, 'EBADF');
  };
  const isLog = (file: number): boolean => file === log?.file;

  const readPage = (open: OpenFile, into: Uint8Array, position: number): number => {
    // To begin with, SQLite reads the size of pages, which never changes. The page itself may be in the log.
    if (position === 0 && into.length < PAGE_SIZE) {
      into.set(firstPage(seed).subarray(0, into.length));
      return into.length;
    }
    const number = Math.floor(position / PAGE_SIZE);
    const from = position - number * PAGE_SIZE;
    const read = readAll(open, page, number * PAGE_SIZE);
    if (read < PAGE_SIZE || from + into.length > PAGE_SIZE || page.readUInt32LE(SUM_AT) !== sumOf(page, number, seed)) {
      throw damagedRecords(path, 'page', number * PAGE_SIZE);
    }
    page.copy(into, 0, from);
    return into.length;
  };
  const writePage = (open: OpenFile, from: Uint8Array, position: number): void => {
    if (from.length !== PAGE_SIZE) throw systemFault(path, 'EINVAL');
    page.set(from);
    sealPage(page, position / PAGE_SIZE, seed);
    writeAll(open, page, position);
  };
  const readLog = (open: OpenFile, into: Uint8Array, position: number): number => {
    const read = readAll(open, into, position);
    // Recovery reads whole frames, later only pages are read.
    const end = into.subarray(Math.max(0, into.length - PAGE_SIZE));
    if (read < into.length || end.length < PAGE_SIZE) return read;
    const at = position + into.length - PAGE_SIZE;
    const sum = crc32(end);
    if ((sums.get(frameAt(at)) ?? sum) !== sum) throw damagedRecords(logPath, 'page', at);
    sums.set(frameAt(at), sum);
    logEnd = Math.max(logEnd, at + PAGE_SIZE);
    return read;
  };
  const writeLog = (open: OpenFile, from: Uint8Array, position: number): void => {
    pending = Math.min(pending, position);
    writeAll(open, from, position);
    // The log begins anew with another header.
    logEnd = position === 0 ? from.length : Math.max(logEnd, position + from.length);
    // Around the place of a sync, SQLite writes a page in two parts.
    if (from.length === PAGE_SIZE) sums.set(frameAt(position), crc32(from));
    else sums.delete(frameAt(position));
  };
  const openDatabase = (): OpenFile => {
    const open = openOwnFile(files, path);
    const { size } = files.fstatSync(open.file);
    if (size >= PAGE_SIZE) return open;
    files.closeSync(open.file);
    // SQLite would take it for a new one.
    throw damagedRecords(path, 'length', size);
  };
  const openLog = (): OpenFile => {
    if (statOf(files, logPath) === undefined) {
      const open = { files, path: logPath, file: files.openSync(logPath, 'wx+', 0o600) };
      syncDirectory(files, dirname(path));
      return open;
    }
    return openOwnFile(files, logPath);
  };

  return {
    constants,
    fault: () => firstFault,
    forget: () => {
      firstFault = undefined;
    },
    logSize: () => logEnd,
    acknowledge: () => {
      pending = Number.POSITIVE_INFINITY;
    },
    takeBack: () => {
      const { file } = log ?? {};
      if (file === undefined || pending === Number.POSITIVE_INFINITY) return;
      logEnd = Math.max(LOG_HEADER_SIZE, pending);
      attempt(logPath, () => {
        files.ftruncateSync(file, logEnd);
        files.fsyncSync(file);
      });
      pending = Number.POSITIVE_INFINITY;
    },
    emptyLog: () => {
      if (log === undefined) return;
      // A part of a log, as a crash could leave of a truncated one, would take the database back to the middle of it.
      writeAll(log, Buffer.alloc(LOG_HEADER_SIZE), 0);
      files.fsyncSync(log.file);
      files.ftruncateSync(log.file, 0);
    },
    closeAll: () => {
      for (const open of [database, log]) if (open) tryTo(() => files.closeSync(open.file));
      database = undefined;
      log = undefined;
    },
    openSync: (name) =>
      noting(name, () => {
        if (name !== path && name !== logPath) throw systemFault(name, 'EACCES');
        if (name === path) database ??= openDatabase();
        else log ??= openLog();
        return (name === path ? database : log)?.file ?? -1;
      }),
    // Only `closeAll` closes: the log stays for the next process to read.
    closeSync: () => undefined,
    readSync: (file, into, at, length, position) =>
      noting(opened(file).path, () => {
        const part = into.subarray(at, at + length);
        return (isLog(file) ? readLog : readPage)(opened(file), part, Number(position));
      }),
    writeSync: (file, from, at, length, position) =>
      noting(opened(file).path, () => {
        const part = from.subarray(at, at + length);
        (isLog(file) ? writeLog : writePage)(opened(file), part, position);
        return length;
      }),
    fsyncSync: (file) => noting(opened(file).path, () => files.fsyncSync(file)),
    ftruncateSync: (file, size) =>
      noting(opened(file).path, () => {
        files.ftruncateSync(file, size);
        if (isLog(file)) logEnd = size;
      }),
    fstatSync: (file) => noting(opened(file).path, () => files.fstatSync(file)),
    accessSync: (name) => {
      // A rollback journal does not belong to this database, which has none.
      if (name !== path && name !== logPath) throw systemFault(name, 'ENOENT');
      if (statOf(files, name) === undefined) throw systemFault(name, 'ENOENT');
    },
    unlinkSync: (name) =>
      noting(name, () => {
        throw systemFault(name, 'EACCES');
      }),
    mkdirSync: () => undefined,
    rmdirSync: () => undefined,
  };
}

/**
 * Returns the first page of a database without tables. SQLite would leave no room for sums in it.
 * @see https://www.sqlite.org/fileformat.html#the_database_header
 */
export function firstPage(seed: number): Buffer {
  const page = Buffer.alloc(PAGE_SIZE);
  page.write('SQLite format 3\0');
  page.writeUInt16BE(PAGE_SIZE, 16);
  // A write-ahead log; the bytes at the end of each page; the only fractions of payloads there are.
  page.set([2, 2, RESERVED, 64, 32, 32], 18);
  const counter = 1;
  const pages = 1;
  page.writeUInt32BE(counter, 24);
  page.writeUInt32BE(pages, 28);
  const [format, utf8] = [4, 1];
  page.writeUInt32BE(format, 44);
  page.writeUInt32BE(utf8, 56);
  page.writeUInt32BE(counter, 92);
  // An empty leaf of the table of tables.
  page[100] = 13;
  page.writeUInt16BE(SUM_AT, 105);
  sealPage(page, 0, seed);
  return page;
}

/** Puts its sum into a page. */
function sealPage(page: Buffer, number: number, seed: number): void {
  page.fill(0, SUM_AT);
  page.writeUInt32LE(sumOf(page, number, seed), SUM_AT);
}

const frameAt = (offset: number): number => Math.floor((offset - LOG_HEADER_SIZE) / (FRAME_HEADER_SIZE + PAGE_SIZE));

function sumOf(page: Uint8Array, number: number, seed: number): number {
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
