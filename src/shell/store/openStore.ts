import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { recordKind } from '../../node/chain/chainState.ts';
import type { RecordStore } from '../../node/chain/recordStore.ts';
import { type Owner, ownerIn, readBeginning } from '../../node/state/journal.ts';
import { assertUnicode, type JournalStore, storeFault, UNSURE } from '../../node/state/store.ts';
import type { CutPiece } from './cutPieces.ts';
import { createDerivedFile } from './derivedFile.ts';
import { attempt, cutOff, type Files, makeDirectory, systemFiles, tryTo, writeAll } from './files.ts';
import { assertFrameSize, encodeFrame } from './frames.ts';
import {
  entriesIn,
  type Journal,
  keepCut,
  markEnd,
  openJournal,
  peekFirstEntry,
  replaceJournal,
  truncateJournal,
  writeJournal,
} from './journalFile.ts';
import { lockDirectory } from './lock.ts';
import { hasRecords, openRecords } from './recordFile.ts';
import { createSnapshotFile } from './snapshotFile.ts';
import { assertOwnDirectory, assertOwnPath } from './trust.ts';

/** The journal store of a wallet directory, with its database and its snapshots. */
export interface DirectoryStore extends JournalStore {
  /** The incomplete record that a crash left at the journal's end. */
  readonly cut: CutPiece | undefined;
}

/**
 * Opens or creates the store in a directory, for one process at a time. Only the owner may read it. Network file
 * systems do not work: they guarantee neither the locks nor the order of writes.
 *
 * The journal is a log file, not a database: it holds what nothing else does, refuses every damaged record with its
 * place, and FORMAT.md suffices to read it. A database holds what can be fetched again.
 *
 * - `directory`: created with mode 700 if missing. Refused if another user owns it, can write to it or can redirect
 *   it; so are links and other users' files in it
 * - `files`: replaces `node:fs` in tests
 *
 * @throws BtcError `store/locked`, `store/unsafe`, `store/corrupt`, `store/version`, `store/full`, `store/failed`
 */
export function openStore(directory: string, files: Files = systemFiles): DirectoryStore {
  const path = resolve(directory);
  assertOwnPath(files, path);
  attempt(path, () => makeDirectory(files, path));
  assertOwnDirectory(files, path);
  const unlock = lockDirectory(files, path);
  try {
    const store = useJournal(path, openJournal(files, path), unlock);
    const records = recordsWhenNeeded(files, path, () => {
      for (const entry of store.read()) return storeId(entry);
      throw storeFault(path, 'its journal is empty');
    });
    const derivations = createDerivedFile(files, path);
    const close = (): void => {
      records.close();
      derivations.close();
      store.close();
    };
    return { ...store, records, derivations, close };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Opens the database when it is needed: if it exists, with the first read, otherwise with the first write. */
function recordsWhenNeeded(files: Files, directory: string, readOwner: () => string): RecordStore {
  let opened: RecordStore | undefined;
  let isClosed = false;
  const open = (): RecordStore => {
    if (isClosed) throw storeFault(directory, CLOSED);
    opened ??= openRecords(directory, { owner: readOwner(), files, describeRecord: recordKind });
    return opened;
  };
  const existing = (): RecordStore | undefined => (opened || hasRecords(files, directory) ? open() : undefined);
  return {
    get: (key) => existing()?.get(key),
    list: (prefix, from) => existing()?.list(prefix, from) ?? [],
    write: (changes) => open().write(changes),
    close: () => {
      isClosed = true;
      opened?.close();
    },
  };
}

/** Identifies a store by its journal's first entry, whatever version of the program wrote it. */
const storeId = (entry: string): string =>
  createHash('sha256')
    .update(JSON.stringify(readBeginning(entry)))
    .digest('hex')
    .slice(0, 16);

/** Reads the network and dialect of a directory's wallets without opening it; `undefined` if it cannot be read. */
export function storeOwner(directory: string, files: Files = systemFiles): Owner | undefined {
  const entry = peekFirstEntry(files, resolve(directory));
  return entry === undefined ? undefined : ownerIn(entry);
}

interface Use {
  readonly directory: string;
  journal: Journal;
  unusable: string | undefined;
}

function useJournal(directory: string, opened: Journal, unlock: () => void): Omit<DirectoryStore, 'records'> {
  const { files, path } = opened.open;
  const use: Use = { directory, journal: opened, unusable: undefined };
  const rewrite = (entries: Iterable<string>): void => {
    assertUsable(use);
    const [replacement, isDurable] = replaceJournal(directory, use.journal, writeJournal(files, directory, entries));
    use.journal = replacement;
    if (isDurable) return;
    use.unusable = UNSURE;
    assertUsable(use);
  };
  return {
    snapshots: createSnapshotFile(files, directory, () => use.journal),
    cut: opened.cut,
    read: (isNeeded) => {
      assertUsable(use);
      return readEntries(use, use.journal, isNeeded);
    },
    append: (entries) => {
      assertUsable(use);
      for (const entry of entries) assertUnicode(path, entry);
      assertFrameSize(path, entries);
      if (entries.length > 0) appendFrame(use, entries);
    },
    truncate: (length) => {
      assertUsable(use);
      if (!isTruncated(use, length)) rewrite(takeFirst(readEntries(use, use.journal), length));
    },
    rewrite,
    close: () => {
      if (use.unusable === CLOSED) return;
      if (use.unusable === undefined && !use.journal.isSealed) tryTo(() => seal(use));
      use.unusable = CLOSED;
      tryTo(() => files.closeSync(use.journal.open.file));
      unlock();
    },
  };
}

const CLOSED = 'closed';

function assertUsable({ journal, unusable }: Use): void {
  if (unusable !== undefined) throw storeFault(journal.open.path, unusable);
}

function* readEntries(use: Use, read: Journal, isNeeded?: (entry: number) => boolean): Generator<string> {
  const assertCurrent = (): void => {
    assertUsable(use);
    if (read.open !== use.journal.open) {
      throw storeFault(read.open.path, 'changed while it was read');
    }
  };
  assertCurrent();
  for (const entry of entriesIn(read, isNeeded)) {
    yield entry;
    assertCurrent();
  }
}

function appendFrame(use: Use, entries: readonly string[]): void {
  use.journal = keepCut(use.journal, use.directory);
  const { open, end: before } = use.journal;
  const [frame, end] = encodeFrame(entries, before);
  try {
    attempt(open.path, () => {
      writeAll(open, frame, before.offset);
      open.files.fsyncSync(open.file);
    });
  } catch (error) {
    cutToEnd(use);
    throw error;
  }
  use.journal = { ...use.journal, end, isSealed: entries.length === 0 };
}

function* takeFirst(texts: Iterable<string>, count: number): Generator<string> {
  let remaining = count;
  for (const text of texts) {
    if (remaining === 0) return;
    yield text;
    remaining -= 1;
  }
}

/** @returns false if no frame ends there @throws `store/failed`: the store is then unusable */
function isTruncated(use: Use, length: number): boolean {
  try {
    const shorter = truncateJournal(use.journal, length);
    use.journal = shorter ?? use.journal;
    return shorter !== undefined;
  } catch {
    use.unusable = UNSURE;
    assertUsable(use);
    return false;
  }
}

function seal(use: Use): void {
  appendFrame(use, []);
  use.journal = markEnd(use.journal);
}

/** @throws `store/failed`: the store is then unusable */
function cutToEnd(use: Use): void {
  const { open, end } = use.journal;
  try {
    cutOff(open, end.offset);
    open.files.fsyncSync(open.file);
  } catch {
    use.unusable = UNSURE;
    assertUsable(use);
  }
}
