import type { MessagePort } from 'node:worker_threads';

export interface Statement {
  readonly text: string;
  /** Under which the connection keeps the statement prepared. */
  readonly name?: string;
  readonly values?: readonly unknown[];
}

/** `rows` hold strings, numbers and, for `bytea`, bytes. */
export interface StatementResult {
  readonly rows: readonly (readonly unknown[])[];
  /** Such as `COMMIT`. */
  readonly command: string;
}

export interface StatementFault {
  /** The SQLSTATE, or the system's name of the error, such as `ECONNREFUSED`. */
  readonly code: string;
  readonly message: string;
  readonly isLost: boolean;
}

/**
 * `connect` replaces the connection. `run` sends all statements at once; the first that fails decides the reply.
 * `close` ends the thread.
 */
export type Request =
  | { readonly kind: 'connect' }
  | { readonly kind: 'run'; readonly statements: readonly Statement[] }
  | { readonly kind: 'close' };

export type Reply = { readonly id: number } & (
  | { readonly results: readonly StatementResult[] }
  | { readonly fault: StatementFault }
);

/** Number 0 wants no reply. */
export interface NumberedRequest {
  readonly id: number;
  readonly request: Request;
}

/** In milliseconds. */
export interface PostgresLimits {
  /** For the server to accept a login. */
  readonly connect: number;
  /** For a statement; more than `turn`. */
  readonly statement: number;
  /** For the turn to write. */
  readonly turn: number;
  /** Without a sign of life from a process in a call, before the server ends its turn; less than `turn`. */
  readonly silence: number;
  /** For a server to come back that left a commit without an answer. */
  readonly absence: number;
}

export interface PostgresWorkerData {
  readonly port: MessagePort;
  readonly url: string;
  readonly limits: PostgresLimits;
  /** The number of replies, which the other thread waits for. */
  readonly signal: Int32Array;
}
