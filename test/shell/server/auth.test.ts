import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { authorizedUser, createCredential, parseRpcauth } from '../../../src/shell/server/auth.ts';

/** A line printed by a node's `rpcauth.py`, and its password: from Bitcoin Core, test/functional/rpc_users.py (MIT). */
const RPCAUTH = 'rt:93648e835a54c573682c2eb19f882535$7681e9c5b74bdd85e78166031d2058e1069b3ed7ed967c93fc63abba06f31144';
const RPCAUTH_PASSWORD = 'cA773lm788buwYe4g4WT+05pKyNruVKjQ25x3n0DQcM=';

const header = (login: string): string => `Basic ${Buffer.from(login).toString('base64')}`;

describe('--rpcauth', () => {
  test("accepts the output of a node's script", () => {
    const credential = parseRpcauth(RPCAUTH);
    expect(credential?.user).toBe('rt');
    const known = credential ? [credential] : [];
    expect(authorizedUser(header(`rt:${RPCAUTH_PASSWORD}`), known, 'core-32')).toBe('rt');
    expect(authorizedUser(header(`rt:${RPCAUTH_PASSWORD}x`), known, 'core-32')).toBeUndefined();
    expect(authorizedUser(header(`rt2:${RPCAUTH_PASSWORD}`), known, 'core-32')).toBeUndefined();
  });

  test.each([
    '',
    'rt',
    'rt:salt',
    'rt:salt$',
    'rt:salt$00',
    `rt$${'0'.repeat(64)}`,
    `rt:salt$${'0'.repeat(63)}g`,
    `rt:salt$${'A'.repeat(64)}`,
    `rt:a$b$${'0'.repeat(64)}`,
    `rt:a:b$${'0'.repeat(64)}`,
    `${RPCAUTH}\n`,
  ])('refuses %j', (text) => {
    expect(parseRpcauth(text)).toBeUndefined();
  });
});

describe('a login', () => {
  const known = [createCredential('alice', 'pass:wörd'), createCredential('bob', 'x'), createCredential('bob', 'y')];
  const base64 = Buffer.from('bob:x').toString('base64');
  type Row = readonly [what: string, header: string, in021: string | undefined, in31: string | undefined];
  const rows: readonly Row[] = [
    ['with a colon and UTF-8 in the password', header('alice:pass:wörd'), 'alice', 'alice'],
    ['of a user with two passwords', header('bob:y'), 'bob', 'bob'],
    ['with the password of another user', header('alice:x'), undefined, undefined],
    ['with the beginning of a password', header('alice:pass'), undefined, undefined],
    ['without a password', header('alice'), undefined, undefined],
    ['with an empty password', header('alice:'), undefined, undefined],
    ['without a name', header(':x'), undefined, undefined],
    ['in different case', header('Bob:x'), undefined, undefined],
    ['in an empty header', '', undefined, undefined],
    ['without content', 'Basic ', undefined, undefined],
    ['of another scheme', `Bearer ${base64}`, undefined, undefined],
    ['with the scheme in lower case', `basic ${base64}`, undefined, undefined],
    ['with blanks around it', `Basic   ${base64}  `, 'bob', 'bob'],
    ['with an invalid character after it', `Basic ${base64}*`, 'bob', undefined],
    ['without padding', `Basic ${Buffer.from('bob:x!').toString('base64')}`, undefined, undefined],
  ];
  test.each(rows)('%s', (_, text, in021, in31) => {
    expect(authorizedUser(text, known, 'core-0.21')).toBe(in021);
    expect(authorizedUser(text, known, 'core-32')).toBe(in31);
  });

  test('is kept without its password', () => {
    const { salt, hash } = createCredential('alice', 'secret');
    expect(salt).toMatch(/^[0-9a-f]{32}$/);
    expect(Buffer.from(hash)).toEqual(createHmac('sha256', salt).update('secret').digest());
    expect(createCredential('alice', 'secret').salt).not.toBe(salt);
  });

  test('never succeeds without credentials', () => {
    expect(authorizedUser(header('alice:x'), [], 'core-32')).toBeUndefined();
  });
});
