import type { RecordChange, RecordStore } from './recordStore.ts';
import { unlessUnreadable } from './storeFault.ts';

/** The records under one prefix, as typed values. Changes are visible at once, and written by `Tables.write`. */
export interface Table<K extends string, T> {
  readonly get: (key: K) => T | undefined;
  readonly has: (key: K) => boolean;
  readonly set: (key: K, value: T) => void;
  readonly delete: (key: K) => void;
  /** Reads the records whose keys begin with `under` and are not below `from`, in order. */
  readonly entries: (under?: string, from?: string) => Iterable<readonly [key: K, value: T]>;
  /** Like `entries`, without decoding values. */
  readonly keys: (under?: string, from?: string) => Iterable<K>;
  /** Reads all records as they are, or will be, stored. */
  readonly encoded: () => Iterable<readonly [key: K, value: Uint8Array]>;
}

/** Values are never changed in place. */
export interface RecordCodec<T> {
  readonly encode: (value: T) => Uint8Array;
  /** Throws anything if the bytes are not a record. */
  readonly decode: (bytes: Uint8Array, key: string) => T;
}

export type OpenTable = <K extends string, T>(prefix: string, codec: RecordCodec<T>, capacity: number) => Table<K, T>;

/** A record store with typed values, a bounded cache, and changes that wait to be written together. */
export interface Tables {
  /** Creates a table, which keeps at most `capacity` values decoded; all of them if it is infinite. */
  readonly table: OpenTable;
  readonly isChanged: () => boolean;
  /** Writes the waiting changes, all or none; if it throws, they wait on. @throws `store/*` */
  readonly write: () => void;
  /** Drops the waiting changes. */
  readonly discard: () => void;
  /** Drops a value that another process has changed. */
  readonly forget: (key: string) => void;
  /** Drops all values, and the waiting changes. */
  readonly forgetAll: () => void;
}

interface Part {
  readonly prefix: string;
  readonly size: () => number;
  readonly changes: () => Iterable<RecordChange>;
  readonly settle: () => void;
  readonly discard: () => void;
  readonly forget: (key: string) => void;
  readonly forgetAll: () => void;
}

/** `beforeChange`: runs before each change, which it may refuse. */
export function openTables(store: RecordStore, beforeChange: () => void = () => undefined): Tables {
  const parts: Part[] = [];
  const each = (work: (part: Part) => void): void => {
    for (const part of parts) work(part);
  };
  function* allChanges(): Generator<RecordChange> {
    for (const part of parts) yield* part.changes();
  }
  return {
    table: <K extends string, T>(prefix: string, codec: RecordCodec<T>, capacity: number) => {
      const { table, part } = createTable<K, T>({ store, beforeChange, prefix, codec, capacity });
      parts.push(part);
      return table;
    },
    isChanged: () => parts.some(({ size }) => size() > 0),
    write: () => {
      store.write(allChanges());
      each(({ settle }) => settle());
    },
    discard: () => each(({ discard }) => discard()),
    forget: (key) => {
      const part = parts.find(({ prefix }) => key.startsWith(prefix));
      part?.forget(key.slice(part.prefix.length));
    },
    forgetAll: () => each(({ forgetAll }) => forgetAll()),
  };
}

interface TableTerms<T> {
  readonly store: RecordStore;
  readonly beforeChange: () => void;
  readonly prefix: string;
  readonly codec: RecordCodec<T>;
  readonly capacity: number;
}

function createTable<K extends string, T>({
  store,
  beforeChange,
  prefix,
  codec,
  capacity,
}: TableTerms<T>): {
  readonly table: Table<K, T>;
  readonly part: Part;
} {
  const changed = new Map<K, T | undefined>();
  const decode = (bytes: Uint8Array, key: K): T => unlessUnreadable(prefix.charAt(0), () => codec.decode(bytes, key));
  const read = (key: K): T | undefined => {
    const bytes = store.get(prefix + key);
    return bytes && decode(bytes, key);
  };
  const readAll = function* (): Generator<readonly [K, T]> {
    for (const [name, bytes] of store.list(prefix)) {
      const key = name.slice(prefix.length) as K;
      yield [key, decode(bytes, key)];
    }
  };
  const cache: Cache<K, T> = Number.isFinite(capacity) ? recentValues(capacity, read) : allValues(read, readAll);
  const change = (key: K, value: T | undefined): void => {
    beforeChange();
    changed.set(key, value);
  };
  const get = (key: K): T | undefined => (changed.has(key) ? changed.get(key) : cache.get(key));
  /** The values of unchanged records are bytes. */
  function* rows(under: string, from: string): Generator<readonly [key: K, bytes: Uint8Array | undefined]> {
    const waiting = [...changed.keys()].filter((key) => key.startsWith(under) && key >= from).sort(compareKeys);
    let next = 0;
    for (const [name, bytes] of store.list(prefix + under, prefix + from)) {
      const key = name.slice(prefix.length) as K;
      for (let other = waiting[next]; other !== undefined && other <= key; other = waiting[next]) {
        if (other !== key) yield [other, undefined];
        next += 1;
      }
      yield [key, changed.has(key) ? undefined : bytes];
    }
    for (const key of waiting.slice(next)) yield [key, undefined];
  }
  function* entries(under = '', from = under): Generator<readonly [key: K, value: T]> {
    for (const [key, bytes] of rows(under, from)) {
      const value = bytes ? cache.from(key, () => decode(bytes, key)) : changed.get(key);
      if (value !== undefined) yield [key, value];
    }
  }
  function* keys(under = '', from = under): Generator<K> {
    for (const [key, bytes] of rows(under, from)) if (bytes || changed.get(key) !== undefined) yield key;
  }
  function* encoded(): Generator<readonly [K, Uint8Array]> {
    for (const [key, bytes] of rows('', '')) {
      const value = changed.get(key);
      if (bytes) yield [key, bytes];
      else if (value !== undefined) yield [key, codec.encode(value)];
    }
  }
  const table: Table<K, T> = {
    get,
    has: (key) => get(key) !== undefined,
    set: change,
    delete: (key) => {
      const mayBe = changed.has(key) ? changed.get(key) !== undefined : cache.mayHave(key);
      if (mayBe) change(key, undefined);
    },
    entries,
    keys,
    encoded,
  };
  const part: Part = {
    prefix,
    size: () => changed.size,
    *changes() {
      for (const [key, value] of changed) yield [prefix + key, value === undefined ? undefined : codec.encode(value)];
    },
    settle: () => {
      for (const [key, value] of changed) cache.keep(key, value);
      changed.clear();
    },
    discard: () => changed.clear(),
    forget: (key) => cache.forget(key as K),
    forgetAll: () => {
      changed.clear();
      cache.clear();
    },
  };
  return { table, part };
}

const compareKeys = (a: string, b: string): number => (a < b ? -1 : 1);

/** Decoded values, and missing ones. */
interface Cache<K, T> {
  readonly get: (key: K) => T | undefined;
  /** Tells, without reading, whether a record may be there. */
  readonly mayHave: (key: K) => boolean;
  /** Returns the value of a record whose bytes the caller has. */
  readonly from: (key: K, decode: () => T) => T;
  readonly keep: (key: K, value: T | undefined) => void;
  readonly forget: (key: K) => void;
  readonly clear: () => void;
}

/** Keeps values in two generations: the older one goes once the younger one has half of the capacity. */
function recentValues<K extends string, T>(capacity: number, read: (key: K) => T | undefined): Cache<K, T> {
  let young = new Map<K, T | undefined>();
  let old = young;
  const keep = (key: K, value: T | undefined): void => {
    young.set(key, value);
    if (young.size <= capacity / 2) return;
    old = young;
    young = new Map();
  };
  const used = (key: K, find: () => T | undefined): T | undefined => {
    const value = young.get(key);
    if (value !== undefined || young.has(key)) return value;
    const found = old.has(key) ? old.get(key) : find();
    keep(key, found);
    return found;
  };
  return {
    get: (key) => used(key, () => read(key)),
    mayHave: (key) => {
      const known = [young, old].find((values) => values.has(key));
      return !known || known.get(key) !== undefined;
    },
    from: (key, decode) => used(key, decode) ?? decode(),
    keep,
    forget: (key) => {
      for (const values of [young, old]) values.delete(key);
    },
    clear: () => {
      for (const values of [young, old]) values.clear();
    },
  };
}

/** Reads all values before the first is needed. */
function allValues<K extends string, T>(
  read: (key: K) => T | undefined,
  readAll: () => Iterable<readonly [K, T]>,
): Cache<K, T> {
  let values: Map<K, T> | undefined;
  const loaded = (): Map<K, T> => {
    values ??= new Map(readAll());
    return values;
  };
  const keep = (key: K, value: T | undefined): void => {
    if (value === undefined) values?.delete(key);
    else values?.set(key, value);
  };
  return {
    get: (key) => loaded().get(key),
    mayHave: (key) => loaded().has(key),
    from: (key, decode) => loaded().get(key) ?? decode(),
    keep,
    forget: (key) => {
      if (values) keep(key, read(key));
    },
    clear: () => {
      values = undefined;
    },
  };
}
