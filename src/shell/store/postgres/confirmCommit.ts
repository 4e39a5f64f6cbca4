import type { BtcError } from '../../../core/errors.ts';
import { databaseFault, lostFault, type PostgresPlace } from './postgresFaults.ts';
import type { StatementFault } from './postgresMessages.ts';
import { RECENT_COMMITS } from './postgresSchema.ts';
import type { PostgresSession } from './postgresSession.ts';

/** A commit whose answer did not arrive. */
export interface UnansweredCommit {
  readonly version: number;
  readonly id: string;
}

/** In milliseconds. */
const PAUSE = 200;

/**
 * Finds out on a new connection whether a commit took place.
 * @returns an error if it did not, or if that cannot be known
 */
export function confirmCommit(
  session: PostgresSession,
  commit: UnansweredCommit,
  loss: StatementFault,
): BtcError | undefined {
  const { place } = session;
  const end = performance.now() + place.limits.absence;
  for (;;) {
    const row = askOnce(session, commit);
    if (row) {
      const [newest, storedId] = row;
      if (storedId === commit.id) return undefined;
      if (Number(newest) - commit.version < RECENT_COMMITS) return lostFault(place, loss);
      return unknownFault(place, 'too much was changed since');
    }
    if (performance.now() > end) return unknownFault(place, 'it cannot be asked again');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, PAUSE);
  }
}

function askOnce(session: PostgresSession, { version }: UnansweredCommit): readonly unknown[] | undefined {
  const { begin, takeTurn, findCommit, rollback } = session.statements;
  try {
    session.connect();
  } catch {
    return undefined;
  }
  // The lost transaction has the turn until it is over, so this one sees its outcome.
  const answer = session.run([begin, takeTurn, findCommit(version)]);
  session.tell([rollback]);
  return answer.kind === 'results' ? answer.results.at(-1)?.rows[0] : undefined;
}

const unknownFault = ({ path }: PostgresPlace, why: string): BtcError =>
  databaseFault(
    path,
    `the connection was lost in a commit, and ${why}: see whether the change took place before you repeat it`,
    'unsure',
  );
