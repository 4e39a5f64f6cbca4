import { createMemoryStore } from '../../src/node/store/memoryStore.ts';
import type { RecordChange, SharedStore } from '../../src/node/store/recordStore.ts';

/** A store in memory that several nodes of one process use. */
export interface SharedRecords {
  /** Opens the store as another process would. */
  readonly open: () => SharedStore;
  /** Counts the writes. */
  readonly version: () => number;
}

/** Creates shared records. Calls of several nodes must not overlap. */
export function createSharedRecords(): SharedRecords {
  const records = createMemoryStore();
  const versions = new Map<string, number>();
  let version = 0;
  const open = (): SharedStore => {
    let seen: number | undefined;
    return {
      ...records,
      begin: () => {
        const known = seen ?? version;
        seen = version;
        const keys = [...versions].flatMap(([key, changed]) => (changed > known ? [key] : [])).sort();
        return keys.map((key): RecordChange => [key, records.get(key)]);
      },
      claim: () => seen === version,
      end: () => undefined,
      write: (changes) => {
        version += 1;
        seen = version;
        for (const change of changes) {
          records.write([change]);
          versions.set(change[0], version);
        }
      },
      close: () => undefined,
    };
  };
  return { open, version: () => version };
}
