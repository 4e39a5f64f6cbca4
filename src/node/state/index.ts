export type { RecordChange, RecordStore } from '../chain/recordStore.ts';
export type { DerivationLog } from '../wallet/keys/derivations.ts';
export { createMemoryStore, type JournalStore } from './store.ts';
