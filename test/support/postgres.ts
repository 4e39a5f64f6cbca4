import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { SharedStore } from '../../src/node/store/recordStore.ts';
import type { PostgresLimits } from '../../src/shell/store/postgres/postgresMessages.ts';
import type { PostgresSettings } from '../../src/shell/store/postgres/postgresSession.ts';
import { DEFAULT_LIMITS, openPostgresStore } from '../../src/shell/store/postgres/postgresStore.ts';
import { DATABASE_MARK } from '../../src/shell/terminal/io.ts';
import { freePort } from './freePort.ts';
import { BUILT_PROGRAM } from './io.ts';

/** A PostgreSQL server of its own, on this machine only. */
export interface PostgresServer {
  /** Returns the URL of a schema, on its socket, where every user may log in without a password. */
  readonly url: (schema: string) => string;
  /** Returns a URL over TCP for the user `guarded`, who needs this password: {@link PASSWORD}. */
  readonly guardedUrl: (password: string) => string;
  /** The path of its socket. */
  readonly socket: string;
  /** Runs SQL statements, and returns the rows of the last. */
  readonly sql: (text: string) => Promise<readonly Record<string, unknown>[]>;
  /** Stops the server at once, as after a crash, and starts it again. */
  readonly crash: () => Promise<void>;
  /** Stops the server, as before a shutdown. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stops it and removes its directory. */
  readonly remove: () => Promise<void>;
}

export const PASSWORD = 'p@ss/word?#%';

const DEBIAN = '/usr/lib/postgresql';

/** The folder of PostgreSQL's programs; `undefined` if Debian's package is not installed. */
export const POSTGRES_PROGRAMS: string | undefined = existsSync(DEBIAN)
  ? readdirSync(DEBIAN)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(DEBIAN, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb')))
  : undefined;

/** Returns the settings of a store whose connection is in a thread of the built program. */
export const settingsFor = (url: string, limits: Partial<PostgresLimits> = {}): PostgresSettings => ({
  url,
  limits: { ...DEFAULT_LIMITS, ...limits },
  program: { path: BUILT_PROGRAM, argv: [DATABASE_MARK] },
});

/** Opens a store of this process. */
export const openShared = (url: string, limits: Partial<PostgresLimits> = {}): SharedStore =>
  openPostgresStore(settingsFor(url, limits));

/** Creates a server in a temporary directory, and starts it. It runs as the user `postgres`, since it refuses root. */
export async function startPostgres(settings: readonly string[] = ['fsync=off']): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-pg-'));
  const user = unprivilegedUser();
  const data = join(directory, 'data');
  mkdirSync(data);
  chmodSync(directory, 0o755);
  chmodSync(data, 0o700);
  if (user) for (const path of [directory, data]) chownSync(path, user.uid, user.gid);
  const program = (name: string): string => join(POSTGRES_PROGRAMS ?? '', name);
  execFileSync(program('initdb'), ['-D', data, '--no-sync', '-A', 'trust', '-U', 'owner', '-E', 'UTF8'], {
    stdio: 'ignore',
    cwd: directory,
    ...user,
  });
  const port = await freePort();
  const options = [`listen_addresses=127.0.0.1`, `unix_socket_directories=${directory}`, `port=${port}`, ...settings];
  const socketUrl = (query: string): string => `postgres:///postgres?host=${directory}&port=${port}&user=owner${query}`;
  const sql: PostgresServer['sql'] = async (text) => {
    const client = new pg.Client({ connectionString: socketUrl('') });
    await client.connect();
    try {
      const answers: unknown = await client.query(text);
      const last = (Array.isArray(answers) ? answers.at(-1) : answers) as pg.QueryResult<Record<string, unknown>>;
      return last.rows;
    } finally {
      await client.end();
    }
  };
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const args = ['-D', data, ...options.flatMap((option) => ['-c', option])];
    server = spawn(program('postgres'), args, { stdio: 'ignore', cwd: directory, ...user });
    for (let left = 200; ; left--) {
      try {
        await sql('SELECT 1');
        return;
      } catch (error) {
        if (left === 0) throw error;
        await sleep(50);
      }
    }
  };
  const end = async (signal: 'SIGINT' | 'SIGQUIT'): Promise<void> => {
    if (!server || server.exitCode !== null) return;
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server.kill(signal);
    await ended;
  };
  await start();
  await sql(`CREATE ROLE guarded LOGIN PASSWORD '${PASSWORD}'; GRANT CREATE ON DATABASE postgres TO guarded`);
  execFileSync('sed', ['-i', 's/^\\(host .*\\)trust$/\\1scram-sha-256/', join(data, 'pg_hba.conf')], { ...user });
  await sql('SELECT pg_reload_conf()');
  return {
    url: (schema) => socketUrl(`&schema=${schema}`),
    guardedUrl: (password) => `postgres://guarded:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    socket: join(directory, `.s.PGSQL.${port}`),
    sql,
    start,
    crash: async () => {
      await end('SIGQUIT');
      await start();
    },
    stop: () => end('SIGINT'),
    remove: async () => {
      await end('SIGQUIT');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The user that the server runs as if this process is root's. */
function unprivilegedUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string): number => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
