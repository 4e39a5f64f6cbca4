import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import PgBoss from 'pg-boss';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerText } from '../../src/answers/envelope.ts';
import { BUILT_PROGRAM } from '../support/io.ts';
import { createRpc } from '../support/library.ts';
import { PASSWORD, POSTGRES_PROGRAMS, type PostgresServer, startPostgres } from '../support/postgres.ts';

const DESCRIPTOR =
  'wpkh(xpub6Fpot2DAh6DEz7GUtywobQjjnHvKaZDCS7PvVSJpbeJQojr1Z3TQVeMX5d5Jz6UxsuzN1A7o6gCrxxFnkYBvSb56x9ABb1P1sDhcStAYTFP/*)#k7zpgqpk';

/** Requests that take long, requests that take no time, and requests that are refused. */
const requestAt = (i: number): string => {
  if (i % 10 === 0) return `{"id":${i},"method":"deriveaddresses","params":["${DESCRIPTOR}",[0,150]]}`;
  if (i % 10 === 1) return `{"id":${i},"method":"getbalance"}`;
  if (i % 10 === 2) return `[{"id":${i},"method":"decodescript","params":["51"]},{"id":0,"method":"none"}]`;
  return i % 10 === 3
    ? `not JSON ${i}`
    : `{"id":"\\u0000${i}","method":"decodescript","params":["6a04${String(i).padStart(8, '0')}"]}`;
};

describe.skipIf(!POSTGRES_PROGRAMS)('countersign work', () => {
  const rpc = createRpc({ network: 'main' });
  const answerTo = (request: string): string => answerText(rpc, request, { readsWallet: true });
  const children: ChildProcess[] = [];
  let server: PostgresServer;
  let boss: PgBoss;

  beforeAll(async () => {
    server = await startPostgres();
    boss = new PgBoss({ connectionString: server.url('pgboss').replace('&schema=pgboss', ''), schedule: false });
    boss.on('error', () => undefined);
    await boss.start();
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await boss?.stop({ graceful: false });
    await server?.remove();
  });

  const startWorker = (url: string) => {
    const args = [BUILT_PROGRAM, 'work', '--network', 'main', '--jobs', '2', '--queue', url];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    children.push(child);
    const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
    const nextLine = async (): Promise<string> => (await lines.next()).value ?? '';
    const stop = async (): Promise<number | null> => {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
      return child.exitCode;
    };
    return { child, nextLine, stop };
  };
  const unfinished = async (name: string): Promise<number> => {
    const [row] = await server.sql(
      `SELECT count(*)::int FROM pgboss.job WHERE name = '${name}' AND state <> 'completed'`,
    );
    return Number(row?.['count']);
  };

  test('answers each request once, even if a process is killed in its work', async () => {
    await boss.createQueue('busy', { name: 'busy', retryLimit: 5, expireInSeconds: 3 });
    const requests = Array.from({ length: 400 }, (_, i) => requestAt(i));
    await boss.insert(requests.map((request) => ({ name: 'busy', data: { request } })));
    const url = server.url('pgboss&queue=busy');
    const [killed, kept] = [startWorker(url), startWorker(url)];
    expect(await killed.nextLine()).toBe('answering the queue busy of postgres:///postgres; Ctrl-C stops');
    while ((await unfinished('busy')) > 390) await sleep(20);
    killed.child.kill('SIGKILL');
    while ((await unfinished('busy')) > 0) await sleep(200);
    const rows = await server.sql(
      "SELECT data->>'request' AS request, output->>'answer' AS answer FROM pgboss.job WHERE name = 'busy'",
    );
    expect(new Set(rows.map(({ request }) => request))).toEqual(new Set(requests));
    expect(rows.filter(({ request, answer }) => answer !== answerTo(String(request)))).toEqual([]);
    expect(await kept.nextLine()).toContain('answering');
    expect(await kept.stop()).toBe(0);
    expect(await kept.nextLine()).toMatch(/^answered [1-9][0-9]* jobs$/);
  });

  test('takes jobs that SQL has sent, and answers a job without a request with a parse error', async () => {
    const worker = startWorker(server.url('pgboss'));
    await worker.nextLine();
    const request = '{"id":1,"method":"decodescript","params":["6a"]}';
    await server.sql(`INSERT INTO pgboss.job (name, data, retry_limit, expire_in)
      VALUES ('countersign', jsonb_build_object('request', '${request}'), 10, '1 minute'), ('countersign', '[1]', 10, '1 minute')`);
    while ((await unfinished('countersign')) > 0) await sleep(50);
    const rows = await server.sql(
      "SELECT output->>'answer' AS answer FROM pgboss.job WHERE name = 'countersign' ORDER BY data ? 'request'",
    );
    expect(rows.map(({ answer }) => answer)).toEqual([answerTo(''), answerTo(request)]);
    expect(await worker.stop()).toBe(0);
  });

  test('goes on after the server was away', async () => {
    const worker = startWorker(server.url('pgboss'));
    await worker.nextLine();
    await server.stop();
    expect(await worker.nextLine()).toMatch(/^warning: cannot use postgres:\/\/\/postgres, trying again: /);
    await server.start();
    const id = await boss.send('countersign', { request: requestAt(4) });
    while ((await unfinished('countersign')) > 0) await sleep(50);
    const job = await boss.getJobById<object>('countersign', id ?? '');
    expect(job?.output).toEqual({ answer: answerTo(requestAt(4)) });
    expect(await worker.stop()).toBe(0);
  });

  test('warns of a password on the command line, and shows it nowhere', async () => {
    const worker = startWorker(server.guardedUrl(`wrong${PASSWORD}`));
    expect(await worker.nextLine()).toBe(
      'warning: others can read the password on the command line; instead, use PGPASSWORD or ~/.pgpass',
    );
    const line = await worker.nextLine();
    expect(line).toContain('password authentication failed for user "guarded"');
    expect(line).not.toMatch(/p@ss|word\?#|word%3F/);
  });
});
