export { createMemoryStore } from '../store/memoryStore.ts';
export type { RecordChange, RecordStore, SharedStore } from '../store/recordStore.ts';
