import { BtcError } from '../../../core/errors.ts';
import { type PostgresPlace, statementFault } from './postgresFaults.ts';
import type { PostgresLimits, Reply, Statement, StatementFault, StatementResult } from './postgresMessages.ts';
import { SCHEMA_VERSION, type Statements, statementsFor } from './postgresSchema.ts';
import { parsePostgresUrl, urlFault } from './postgresUrl.ts';
import { startWorkerBridge, type WorkerBridge, type WorkerProgram } from './workerBridge.ts';

/** The outcome of statements that were sent together. */
export type Answer =
  | { readonly kind: 'results'; readonly results: readonly StatementResult[] }
  /** The server refused a statement, and with it those that followed. */
  | { readonly kind: 'refused'; readonly fault: StatementFault }
  /** The connection ended. Whether the statements took effect is unknown. */
  | { readonly kind: 'lost'; readonly fault: StatementFault };

/** A connection to a database whose tables exist, for a thread that waits for each answer. */
export interface PostgresSession {
  readonly place: PostgresPlace;
  readonly statements: Statements;
  readonly isConnected: () => boolean;
  /** Opens a new connection. @throws BtcError `store/version`, `store/failed` */
  readonly connect: () => void;
  /** Sends statements in one round trip, and waits. Without a connection, they are lost. */
  readonly run: (statements: readonly Statement[]) => Answer;
  /** Sends statements whose results nothing needs, without waiting. */
  readonly tell: (statements: readonly Statement[]) => void;
  readonly close: () => void;
}

/** Location of a store, and the program that holds the connection. */
export interface PostgresSettings {
  /** With the login, if the environment and `~/.pgpass` do not have it. `?schema=` names the schema. */
  readonly url: string;
  readonly program: WorkerProgram;
  readonly limits: PostgresLimits;
}

/** The time in milliseconds beyond the server's own limits in which its answer must arrive. */
const GRACE = 5000;

/** The milliseconds that closing a connection may take. */
const CLOSING = 1000;

/**
 * Prepares a session without a connection.
 * @throws BtcError `store/failed` if the URL is invalid
 */
export function createPostgresSession({ url, program, limits }: PostgresSettings): PostgresSession {
  const { path, password, options, plainUrl } = parsePostgresUrl(url, ['schema']);
  const place: PostgresPlace = { path, password, limits };
  const statements = statementsFor(schemaNamed(options.schema));
  let bridge: WorkerBridge | undefined;
  let isConnected = false;

  const answerTo = (reply: Reply | undefined, milliseconds: number): Answer => {
    if (!reply) {
      // The thread may hang in a dead connection.
      bridge?.end();
      bridge = undefined;
      isConnected = false;
      const message = `no answer within ${milliseconds / 1000} s`;
      return { kind: 'lost', fault: { code: 'ETIMEDOUT', message, isLost: true } };
    }
    if ('results' in reply) return { kind: 'results', results: reply.results };
    if (!reply.fault.isLost) return { kind: 'refused', fault: reply.fault };
    isConnected = false;
    return { kind: 'lost', fault: reply.fault };
  };
  const run: PostgresSession['run'] = (sent) => {
    const milliseconds = limits.statement + GRACE;
    if (!bridge || !isConnected) return { kind: 'lost', fault: NO_CONNECTION };
    return answerTo(bridge.ask({ kind: 'run', statements: sent }, milliseconds), milliseconds);
  };
  const tell: PostgresSession['tell'] = (sent) => {
    if (isConnected) bridge?.tell({ kind: 'run', statements: sent });
  };
  const connect = (): void => {
    bridge ??= startWorkerBridge(program, plainUrl, limits);
    const milliseconds = limits.connect + GRACE;
    const answer = answerTo(bridge.ask({ kind: 'connect' }, milliseconds), milliseconds);
    if (answer.kind !== 'results') throw statementFault(place, connectingFault(answer.fault));
    isConnected = true;
    try {
      prepare({ place, statements, run, tell });
    } catch (error) {
      isConnected = false;
      throw error;
    }
  };
  return {
    place,
    statements,
    isConnected: () => isConnected,
    connect,
    run,
    tell,
    close: () => {
      isConnected = false;
      bridge?.ask({ kind: 'close' }, CLOSING);
      bridge?.end();
      bridge = undefined;
    },
  };
}

const NO_CONNECTION: StatementFault = { code: 'unknown', message: 'it ended before', isLost: true };

/** pg names no code for its own time limit. */
const connectingFault = (fault: StatementFault): StatementFault =>
  /timeout/i.test(fault.message) && fault.code === 'unknown' ? { ...fault, code: 'ETIMEDOUT' } : fault;

/** Settings of the session that a URL must not change, or that no parameter of a connection sets. */
const SETTINGS: readonly Statement[] = [
  { text: "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'" },
  { text: "SELECT set_config('bytea_output', 'hex', false)" },
  { text: "SELECT set_config('tcp_keepalives_idle', '10', false)" },
  { text: "SELECT set_config('tcp_keepalives_interval', '5', false)" },
  { text: "SELECT set_config('tcp_keepalives_count', '3', false)" },
];

/** Makes sure that the tables exist and have a known version. @throws BtcError `store/version`, `store/failed` */
function prepare({
  place,
  statements,
  run,
  tell,
}: Pick<PostgresSession, 'place' | 'statements' | 'run' | 'tell'>): void {
  const rowOf = (sent: readonly Statement[]): readonly unknown[] => {
    const answer = run(sent);
    if (answer.kind === 'results') return answer.results.at(-1)?.rows[0] ?? [];
    tell([statements.rollback]);
    throw statementFault(place, answer.fault);
  };
  const [hasSchema, hasTables] = rowOf([...SETTINGS, statements.exists]);
  if (hasTables !== true) rowOf(statements.create(hasSchema !== true));
  const version = Number(rowOf([statements.format])[0]);
  if (version === SCHEMA_VERSION) return;
  const { path } = place;
  throw new BtcError(
    'store/version',
    { path, version, newest: SCHEMA_VERSION },
    `The tables in ${path} have version ${version}, and this release knows version ${SCHEMA_VERSION}: use a newer release`,
  );
}

/** The schema of a URL that names none. */
const DEFAULT_SCHEMA = 'countersign';

/** The most bytes of a name in PostgreSQL. */
const LONGEST_NAME = 63;

/** Returns the name of the schema. @throws BtcError `store/failed` */
function schemaNamed(given: string): string {
  if (/[\0"]/.test(given) || Buffer.byteLength(given) > LONGEST_NAME) {
    throw urlFault(`the name of the schema must have 1 to ${LONGEST_NAME} bytes, without quotes`);
  }
  return given || DEFAULT_SCHEMA;
}
