import { crc32 } from 'node:zlib';
import { storeFault } from '../../node/state/store.ts';
import { attempt, type OpenFile } from './files.ts';

/**
 * The frames of a journal, as FORMAT.md describes them. `sum` and `check` begin with the CRC-32 of the journal's
 * first line, so that no frame of another journal passes. 0xff and 0xfe occur in no UTF-8 text: a frame cannot hide
 * in an entry. A frame without entries seals a journal that was closed in order.
 */
const FRAME_START = 0xff;
const ENTRY_END = 0xfe;
const FRAME_HEADER_SIZE = 17;
/** Frames are written and read whole. */
const FRAME_LIMIT = 2 ** 29;

/** Place of the next frame, and the seed of its sums. */
export interface JournalEnd {
  readonly offset: number;
  readonly link: number;
  readonly seed: number;
}

/** `torn` may have been cut short by a crash. */
export type FrameOutcome =
  | { readonly kind: 'frame'; readonly payload: Buffer; readonly next: JournalEnd }
  | { readonly kind: 'torn'; readonly offset: number }
  | { readonly kind: 'damaged'; readonly offset: number };

export function assertFrameSize(path: string, entries: readonly string[]): void {
  if (payloadSize(entries) > FRAME_LIMIT) throw storeFault(path, 'too large a change');
}

function payloadSize(entries: readonly string[]): number {
  return entries.reduce((sum, entry) => sum + Buffer.byteLength(entry) + 1, 0);
}

export function encodeFrame(entries: readonly string[], { offset, link, seed }: JournalEnd): [Buffer, JournalEnd] {
  const size = payloadSize(entries);
  const frame = Buffer.allocUnsafe(FRAME_HEADER_SIZE + size);
  let at = FRAME_HEADER_SIZE;
  for (const entry of entries) {
    at += frame.write(entry, at);
    frame[at++] = ENTRY_END;
  }
  frame[0] = FRAME_START;
  frame.writeUInt32LE(size, 1);
  frame.writeUInt32LE(link, 5);
  frame.writeUInt32LE(crc32(frame.subarray(FRAME_HEADER_SIZE), seed), 9);
  const check = crc32(frame.subarray(0, 13), seed);
  frame.writeUInt32LE(check, 13);
  return [frame, { offset: offset + frame.length, link: check, seed }];
}

/** Yields empty texts for entries that are not needed. */
export function* splitEntries(payload: Buffer, isNeeded: () => boolean = () => true): Generator<string> {
  let start = 0;
  while (start < payload.length) {
    const end = payload.indexOf(ENTRY_END, start);
    yield isNeeded() ? payload.toString('utf8', start, end) : '';
    start = end + 1;
  }
}

/** Ends after the first frame that is not whole. A payload is valid only until the next frame is read. */
export function* readFrames(open: OpenFile, from: JournalEnd, size: number): Generator<FrameOutcome, undefined> {
  const bytesAt = windowOver(open, size);
  let at = from;
  while (at.offset < size) {
    const outcome = frameAt(bytesAt, at);
    if (outcome.kind === 'torn' && hasFrameAfter(bytesAt, at, size)) {
      yield { kind: 'damaged', offset: at.offset };
      return;
    }
    yield outcome;
    if (outcome.kind !== 'frame') return;
    at = outcome.next;
  }
}

/** Returns `undefined` if no frame is there. */
export function linkAt({ files, file }: OpenFile, offset: number, seed: number): number | undefined {
  const header = Buffer.alloc(FRAME_HEADER_SIZE);
  const size = files.readSync(file, header, 0, FRAME_HEADER_SIZE, offset);
  return size === FRAME_HEADER_SIZE && isHeader(header, seed) ? header.readUInt32LE(5) : undefined;
}

type BytesAt = (offset: number, length: number) => Buffer | undefined;

function frameAt(bytesAt: BytesAt, { offset, link, seed }: JournalEnd): FrameOutcome {
  const header = bytesAt(offset, FRAME_HEADER_SIZE);
  if (header === undefined || !isHeader(header, seed)) return { kind: 'torn', offset };
  // A frame of this journal, in the wrong place.
  if (header.readUInt32LE(5) !== link) return { kind: 'damaged', offset };
  const size = header.readUInt32LE(1);
  const sum = header.readUInt32LE(9);
  const check = header.readUInt32LE(13);
  const payload = bytesAt(offset + FRAME_HEADER_SIZE, size);
  if (payload === undefined || crc32(payload, seed) !== sum) return { kind: 'torn', offset };
  return { kind: 'frame', payload, next: { offset: offset + FRAME_HEADER_SIZE + size, link: check, seed } };
}

function isHeader(header: Buffer, seed: number): boolean {
  return header[0] === FRAME_START && crc32(header.subarray(0, 13), seed) === header.readUInt32LE(13);
}

/** Tells damage from a crash: each frame is durable before the next is written, so none follows a torn one. */
function hasFrameAfter(bytesAt: BytesAt, { offset, seed }: JournalEnd, size: number): boolean {
  // Windows overlap, so that a header which one cuts is whole in the next.
  for (let at = offset + 1; at < size; at += SEARCH_SIZE - FRAME_HEADER_SIZE) {
    const window = bytesAt(at, Math.min(SEARCH_SIZE, size - at));
    if (window !== undefined && hasHeader(window, seed)) return true;
  }
  return false;
}

function hasHeader(window: Buffer, seed: number): boolean {
  for (let i = window.indexOf(FRAME_START); i >= 0; i = window.indexOf(FRAME_START, i + 1)) {
    const header = window.subarray(i, i + FRAME_HEADER_SIZE);
    if (header.length === FRAME_HEADER_SIZE && isHeader(header, seed)) return true;
  }
  return false;
}

const SEARCH_SIZE = 1 << 16;
const WINDOW_SIZE = 1 << 20;

/** Returns `undefined` beyond `size`. */
function windowOver({ files, path, file }: OpenFile, size: number): BytesAt {
  let window = Buffer.alloc(0);
  let start = 0;
  const fill = (offset: number, length: number): void => {
    window = Buffer.allocUnsafe(Math.min(Math.max(length, WINDOW_SIZE), size - offset));
    start = offset;
    let done = 0;
    while (done < window.length) {
      const read = attempt(path, () => files.readSync(file, window, done, window.length - done, start + done));
      if (read === 0) break;
      done += read;
    }
    window = window.subarray(0, done);
  };
  return (offset, length) => {
    if (offset + length > size) return undefined;
    const isInside = offset >= start && offset + length <= start + window.length;
    if (!isInside) fill(offset, length);
    const bytes = window.subarray(offset - start, offset - start + length);
    return bytes.length === length ? bytes : undefined;
  };
}
