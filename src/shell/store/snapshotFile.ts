import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Snapshot, Snapshots } from '../../node/state/store.ts';
import { type Files, type OpenFile, tryTo, writeAll } from './files.ts';
import { linkAt } from './frames.ts';
import type { Journal } from './journalFile.ts';
import { discard, findStat, openOwnFile } from './trust.ts';

/** The snapshot of a journal's state, which never causes an error. @see FORMAT.md */
const LINE = Buffer.from('countersign snapshot 2\n');
const NAME = 'snapshot';
const NEXT = 'snapshot.new';
const PLACE_SIZE = 14;
const HEAD_SIZE = LINE.length + PLACE_SIZE + 12;
/** A larger file is neither written nor read. */
const LARGEST = 2 ** 29;
/** The fewest bytes of entries that are worth a snapshot, and their least share of the journal. */
const LEAST = 2 ** 16;
const SHARE = 16;

export function createSnapshotFile(files: Files, directory: string, currentJournal: () => Journal): Snapshots {
  const [path, next] = [join(directory, NAME), join(directory, NEXT)];
  return {
    read: () => {
      let snapshot: Snapshot | undefined;
      tryTo(() => {
        snapshot = findStat(files, path) && readFrom(openOwnFile(files, path), currentJournal());
      });
      return snapshot;
    },
    isDue: (added) => added >= Math.max(LEAST, currentJournal().end.offset / SHARE),
    write: (snapshot) => {
      tryTo(() => discard(files, next));
      tryTo(() => {
        const bytes = encode(snapshot, currentJournal());
        if (bytes.length > LARGEST) return;
        const open: OpenFile = { files, path: next, file: files.openSync(next, 'wx', 0o600) };
        try {
          writeAll(open, bytes, 0);
        } finally {
          files.closeSync(open.file);
        }
        files.renameSync(next, path);
      });
    },
  };
}

/** The check of the last frame depends on all frames before it. */
function encodePlace({ end: { offset, link, seed } }: Pick<Journal, 'end'>): Buffer {
  const place = Buffer.alloc(PLACE_SIZE);
  place.writeUIntLE(offset, 0, 6);
  place.writeUInt32LE(link, 6);
  place.writeUInt32LE(seed, 10);
  return place;
}

function encode({ head, rows }: Pick<Snapshot, 'head' | 'rows'>, journal: Journal): Buffer {
  const parts = [Buffer.from(head, 'utf8'), Buffer.from(rows, 'latin1')];
  const sizes = Buffer.alloc(8);
  for (const [i, { length }] of parts.entries()) sizes.writeUInt32LE(length, 4 * i);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(combinedSum([LINE, encodePlace(journal), sizes, ...parts]));
  return Buffer.concat([LINE, encodePlace(journal), sizes, sum, ...parts]);
}

const combinedSum = (parts: readonly Buffer[]): number => parts.reduce((sum, part) => crc32(part, sum), 0);

/** Closes the file. @returns `undefined` for a damaged one, or one of another journal */
function readFrom({ files, file }: OpenFile, journal: Journal): Snapshot | undefined {
  try {
    const { size } = files.fstatSync(file);
    if (size < HEAD_SIZE || size > LARGEST) return undefined;
    const bytes = Buffer.allocUnsafe(size);
    for (let done = 0; done < size; ) {
      const read = files.readSync(file, bytes, done, size - done, done);
      if (read === 0) return undefined;
      done += read;
    }
    return decode(bytes, journal);
  } finally {
    tryTo(() => files.closeSync(file));
  }
}

function decode(bytes: Buffer, journal: Journal): Snapshot | undefined {
  const at = LINE.length + PLACE_SIZE;
  if (!bytes.subarray(0, LINE.length).equals(LINE)) return undefined;
  const headEnd = HEAD_SIZE + bytes.readUInt32LE(at);
  if (headEnd + bytes.readUInt32LE(at + 4) !== bytes.length) return undefined;
  const sum = combinedSum([bytes.subarray(0, at + 8), bytes.subarray(HEAD_SIZE)]);
  if (sum !== bytes.readUInt32LE(at + 8) || !isFromJournal(journal, bytes.subarray(LINE.length, at))) return undefined;
  return {
    head: bytes.toString('utf8', HEAD_SIZE, headEnd),
    get rows() {
      return bytes.toString('latin1', headEnd);
    },
    size: bytes.length - headEnd,
  };
}

/** Tells whether a journal still has the frame after which the snapshot was made, and so all before it. */
function isFromJournal({ open, start, end }: Journal, place: Buffer): boolean {
  const [offset, link, seed] = [place.readUIntLE(0, 6), place.readUInt32LE(6), place.readUInt32LE(10)];
  if (seed !== start.seed) return false;
  return link === (offset === end.offset ? end.link : linkAt(open, offset, seed));
}
