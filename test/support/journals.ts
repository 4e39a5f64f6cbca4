import { type JournalStore, openJournalStore } from '../../src/node/state/journalStore.ts';
import type { RecordStore } from './library.ts';

/** Returns the entries of a store's journal, oldest first, as JSON texts. */
export const journalOf = (store: RecordStore): readonly string[] => [...openJournalStore(store).read()];

/** Changes the journal of a store that no node has open. */
export function changeJournal(store: RecordStore, change: (journal: JournalStore) => void): void {
  const journal = openJournalStore(store);
  journal.run({ refresh: () => undefined, revert: () => undefined }, () => change(journal));
}
