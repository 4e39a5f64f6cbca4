import { crc32 } from 'node:zlib';
import { shownPath } from '../../core/encoding/redaction.ts';
import { BtcError, type ErrorData } from '../../core/errors.ts';
import { attempt, type OpenFile, writeAll } from './files.ts';
import type { JournalEnd } from './frames.ts';

/**
 * A journal's first line and two marks, as FORMAT.md describes them. Each mark replaces the smaller one, so that a
 * torn write leaves a valid one. No crash leaves a journal that ends before its mark.
 */
const LINE = /^(countersign journal (\d{1,9}) [0-9a-f]{16}) ([0-9a-f]{8})\n/;
const LINE_SIZE = 48;
export const MARK_SIZE = 16;
const VERSION = 2;

/** The least size of the journal, and the place of the mark that states it. */
export interface Mark {
  readonly offset: number;
  readonly place: 0 | 1;
}

export interface Head {
  readonly start: JournalEnd;
  readonly mark: Mark | undefined;
}

export function corrupt(path: string, offset: number, reason: ErrorData['store/corrupt']['reason']): BtcError {
  const file = shownPath(path);
  const message =
    reason === 'length'
      ? `${file} ends at offset ${offset}, like an incomplete copy; it was not changed: copy the whole file again, or restore a backup`
      : `${file} is damaged at offset ${offset} (${reason}); it was not changed: restore a backup`;
  return new BtcError('store/corrupt', { path, offset, reason }, message);
}

export function createHead(id: string): Head & { readonly bytes: Buffer } {
  const text = `countersign journal ${VERSION} ${id}`;
  const line = Buffer.from(`${text} ${lineSum(text)}\n`);
  const seed = crc32(line);
  const offset = LINE_SIZE + 2 * MARK_SIZE;
  const mark = markBytes(offset, seed);
  return { start: { offset, link: 0, seed }, mark: { offset, place: 0 }, bytes: Buffer.concat([line, mark, mark]) };
}

/**
 * No crash damages the head: it is durable before the journal gets its name.
 * @throws `store/corrupt`, `store/version`, `store/failed`
 */
export function readHead({ files, path, file }: OpenFile): Head {
  const bytes = Buffer.alloc(LINE_SIZE + 2 * MARK_SIZE);
  const size = attempt(path, () => files.readSync(file, bytes, 0, bytes.length, 0));
  const [line, text, version, sum] = LINE.exec(bytes.toString('latin1', 0, size)) ?? [];
  const damaged = corrupt(path, 0, 'header');
  if (line === undefined || text === undefined || lineSum(text) !== sum) throw damaged;
  if (Number(version) > VERSION) {
    const data = { path, version: Number(version), newest: VERSION };
    const message = `${shownPath(path)} has version ${version}, and this program reads versions up to ${VERSION}: use a newer countersign`;
    throw new BtcError('store/version', data, message);
  }
  const seed = crc32(line);
  if (Number(version) === 1) return { start: { offset: line.length, link: 0, seed }, mark: undefined };
  const marks = ([0, 1] as const).flatMap((place): readonly Mark[] => {
    const at = bytes.subarray(LINE_SIZE + place * MARK_SIZE, LINE_SIZE + (place + 1) * MARK_SIZE);
    const offset = at.readUIntLE(0, 6);
    return at.equals(markBytes(offset, seed)) ? [{ offset, place }] : [];
  });
  const [mark] = marks.sort((a, b) => b.offset - a.offset);
  if (mark === undefined || size < bytes.length) throw damaged;
  return { start: { offset: bytes.length, link: 0, seed }, mark };
}

/** The caller makes the mark durable. */
export function writeMark(open: OpenFile, { place }: Mark, { offset, seed }: JournalEnd): Mark {
  const next = place === 0 ? 1 : 0;
  writeAll(open, markBytes(offset, seed), LINE_SIZE + next * MARK_SIZE);
  return { offset, place: next };
}

export function markBytes(offset: number, seed: number): Buffer {
  const bytes = Buffer.alloc(MARK_SIZE);
  bytes.writeUIntLE(offset, 0, 6);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 12), seed), 12);
  return bytes;
}

export function lineSum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
