import type { Statement } from './postgresMessages.ts';

export const SCHEMA_VERSION = 2;

/** Commits that `head` lists, so that a process can find out whether its own took place. */
export const RECENT_COMMITS = 64;

export const PAGE_RECORDS = 1000;
const PAGE_BYTES = 4_000_000;

/** Of other processes. Beyond these, `begin` returns `'all'`. */
const LISTED_CHANGES = 10_000;
const LISTED_BYTES = 16_000_000;

/** Those with a name stay prepared. */
export interface Statements {
  /** Row: whether the schema and its tables exist. */
  readonly exists: Statement;
  readonly format: Statement;
  readonly create: (createsSchema: boolean) => readonly Statement[];
  readonly begin: Statement;
  readonly takeTurn: Statement;
  /** Fails with {@link WRITTEN_MEANWHILE} if a change was committed after the snapshot. */
  readonly assertNewest: Statement;
  /** Row: the newest version, and the oldest whose later removals are all known. */
  readonly head: Statement;
  /** Rows: key and value of what changed after a version, or none if they are too many. */
  readonly changes: (version: number) => Statement;
  readonly get: (key: Uint8Array) => Statement;
  /** Rows: key, value and the page's number of records, of which values beyond 4 MB are left out. */
  readonly page: (from: Uint8Array, isAfter: boolean, end: Uint8Array | undefined) => Statement;
  readonly put: (
    keys: readonly Uint8Array[],
    values: readonly (Uint8Array | undefined)[],
    version: number,
  ) => Statement;
  /** Fails unless the version before is the newest. */
  readonly advance: (version: number, id: string) => Statement;
  readonly forget: (version: number) => readonly Statement[];
  /** Row: the newest version, and the id of the commit that made `version`, if it is recent. */
  readonly findCommit: (version: number) => Statement;
  readonly commit: Statement;
  readonly rollback: Statement;
}

/** An SQLSTATE. */
export const WRITTEN_MEANWHILE = '40001';

/**
 * The tables: `records` has a row for each record, with the version that changed it last; a removed record keeps its
 * row without a value until others had time to see it. `head` has one row, which every commit changes. Locking the
 * empty table `turn` takes the turn to write. A row lock on `head` would not do: a repeatable read sees what was
 * committed before its first query, and that query would be the one that waits for the row.
 */
export function statementsFor(schema: string): Statements {
  const quoted = `"${schema.replaceAll('"', '""')}"`;
  const names = { schema: quoted, records: `${quoted}.records`, head: `${quoted}.head`, turn: `${quoted}.turn` };
  return {
    ...tableStatements(names),
    ...readStatements(names),
    ...writeStatements(names),
    begin: { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ' },
    commit: { text: 'COMMIT' },
    rollback: { text: 'ROLLBACK' },
  };
}

/** Quoted. */
interface Names {
  readonly schema: string;
  readonly records: string;
  readonly head: string;
  readonly turn: string;
}

function tableStatements({ schema, records, head, turn }: Names): Pick<Statements, 'exists' | 'format' | 'create'> {
  return {
    exists: {
      text: 'SELECT to_regnamespace($1) IS NOT NULL, to_regclass($2) IS NOT NULL',
      values: [schema, head],
    },
    format: { text: `SELECT format FROM ${head}` },
    create: (createsSchema) =>
      [
        'BEGIN',
        // Processes that create the same at the same time would fail.
        "SELECT pg_advisory_xact_lock(hashtext('countersign'))",
        ...(createsSchema ? [`CREATE SCHEMA IF NOT EXISTS ${schema}`] : []),
        `CREATE TABLE IF NOT EXISTS ${records} (key bytea PRIMARY KEY, value bytea, version bigint NOT NULL)`,
        // Blocks and transactions barely shrink.
        `ALTER TABLE ${records} ALTER COLUMN value SET STORAGE EXTERNAL`,
        `CREATE INDEX IF NOT EXISTS records_by_version ON ${records} (version)`,
        `CREATE TABLE IF NOT EXISTS ${turn} ()`,
        `CREATE TABLE IF NOT EXISTS ${head} (one boolean PRIMARY KEY CHECK (one), format int NOT NULL,
          version bigint NOT NULL, forgotten bigint NOT NULL, recent uuid[] NOT NULL)`,
        `INSERT INTO ${head} VALUES (true, ${SCHEMA_VERSION}, 0, 0, '{}') ON CONFLICT DO NOTHING`,
        'COMMIT',
      ].map((text) => ({ text })),
  };
}

function readStatements({
  records,
  head,
}: Names): Pick<Statements, 'head' | 'changes' | 'get' | 'page' | 'findCommit'> {
  const page = (compare: string, hasEnd: boolean): string =>
    `SELECT key, value, found FROM (
      SELECT key, value, (count(*) OVER ())::int AS found,
        sum(octet_length(value)) OVER (ORDER BY key) - octet_length(value) AS before
      FROM (SELECT key, value FROM ${records} WHERE key ${compare} $1 ${hasEnd ? 'AND key < $2' : ''}
        AND value IS NOT NULL ORDER BY key LIMIT ${PAGE_RECORDS}) AS next) AS sized
    WHERE before < ${PAGE_BYTES} ORDER BY key`;
  return {
    head: { name: 'head', text: `SELECT version, forgotten FROM ${head}` },
    changes: (version) => ({
      name: 'changes',
      text: `SELECT key, value FROM (
          SELECT key, value, sum(octet_length(value)) OVER () AS size, count(*) OVER () AS found
          FROM (SELECT key, value FROM ${records} WHERE version > $1 LIMIT ${LISTED_CHANGES + 1}) AS changed) AS sized
        WHERE found <= ${LISTED_CHANGES} AND (size IS NULL OR size <= ${LISTED_BYTES}) ORDER BY key`,
      values: [version],
    }),
    get: (key) => ({ name: 'get', text: `SELECT value FROM ${records} WHERE key = $1`, values: [key] }),
    page: (from, isAfter, end) => ({
      name: `page ${isAfter ? 'after' : 'from'}${end ? ' to' : ''}`,
      text: page(isAfter ? '>' : '>=', end !== undefined),
      values: end ? [from, end] : [from],
    }),
    findCommit: (version) => ({
      text: `SELECT version, recent[(version - $1::bigint + 1)::int] FROM ${head}`,
      values: [version],
    }),
  };
}

function writeStatements({
  records,
  head,
  turn,
}: Names): Pick<Statements, 'takeTurn' | 'assertNewest' | 'put' | 'advance' | 'forget'> {
  return {
    takeTurn: { text: `LOCK TABLE ${turn} IN EXCLUSIVE MODE` },
    assertNewest: { name: 'newest', text: `SELECT version FROM ${head} FOR UPDATE` },
    put: (keys, values, version) => ({
      name: 'put',
      text: `INSERT INTO ${records} (key, value, version) SELECT key, value, $3
        FROM unnest($1::bytea[], $2::bytea[]) AS given (key, value)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, version = excluded.version`,
      values: [keys, values, version],
    }),
    advance: (version, id) => ({
      name: 'advance',
      // Without a version, the server refuses the row and the whole transaction.
      text: `UPDATE ${head} SET version = CASE WHEN version = $1::bigint - 1 THEN $1::bigint END,
        recent = array_prepend($2::uuid, recent[1:${RECENT_COMMITS - 1}])`,
      values: [version, id],
    }),
    forget: (version) => [
      { text: `DELETE FROM ${records} WHERE value IS NULL AND version <= $1`, values: [version] },
      { text: `UPDATE ${head} SET forgotten = $1 WHERE forgotten < $1`, values: [version] },
    ],
  };
}
