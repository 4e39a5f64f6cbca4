import { workerData } from 'node:worker_threads';
import type { Client, QueryResult } from 'pg';
import type {
  NumberedRequest,
  PostgresWorkerData,
  Reply,
  Request,
  Statement,
  StatementFault,
  StatementResult,
} from './postgresMessages.ts';

export interface PgPackage {
  readonly Client: typeof Client;
}

/** Holds a connection to PostgreSQL for the parent thread, and answers its requests in order. */
export function startPostgresWorker(load: () => PgPackage): void {
  const data = workerData as PostgresWorkerData;
  const { port } = data;
  const connection = createConnection(load, data);
  let last: Promise<void> = Promise.resolve();
  port.on('message', ({ id, request }: NumberedRequest) => {
    last = last.then(async () => {
      const reply = await replyTo(connection, request);
      if (id !== 0) {
        port.postMessage({ id, ...reply } satisfies Reply);
        Atomics.add(data.signal, 0, 1);
        Atomics.notify(data.signal, 0);
      }
      if (request.kind === 'close') port.close();
    });
  });
}

type Outcome = { readonly results: readonly StatementResult[] } | { readonly fault: StatementFault };

async function replyTo(connection: Connection, request: Request): Promise<Outcome> {
  try {
    if (request.kind === 'run') return { results: await connection.run(request.statements) };
    connection.drop();
    if (request.kind === 'connect') await connection.open();
    return { results: [] };
  } catch (error) {
    const fault = toFault(error);
    if (fault.isLost) connection.drop();
    return { fault };
  }
}

interface Connection {
  readonly open: () => Promise<void>;
  readonly run: (statements: readonly Statement[]) => Promise<readonly StatementResult[]>;
  readonly drop: () => void;
}

function createConnection(load: () => PgPackage, { url, limits }: PostgresWorkerData): Connection {
  let client: Client | undefined;
  let ending: unknown;
  let isBusy = false;
  const connectOnce = async (): Promise<Client> => {
    const { Client: PgClient } = load();
    const opened = new PgClient({
      connectionString: url,
      // One round trip for statements that are sent together.
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: limits.connect,
      statement_timeout: limits.statement,
      lock_timeout: limits.turn,
      idle_in_transaction_session_timeout: limits.silence,
      application_name: 'countersign',
    });
    opened.on('error', (error) => {
      // An earlier connection may end later.
      if (opened === client) ending ??= error;
    });
    await opened.connect();
    return opened;
  };
  const run: Connection['run'] = async (statements) => {
    if (!client || ending !== undefined) throw ending ?? new Error('there is no connection');
    isBusy = true;
    try {
      const settled = await Promise.allSettled(statements.map((statement) => send(client as Client, statement)));
      return settled.map((outcome) => {
        if (outcome.status === 'rejected') throw outcome.reason;
        return toStatementResult(outcome.value);
      });
    } finally {
      isBusy = false;
    }
  };
  // Keeps the turn of a call that computes for long. A stopped process stops this, too.
  const pulse = setInterval(() => {
    if (client && !isBusy && client.getTransactionStatus() === 'T') client.query('SELECT').catch(() => undefined);
  }, limits.silence / 4);
  pulse.unref();
  return {
    open: async () => {
      ending = undefined;
      client = await untilStarted(connectOnce, limits.connect);
    },
    run,
    drop: () => {
      client?.connection.stream.destroy();
      client = undefined;
      ending = undefined;
    },
  };
}

/** Retries while a server that was just started still recovers. */
async function untilStarted(connect: () => Promise<Client>, milliseconds: number): Promise<Client> {
  const end = performance.now() + milliseconds;
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      if (toFault(error).code !== CANNOT_CONNECT_NOW || performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** The server starts or stops. */
const CANNOT_CONNECT_NOW = '57P03';

const send = (client: Client, { text, name, values }: Statement): Promise<QueryResult<unknown[]>> =>
  client.query<unknown[]>({
    text,
    rowMode: 'array',
    ...(name === undefined ? {} : { name }),
    ...(values ? { values: [...values] } : {}),
  });

const toStatementResult = ({ rows, command }: QueryResult<unknown[]>): StatementResult => ({
  // A Buffer may be part of a larger one, all of which would be copied to the other thread.
  rows: rows.map((row) => row.map((value) => (value instanceof Uint8Array ? new Uint8Array(value) : value))),
  command,
});

function toFault(error: unknown): StatementFault {
  // One error for each address of the host.
  if (error instanceof AggregateError) return toFault(error.errors[0]);
  if (!(error instanceof Error)) return { code: 'unknown', message: 'unknown error', isLost: true };
  const { code, severity } = error as { readonly code?: unknown; readonly severity?: unknown };
  return { code: typeof code === 'string' ? code : 'unknown', message: error.message, isLost: severity !== 'ERROR' };
}
