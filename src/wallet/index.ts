export { createMemoryStore, type JournalStore } from './store.ts';
