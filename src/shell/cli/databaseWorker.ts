import { type PgPackage, startPostgresWorker } from '../store/postgres/postgresWorker.ts';
import { installedPackages } from './packages.ts';

export function startDatabaseWorker(): void {
  startPostgresWorker(() => installedPackages.load('pg') as PgPackage);
}
