/** A change of one record; `undefined` removes it. */
export type RecordChange = readonly [key: string, value: Uint8Array | undefined];

/**
 * An ordered collection of records: a chain, and the wallets that follow it. A key is a byte string,
 * one character from U+0000 to U+00FF per byte; it begins with the letter of its kind, and orders by its bytes. A closed
 * store refuses every call but `close` with `store/failed`.
 */
export interface RecordStore {
  /**
   * Returns the value of a key, whose bytes the caller must not change.
   * @throws `store/corrupt`, `store/failed`
   */
  readonly get: (key: string) => Uint8Array | undefined;
  /**
   * Reads the records whose keys begin with `prefix` and are not below `from`, lazily and in order. Continuing after
   * a write throws.
   * @throws `store/corrupt`, `store/failed`
   */
  readonly list: (prefix: string, from?: string) => Iterable<readonly [key: string, value: Uint8Array]>;
  /**
   * Applies changes with distinct keys durably, all or none.
   * @throws `store/full` or `store/failed`: none was applied, unless the reason says otherwise
   */
  readonly write: (changes: Iterable<RecordChange>) => void;
  /**
   * Makes unreadable what earlier writes replaced or removed, as far as the medium allows. Default: nothing.
   * @throws `store/full`, `store/failed`
   */
  readonly purge?: () => void;
  /** Closes the store; harmless if repeated. */
  readonly close: () => void;
}

/** Returns the first key after all keys with a prefix; `undefined` if there is none. */
export function endOfPrefix(prefix: string): string | undefined {
  const last = prefix.replace(/(?<!\u00ff)\u00ff+$/, '');
  if (last === '') return undefined;
  return last.slice(0, -1) + String.fromCharCode(last.charCodeAt(last.length - 1) + 1);
}

/** A store that several processes read at once, and one at a time writes. */
export interface SharedStore extends RecordStore {
  /**
   * Begins a call: until `end`, all reads see one snapshot. Returns what other processes have changed since this
   * process began its last call, or `'all'` if that cannot be listed: then the caller must reread whatever it keeps.
   */
  readonly begin: () => readonly RecordChange[] | 'all';
  /**
   * Waits for the turn to write, which lasts until `write` or `end`. Returns false if another process has written
   * since `begin`: the caller must `end` and run the call again, and has the turn from the next `begin` on.
   */
  readonly claim: () => boolean;
  readonly end: () => void;
}
