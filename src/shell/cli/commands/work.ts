import type PgBoss from 'pg-boss';
import { createRpc } from '../../../answers/createRpc.ts';
import { answerText } from '../../../answers/envelope.ts';
import { driverText } from '../../store/postgres/postgresFaults.ts';
import { type PostgresUrl, parsePostgresUrl } from '../../store/postgres/postgresUrl.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { type AnswerRequests, answerQueuedJobs } from '../../workers/queuedJobs.ts';
import type { WorkerPool } from '../../workers/workerPool.ts';
import { assertNoArguments, declareCommand } from '../declareCommand.ts';
import { PASSWORD_WARNING } from '../input/secrets.ts';
import { type CommandContext, openContext } from '../openContext.ts';
import { type CommandLine, text } from '../options.ts';
import { installedPackages } from '../packages.ts';
import { openPool, threadCount } from '../threads.ts';

const DEFAULT_SCHEMA = 'pgboss';
const DEFAULT_QUEUE = 'countersign';

/** A job whose process ended is repeated after `expireInSeconds`. */
const QUEUE_OPTIONS = { retryLimit: 10, expireInSeconds: 60 } as const;

/** In seconds. */
const MAINTENANCE = 10;

/** Jobs for a thread at a time. */
const GROUP = 10;

/** In milliseconds. */
const PAUSE = 500;

const options = {
  queue: text(
    'URL',
    'postgres://USER@HOST:PORT/DATABASE, with the password in PGPASSWORD or ~/.pgpass (?schema=NAME: the schema of pg-boss, default pgboss; ?queue=NAME: default countersign)',
  ),
  jobs: text('COUNT', 'answer on at most this many threads (default: one per core)'),
};

export const work = declareCommand({
  synopsis: 'work',
  about: `Answers JSON-RPC requests from a queue in PostgreSQL, until interrupted: those of methods that need neither wallets nor a
chain. Any number of processes on any number of machines may share a queue; docs/server.md says how to send requests.`,
  options,
  examples: ['countersign work --queue postgres://countersign@db.example/jobs --network main'],
  run: runWork,
});

async function runWork(line: CommandLine<typeof options>, io: Io): Promise<number> {
  assertNoArguments(line, 'work takes no arguments: requests come from the queue');
  const url = queueUrl(line.queue);
  const context = await openContext(line, io);
  const size = threadCount('--jobs', line.jobs, io);
  if (url.password !== '') io.writeError(PASSWORD_WARNING);
  const boss = createBoss(url);
  const onFault = reporter(url, io);
  boss.on('error', onFault);
  const stop = new AbortController();
  const ignoreStops = io.onStopRequest(() => stop.abort());
  const pool = size > 1 ? await openPool({ context }, { size, arithmetic: line.arithmetic }, io) : undefined;
  try {
    await startBoss(boss, url);
    io.writeError(`answering the queue ${url.options.queue} of ${url.path}; Ctrl-C stops\n`);
    const settings = { lanes: size, group: GROUP, pause: PAUSE, onFault, stop: stop.signal };
    const queue = { name: url.options.queue, boss };
    const count = await answerQueuedJobs(queue, answererWith(context, pool), settings);
    io.writeError(`answered ${count} jobs\n`);
  } finally {
    ignoreStops();
    await boss.stop({ graceful: false }).catch(() => undefined);
    await pool?.close();
  }
  return 0;
}

type QueueUrl = PostgresUrl<'schema' | 'queue'>;

function queueUrl(text: string | undefined): QueueUrl {
  if (text === undefined) throw new UsageError('work needs --queue postgres://USER@HOST:PORT/DATABASE');
  const { options, ...url } = withUsageErrors(
    () => parsePostgresUrl(text, ['schema', 'queue']),
    (reason) => `--queue: ${reason}`,
  );
  const { schema = '', queue = '' } = options;
  if (!/^(?:[A-Za-z_]\w{0,49})?$/.test(schema)) {
    throw new UsageError('--queue: a schema of pg-boss has at most 50 letters, digits and underscores');
  }
  if (!/^[\w-]{0,100}$/.test(queue)) {
    throw new UsageError('--queue: the name of a queue has at most 100 letters, digits, underscores and hyphens');
  }
  return { ...url, options: { schema: schema || DEFAULT_SCHEMA, queue: queue || DEFAULT_QUEUE } };
}

function createBoss({ plainUrl, options: { schema } }: QueueUrl): PgBoss {
  let Boss: typeof PgBoss;
  try {
    Boss = installedPackages.load('pg-boss') as typeof PgBoss;
  } catch {
    throw new UsageError(
      '--queue: the package pg-boss is not installed here: install it beside countersign (npm install pg-boss)',
    );
  }
  return new Boss({
    connectionString: plainUrl,
    schema,
    schedule: false,
    maintenanceIntervalSeconds: MAINTENANCE,
    application_name: 'countersign work',
  });
}

async function startBoss(boss: PgBoss, url: QueueUrl): Promise<void> {
  const { queue: name } = url.options;
  try {
    await boss.start();
    if (!(await boss.getQueue(name))) await boss.createQueue(name, { name, ...QUEUE_OPTIONS });
  } catch (error) {
    throw new UsageError(`--queue: cannot use ${url.path}: ${driverText(error, url.password)}`);
  }
}

/** Reports a repeated fault once. */
function reporter({ path, password }: QueueUrl, io: Io): (error: unknown) => void {
  let last = '';
  return (error) => {
    const text = `warning: cannot use ${path}, trying again: ${driverText(error, password)}\n`;
    if (text !== last) io.writeError(text);
    last = text;
  };
}

function answererWith(context: CommandContext, pool: WorkerPool | undefined): AnswerRequests {
  const { network, dialect, ecc } = context;
  const rpc = createRpc({ network, dialect: dialect.name, ecc });
  const answerHere = (text: string): string => answerText(rpc, text, { readsWallet: true });
  return async (requests) => {
    const answers = pool ? await pool.answerLines(requests, false) : [];
    // Methods that need a node get the answer that they do not exist.
    return requests.map((text, i) => answers[i]?.answer ?? answerHere(text));
  };
}
