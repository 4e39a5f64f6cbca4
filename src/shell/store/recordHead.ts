import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { shownPath } from '../../core/encoding/redaction.ts';
import { BtcError, type ErrorData } from '../../core/errors.ts';
import { attempt, type Files, type OpenFile, writeAll } from './files.ts';
import { lineSum, MARK_SIZE, markBytes } from './journalHead.ts';
import { openOwnFile } from './trust.ts';

/**
 * The first line of a database's head; two marks with numbers of batches follow. A mark is written once its batch is
 * durable, and not synced: a database behind its mark was damaged or replaced.
 * @see FORMAT.md
 */
const LINE = /^(countersign records (\d{1,9}) [0-9a-f]{16} ([0-9a-f]{16})) ([0-9a-f]{8})\n/;
const MARKS_AT = 80;
const VERSION = 1;

export interface RecordHead {
  readonly open: OpenFile;
  /** Of all sums of the database. */
  readonly seed: number;
  /** The last batch that is certainly durable. */
  readonly batch: number;
}

const FETCH_AGAIN = 'move "records", "records-wal" and "records-head" away, and fetch the chain again';

type Reason = ErrorData['store/corrupt']['reason'];

const EXPLANATIONS: Readonly<Partial<Record<Reason, string>>> = {
  state: 'lacks changes that were durable, like an older or incomplete copy',
  missing: 'is missing, but other files of the database are not',
  owner: 'belongs to another wallet directory',
};

/** `at` is the offset, or the kind of the damaged record. */
export function damagedRecords(path: string, reason: Reason, at?: number | string): BtcError {
  const place = typeof at === 'number' ? ` at offset ${at}` : at === undefined ? '' : ` in ${at}`;
  const what = EXPLANATIONS[reason] ?? `is damaged${place} (${reason})`;
  const data = { path, ...(typeof at === 'number' && { offset: at }), reason };
  return new BtcError('store/corrupt', data, `${shownPath(path)} ${what}: ${FETCH_AGAIN}`);
}

export function createRecordHead(files: Files, path: string, owner: string): RecordHead {
  const text = `countersign records ${VERSION} ${randomBytes(8).toString('hex')} ${owner}`;
  const line = Buffer.from(`${text} ${lineSum(text)}\n`);
  const seed = crc32(line);
  const open = { files, path, file: attempt(path, () => files.openSync(path, 'wx+', 0o600)) };
  attempt(path, () => {
    const mark = markBytes(0, seed);
    writeAll(open, Buffer.concat([line, Buffer.alloc(MARKS_AT - line.length), mark, mark]), 0);
    files.fsyncSync(open.file);
  });
  return { open, seed, batch: 0 };
}

/** @throws `store/corrupt`, `store/version`, `store/unsafe`, `store/failed` */
export function openRecordHead(files: Files, path: string, owner: string): RecordHead {
  const open = openOwnFile(files, path);
  try {
    const bytes = Buffer.alloc(MARKS_AT + 2 * MARK_SIZE);
    const size = attempt(path, () => files.readSync(open.file, bytes, 0, bytes.length, 0));
    const [line, text, version, owned, sum] = LINE.exec(bytes.toString('latin1', 0, size)) ?? [];
    if (line === undefined || text === undefined || lineSum(text) !== sum) throw damagedRecords(path, 'header', 0);
    if (Number(version) !== VERSION) {
      const data = { path, version: Number(version), newest: VERSION };
      const message = `${shownPath(path)} has version ${version}, and this program reads version ${VERSION}: use a newer countersign`;
      throw new BtcError('store/version', data, message);
    }
    if (owned !== owner) throw damagedRecords(path, 'owner');
    const seed = crc32(line);
    const batches = [0, 1].flatMap((place) => {
      const at = bytes.subarray(MARKS_AT + place * MARK_SIZE, MARKS_AT + (place + 1) * MARK_SIZE);
      const batch = at.readUIntLE(0, 6);
      return at.equals(markBytes(batch, seed)) ? [batch] : [];
    });
    if (size < bytes.length || batches.length === 0) throw damagedRecords(path, 'header', MARKS_AT);
    return { open, seed, batch: Math.max(...batches) };
  } catch (error) {
    files.closeSync(open.file);
    throw error;
  }
}

/** Batches alternate between two places. */
export function markBatch({ open, seed }: RecordHead, batch: number): void {
  writeAll(open, markBytes(batch, seed), MARKS_AT + (batch % 2) * MARK_SIZE);
}
