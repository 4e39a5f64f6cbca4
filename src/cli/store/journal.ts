import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { BtcError } from '../../errors.ts';
import { assertText } from '../../wallet/store.ts';
import { attempt, cutOff, discard, type Files, type OpenFile, syncDirectory, tryTo, wipe, writeAll } from './files.ts';
import { assertFrameSize, encodeFrame, type JournalEnd, readFrames } from './frames.ts';

/** A journal that is open: where its frames begin, and where the next will be. */
export interface Journal {
  readonly open: OpenFile;
  readonly start: JournalEnd;
  readonly end: JournalEnd;
  /** Whether the last frame says that the journal was closed in order. */
  readonly isSealed: boolean;
}

const NAME = 'journal';
/** Of a rewrite under way: what will be the journal, and what was it. */
const NEXT = 'journal.new';
const LAST = 'journal.old';

const VERSION = 1;

/**
 * Opens a directory's journal, or makes one; cuts off a last frame that a crash left incomplete, and ends a rewrite
 * that one interrupted. What is read from it then is durable.
 * @throws BtcError `store/corrupt`, `store/version`, `store/full`, `store/failed`
 */
export function openJournal(files: Files, directory: string): Journal {
  const path = join(directory, NAME);
  attempt(directory, () => endRewrite(files, directory));
  if (!files.existsSync(path)) {
    const made = writeJournal(files, directory, []);
    attempt(path, () => files.renameSync(made.open.path, path));
    attempt(path, () => syncDirectory(files, directory));
    return { ...made, open: { ...made.open, path } };
  }
  const open: OpenFile = { files, path, file: attempt(path, () => files.openSync(path, 'r+')) };
  try {
    return recover(open);
  } catch (error) {
    tryTo(() => files.closeSync(open.file));
    throw error;
  }
}

/**
 * Writes another journal beside a directory's, for {@link replaceJournal}.
 * @throws BtcError `store/full`, `store/failed`, and what the iteration of `entries` throws: nothing is left then
 */
export function writeJournal(files: Files, directory: string, entries: Iterable<string>): Journal {
  const path = join(directory, NEXT);
  const open: OpenFile = { files, path, file: attempt(path, () => files.openSync(path, 'wx+', 0o600)) };
  try {
    const head = headOf(randomBytes(8).toString('hex'));
    attempt(path, () => writeAll(open, head, 0));
    const start: JournalEnd = { offset: head.length, link: 0, seed: crc32(head) };
    let end = start;
    for (const batch of inBatches(path, entries)) {
      const [frame, next] = encodeFrame(batch, end);
      attempt(path, () => writeAll(open, frame, end.offset));
      end = next;
    }
    attempt(path, () => files.fsyncSync(open.file));
    return { open, start, end, isSealed: false };
  } catch (error) {
    tryTo(() => files.closeSync(open.file));
    tryTo(() => discard(files, join(directory, NEXT), join(directory, NAME)));
    throw error;
  }
}

/**
 * Puts what {@link writeJournal} wrote in a journal's place, then overwrites what was there.
 * @returns the new journal; and whether its place is durable
 * @throws BtcError `store/full`, `store/failed`: the old journal is still in its place
 */
export function replaceJournal(directory: string, last: Journal, next: Journal): [Journal, boolean] {
  const { files, path, file } = last.open;
  // So that a crash before the end leaves a name for what is to be overwritten. Some file systems have no second names.
  tryTo(() => files.linkSync(path, join(directory, LAST)));
  try {
    attempt(path, () => files.renameSync(next.open.path, path));
  } catch (error) {
    tryTo(() => files.closeSync(next.open.file));
    tryTo(() => discard(files, join(directory, NEXT), join(directory, NAME)));
    tryTo(() => files.unlinkSync(join(directory, LAST)));
    throw error;
  }
  const journal = { ...next, open: { ...next.open, path } };
  try {
    syncDirectory(files, directory);
  } catch {
    // Until it is known which of them a crash would leave, both must stay whole.
    tryTo(() => files.closeSync(file));
    return [journal, false];
  }
  tryTo(() => wipe(last.open));
  tryTo(() => files.closeSync(file));
  tryTo(() => files.unlinkSync(join(directory, LAST)));
  return [journal, true];
}

/**
 * Ends what a crash left of a rewrite: before the new journal was in its place it did not happen, after it it did.
 * Which of them is there must be durable before the other goes.
 */
function endRewrite(files: Files, directory: string): void {
  const path = join(directory, NAME);
  const last = join(directory, LAST);
  // No crash leaves this, but then it is the only one.
  if (!files.existsSync(path) && files.existsSync(last)) files.renameSync(last, path);
  syncDirectory(files, directory);
  discard(files, join(directory, NEXT), path);
  discard(files, last, path);
}

function recover(open: OpenFile): Journal {
  const { files, path, file } = open;
  const { size, mode } = attempt(path, () => files.fstatSync(file));
  if ((mode & 0o077) !== 0) tryTo(() => files.fchmodSync(file, 0o600));
  const start = readHead(open);
  let end = start;
  let isSealed = true;
  for (const outcome of readFrames(open, start, size)) {
    if (outcome.kind === 'damaged') throw corrupt(path, outcome.offset, 'record');
    if (outcome.kind === 'torn') {
      attempt(path, () => cutOff(open, outcome.offset));
      break;
    }
    end = outcome.next;
    isSealed = outcome.payload.length === 0;
  }
  // What a killed process wrote may be in memory only.
  attempt(path, () => files.fsyncSync(file));
  return { open, start, end, isSealed };
}

/** The error of a journal that is damaged at an offset. */
export function corrupt(path: string, offset: number, reason: 'header' | 'record'): BtcError {
  return new BtcError('store/corrupt', { path, offset, reason });
}

const HEAD_SIZE = 48;
const HEAD = /^(countersign journal (\d{1,9}) [0-9a-f]{16}) ([0-9a-f]{8})\n/;

/** Every version's first line, with the CRC-32 of what precedes it in the line. */
function headOf(id: string): Buffer {
  const text = `countersign journal ${VERSION} ${id}`;
  return Buffer.from(`${text} ${sumOf(text)}\n`);
}

function sumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** A whole first line is durable before the file has its name: here damage is never a crash's. */
function readHead({ files, path, file }: OpenFile): JournalEnd {
  const bytes = Buffer.alloc(HEAD_SIZE + 8);
  const size = attempt(path, () => files.readSync(file, bytes, 0, bytes.length, 0));
  const [line, text, version, sum] = HEAD.exec(bytes.toString('latin1', 0, size)) ?? [];
  if (line === undefined || text === undefined || sumOf(text) !== sum) throw corrupt(path, 0, 'header');
  if (Number(version) > VERSION) {
    throw new BtcError('store/version', { path, version: Number(version), newest: VERSION });
  }
  return { offset: line.length, link: 0, seed: crc32(line) };
}

const BATCH_LENGTH = 1 << 20;

function* inBatches(path: string, entries: Iterable<string>): Generator<readonly string[]> {
  let batch: string[] = [];
  let length = 0;
  for (const entry of entries) {
    assertText(path, entry);
    assertFrameSize(path, [entry]);
    if (length > 0 && length + entry.length > BATCH_LENGTH) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(entry);
    length += entry.length + 1;
  }
  if (batch.length > 0) yield batch;
}
