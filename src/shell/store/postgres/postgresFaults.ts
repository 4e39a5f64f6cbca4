import { BtcError } from '../../../core/errors.ts';
import type { PostgresLimits, StatementFault } from './postgresMessages.ts';

/** The path is the URL without the login. */
export interface PostgresPlace {
  readonly path: string;
  /** No text may show it. */
  readonly password: string;
  readonly limits: PostgresLimits;
}

export function databaseFault(path: string, reason: string, outcome?: 'unsure'): BtcError {
  const data = { path, reason, ...(outcome && { isUnsure: true as const }) };
  return new BtcError('store/failed', data, `Cannot use the database ${path}: ${reason}`);
}

export const NOTHING_CHANGED = 'nothing was changed, so repeat the call';

export const lostFault = (place: PostgresPlace, fault: StatementFault): BtcError =>
  databaseFault(place.path, `the connection was lost (${describeLoss(fault, place)}); ${NOTHING_CHANGED}`);

export function statementFault(place: PostgresPlace, fault: StatementFault): BtcError {
  const { path } = place;
  const reason = REASONS[fault.code]?.(place, fault) ?? describeFault(fault, place);
  return fault.code === DISK_FULL
    ? new BtcError('store/full', { path, reason }, `Cannot use the database ${path}: ${reason}`)
    : databaseFault(path, reason);
}

function describeFault(fault: StatementFault, place: PostgresPlace): string {
  const message = shownMessage(fault, place);
  return fault.code === 'unknown' ? message : `${message} (${fault.code})`;
}

const DISK_FULL = '53100';

type Explain = (place: PostgresPlace, fault: StatementFault) => string;

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;

const refusedLogin: Explain = (place, fault) =>
  `it refuses the login (${shownMessage(fault, place)}): check the user, and the password in PGPASSWORD or ~/.pgpass`;

const unreachable: Explain = (place, fault) =>
  `it cannot be reached (${shownMessage(fault, place)}): check that the server runs, its host and its port`;

/** By SQLSTATE or the system's name of an error. */
const REASONS: Readonly<Record<string, Explain>> = {
  '28000': refusedLogin,
  '28P01': refusedLogin,
  '42501': (place, fault) =>
    `the user lacks a right (${shownMessage(fault, place)}): let the owner of the database grant it, or create the schema for this user`,
  '23502': () => `this process has lost its turn to write; ${NOTHING_CHANGED}`,
  '25006': () => 'it is read-only, as a standby is: connect to the primary server',
  [DISK_FULL]: () => 'its disk is full: free some space',
  '55P03': ({ limits }) => `another process has had the turn to write for ${seconds(limits.turn)}; ${NOTHING_CHANGED}`,
  '57014': ({ limits }) => `a statement took longer than ${seconds(limits.statement)}; ${NOTHING_CHANGED}`,
  MODULE_NOT_FOUND: () => 'the package pg is not installed here: install it beside countersign (npm install pg)',
  ECONNREFUSED: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ENOENT: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  ETIMEDOUT: ({ limits }) =>
    `it did not answer within ${seconds(limits.connect)}: check that the server runs, its host and its port`,
};

export function driverText(error: unknown, password: string): string {
  // One error for each address of the host.
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return shownText(first instanceof Error ? first.message : 'unknown error', password);
}

function describeLoss(fault: StatementFault, place: PostgresPlace): string {
  if (fault.code === '25P03') return `this process was silent for ${seconds(place.limits.silence)} in its call`;
  return shownMessage(fault, place);
}

const shownMessage = ({ message }: StatementFault, { password }: PostgresPlace): string => shownText(message, password);

/** Returns the server's text on one line, without the password. */
function shownText(text: string, password: string): string {
  const redacted = password === '' ? text : text.replaceAll(password, '...');
  return redacted.replace(/[\p{C}\p{Z}]+/gu, ' ');
}
