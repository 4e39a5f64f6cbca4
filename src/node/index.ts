export type { DerivationLog } from '../wallet/derivations.ts';
export { createMemoryStore, type JournalStore } from './store.ts';
