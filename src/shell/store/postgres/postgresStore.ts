import { parseBytesKey } from '../../../core/bytes/compare.ts';
import type { BtcError } from '../../../core/errors.ts';
import { endOfPrefix, type RecordChange, type SharedStore } from '../../../node/store/recordStore.ts';
import { databaseFault, NOTHING_CHANGED } from './postgresFaults.ts';
import type { PostgresLimits, StatementResult } from './postgresMessages.ts';
import { PAGE_RECORDS } from './postgresSchema.ts';
import { createPostgresSession, type PostgresSession, type PostgresSettings } from './postgresSession.ts';
import {
  claimTurn,
  commitChanges,
  enter,
  leave,
  openView,
  type PostgresView,
  runForRows,
  takeUnreported,
} from './postgresView.ts';
import { keyOfBytes } from './recordBytes.ts';

/** For a server nearby. */
export const DEFAULT_LIMITS: PostgresLimits = {
  connect: 10_000,
  statement: 120_000,
  turn: 60_000,
  silence: 20_000,
  absence: 30_000,
};

/**
 * Opens the records in a PostgreSQL database, and creates their tables on first use. Outside a call, each read sees
 * the newest state, and a write is a call of its own. A read after `write` in a call sees that write and perhaps
 * later changes of others, which the next `begin` returns.
 * @throws `store/version`, `store/failed`
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
  const store: OpenStore = { session, view: openView(session), isOpen: true, isInCall: false, era: 0 };
  return {
    get: (key) => get(store, key),
    list: (prefix, from = '') => {
      assertOpen(store);
      return list(store, prefix, from);
    },
    claim: () => claim(store),
    write: (changes) => write(store, [...changes]),
    begin: () => {
      assertOpen(store);
      end(store);
      enter(store.view);
      store.isInCall = true;
      return takeUnreported(store.view);
    },
    end: () => end(store),
    close: () => {
      end(store);
      store.isOpen = false;
      session.close();
    },
  };
}

interface OpenStore {
  readonly session: PostgresSession;
  readonly view: PostgresView;
  isOpen: boolean;
  isInCall: boolean;
  /** Changes with each call and each write, to end earlier iterations. */
  era: number;
}

const sessionFault = ({ session }: OpenStore, reason: string): BtcError => databaseFault(session.place.path, reason);

function assertOpen(store: OpenStore): void {
  if (!store.isOpen) throw sessionFault(store, 'closed');
}

function reading<T>(store: OpenStore, read: (view: PostgresView) => T): T {
  assertOpen(store);
  const { view } = store;
  if (view.state === 'outside') enter(view);
  try {
    return read(view);
  } finally {
    if (!store.isInCall) leave(view);
  }
}

const get = (store: OpenStore, key: string): Uint8Array | undefined =>
  reading(store, (view) => {
    const kept = view.values.find(key);
    if (kept) return kept[0];
    const [row] = runForRows(view, [store.session.statements.get(parseBytesKey(key))]);
    const value = (row?.[0] ?? undefined) as Uint8Array | undefined;
    view.values.keep(key, value);
    return value;
  });

function* list(store: OpenStore, prefix: string, from: string): Generator<readonly [key: string, value: Uint8Array]> {
  const { era } = store;
  for (const rows of pages(store, prefix, from > prefix ? from : prefix)) {
    for (const [key, value] of rows) {
      yield [keyOfBytes(key), value as Uint8Array];
      if (store.era !== era)
        throw sessionFault(store, 'the records were written or the call ended while they were listed');
    }
  }
}

function* pages(store: OpenStore, prefix: string, from: string): Generator<StatementResult['rows']> {
  const end = endOfPrefix(prefix);
  const endBytes = end === undefined ? undefined : parseBytesKey(end);
  let next = from;
  for (let isFirst = true; end === undefined || next < end; isFirst = false) {
    const page = store.session.statements.page(parseBytesKey(next), !isFirst, endBytes);
    const rows = reading(store, (view) => runForRows(view, [page]));
    yield rows;
    const [, , pageCount = 0] = rows[0] ?? [];
    if (rows.length === pageCount && rows.length < PAGE_RECORDS) return;
    next = keyOfBytes(rows.at(-1)?.[0]);
  }
}

function claim(store: OpenStore): boolean {
  assertOpen(store);
  const { view } = store;
  if (view.state !== 'outside') return claimTurn(view);
  // After a write of the same call, or outside a call.
  const { version } = view;
  view.wantsTurn = true;
  enter(view);
  if (!store.isInCall || view.version === version) return true;
  leave(view);
  view.wantsTurn = true;
  return false;
}

function write(store: OpenStore, changes: readonly RecordChange[]): void {
  store.era += 1;
  try {
    if (!claim(store)) throw sessionFault(store, `another process has written meanwhile; ${NOTHING_CHANGED}`);
    if (changes.length > 0) commitChanges(store.view, changes);
  } finally {
    leave(store.view);
  }
}

function end(store: OpenStore): void {
  store.era += 1;
  store.isInCall = false;
  leave(store.view);
}
