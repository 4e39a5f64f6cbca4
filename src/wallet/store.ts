import { BtcError } from '../errors.ts';

/**
 * Where the changes of a node's life are kept: one journal of entries, each one JSON text. The state is what applying
 * all of them in order gives. Once closed, a store refuses everything with `store/failed`.
 */
export interface JournalStore {
  /**
   * All entries, oldest first, read as they are asked for. Entries that are appended meanwhile are not part of it; a
   * reading that goes on after a {@link rewrite} is refused.
   * @throws BtcError `store/corrupt`, `store/failed`
   */
  readonly read: () => Iterable<string>;
  /**
   * Appends entries, all of them or none. They are durable when it returns.
   * @throws BtcError `store/full` or `store/failed`: none was appended, unless the reason says otherwise
   */
  readonly append: (entries: readonly string[]) => void;
  /**
   * Replaces all entries by others at once: what was there before can no longer be read. `entries` may read the store.
   * @throws BtcError `store/full` or `store/failed`: nothing was replaced, unless the reason says otherwise; and what
   *   the iteration of `entries` throws
   */
  readonly rewrite: (entries: Iterable<string>) => void;
  /** Ends the use of the store; a second time is harmless. */
  readonly close: () => void;
  /** Where scripts are kept that need not be derived again. Default: each opening derives them. */
  readonly derivations?: DerivationLog;
}

/**
 * A log of texts that can all be made again. It never fails: what it cannot read or write is missing from it. Nothing
 * secret goes into it.
 */
export interface DerivationLog {
  /** All entries, oldest first. */
  readonly read: () => Iterable<string>;
  readonly append: (entries: readonly string[]) => void;
}

/** Makes a store that lasts as long as the process. */
export function createMemoryStore(): JournalStore {
  const path = 'memory';
  let kept: string[] = [];
  let isOpen = true;
  const assertOpen = (): void => {
    if (!isOpen) throw new BtcError('store/failed', { path, reason: 'closed' });
  };
  function* entriesOf(from: readonly string[], size: number): Generator<string> {
    for (const entry of from.slice(0, size)) {
      assertOpen();
      if (from !== kept) throw new BtcError('store/failed', { path, reason: 'rewritten while it was read' });
      yield entry;
    }
  }
  return {
    read: () => {
      assertOpen();
      return entriesOf(kept, kept.length);
    },
    append: (entries) => {
      assertOpen();
      for (const entry of entries) assertText(path, entry);
      // Not by spreading: engines bound the number of arguments.
      for (const entry of entries) kept.push(entry);
    },
    rewrite: (entries) => {
      assertOpen();
      const replacement: string[] = [];
      for (const entry of entries) {
        assertText(path, entry);
        replacement.push(entry);
      }
      kept = replacement;
    },
    close: () => {
      isOpen = false;
      kept = [];
    },
  };
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Refuses a text that UTF-8 cannot hold: it would come back as another.
 * @throws BtcError `store/failed`
 */
export function assertText(path: string, entry: string): void {
  if (LONE_SURROGATE.test(entry)) throw new BtcError('store/failed', { path, reason: 'an entry is no Unicode text' });
}
