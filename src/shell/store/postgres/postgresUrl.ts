import type { BtcError } from '../../../core/errors.ts';
import { databaseFault } from './postgresFaults.ts';

export interface PostgresUrl<Name extends string> {
  /** For texts: without the login and without options. */
  readonly path: string;
  /** No text may show it; empty without one. */
  readonly password: string;
  /** Our own options; empty if missing. */
  readonly options: Readonly<Record<Name, string>>;
  /** For the driver, without our own options. */
  readonly plainUrl: string;
}

/** @throws `store/failed`, which shows no part of the URL */
export function parsePostgresUrl<const Name extends string>(text: string, names: readonly Name[]): PostgresUrl<Name> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    throw urlFault('it needs a URL such as postgres://USER@HOST:5432/DATABASE');
  }
  // Such a password would end too early, and its rest would be shown in the path.
  if (url.hash !== '' || /@/.test(url.pathname + url.search)) {
    throw urlFault(
      'in its URL, write @, /, ?, # and % of a password as %40, %2F, %3F, %23 and %25, or use PGPASSWORD or ~/.pgpass',
    );
  }
  const options = Object.fromEntries(names.map((name) => [name, url.searchParams.get(name) ?? '']));
  for (const name of names) url.searchParams.delete(name);
  return {
    path: `postgres://${url.host}${url.pathname}`,
    password: decoded(url.password),
    options: options as Record<Name, string>,
    plainUrl: url.href,
  };
}

export const urlFault = (reason: string): BtcError => databaseFault('postgres://...', reason);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
