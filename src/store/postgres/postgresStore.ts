import { bytesOfKey } from '../../bytes/compare.ts';
import { endOfPrefix, type RecordChange, type SharedStore } from '../../chain/recordStore.ts';
import { databaseFault, NOTHING_CHANGED } from './postgresFaults.ts';
import type { PostgresLimits, StatementResult } from './postgresMessages.ts';
import { PAGE_RECORDS } from './postgresSchema.ts';
import { createPostgresSession, type PostgresSession, type PostgresSettings } from './postgresSession.ts';
import { claimTurn, commitChanges, enter, leave, openView, rowsOf, takeUnreported } from './postgresView.ts';
import { keyOfBytes } from './recordBytes.ts';

/** The limits for a server nearby. */
export const DEFAULT_LIMITS: PostgresLimits = {
  connect: 10_000,
  statement: 120_000,
  turn: 60_000,
  silence: 20_000,
  absence: 30_000,
};

/**
 * Opens the records in a PostgreSQL database, and creates their tables on first use.
 *
 * Outside a call, each read sees the newest state, and a write is a call of its own. A read that follows `write` in a call
 * sees a snapshot with that write and perhaps later changes of others, which the next `begin` returns.
 *
 * A call takes one round trip to begin, one for each record whose value is not kept from before, and if it writes, one for
 * the turn and one for the changes with their commit; `end` is sent without waiting.
 *
 * @throws BtcError `store/version`, `store/failed`
 */
export function openPostgresStore(settings: PostgresSettings): SharedStore {
  const session = createPostgresSession(settings);
  try {
    session.connect();
    return createPostgresStore(session);
  } catch (error) {
    session.close();
    throw error;
  }
}

function createPostgresStore(session: PostgresSession): SharedStore {
  const { place, statements } = session;
  const view = openView(session);
  let isOpen = true;
  let isInCall = false;
  /** Changes with each call and each write, which end the iterations begun before. */
  let era = 0;

  function assertOpen(): void {
    if (!isOpen) throw databaseFault(place.path, 'closed');
  }

  /** Reads in the transaction of the call, or in a transaction of its own. */
  function reading<T>(read: () => T): T {
    assertOpen();
    if (view.state === 'outside') enter(view);
    try {
      return read();
    } finally {
      if (!isInCall) leave(view);
    }
  }

  function claim(): boolean {
    assertOpen();
    if (view.state === 'outside') {
      // After a write of the same call, or outside a call.
      const { version } = view;
      view.wantsTurn = true;
      enter(view);
      if (!isInCall || view.version === version) return true;
      leave(view);
      view.wantsTurn = true;
      return false;
    }
    return claimTurn(view);
  }

  const get = (key: string): Uint8Array | undefined =>
    reading(() => {
      const known = view.values.find(key);
      if (known) return known[0];
      const [row] = rowsOf(view, [statements.get(bytesOfKey(key))]);
      const value = (row?.[0] ?? undefined) as Uint8Array | undefined;
      view.values.keep(key, value);
      return value;
    });

  function list(prefix: string, from = ''): Iterable<readonly [key: string, value: Uint8Array]> {
    assertOpen();
    return listed(prefix, from);
  }

  function* listed(prefix: string, from: string): Generator<readonly [key: string, value: Uint8Array]> {
    const began = era;
    for (const rows of pages(prefix, from > prefix ? from : prefix)) {
      for (const [key, value] of rows) {
        yield [keyOfBytes(key), value as Uint8Array];
        if (era !== began)
          throw databaseFault(place.path, 'the records were written or the call ended while they were listed');
      }
    }
  }

  function* pages(prefix: string, from: string): Generator<StatementResult['rows']> {
    const end = endOfPrefix(prefix);
    let next = from;
    for (let isFirst = true; end === undefined || next < end; isFirst = false) {
      const page = statements.page(bytesOfKey(next), !isFirst, end === undefined ? undefined : bytesOfKey(end));
      const rows = reading(() => rowsOf(view, [page]));
      yield rows;
      const [, , found = 0] = rows[0] ?? [];
      if (rows.length === found && rows.length < PAGE_RECORDS) return;
      next = keyOfBytes(rows.at(-1)?.[0]);
    }
  }

  function write(changes: Iterable<RecordChange>): void {
    const all = [...changes];
    era += 1;
    try {
      if (!claim()) throw databaseFault(place.path, `another process has written meanwhile; ${NOTHING_CHANGED}`);
      if (all.length > 0) commitChanges(view, all);
    } finally {
      leave(view);
    }
  }

  function end(): void {
    era += 1;
    isInCall = false;
    leave(view);
  }

  function begin(): readonly RecordChange[] | 'all' {
    assertOpen();
    end();
    enter(view);
    isInCall = true;
    return takeUnreported(view);
  }

  function close(): void {
    end();
    isOpen = false;
    session.close();
  }

  return { get, list, claim, write, begin, end, close };
}
