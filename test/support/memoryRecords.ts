import type { RecordStore } from '../../src/node/recordStore.ts';
import { storeFault } from '../../src/node/store.ts';

/** Makes a store of records in memory, which the tests of other stores compare with. */
export function makeMemoryRecords(): RecordStore {
  let records = new Map<string, Uint8Array>();
  let isOpen = true;
  const assertOpen = (): void => {
    if (!isOpen) throw storeFault('memory', 'closed');
  };
  function* listed(from: ReadonlyMap<string, Uint8Array>, prefix: string, first: string) {
    // Each character is a byte, so that texts have the order of the bytes.
    const keys = [...from.keys()].filter((key) => key.startsWith(prefix) && key >= first).sort();
    for (const key of keys) {
      assertOpen();
      if (from !== records) throw storeFault('memory', 'changed while it was listed');
      const value = from.get(key);
      if (value) yield [key, value] as const;
    }
  }
  return {
    get: (key) => {
      assertOpen();
      return records.get(key);
    },
    list: (prefix, from = '') => {
      assertOpen();
      return listed(records, prefix, from);
    },
    write: (changes) => {
      assertOpen();
      const next = new Map(records);
      for (const [key, value] of changes) {
        if (value === undefined) next.delete(key);
        else next.set(key, value.slice());
      }
      records = next;
    },
    close: () => {
      isOpen = false;
    },
  };
}
