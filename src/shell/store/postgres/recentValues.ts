/** The values of records that were read or written last, also of missing ones; `undefined` is a missing record. */
export interface RecentValues {
  /** Returns the value in a tuple; `undefined` if it is not known. */
  readonly find: (key: string) => readonly [value: Uint8Array | undefined] | undefined;
  readonly keep: (key: string, value: Uint8Array | undefined) => void;
  readonly clear: () => void;
}

/** The bytes that an entry takes besides those of its key and value, about. */
const ENTRY = 100;

/** Creates an empty collection of at most so many bytes; what was used longest ago makes room. */
export function createRecentValues(most: number): RecentValues {
  const values = new Map<string, Uint8Array | undefined>();
  let size = 0;
  const sizeOf = (key: string, value: Uint8Array | undefined): number => ENTRY + key.length + (value?.length ?? 0);
  const drop = (key: string): void => {
    if (!values.has(key)) return;
    size -= sizeOf(key, values.get(key));
    values.delete(key);
  };
  return {
    find: (key) => {
      if (!values.has(key)) return undefined;
      const value = values.get(key);
      // A map lists its keys in the order in which they came.
      values.delete(key);
      values.set(key, value);
      return [value];
    },
    keep: (key, value) => {
      drop(key);
      // A value that takes most of the room is not worth the others.
      if (sizeOf(key, value) > most / 4) return;
      values.set(key, value);
      size += sizeOf(key, value);
      for (const oldest of values.keys()) {
        if (size <= most) break;
        drop(oldest);
      }
    },
    clear: () => {
      values.clear();
      size = 0;
    },
  };
}
