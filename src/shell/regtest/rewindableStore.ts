import { createMemoryStore } from '../../node/store/memoryStore.ts';
import type { RecordStore, SharedStore } from '../../node/store/recordStore.ts';

/** A store in memory that returns to what it once held. */
export interface RewindableStore extends SharedStore {
  readonly records: () => Records;
  readonly rewind: (records: Records) => void;
}

export type Records = readonly (readonly [key: string, value: Uint8Array])[];

export function createRewindableStore(): RewindableStore {
  let store: RecordStore = createMemoryStore();
  let isRewound = false;
  return {
    get: (key) => store.get(key),
    list: (prefix, from) => store.list(prefix, from),
    write: (changes) => store.write(changes),
    close: () => store.close(),
    records: () => [...store.list('')],
    rewind: (records) => {
      store = createMemoryStore();
      store.write(records);
      isRewound = true;
    },
    // A rewound store counts as changed by others: the node reads it anew.
    begin: () => {
      const changes = isRewound ? 'all' : [];
      isRewound = false;
      return changes;
    },
    claim: () => true,
    end: () => undefined,
  };
}
