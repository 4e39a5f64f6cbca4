import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import { createMemoryRecords } from '../chain/memoryRecords.ts';
import type { RecordStore } from '../chain/recordStore.ts';
import type { DerivationLog } from '../wallet/keys/derivations.ts';

/**
 * The store of a node: the records of the chain, and a journal of JSON texts, which give the wallets if applied in
 * order. Once closed, it refuses every call but {@link JournalStore.close} with `store/failed`.
 */
export interface JournalStore {
  /**
   * Reads the entries lazily, oldest first, without those appended meanwhile. Throws if continued after a
   * {@link rewrite}.
   *
   * - `isNeeded`: tells whether an entry, numbered from 0, is needed; a store may read others as empty texts. Default:
   *   all
   *
   * @throws BtcError `store/corrupt`, `store/failed`
   */
  readonly read: (isNeeded?: (entry: number) => boolean) => Iterable<string>;
  /**
   * Appends entries, all or none. They are durable when it returns.
   * @throws BtcError `store/full` or `store/failed`: none was appended, unless the reason says otherwise
   */
  readonly append: (entries: readonly string[]) => void;
  /**
   * Removes all entries but the first `length`, which needs no room if an {@link append} ended there. A crash may leave
   * some. Continuing an older iteration throws.
   * @throws BtcError `store/failed`, and what {@link rewrite} throws: the store may then be unusable until reopened
   */
  readonly truncate: (length: number) => void;
  /**
   * Replaces all entries at once, so that the old ones can no longer be read. `entries` may read the store.
   * @throws BtcError `store/full` or `store/failed`: nothing was replaced, unless the reason says otherwise; and what
   *   `entries` throws
   */
  readonly rewrite: (entries: Iterable<string>) => void;
  /** Closes the store; closing it again is harmless. */
  readonly close: () => void;
  /** The records of the chain. */
  readonly records: RecordStore;
  /** Present if several processes use the store. */
  readonly calls?: SharedCalls;
  /** The last snapshot. Default: none; each opening applies all entries. */
  readonly snapshots?: Snapshots;
  /** The cache of derived scripts. Default: none; each opening derives them. */
  readonly derivations?: DerivationLog;
}

/** The state after the entries of a journal, so that an opening need not apply them all. */
export interface Snapshot {
  readonly head: string;
  /** One character per byte; most openings do not read them. */
  readonly rows: string;
  readonly size: number;
}

/** Keeps a snapshot. It never throws: a snapshot that cannot be read or written is missing. */
export interface Snapshots {
  /** Returns the last snapshot, if the journal still begins with its entries. */
  readonly read: () => Snapshot | undefined;
  /** Tells whether a snapshot is worth writing after `added` characters of entries. */
  readonly isDue: (added: number) => boolean;
  /** Replaces the snapshot by one of all entries of the journal. */
  readonly write: (snapshot: Snapshot) => void;
}

/** The changes of other processes since the last call; `all` if they cannot be listed. */
export type Refresh =
  | 'all'
  | {
      readonly appended: readonly string[];
      readonly changed: readonly string[];
    };

export interface CallHooks {
  readonly refresh: (changes: Refresh) => void;
  /** Drops the changes of the call, which could not be written. */
  readonly revert: () => void;
}

/** Lets the calls of several processes on one store take turns. */
interface SharedCalls {
  /**
   * Runs a call on a snapshot, and writes its changes at its end, all or none. Runs it again if it writes after another
   * process has.
   * @throws BtcError `store/*`, and what `work` throws, whose changes are written as well
   */
  readonly run: <T>(hooks: CallHooks, work: () => T) => T;
  /** Waits for the turn to write. Makes the call run again if its snapshot is no longer the newest. */
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
  function* iterate(from: readonly string[], size: number): Generator<string> {
    for (const entry of from.slice(0, size)) {
      assertOpen();
      if (from !== journal) throw storeFault(path, 'changed while it was read');
      yield entry;
    }
  }
  return {
    read: () => {
      assertOpen();
      return iterate(journal, journal.length);
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

export const UNSURE = 'the last change may or may not be kept; reopen the store to see';

export function storeFault(path: string, reason: string): BtcError {
  const data = { path, reason, ...(reason === UNSURE && { isUnsure: true as const }) };
  return new BtcError('store/failed', data, `Cannot use ${withoutSecrets(path, 'path')}: ${reason}`);
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Refuses lone surrogates, which UTF-8 cannot encode. @throws BtcError `store/failed` */
export function assertUnicode(path: string, entry: string): void {
  if (LONE_SURROGATE.test(entry)) throw storeFault(path, 'an entry is not valid Unicode');
}
