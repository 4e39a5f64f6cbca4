import { afterAll, beforeAll, describe } from 'vitest';
import type { SharedStore } from '../../src/node/store/recordStore.ts';
import { openShared, POSTGRES_PROGRAMS, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { describeRecords } from '../support/recordContract.ts';

describe.skipIf(!POSTGRES_PROGRAMS)('a server', () => {
  let server: PostgresServer;
  let last: SharedStore | undefined;
  let schemas = 0;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    last?.close();
    await server?.remove();
  });

  /** Opens a store, and closes the one before. */
  const open = (url: string): SharedStore => {
    last?.close();
    last = openShared(url);
    return last;
  };

  describeRecords('records in PostgreSQL', () => {
    schemas += 1;
    const url = server.url(`test${schemas}`);
    return { store: open(url), reopen: () => open(url) };
  });
});
