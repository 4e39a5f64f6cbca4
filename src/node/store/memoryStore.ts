import type { RecordStore } from './recordStore.ts';
import { storeFault } from './storeFault.ts';

/** Creates a store in memory. */
export function createMemoryStore(): RecordStore {
  let records: Map<string, Uint8Array> | undefined = new Map<string, Uint8Array>();
  let sorted: readonly string[] = [];
  /** Keys that came or went since they were sorted. */
  const unsorted = new Set<string>();
  let version = 0;
  const all = (): Map<string, Uint8Array> => {
    if (records) return records;
    throw storeFault('memory', 'closed');
  };
  const sortedKeys = (): readonly string[] => {
    if (unsorted.size === 0) return sorted;
    const added = [...unsorted].filter((key) => all().has(key)).sort((a, b) => (a < b ? -1 : 1));
    const kept = sorted.filter((key) => !unsorted.has(key));
    unsorted.clear();
    sorted = merged(kept, added);
    return sorted;
  };
  function* listFrom(prefix: string, from: string): Generator<readonly [string, Uint8Array]> {
    const keys = sortedKeys();
    const begun = version;
    for (let i = firstAtLeast(keys, from > prefix ? from : prefix); keys[i]?.startsWith(prefix); i += 1) {
      const key = keys[i] ?? '';
      const value = all().get(key);
      if (value) yield [key, value];
      if (version === begun) continue;
      throw storeFault('memory', 'written while it was read');
    }
  }
  return {
    get: (key) => all().get(key),
    list: (prefix, from = prefix) => {
      all();
      return listFrom(prefix, from);
    },
    write: (changes) => {
      // Iterating the changes may read the store, or fail.
      const batch = [...changes];
      const records = all();
      version += 1;
      for (const [key, value] of batch) {
        if (records.has(key) !== (value !== undefined)) unsorted.add(key);
        if (value) records.set(key, value);
        else records.delete(key);
      }
    },
    close: () => {
      records = undefined;
    },
  };
}

function firstAtLeast(keys: readonly string[], from: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Merges two sorted lists without common keys. */
function merged(keys: readonly string[], others: readonly string[]): readonly string[] {
  const all: string[] = [];
  let next = 0;
  for (const key of keys) {
    for (let other = others[next]; other !== undefined && other < key; other = others[next]) {
      all.push(other);
      next += 1;
    }
    all.push(key);
  }
  return all.concat(others.slice(next));
}
