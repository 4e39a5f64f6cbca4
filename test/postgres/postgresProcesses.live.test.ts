import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PostgresLimits } from '../../src/shell/store/postgres/postgresMessages.ts';
import { openShared, POSTGRES_PROGRAMS, type PostgresServer, settingsFor, startPostgres } from '../support/postgres.ts';
import type { ClientTask } from '../support/postgresClient.ts';
import { checkHistory, type HistoryEntry } from '../support/recordHistory.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** How many processes are killed: the long run takes 200. */
const ROUNDS = Number(process.env['COUNTERSIGN_ROUNDS'] ?? 40);

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

describe.skipIf(!POSTGRES_PROGRAMS)('processes with records in PostgreSQL', () => {
  const directory = temporaryDirectory();
  const program = join(directory, 'client.mjs');
  const children: ChildProcess[] = [];
  let server: PostgresServer;
  let logs = 0;

  beforeAll(async () => {
    const entry = new URL('../support/postgresClient.ts', import.meta.url).pathname;
    await build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'esm', outfile: program });
    server = await startPostgres();
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await server?.remove();
  });

  const start = (url: string, task: Omit<ClientTask, 'settings'>, limits: Partial<PostgresLimits> = {}) => {
    const given: ClientTask = { ...task, settings: settingsFor(url, limits) };
    const child = spawn(process.execPath, [program, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return { child, nextLine: async (): Promise<string> => (await lines.next()).value ?? 'it ended' };
  };
  const newLog = (name: string): string => {
    logs += 1;
    return join(directory, `${name}-${logs}.log`);
  };
  const startLoad = async (url: string, name: string) => {
    const { child, nextLine } = start(url, { kind: 'load', log: newLog(name) });
    expect(await nextLine()).toBe('ready');
    return child;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const historiesOf = (name: string): readonly (readonly HistoryEntry[])[] =>
    readdirSync(directory)
      .filter((file) => file.startsWith(`${name}-`))
      .map((file) => readFileSync(join(directory, file), 'utf8').split('\n').slice(0, -1))
      .map((texts) => texts.map((text) => JSON.parse(text) as HistoryEntry));

  /** Compares the logs of a test's processes with the database. */
  const judge = (url: string, name: string) => {
    const store = openShared(url);
    const ids = [...store.list('w')].map(([, value]) => Buffer.from(value).toString());
    store.close();
    return checkHistory(historiesOf(name), ids);
  };

  /** Waits until the processes of a test have made so many changes: a busy machine needs longer for them. */
  const untilAcknowledged = async (name: string, least: number): Promise<void> => {
    while (checkHistory(historiesOf(name), []).summary.acknowledged <= least) await sleep(100);
  };

  test.each([2, 4])('%d at once see every change, and take turns', async (count) => {
    const name = `calm${count}`;
    const url = server.url(name);
    const loads = await Promise.all(Array.from({ length: count }, () => startLoad(url, name)));
    await untilAcknowledged(name, 500);
    await Promise.all(loads.map(kill));
    const { faults, summary } = judge(url, name);
    console.log(`${count} processes`, summary);
    expect(faults).toEqual([]);
    expect(summary.faults).toBe(0);
  });

  test.each(['reads', 'writes'] as const)('all make calls at the same time: %s', async (kind) => {
    const rates: number[] = [];
    for (const count of [1, 2, 4]) {
      const running = Array.from({ length: count }, () => start(server.url(kind), { kind }));
      const each = await Promise.all(running.map(async ({ nextLine }) => Number(await nextLine())));
      expect(Math.min(...each)).toBeGreaterThan(0);
      rates.push(each.reduce((sum, rate) => sum + rate, 0));
    }
    console.log(`${kind} a second of 1, 2 and 4 processes`, rates);
  });

  test('lose the turn while they are stopped, and nothing else', async () => {
    const url = server.url('stopped');
    const other = openShared(url);
    const { child, nextLine } = start(url, { kind: 'hold' }, { silence: 700 });
    expect(await nextLine()).toBe('turn');
    child.kill('SIGSTOP');
    // The turn is free once the server has ended the session of the stopped process.
    other.write([['a', bytes('other')]]);
    child.kill('SIGCONT');
    expect(await nextLine()).toMatch(/nothing was changed, so repeat the call$/);
    expect(await nextLine()).toBe('then other');
    other.close();
  });

  test('may be killed at any moment', async () => {
    const name = 'killed';
    const url = server.url(name);
    const loads = await Promise.all([1, 2, 3, 4].map(() => startLoad(url, name)));
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(Math.random() * 200);
      const at = Math.floor(Math.random() * loads.length);
      await kill(loads[at] as ChildProcess);
      loads[at] = await startLoad(url, name);
    }
    await untilAcknowledged(name, ROUNDS);
    await Promise.all(loads.map(kill));
    const { faults, summary } = judge(url, name);
    console.log(`${ROUNDS} kills`, summary);
    expect(faults).toEqual([]);
    expect(summary.faults).toBe(0);
    expect(summary.longestGap).toBeLessThan(5000);
  });

  test('go on after the server crashed, restarted or ended their connections', async () => {
    const name = 'crashed';
    const url = server.url(name);
    const loads = await Promise.all([1, 2, 3, 4].map(() => startLoad(url, name)));
    for (let round = 0; round < Math.ceil(ROUNDS / 5); round++) {
      await sleep(300 + Math.random() * 200);
      if (round % 3 === 0) await server.crash();
      else
        await server.sql(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'countersign'",
        );
    }
    await untilAcknowledged(name, 50);
    expect(loads.map(({ exitCode }) => exitCode)).toEqual([null, null, null, null]);
    await Promise.all(loads.map(kill));
    const { faults, summary } = judge(url, name);
    console.log('crashes', summary);
    expect(faults).toEqual([]);
    expect(summary.faults).toBeGreaterThan(0);
  });
});
