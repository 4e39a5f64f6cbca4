import { expect, test } from 'vitest';
import { createPostgresSession } from '../../../../src/shell/store/postgres/postgresSession.ts';
import { DEFAULT_LIMITS } from '../../../../src/shell/store/postgres/postgresStore.ts';
import { refusalOf } from '../../../support/refusal.ts';

const sessionFor = (url: string) =>
  createPostgresSession({ url, limits: DEFAULT_LIMITS, program: { path: '/nowhere', argv: [] } });

test('errors name a database without the login', () => {
  const { place, isConnected } = sessionFor(
    'postgres://alice:sesame%40@db.example:5433/wallets?schema=x&sslmode=require',
  );
  expect(place).toMatchObject({ path: 'postgres://db.example:5433/wallets', password: 'sesame@' });
  expect(isConnected()).toBe(false);
});

test.each([
  ['no URL', 'sesame'],
  ['another protocol', 'mysql://alice:sesame@db/wallets'],
  ['a password with @ and /', 'postgres://alice:ses@me/sesame@db/wallets'],
  ['a password with ?', 'postgres://alice:1?sesame@db/wallets'],
  ['a password with #', 'postgres://alice:1#sesame@db/wallets'],
  ['a password with / at the start', 'postgres://alice:/sesame@db/wallets'],
])('a URL with %s is refused, and not shown', (_name, url) => {
  const { code, message } = refusalOf(() => sessionFor(url));
  expect(code).toBe('store/failed');
  expect(message).not.toContain('sesame');
});

test.each(['a"b', 'x'.repeat(64)])('the schema %o is refused', (schema) => {
  const url = `postgres://db/wallets?schema=${encodeURIComponent(schema)}`;
  expect(refusalOf(() => sessionFor(url)).message).toContain('the name of the schema must have 1 to 63 bytes');
});

test('without a connection, statements are lost', () => {
  const { run, statements } = sessionFor('postgres://db/wallets');
  expect(run([statements.begin])).toMatchObject({ kind: 'lost' });
});
