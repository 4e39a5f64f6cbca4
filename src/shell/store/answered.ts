import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { syncDirectory, systemFiles, tryTo, writeAll } from './files.ts';

/**
 * What the file and its log must still hold at the next opening. SQLite takes a log up to the first frame that fails, so
 * a damaged or missing log looks like one that ended earlier; this does not. @see FORMAT.md
 */
export interface Answered {
  /** The number of the last batch of changes whose call was answered, or may have been. */
  readonly batch: number;
  /** The log while it is moved into the file, which is of use only with all of it until then. */
  readonly log?: LogSum | undefined;
}

/** `length`: bytes from the beginning of the log. */
export interface LogSum {
  readonly length: number;
  readonly sum: number;
}

export interface AnsweredFile {
  /** Whether the record says so, from a move that was cut short. */
  readonly needsLog: boolean;
  /** Replaces the record, durably. The former one stays readable until then. */
  readonly record: (answered: Answered) => void;
  readonly close: () => void;
}

const answeredPath = (path: string): string => `${path}-answered`;
export const logPath = (path: string): string => `${path}-wal`;

/** Two places take turns, in sectors of their own: a loss of power spoils at most the one that is written. */
const PLACE = 4096;
const PLACES = [0, 1] as const;
const SUMMED = 28;
const RECORD = 32;

function encode(turn: number, { batch, log }: Answered): Uint8Array {
  const bytes = Buffer.alloc(RECORD);
  for (const [i, value] of [turn, batch, log?.length ?? 0].entries()) bytes.writeBigUInt64BE(BigInt(value), 8 * i);
  bytes.writeUInt32BE(log?.sum ?? 0, 24);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, SUMMED)), SUMMED);
  return bytes;
}

type Turn = Answered & { readonly turn: number };

function decode(bytes: Buffer): Turn | undefined {
  if (bytes.length < RECORD || crc32(bytes.subarray(0, SUMMED)) !== bytes.readUInt32BE(SUMMED)) return undefined;
  const [turn = 0, batch = 0, length = 0] = [0, 8, 16].map((at) => Number(bytes.readBigUInt64BE(at)));
  return { turn, batch, log: length === 0 ? undefined : { length, sum: bytes.readUInt32BE(24) } };
}

/** Returns `undefined` if the file is missing or neither place is whole. */
export function readAnswered(path: string): Turn | undefined {
  if (!existsSync(answeredPath(path))) return undefined;
  const turns = withFile(answeredPath(path), (file) =>
    PLACES.map((place) => {
      const bytes = Buffer.alloc(RECORD);
      return decode(bytes.subarray(0, readSync(file, bytes, 0, RECORD, place * PLACE)));
    }),
  );
  return turns.reduce((newest, turn) => ((turn?.turn ?? -1) > (newest?.turn ?? -1) ? turn : newest), undefined);
}

/** Opens the record of a file that is in use, or begins one: then the file counts as in use from here on. */
export function openAnswered(path: string, batch: number, waitsForDisk: boolean): AnsweredFile {
  const before = isInUse(path) ? readAnswered(path) : undefined;
  const name = answeredPath(path);
  const file = openSync(name, before ? 'r+' : 'w+', 0o600);
  const open = { files: systemFiles, path: name, file };
  let turn = before?.turn ?? 0;
  try {
    if (!before) {
      // Its name becomes durable with that of this file.
      closeSync(openSync(logPath(path), 'a', 0o600));
      const places = Buffer.alloc(PLACES.length * PLACE);
      places.set(encode(turn, { batch }));
      writeAll(open, places, 0);
      if (waitsForDisk) {
        fsyncSync(file);
        syncDirectory(systemFiles, dirname(path));
      }
      setMark(path, IN_USE, waitsForDisk);
    }
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return {
    needsLog: before?.log !== undefined,
    record: (answered) => {
      const next = turn + 1;
      writeAll(open, encode(next, answered), (next % PLACES.length) * PLACE);
      if (waitsForDisk) fdatasyncSync(file);
      turn = next;
    },
    close: () => closeSync(file),
  };
}

/** Lets a file whose log is gone count as whole by itself. */
export function endAnswered(path: string, waitsForDisk: boolean): void {
  // After a loss of power, the log must not be there again.
  if (waitsForDisk) syncDirectory(systemFiles, dirname(path));
  setMark(path, WHOLE, waitsForDisk);
  tryTo(() => rmSync(answeredPath(path)));
}

/** The last byte of SQLite's application id. It changes only while SQLite has not opened the file. */
const MARK = 71;
/** The marks differ in more than one bit. */
export const WHOLE = 1;
export const IN_USE = 2;

/** Whether a file needs its log and the record of what was answered, as it does from its first change until it is closed. */
export function isInUse(path: string): boolean {
  const byte = new Uint8Array(1);
  return withFile(path, (file) => readSync(file, byte, 0, 1, MARK)) === 1 && byte[0] === IN_USE;
}

function setMark(path: string, mark: number, waitsForDisk: boolean): void {
  withFile(
    path,
    (file) => {
      writeSync(file, Uint8Array.of(mark), 0, 1, MARK);
      if (waitsForDisk) fsyncSync(file);
    },
    'r+',
  );
}

const CHUNK = 2 ** 20;
/** Nothing can stand for a log that another program has taken away, and that only the process which wrote it still has. */
const LOST: LogSum = { length: Number.MAX_SAFE_INTEGER, sum: 0 };

/** Sums up a log; with `most`, not more of its bytes. */
export function sumLog(path: string, most = Number.MAX_SAFE_INTEGER): LogSum {
  if (!existsSync(logPath(path))) return LOST;
  return withFile(logPath(path), (file) => {
    const chunk = new Uint8Array(CHUNK);
    let [length, sum] = [0, 0];
    while (length < most) {
      const read = readSync(file, chunk, 0, Math.min(CHUNK, most - length), length);
      if (read === 0) break;
      sum = crc32(chunk.subarray(0, read), sum);
      length += read;
    }
    return { length, sum };
  });
}

/** Whether there is a log that holds anything. */
export const hasLog = (path: string): boolean => (statSync(logPath(path), { throwIfNoEntry: false })?.size ?? 0) > 0;

function withFile<T>(path: string, use: (file: number) => T, flags = 'r'): T {
  const file = openSync(path, flags);
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}
