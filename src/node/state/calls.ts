import { BtcError } from '../../core/errors.ts';
import { flagCodec } from '../store/codecs.ts';
import { KINDS } from '../store/kinds.ts';
import type { RecordStore, SharedStore } from '../store/recordStore.ts';
import { openTables, type Table, type Tables } from '../store/tables.ts';

/** Runs calls on a store: the changes of each are written at its end, all or none. */
export interface Calls {
  readonly tables: Tables;
  /**
   * Runs a call. Where several processes use the store, it reads one snapshot, and runs again if it changes something
   * after another process has.
   * @throws BtcError `store/*`, which drops the changes of the call, whatever `work` made of it; and what else `work`
   *   throws, which keeps them
   */
  readonly run: <T>(hooks: CallHooks, work: () => T) => T;
  /**
   * Begins a change: waits for the turn to write, and makes the call run again if its snapshot is no longer the newest.
   */
  readonly beginChange: () => void;
  /** Takes what this call replaces or removes out of the store, once it is written. */
  readonly purgeAfterwards: () => void;
  readonly close: () => void;
}

export interface CallHooks {
  /** Takes in what other processes have changed; `all` if that cannot be listed. */
  readonly refresh: (changed: readonly string[] | 'all') => void;
  /** Adds the last changes of a call. */
  readonly finish: () => void;
  /**
   * Returns to the store's records after an error lost the changes of a call. `isChange`: they were not only those that
   * a query keeps. @returns the error, or a worse one
   */
  readonly revert: (error: unknown, isChange: boolean) => unknown;
}

/** Ends a call that is to run again. */
const STALE = new Error('another process has written meanwhile');

type Turns = Pick<SharedStore, 'begin' | 'claim' | 'end'>;

const ALONE: Turns = { begin: () => [], claim: () => true, end: () => undefined };

interface Call {
  readonly store: RecordStore;
  readonly turns: Turns;
  readonly tables: Tables;
  readonly marks: Table<string, true>;
  isRunning: boolean;
  hasTurn: boolean;
  /** False for a query, which may still derive scripts and keep them. */
  isChange: boolean;
  purges: boolean;
  /** Errors of reading, whatever the call made of them. */
  faults: unknown[];
}

export function openCalls(store: RecordStore | SharedStore): Calls {
  const claim = (): void => {
    if (call.hasTurn) return;
    if (!call.isRunning) throw new TypeError('a change must be part of a call');
    if (!call.turns.claim()) throw STALE;
    call.hasTurn = true;
  };
  const tables = openTables(
    withFaults(store, (fault) => call.faults.push(fault)),
    claim,
  );
  const call: Call = {
    store,
    turns: 'begin' in store ? store : ALONE,
    tables,
    marks: tables.table(KINDS['purge mark'], flagCodec, 1),
    isRunning: false,
    hasTurn: false,
    isChange: false,
    purges: false,
    faults: [],
  };
  try {
    purge(call);
  } catch {
    // The next opening tries again.
  }
  return {
    tables,
    beginChange: () => {
      claim();
      call.isChange = true;
    },
    run: (hooks, work) => {
      for (;;) {
        call.purges = false;
        const outcome = attempt(call, hooks, work);
        if (!outcome) continue;
        if (call.purges) purgeOrSaySo(call);
        if ('error' in outcome) throw outcome.error;
        return outcome.value;
      }
    },
    purgeAfterwards: () => {
      if (!store.purge) return;
      call.marks.set(ONLY, true);
      call.purges = true;
    },
    close: store.close,
  };
}

/** Notes the errors of reading, so that none becomes an answer. */
function withFaults(store: RecordStore, note: (fault: unknown) => void): RecordStore {
  const failed = (error: unknown): never => {
    note(error);
    throw error;
  };
  return {
    ...store,
    get: (key) => {
      try {
        return store.get(key);
      } catch (error) {
        return failed(error);
      }
    },
    *list(prefix, from) {
      try {
        yield* store.list(prefix, from);
      } catch (error) {
        failed(error);
      }
    },
  };
}

export const NO_HOOKS: CallHooks = { refresh: () => undefined, finish: () => undefined, revert: (error) => error };
const ONLY = '';

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/** @returns `undefined` if the call must run again */
function attempt<T>(call: Call, hooks: CallHooks, work: () => T): Outcome<T> | undefined {
  const { turns, tables } = call;
  call.isRunning = true;
  try {
    const changes = turns.begin();
    hooks.refresh(changes === 'all' ? changes : changes.map(([key]) => key));
    const outcome = captureOutcome(work);
    const ending = 'error' in outcome && outcome.error === STALE ? outcome : captureOutcome(hooks.finish);
    const [fault] = [...call.faults, ...('error' in ending ? [ending.error] : [])];
    if (fault !== undefined) {
      tables.discard();
      if (fault === STALE) return undefined;
      throw hooks.revert(fault, call.isChange);
    }
    try {
      if (tables.isChanged()) tables.write();
    } catch (error) {
      tables.discard();
      const worse = hooks.revert(error, call.isChange);
      // A query needs no room on the disk.
      if (worse !== error || call.isChange) throw worse;
    }
    return outcome;
  } finally {
    Object.assign(call, { isRunning: false, hasTurn: false, isChange: false, faults: [] });
    turns.end();
  }
}

function captureOutcome<T>(work: () => T): Outcome<T> {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/** Purges after changes whose mark is still there if a crash came first. */
function purge(call: Call): void {
  const { store, marks } = call;
  if (!store.purge || !store.get(KINDS['purge mark'])) return;
  store.purge();
  attempt(call, NO_HOOKS, () => marks.delete(ONLY));
}

/** @throws BtcError `store/failed`, although the changes of the call are kept */
function purgeOrSaySo(call: Call): void {
  try {
    purge(call);
  } catch (error) {
    const reason = 'The change was made, but what it replaced may still be readable';
    const why = error instanceof BtcError ? error.message : 'the store failed';
    throw new BtcError('store/failed', { path: '', reason, isUnsure: true }, `${reason}: ${why}`);
  }
}
