import { createMemoryStore, type JournalStore } from './library.ts';

/** A store in memory that outlasts its nodes, and keeps a snapshot whenever one of them is closed. */
export interface SnapshotStore extends JournalStore {
  /** How often an opening got a snapshot. */
  found: number;
  /** How often the entries were read. */
  reads: number;
}

export function createSnapshotStore(): SnapshotStore {
  const inner = createMemoryStore();
  type Kept = Parameters<NonNullable<JournalStore['snapshots']>['write']>[0];
  let kept: Kept | undefined;
  const store: SnapshotStore = {
    ...inner,
    found: 0,
    reads: 0,
    read: () => {
      store.reads += 1;
      return inner.read();
    },
    truncate: (length) => {
      kept = undefined;
      inner.truncate(length);
    },
    rewrite: (entries) => {
      kept = undefined;
      inner.rewrite(entries);
    },
    close: () => undefined,
    snapshots: {
      read: () => {
        if (kept) store.found += 1;
        return kept;
      },
      isDue: () => true,
      write: (snapshot) => {
        // As in a file.
        const rows = Buffer.from(snapshot.rows, 'latin1').toString('latin1');
        kept = { head: snapshot.head, rows, size: rows.length };
      },
    },
  };
  return store;
}
