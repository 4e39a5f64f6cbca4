import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { BtcError } from '../../errors.ts';
import { assertText } from '../../wallet/store.ts';
import { type CutPiece, discardPieces, keepPiece } from './cut.ts';
import { attempt, cutOff, type Files, type OpenFile, syncDirectory, tryTo, wipe, writeAll } from './files.ts';
import { assertFrameSize, encodeFrame, type JournalEnd, readFrames } from './frames.ts';
import { createHead, type Mark, readHead, writeMark } from './head.ts';
import { assertOwnFile, discard, openOwnFile, statOf } from './trust.ts';

/** A journal that is open: where its frames begin, and where the next will be. */
export interface Journal {
  readonly open: OpenFile;
  readonly start: JournalEnd;
  readonly end: JournalEnd;
  /** Whether the last frame says that the journal was closed in order. */
  readonly isSealed: boolean;
  /** How far it is noted to reach; `undefined` in journals of version 1. */
  readonly mark: Mark | undefined;
  /** The piece that opening cut off the end. */
  readonly cut: CutPiece | undefined;
}

const NAME = 'journal';
/** Of a rewrite under way: what will be the journal, and what was it. */
const NEXT = 'journal.new';
const LAST = 'journal.old';

/**
 * Opens a directory's journal, or makes one; cuts off a last frame that a crash left incomplete and keeps it aside, and
 * ends a rewrite that one interrupted. What is read from it then is durable.
 * @throws BtcError `store/corrupt`, `store/version`, `store/unsafe`, `store/full`, `store/failed`
 */
export function openJournal(files: Files, directory: string): Journal {
  const path = join(directory, NAME);
  attempt(directory, () => endRewrite(files, directory));
  if (attempt(path, () => statOf(files, path)) === undefined) {
    const made = writeJournal(files, directory, []);
    attempt(path, () => files.renameSync(made.open.path, path));
    attempt(path, () => syncDirectory(files, directory));
    return { ...made, open: { ...made.open, path } };
  }
  const open = openOwnFile(files, path);
  try {
    return recover(open, directory);
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
    const { bytes, start, mark: first } = createHead(randomBytes(8).toString('hex'));
    attempt(path, () => writeAll(open, bytes, 0));
    let end: JournalEnd = start;
    for (const batch of inBatches(path, entries)) {
      const [frame, next] = encodeFrame(batch, end);
      attempt(path, () => writeAll(open, frame, end.offset));
      end = next;
    }
    const mark = attempt(path, () => {
      files.fsyncSync(open.file);
      const written = first && writeMark(open, first, end);
      files.fsyncSync(open.file);
      return written;
    });
    return { open, start, end, isSealed: false, mark, cut: undefined };
  } catch (error) {
    tryTo(() => files.closeSync(open.file));
    tryTo(() => discard(files, join(directory, NEXT)));
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
    tryTo(() => discard(files, join(directory, NEXT)));
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
  tryTo(() => discardPieces(files, directory));
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
  const found = statOf(files, last);
  if (found) assertOwnFile(last, found);
  if (found && statOf(files, path) === undefined) files.renameSync(last, path);
  syncDirectory(files, directory);
  discard(files, join(directory, NEXT));
  // Once the new journal is in its place, what was before goes, with the pieces that were cut off it.
  if (found && statOf(files, path)?.ino !== found.ino) discardPieces(files, directory);
  discard(files, last);
}

function recover(open: OpenFile, directory: string): Journal {
  const { files, path, file } = open;
  const { start, mark } = readHead(open);
  const { size, mode } = attempt(path, () => files.fstatSync(file));
  if ((mode & 0o077) !== 0) tryTo(() => files.fchmodSync(file, 0o600));
  const least = mark?.offset ?? 0;
  let end = start;
  let isSealed = true;
  let cut: CutPiece | undefined;
  for (const outcome of readFrames(open, start, size)) {
    const isDamage = outcome.kind === 'damaged' || (outcome.kind === 'torn' && outcome.offset < least && least <= size);
    if (isDamage) throw corrupt(path, outcome.offset, 'record');
    if (outcome.kind === 'frame') {
      end = outcome.next;
      isSealed = outcome.payload.length === 0;
    }
  }
  if (end.offset < least) throw corrupt(path, end.offset, 'length');
  if (end.offset < size) {
    cut = keepPiece(open, directory, end.offset);
    attempt(path, () => cutOff(open, end.offset));
  }
  // What a killed process wrote may be in memory only.
  attempt(path, () => files.fsyncSync(file));
  const journal: Journal = { open, start, end, isSealed, mark, cut };
  return end.offset > least ? markEnd(journal) : journal;
}

/** Notes how far a journal reaches, as far as that can be done: all up to there must be durable. */
export function markEnd(journal: Journal): Journal {
  const { open, mark, end } = journal;
  if (mark === undefined) return journal;
  try {
    const next = writeMark(open, mark, end);
    open.files.fsyncSync(open.file);
    return { ...journal, mark: next };
  } catch {
    // The other mark still stands, and says less.
    return journal;
  }
}

/** The error of a journal that is damaged at an offset. */
export function corrupt(path: string, offset: number, reason: 'record' | 'length'): BtcError {
  return new BtcError('store/corrupt', { path, offset, reason });
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
