import type { MessagePort } from 'node:worker_threads';

/** An SQL statement with its parameters. */
export interface Statement {
  readonly text: string;
  /** The name under which the connection keeps it prepared. */
  readonly name?: string;
  readonly values?: readonly unknown[];
}

/** The server's answer to one statement; `rows` hold strings, numbers and, for `bytea`, bytes. */
export interface StatementResult {
  readonly rows: readonly (readonly unknown[])[];
  /** The statement's tag, such as `COMMIT`. */
  readonly command: string;
}

/** Reason why statements failed. */
export interface StatementFault {
  /** The SQLSTATE, or the system's name of the error, such as `ECONNREFUSED`. */
  readonly code: string;
  readonly message: string;
  /** True if the connection ended with it. */
  readonly isLost: boolean;
}

/**
 * A request to the thread that holds the connection.
 *
 * - `connect`: closes the connection, if any, and opens a new one
 * - `run`: sends all statements at once; they run in this order, and the first that fails decides the reply
 * - `close`: closes the connection and ends the thread
 */
export type Request =
  | { readonly kind: 'connect' }
  | { readonly kind: 'run'; readonly statements: readonly Statement[] }
  | { readonly kind: 'close' };

/** The reply to the request with this number. */
export type Reply = { readonly id: number } & (
  | { readonly results: readonly StatementResult[] }
  | { readonly fault: StatementFault }
);

/** A request with its number; 0 wants no reply. */
export interface NumberedRequest {
  readonly id: number;
  readonly request: Request;
}

/** The most milliseconds that things may take. */
export interface PostgresLimits {
  /** Until the server has accepted a login. */
  readonly connect: number;
  /** Until the server has answered a statement; more than `turn`. */
  readonly statement: number;
  /** Until the turn to write has come. */
  readonly turn: number;
  /** Without a sign of life from a process in the middle of a call, before the server ends its turn; less than `turn`. */
  readonly silence: number;
  /** Until a server is back that left a commit without an answer. */
  readonly absence: number;
}

/** The data that the thread begins with. */
export interface PostgresWorkerData {
  /** Channel for requests and replies. */
  readonly port: MessagePort;
  /** With the password, if any. */
  readonly url: string;
  readonly limits: PostgresLimits;
  /** Counts the replies, so that the other thread can wait for the next. */
  readonly signal: Int32Array;
}
