import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { BtcError, unlessRefused } from '../../core/errors.ts';
import { assertUnicode, storeFault } from '../../node/state/store.ts';
import { type CutPiece, discardPieces, keepPiece } from './cutPieces.ts';
import { attempt, cutOff, type Files, type OpenFile, syncDirectory, tryTo, wipe, writeAll } from './files.ts';
import { assertFrameSize, encodeFrame, type JournalEnd, readFrames, splitEntries } from './frames.ts';
import { corrupt, createHead, type Mark, readHead, writeMark } from './journalHead.ts';
import { assertOwnFile, discard, findStat, openOwnFile } from './trust.ts';

export interface Journal {
  readonly open: OpenFile;
  readonly start: JournalEnd;
  readonly end: JournalEnd;
  /** True if the journal was closed in order. */
  readonly isSealed: boolean;
  /** `undefined` in version 1. */
  readonly mark: Mark | undefined;
  /** The bytes after the last whole frame, cut off unless the disk is full. */
  readonly cut: CutPiece | undefined;
}

const NAME = 'journal';
/** During a rewrite. */
const NEXT = 'journal.new';
const LAST = 'journal.old';
/** The former journal in an upgrade: its entries stay the same, so the pieces cut off it stay, too. */
const UPGRADED = 'journal.v1';

/**
 * Opens or creates a directory's journal, all of whose entries are then durable. Cuts off and keeps aside a frame
 * that a crash left incomplete, ends an interrupted rewrite, and upgrades version 1. On a full disk, the cut waits
 * for the next change, and the upgrade for the next opening.
 * @throws `store/corrupt`, `store/version`, `store/unsafe`, `store/full`, `store/failed`
 */
export function openJournal(files: Files, directory: string): Journal {
  const path = join(directory, NAME);
  attempt(directory, () => endRewrite(files, directory));
  if (attempt(path, () => findStat(files, path)) === undefined) {
    const created = writeJournal(files, directory, []);
    attempt(path, () => files.renameSync(created.open.path, path));
    attempt(path, () => syncDirectory(files, directory));
    return { ...created, open: { ...created.open, path } };
  }
  const open = openOwnFile(files, path);
  try {
    const recovered = recover(open);
    const journal = unlessFull(() => keepCut(recovered, directory));
    // An upgrade would lose a piece that could not be kept aside.
    if (journal === undefined || journal.mark) return journal ?? recovered;
    return unlessFull(() => upgrade(journal, directory)) ?? journal;
  } catch (error) {
    tryTo(() => files.closeSync(open.file));
    throw error;
  }
}

/** @returns `undefined` on a full disk */
function unlessFull<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof BtcError && error.code === 'store/full') return undefined;
    throw error;
  }
}

/** Keeps aside and cuts off what follows the last whole frame. Until then nothing may be appended. */
export function keepCut(journal: Journal, directory: string): Journal {
  const { open, end, cut } = journal;
  if (cut === undefined || cut.keptAs !== undefined) return journal;
  const kept = keepPiece(open, directory, end.offset);
  attempt(open.path, () => {
    cutOff(open, end.offset);
    open.files.fsyncSync(open.file);
  });
  return { ...journal, cut: kept };
}

function upgrade(journal: Journal, directory: string): Journal {
  const { open, cut } = journal;
  const next = writeJournal(open.files, directory, entriesIn(journal));
  const [replacement, isDurable] = replaceJournal(directory, journal, next, UPGRADED);
  if (isDurable) return { ...replacement, cut };
  tryTo(() => open.files.closeSync(replacement.open.file));
  throw storeFault(open.path, 'it is unknown whether its new version is durable');
}

/** Returns `undefined` if the first entry cannot be read. */
export function peekFirstEntry(files: Files, directory: string): string | undefined {
  const path = join(directory, NAME);
  const file = unlessRefused(() => attempt(path, () => files.openSync(path, 'r')));
  if (file === undefined) return undefined;
  const open: OpenFile = { files, path, file };
  const entry = unlessRefused(() => {
    const [first] = readFrames(open, readHead(open).start, attempt(path, () => files.fstatSync(file)).size);
    const [text] = first?.kind === 'frame' ? splitEntries(first.payload) : [];
    return text;
  });
  tryTo(() => files.closeSync(file));
  return entry;
}

/** Yields empty texts for entries that are not needed. */
export function* entriesIn(
  { open, start, end }: Journal,
  isNeeded: (entry: number) => boolean = () => true,
): Generator<string> {
  let number = 0;
  const isNextNeeded = (): boolean => isNeeded(number++);
  for (const outcome of readFrames(open, start, end.offset)) {
    if (outcome.kind !== 'frame') throw corrupt(open.path, outcome.offset, 'record');
    yield* splitEntries(outcome.payload, isNextNeeded);
  }
}

/** Writes a journal beside a directory's, for {@link replaceJournal}. Leaves no file behind if it throws. */
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
 * Puts a new journal in the place of the former one. Overwrites that, and the pieces cut off it unless the entries
 * are the same ({@link UPGRADED}).
 * @returns the new journal, and whether its place is durable
 * @throws `store/full`, `store/failed`: the former journal is still in its place
 */
export function replaceJournal(
  directory: string,
  last: Journal,
  next: Journal,
  lastName: typeof LAST | typeof UPGRADED = LAST,
): [Journal, boolean] {
  const { files, path, file } = last.open;
  const lastPath = join(directory, lastName);
  // After a crash, this name leads to the file to overwrite. Some file systems have no hard links.
  tryTo(() => files.linkSync(path, lastPath));
  try {
    attempt(path, () => files.renameSync(next.open.path, path));
  } catch (error) {
    tryTo(() => files.closeSync(next.open.file));
    tryTo(() => discard(files, join(directory, NEXT)));
    tryTo(() => files.unlinkSync(lastPath));
    throw error;
  }
  const journal = { ...next, open: { ...next.open, path } };
  try {
    syncDirectory(files, directory);
  } catch {
    // A crash may leave either journal, so both must stay whole.
    tryTo(() => files.closeSync(file));
    return [journal, false];
  }
  if (lastName === LAST) tryTo(() => discardPieces(files, directory));
  tryTo(() => wipe(last.open));
  tryTo(() => files.closeSync(file));
  tryTo(() => files.unlinkSync(lastPath));
  return [journal, true];
}

/**
 * Completes an interrupted rewrite if the new journal was in place, or undoes it. That state must be durable before
 * the other journal is removed.
 */
function endRewrite(files: Files, directory: string): void {
  const path = join(directory, NAME);
  const [last, upgraded] = [LAST, UPGRADED].map((name) => {
    const lastPath = join(directory, name);
    const stat = findStat(files, lastPath);
    if (stat) assertOwnFile(lastPath, stat);
    // No crash leaves this state, but if it occurs, this is the only journal.
    if (stat && findStat(files, path) === undefined) files.renameSync(lastPath, path);
    return { lastPath, found: stat };
  });
  syncDirectory(files, directory);
  discard(files, join(directory, NEXT));
  // The new journal is in place, so the pieces cut off the former one go with it.
  if (last?.found && findStat(files, path)?.ino !== last.found.ino) discardPieces(files, directory);
  for (const former of [last, upgraded]) if (former) discard(files, former.lastPath);
}

function recover(open: OpenFile): Journal {
  const { files, path, file } = open;
  const { start, mark } = readHead(open);
  const { size, mode } = attempt(path, () => files.fstatSync(file));
  if ((mode & 0o077) !== 0) tryTo(() => files.fchmodSync(file, 0o600));
  const least = mark?.offset ?? 0;
  let end = start;
  let isSealed = true;
  for (const outcome of readFrames(open, start, size)) {
    const isDamage = outcome.kind === 'damaged' || (outcome.kind === 'torn' && outcome.offset < least && least <= size);
    if (isDamage) throw corrupt(path, outcome.offset, 'record');
    if (outcome.kind === 'frame') {
      end = outcome.next;
      isSealed = outcome.payload.length === 0;
    }
  }
  const { offset } = end;
  if (offset < least) throw corrupt(path, offset, 'length');
  // The last writes of a killed process may be in memory only.
  attempt(path, () => files.fsyncSync(file));
  const cut = offset < size ? { path, offset, size: size - offset, keptAs: undefined } : undefined;
  const journal: Journal = { open, start, end, isSealed, mark, cut };
  return offset > least ? markEnd(journal) : journal;
}

/**
 * @returns the end after `length` entries, and those of the frames to remove, last first; `undefined` if no frame
 *   ends there
 */
function cutsAfter(
  { open, start, end, isSealed }: Journal,
  length: number,
): { readonly end: JournalEnd; readonly isSealed: boolean; readonly cuts: readonly number[] } | undefined {
  let remaining = length;
  let kept = remaining === 0 ? { end: start, isSealed: false } : undefined;
  const cuts: number[] = [];
  for (const outcome of readFrames(open, start, end.offset)) {
    if (outcome.kind !== 'frame') throw corrupt(open.path, outcome.offset, 'record');
    for (const _ of splitEntries(outcome.payload, () => false)) remaining -= 1;
    if (remaining === 0) kept = { end: outcome.next, isSealed: outcome.payload.length === 0 };
    if (remaining < 0) cuts.unshift(outcome.next.offset);
  }
  if (remaining > 0) return { end, isSealed, cuts: [] };
  return kept && { ...kept, cuts: [...cuts.slice(1), kept.end.offset] };
}

/**
 * Keeps only the first `length` entries, in place. A crash in between leaves some of the others.
 * @returns `undefined` if no frame ends there; otherwise a journal with another `open`, which ends iterations
 */
export function truncateJournal(journal: Journal, length: number): Journal | undefined {
  const shorter = cutsAfter(journal, length);
  if (shorter === undefined) return undefined;
  const { end, isSealed, cuts } = shorter;
  const open = { ...journal.open };
  const mark = attempt(open.path, () => {
    const lowered = lowerMarks(journal, end);
    // One at a time: a crash must not leave a frame behind one that is no longer whole.
    for (const offset of cuts) {
      cutOff(open, offset);
      open.files.fsyncSync(open.file);
    }
    return lowered;
  });
  return { ...journal, open, end, isSealed, mark };
}

/** Moves both marks back before the journal shrinks: a journal that ends before its mark counts as damaged. */
function lowerMarks({ open, mark }: Journal, end: JournalEnd): Mark | undefined {
  if (mark === undefined || mark.offset <= end.offset) return mark;
  const first = writeMark(open, mark, end);
  open.files.fsyncSync(open.file);
  const second = writeMark(open, first, end);
  open.files.fsyncSync(open.file);
  return second;
}

/** Moves the mark to the journal's end, if the disk allows. All frames must be durable. */
export function markEnd(journal: Journal): Journal {
  const { open, mark, end } = journal;
  if (mark === undefined) return journal;
  try {
    const next = writeMark(open, mark, end);
    open.files.fsyncSync(open.file);
    return { ...journal, mark: next };
  } catch {
    // The other mark is still valid.
    return journal;
  }
}

const BATCH_LENGTH = 1 << 20;

function* inBatches(path: string, entries: Iterable<string>): Generator<readonly string[]> {
  let batch: string[] = [];
  let length = 0;
  for (const entry of entries) {
    assertUnicode(path, entry);
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
