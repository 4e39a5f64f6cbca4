import { BtcError } from '../../../core/errors.ts';
import { type PostgresPlace, statementFault } from './postgresFaults.ts';
import type { PostgresLimits, Reply, Statement, StatementFault, StatementResult } from './postgresMessages.ts';
import { SCHEMA_VERSION, type Statements, statementsFor } from './postgresSchema.ts';
import { parsePostgresUrl, urlFault } from './postgresUrl.ts';
import { startWorkerBridge, type WorkerBridge, type WorkerProgram } from './workerBridge.ts';

export type Answer =
  | { readonly kind: 'results'; readonly results: readonly StatementResult[] }
  | { readonly kind: 'refused'; readonly fault: StatementFault }
  /** The connection ended; the statements may have taken effect. */
  | { readonly kind: 'lost'; readonly fault: StatementFault };

/** A connection to a database whose tables exist. */
export interface PostgresSession {
  readonly place: PostgresPlace;
  readonly statements: Statements;
  readonly isConnected: () => boolean;
  readonly connect: () => void;
  /** Sends statements in one round trip, and waits. Without a connection, they are lost. */
  readonly run: (statements: readonly Statement[]) => Answer;
  readonly tell: (statements: readonly Statement[]) => void;
  readonly close: () => void;
}

export interface PostgresSettings {
  /** `?schema=` names the schema. The login may come from the environment or `~/.pgpass` instead. */
  readonly url: string;
  readonly program: WorkerProgram;
  readonly limits: PostgresLimits;
}

/** Milliseconds beyond the server's own limits for its answer to arrive. */
const GRACE = 5000;

/** Milliseconds. */
const CLOSING = 1000;

/** @throws `store/failed` if the URL is invalid */
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

/** pg has no code for its own time limit. */
const connectingFault = (fault: StatementFault): StatementFault =>
  /timeout/i.test(fault.message) && fault.code === 'unknown' ? { ...fault, code: 'ETIMEDOUT' } : fault;

/** Settings that a URL must not change, or that no connection parameter sets. */
const SETTINGS: readonly Statement[] = [
  { text: "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'" },
  { text: "SELECT set_config('bytea_output', 'hex', false)" },
  { text: "SELECT set_config('tcp_keepalives_idle', '10', false)" },
  { text: "SELECT set_config('tcp_keepalives_interval', '5', false)" },
  { text: "SELECT set_config('tcp_keepalives_count', '3', false)" },
];

/** Creates missing tables, and verifies their version. */
function prepare({
  place,
  statements,
  run,
  tell,
}: Pick<PostgresSession, 'place' | 'statements' | 'run' | 'tell'>): void {
  const runForRow = (sent: readonly Statement[]): readonly unknown[] => {
    const answer = run(sent);
    if (answer.kind === 'results') return answer.results.at(-1)?.rows[0] ?? [];
    tell([statements.rollback]);
    throw statementFault(place, answer.fault);
  };
  const [hasSchema, hasTables] = runForRow([...SETTINGS, statements.exists]);
  if (hasTables !== true) runForRow(statements.create(hasSchema !== true));
  const version = Number(runForRow([statements.format])[0]);
  if (version === SCHEMA_VERSION) return;
  const { path } = place;
  throw new BtcError(
    'store/version',
    { path, version, newest: SCHEMA_VERSION },
    `The tables in ${path} have version ${version}, and this release knows version ${SCHEMA_VERSION}: use ${version > SCHEMA_VERSION ? 'a newer release' : 'another schema'}`,
  );
}

const DEFAULT_SCHEMA = 'countersign';

/** PostgreSQL's limit in bytes. */
const LONGEST_NAME = 63;

function schemaNamed(name: string): string {
  if (/[\0"]/.test(name) || Buffer.byteLength(name) > LONGEST_NAME) {
    throw urlFault(`the name of the schema must have 1 to ${LONGEST_NAME} bytes, without quotes`);
  }
  return name || DEFAULT_SCHEMA;
}
