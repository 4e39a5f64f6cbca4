/** The values used last; `undefined` stands for a missing record. */
export interface RecentValues {
  /** Returns the value in a tuple; `undefined` if it is not kept. */
  readonly find: (key: string) => readonly [value: Uint8Array | undefined] | undefined;
  readonly keep: (key: string, value: Uint8Array | undefined) => void;
  readonly clear: () => void;
}

/** In bytes, about. */
const ENTRY = 100;

/** `most` is in bytes; the least recently used values make room. */
export function createRecentValues(most: number): RecentValues {
  const values = new Map<string, Uint8Array | undefined>();
  let size = 0;
  const entrySize = (key: string, value: Uint8Array | undefined): number => ENTRY + key.length + (value?.length ?? 0);
  const drop = (key: string): void => {
    if (!values.has(key)) return;
    size -= entrySize(key, values.get(key));
    values.delete(key);
  };
  return {
    find: (key) => {
      if (!values.has(key)) return undefined;
      const value = values.get(key);
      // Moves it to the end of the map's order.
      values.delete(key);
      values.set(key, value);
      return [value];
    },
    keep: (key, value) => {
      drop(key);
      // One large value is not worth the others.
      if (entrySize(key, value) > most / 4) return;
      values.set(key, value);
      size += entrySize(key, value);
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
