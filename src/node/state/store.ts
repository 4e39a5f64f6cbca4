import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import { createMemoryRecords } from '../chain/memoryRecords.ts';
import type { RecordStore } from '../chain/recordStore.ts';
import type { DerivationLog } from '../wallet/keys/derivations.ts';

/**
 * The store of a node: a journal of entries of one JSON text each, which applied in order give the wallets, and the records
 * of the chain. A closed store refuses every call but {@link JournalStore.close} with `store/failed`.
 */
export interface JournalStore {
  /**
   * Reads all entries lazily, oldest first. Leaves out entries appended meanwhile; after a {@link rewrite}, continuing
   * the iteration throws.
   *
   * - `isNeeded`: tells whether the text of an entry, numbered from 0, is needed; a store may read others as empty texts.
   *   Default: all
   *
   * @throws BtcError `store/corrupt`, `store/failed`
   */
  readonly read: (isNeeded?: (entry: number) => boolean) => Iterable<string>;
  /**
   * Appends entries, all of them or none. They are durable when it returns.
   * @throws BtcError `store/full` or `store/failed`: none was appended, unless the reason says otherwise
   */
  readonly append: (entries: readonly string[]) => void;
  /**
   * Removes all entries but the first `length`, which needs no room if an {@link append} ended there; a crash in between
   * may leave some. Continuing an iteration that began before throws.
   * @throws BtcError `store/failed`, and what {@link rewrite} throws: then the store may be unusable until it is opened again
   */
  readonly truncate: (length: number) => void;
  /**
   * Replaces all entries at once, so that the old ones can no longer be read. `entries` may read the store.
   * @throws BtcError `store/full` or `store/failed`: nothing was replaced, unless the reason says otherwise; and what
   *   the iteration of `entries` throws
   */
  readonly rewrite: (entries: Iterable<string>) => void;
  /** Closes the store; closing it again is harmless. */
  readonly close: () => void;
  /** The records of the chain. */
  readonly records: RecordStore;
  /** Given by a store that several processes use. */
  readonly calls?: SharedCalls;
  /** The last snapshot. Default: none; each opening applies all entries. */
  readonly snapshots?: Snapshots;
  /** The cache of derived scripts. Default: none; each opening derives them. */
  readonly derivations?: DerivationLog;
}

/** The state after the entries of a journal, so that an opening need not apply them all. */
export interface Snapshot {
  readonly head: string;
  /** One character for each byte; most openings do not read them. */
  readonly rows: string;
  /** The length of `rows`. */
  readonly size: number;
}

/** Keeps a snapshot. It never throws: a snapshot that cannot be read or written is missing. */
export interface Snapshots {
  /** Returns the last snapshot, if the journal still begins with the entries that it was made of. */
  readonly read: () => Snapshot | undefined;
  /**
   * Tells whether a snapshot is worth writing.
   *
   * - `added`: the characters of the entries since the last one
   */
  readonly isDue: (added: number) => boolean;
  /** Replaces the snapshot by one of all entries of the journal. */
  readonly write: (snapshot: Snapshot) => void;
}

/** The changes of other processes since the last call: `all` if they cannot be listed, so that all must be read anew. */
export type Refresh =
  | 'all'
  | {
      /** The entries appended to the journal. */
      readonly appended: readonly string[];
      /** The keys of the other changed records. */
      readonly changed: readonly string[];
    };

/** The part of the user of a shared store in a call. */
export interface CallHooks {
  /** Applies the changes of other processes. */
  readonly refresh: (changes: Refresh) => void;
  /** Drops what the call has changed, since it could not be written. */
  readonly revert: () => void;
}

/** Lets the calls of several processes on one store take turns. */
interface SharedCalls {
  /**
   * Runs a call on a snapshot, and writes its changes at its end, all or none. Runs it again if it wants to write, but
   * another process has written since the snapshot.
   * @throws BtcError `store/*`, and what `work` throws, whose changes are written as well
   */
  readonly run: <T>(hooks: CallHooks, work: () => T) => T;
  /** Waits for the turn to write. Ends the call, to run it again, if its snapshot is no longer the newest. */
  readonly claim: () => void;
}

/** Creates a store in memory. */
export function createMemoryStore(): JournalStore {
  const path = 'memory';
  let journal: string[] = [];
  let isOpen = true;
  const records = createMemoryRecords();
  const assertOpen = (): void => {
    if (!isOpen) throw storeFault(path, 'closed');
  };
  function* entriesOf(from: readonly string[], size: number): Generator<string> {
    for (const entry of from.slice(0, size)) {
      assertOpen();
      if (from !== journal) throw storeFault(path, 'changed while it was read');
      yield entry;
    }
  }
  return {
    read: () => {
      assertOpen();
      return entriesOf(journal, journal.length);
    },
    records,
    append: (entries) => {
      assertOpen();
      for (const entry of entries) assertUnicode(path, entry);
      // Does not spread into push(): engines limit the number of arguments.
      for (const entry of entries) journal.push(entry);
    },
    truncate: (length) => {
      assertOpen();
      journal = journal.slice(0, length);
    },
    rewrite: (entries) => {
      assertOpen();
      const replacement: string[] = [];
      for (const entry of entries) {
        assertUnicode(path, entry);
        replacement.push(entry);
      }
      journal = replacement;
    },
    close: () => {
      isOpen = false;
      journal = [];
      records.close();
    },
  };
}

/** The reason of a store that cannot be used, since a failure may or may not have kept its last change. */
export const UNSURE = 'the last change may or may not be kept; reopen the store to see';

/** Returns the error for a store that cannot be used. */
export function storeFault(path: string, reason: string): BtcError {
  const data = { path, reason, ...(reason === UNSURE && { isUnsure: true as const }) };
  return new BtcError('store/failed', data, `Cannot use ${withoutSecrets(path, 'path')}: ${reason}`);
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Refuses a text with a lone surrogate, which UTF-8 cannot encode.
 * @throws BtcError `store/failed`
 */
export function assertUnicode(path: string, entry: string): void {
  if (LONE_SURROGATE.test(entry)) throw storeFault(path, 'an entry is not valid Unicode');
}
