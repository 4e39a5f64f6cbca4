export type { RecordChange, RecordStore } from '../chain/recordStore.ts';
export type { DerivationLog } from '../wallet/derivations.ts';
export { createMemoryStore, type JournalStore } from './store.ts';
