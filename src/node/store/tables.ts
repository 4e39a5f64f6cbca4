import type { RecordChange, RecordStore } from './recordStore.ts';

/** The records under one prefix, as typed values. Changes are visible at once, and written by `Tables.commit`. */
export interface Table<K extends string, T> {
  readonly get: (key: K) => T | undefined;
  readonly has: (key: K) => boolean;
  readonly set: (key: K, value: T) => void;
  readonly delete: (key: K) => void;
  /** Reads the written records whose keys begin with `under`, in order, without waiting changes. */
  readonly stored: (under?: string) => Iterable<readonly [key: K, value: T]>;
  /** Like `stored`, without decoding values. */
  readonly storedKeys: () => Iterable<K>;
}

/** Values are never changed in place. */
export interface RecordCodec<T> {
  readonly encode: (value: T) => Uint8Array;
  readonly decode: (bytes: Uint8Array, key: string) => T;
}

/** A record store with typed values, a bounded cache, and changes that wait to be written together. */
export interface Tables {
  /** Creates a table, which keeps at most `capacity` values decoded. */
  readonly table: <K extends string, T>(prefix: string, codec: RecordCodec<T>, capacity: number) => Table<K, T>;
  readonly isChanged: () => boolean;
  /** Writes the waiting changes, all or none; if it throws, they wait on. @throws `store/*` */
  readonly commit: () => void;
  readonly forget: (key: string) => void;
}

interface Part {
  readonly prefix: string;
  readonly size: () => number;
  readonly changes: () => Iterable<RecordChange>;
  readonly settle: () => void;
  readonly forget: (key: string) => void;
}

export function openTables(store: RecordStore): Tables {
  const parts: Part[] = [];
  const each = (work: (part: Part) => void): void => {
    for (const part of parts) work(part);
  };
  function* allChanges(): Generator<RecordChange> {
    for (const part of parts) yield* part.changes();
  }
  return {
    table: <K extends string, T>(prefix: string, codec: RecordCodec<T>, capacity: number) => {
      const { table, part } = createTable<K, T>(store, { prefix, codec, capacity });
      parts.push(part);
      return table;
    },
    isChanged: () => parts.some(({ size }) => size() > 0),
    commit: () => {
      store.write(allChanges());
      each(({ settle }) => settle());
    },
    forget: (key) => {
      const part = parts.find(({ prefix }) => key.startsWith(prefix));
      part?.forget(key.slice(part.prefix.length));
    },
  };
}

interface TableTerms<T> {
  readonly prefix: string;
  readonly codec: RecordCodec<T>;
  readonly capacity: number;
}

function createTable<K extends string, T>(
  store: RecordStore,
  { prefix, codec: { encode, decode }, capacity }: TableTerms<T>,
): { readonly table: Table<K, T>; readonly part: Part } {
  const changed = new Map<K, T | undefined>();
  const cached = createCache<T>(capacity);
  const read = (key: K): T | undefined => {
    const bytes = store.get(prefix + key);
    return bytes && decode(bytes, key);
  };
  const table: Table<K, T> = {
    get: (key) => {
      if (changed.has(key)) return changed.get(key);
      const value = cached.get(key) ?? read(key);
      if (value !== undefined) cached.keep(key, value);
      return value;
    },
    has: (key) =>
      changed.has(key) ? changed.get(key) !== undefined : cached.has(key) || store.get(prefix + key) !== undefined,
    set: (key, value) => {
      changed.set(key, value);
    },
    delete: (key) => {
      changed.set(key, undefined);
    },
    *stored(under = '') {
      for (const [key, bytes] of store.list(prefix + under)) {
        const name = key.slice(prefix.length) as K;
        yield [name, decode(bytes, name)];
      }
    },
    *storedKeys() {
      for (const [key] of store.list(prefix)) yield key.slice(prefix.length) as K;
    },
  };
  const part: Part = {
    prefix,
    size: () => changed.size,
    *changes() {
      for (const [key, value] of changed) yield [prefix + key, value === undefined ? undefined : encode(value)];
    },
    settle: () => {
      for (const [key, value] of changed) {
        if (value === undefined) cached.delete(key);
        else cached.keep(key, value);
      }
      changed.clear();
    },
    forget: cached.delete,
  };
  return { table, part };
}

interface Cache<T> extends Pick<ReadonlyMap<string, T>, 'get' | 'has'> {
  readonly keep: (key: string, value: T) => void;
  readonly delete: (key: string) => void;
}

function createCache<T>(capacity: number): Cache<T> {
  /** The least recently used first. */
  const values = new Map<string, T>();
  /** Goes on where it stopped: a map that has lost its first entries is slow to begin. */
  let oldest = values.keys();
  const dropOldest = (): void => {
    let next = oldest.next();
    if (next.done) {
      oldest = values.keys();
      next = oldest.next();
    }
    if (!next.done) values.delete(next.value);
  };
  return {
    get: (key) => values.get(key),
    has: (key) => values.has(key),
    keep: (key, value) => {
      values.delete(key);
      values.set(key, value);
      if (values.size > capacity) dropOldest();
    },
    delete: (key) => {
      values.delete(key);
    },
  };
}
