import { afterAll, beforeAll, describe, test } from 'vitest';
import { readRecorded, shared } from '../support/corpus.ts';
import { openShared, POSTGRES_PROGRAMS, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { KINDS, openSeveral, replay } from '../support/recordedWallets.ts';
import { reportTurn } from '../support/report.ts';

/** Replays recorded histories of nodes with wallets among three nodes on one database. */

const from = shared ? 'shared' : 'sample';
const files = shared ? Array.from({ length: 8 }, (_, i) => `0${i}`) : ['03'];

describe.skipIf(!POSTGRES_PROGRAMS).each(KINDS)('the recorded histories of $node in PostgreSQL', (kind) => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.remove());

  test.each(reportTurn(`histories of ${kind.node} in PostgreSQL`, files))(
    'number %s is answered alike by three nodes',
    (file) => {
      const calls = readRecorded(`${kind.node}.wallet-${file}`, from);
      const rpc = openSeveral(kind, 3, () => openShared(server.url(`wallet_${file}`)));
      replay(`${kind.node}.wallet-${file}`, calls, rpc, 'among three nodes in PostgreSQL');
      rpc.close();
    },
  );
});
