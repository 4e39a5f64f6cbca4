export { createMemoryStore, type DerivationLog, type JournalStore } from './store.ts';
