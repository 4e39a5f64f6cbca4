import { type PgPackage, startPostgresWorker } from '../store/postgres/postgresWorker.ts';
import { installedPackages } from './packages.ts';

/** Holds the connection of the store that started this thread. */
export function startDatabaseWorker(): void {
  startPostgresWorker(() => installedPackages.load('pg') as PgPackage);
}
