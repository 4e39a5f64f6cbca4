/** A change of one record; `undefined` removes it. */
export type RecordChange = readonly [key: string, value: Uint8Array | undefined];

/**
 * An ordered collection of records: the chain that a node was fed, and the wallets as that chain has left them. A key is
 * a byte string: each character is one byte, from U+0000 to U+00FF. Keys are ordered by their bytes. A closed store
 * refuses every call but `close` with `store/failed`.
 */
export interface RecordStore {
  /**
   * Returns the value of a key; `undefined` without a record. The caller must not change the bytes.
   * @throws BtcError `store/corrupt`, `store/failed`
   */
  readonly get: (key: string) => Uint8Array | undefined;
  /**
   * Reads the records whose keys begin with `prefix`, in the order of their keys, lazily. Writing ends the iteration:
   * continuing it throws.
   *
   * - `from`: leaves out the keys below it
   *
   * @throws BtcError `store/corrupt`, `store/failed`
   */
  readonly list: (prefix: string, from?: string) => Iterable<readonly [key: string, value: Uint8Array]>;
  /**
   * Applies changes, all of them or none, with distinct keys. They are durable when it returns.
   * @throws BtcError `store/full` or `store/failed`: none was applied, unless the reason says otherwise
   */
  readonly write: (changes: Iterable<RecordChange>) => void;
  /** Closes the store; closing it again is harmless. */
  readonly close: () => void;
}

/** Returns the first key after all keys with a prefix; `undefined` if all keys from there on have it. */
export function endOfPrefix(prefix: string): string | undefined {
  const last = prefix.replace(/(?<!\u00ff)\u00ff+$/, '');
  if (last === '') return undefined;
  return last.slice(0, -1) + String.fromCharCode(last.charCodeAt(last.length - 1) + 1);
}

/** A store that several processes use at once: all read, one at a time writes. */
export interface SharedStore extends RecordStore {
  /**
   * Begins a call: until `end`, all reads see one snapshot. Returns the records that other processes have changed since
   * this process began its last call; at the first call, none. `'all'` if they cannot be listed, since they are too many or
   * the connection was lost: the caller must read anew whatever it keeps.
   * @throws BtcError `store/failed`
   */
  readonly begin: () => readonly RecordChange[] | 'all';
  /**
   * Waits for the turn to write, which lasts until `write` or `end`.
   * @returns false if another process has written since `begin`: the caller must `end`, `begin` and run the call again,
   *   and has the turn from that `begin` on
   * @throws BtcError `store/failed`
   */
  readonly claim: () => boolean;
  /** Ends a call, and with it the turn to write. */
  readonly end: () => void;
}
