import { randomUUID } from 'node:crypto';
import { parseBytesKey } from '../../../core/bytes/compare.ts';
import type { RecordChange } from '../../../node/store/recordStore.ts';
import { confirmCommit } from './confirmCommit.ts';
import { lostFault, statementFault } from './postgresFaults.ts';
import type { Statement, StatementResult } from './postgresMessages.ts';
import { WRITTEN_MEANWHILE } from './postgresSchema.ts';
import type { Answer, PostgresSession } from './postgresSession.ts';
import { createRecentValues, type RecentValues } from './recentValues.ts';
import { keyOfBytes, wholeBytes } from './recordBytes.ts';

export interface PostgresView {
  readonly session: PostgresSession;
  /** As of `version`. */
  readonly values: RecentValues;
  version: number;
  /** Changes of others up to `version` that no call has received yet. */
  unreported: Map<string, Uint8Array | undefined> | 'all';
  /** `writing` has the turn to write. */
  state: 'outside' | 'reading' | 'writing';
  /** Set when another process was faster: the next transaction begins with the turn. */
  wantsTurn: boolean;
}

const KEPT_BYTES = 64_000_000;

/** In versions; a process further behind must reread what it keeps. */
const REMEMBERED = 10_000;

/** Interval at which removals are forgotten, in versions. */
const FORGETTING = 1000;

/** Bytes of values per round trip. */
const SENT_BYTES = 8_000_000;

export function openView(session: PostgresSession): PostgresView {
  const values = createRecentValues(KEPT_BYTES);
  const view: PostgresView = {
    session,
    values,
    version: 0,
    unreported: new Map(),
    state: 'outside',
    wantsTurn: false,
  };
  view.version = Number(runForRows(view, [session.statements.head])[0]?.[0]);
  return view;
}

/** @throws BtcError unless all statements succeed; then the transaction is over */
export function runForRows(view: PostgresView, sent: readonly Statement[]): StatementResult['rows'] {
  return expectResults(view, view.session.run(sent)).at(-1)?.rows ?? [];
}

function expectResults(view: PostgresView, answer: Answer): readonly StatementResult[] {
  if (answer.kind === 'results') return answer.results;
  leave(view);
  const { place } = view.session;
  throw answer.kind === 'lost' ? lostFault(place, answer.fault) : statementFault(place, answer.fault);
}

/** Ends the transaction, if any, without waiting. */
export function leave(view: PostgresView): void {
  if (view.state !== 'outside') view.session.tell([view.session.statements.rollback]);
  view.state = 'outside';
}

/** Begins a transaction and notes the changes of others. */
export function enter(view: PostgresView): void {
  const { session, wantsTurn, version } = view;
  const { begin, takeTurn, head, changes } = session.statements;
  if (!session.isConnected()) reconnect(view);
  const sent = [begin, ...(wantsTurn ? [takeTurn] : []), head, changes(version)];
  let answer = session.run(sent);
  if (answer.kind === 'lost') {
    // The connection ended since the last call: this one has not begun.
    reconnect(view);
    answer = session.run(sent);
  }
  view.state = wantsTurn ? 'writing' : 'reading';
  const [newest, changed] = expectResults(view, answer).slice(-2);
  view.wantsTurn = false;
  noteChanges(view, newest?.rows[0] ?? [], changed?.rows ?? []);
}

/** The new server may be another one, which lacks the last commits. */
function reconnect(view: PostgresView): void {
  view.session.connect();
  forgetAll(view);
}

function forgetAll(view: PostgresView): void {
  view.values.clear();
  view.unreported = 'all';
}

/** `head` holds the newest version, and the version up to which removals are forgotten. */
function noteChanges(view: PostgresView, head: readonly unknown[], rows: StatementResult['rows']): void {
  const [newest, forgotten] = head.map(Number);
  const isKnown = newest === view.version;
  const isListed = rows.length > 0 && Number(newest) > view.version && Number(forgotten) <= view.version;
  if (!isKnown && !isListed) forgetAll(view);
  view.version = Number(newest);
  for (const [bytes, value] of rows)
    noteChange(view, keyOfBytes(bytes), (value ?? undefined) as Uint8Array | undefined);
}

function noteChange({ values, unreported }: PostgresView, key: string, value: Uint8Array | undefined): void {
  values.keep(key, value);
  if (unreported !== 'all') unreported.set(key, value);
}

/** Ordered by key. */
export function takeUnreported(view: PostgresView): readonly RecordChange[] | 'all' {
  const { unreported } = view;
  view.unreported = new Map();
  return unreported === 'all' ? unreported : [...unreported].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns false if another process has written since the snapshot. */
export function claimTurn(view: PostgresView): boolean {
  if (view.state === 'writing') return true;
  const { run, statements } = view.session;
  const answer = run([statements.takeTurn, statements.assertNewest]);
  if (answer.kind === 'refused' && answer.fault.code === WRITTEN_MEANWHILE) {
    leave(view);
    view.wantsTurn = true;
    return false;
  }
  expectResults(view, answer);
  view.state = 'writing';
  return true;
}

/** Commits in a transaction that has the turn, which ends it. */
export function commitChanges(view: PostgresView, changes: readonly RecordChange[]): void {
  const { session } = view;
  const { put, advance, forget, commit } = session.statements;
  const version = view.version + 1;
  const id = randomUUID();
  const parts = splitChanges(changes).map((part) =>
    put(
      part.map(([key]) => parseBytesKey(key)),
      part.map(([, value]) => value && wholeBytes(value)),
      version,
    ),
  );
  for (const part of parts.slice(0, -1)) runForRows(view, [part]);
  const forgets = version % FORGETTING === 0 ? forget(version - REMEMBERED) : [];
  const answer = session.run([...parts.slice(-1), advance(version, id), ...forgets, commit]);
  if (answer.kind === 'lost') confirmLost(view, { version, id }, answer);
  else expectResults(view, answer);
  view.state = 'outside';
  view.version = version;
  for (const [key, value] of changes) {
    view.values.keep(key, value);
    if (view.unreported !== 'all') view.unreported.delete(key);
  }
}

function confirmLost(
  view: PostgresView,
  commit: Parameters<typeof confirmCommit>[1],
  { fault: loss }: Extract<Answer, { readonly kind: 'lost' }>,
): void {
  view.state = 'outside';
  forgetAll(view);
  const fault = confirmCommit(view.session, commit, loss);
  if (fault) throw fault;
}

function splitChanges(changes: readonly RecordChange[]): readonly (readonly RecordChange[])[] {
  const parts: RecordChange[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const change of changes) {
    const [key, value] = change;
    const added = key.length + (value?.length ?? 0);
    if (size + added > SENT_BYTES) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(change);
    size += added;
  }
  return parts;
}
