import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { authorizedUser } from '../../../src/shell/server/auth.ts';
import { createCookie } from '../../../src/shell/server/cookie.ts';

describe('the cookie', () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-cookie-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  const file = (): string => join(directory, '.cookie');

  test('is one line that only its owner can read, and allows a login', async () => {
    const cookie = createCookie(file());
    await cookie.write();
    const text = readFileSync(file(), 'utf8');
    expect(text).toMatch(/^__cookie__:[0-9a-f]{64}$/);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['.cookie']);
    const header = `Basic ${Buffer.from(text).toString('base64')}`;
    expect(authorizedUser(header, [cookie.credential], 'core-0.21')).toBe('__cookie__');
    expect(authorizedUser(header, [createCookie(file()).credential], 'core-0.21')).toBeUndefined();
  });

  test('replaces an older one, whatever its mode, and a half-written one', async () => {
    writeFileSync(file(), 'old', { mode: 0o644 });
    writeFileSync(`${file()}.tmp`, 'half', { mode: 0o644 });
    await createCookie(file()).write();
    expect(readFileSync(file(), 'utf8')).toMatch(/^__cookie__:/);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['.cookie']);
  });

  test('does not follow a link planted in its place', async () => {
    const target = join(directory, 'target');
    writeFileSync(target, 'kept');
    symlinkSync(target, `${file()}.tmp`);
    await createCookie(file()).write();
    expect(readFileSync(target, 'utf8')).toBe('kept');
  });

  test('is removed, but not that of another run', async () => {
    const cookie = createCookie(file());
    await cookie.write();
    await cookie.remove();
    expect(readdirSync(directory)).toEqual([]);
    await cookie.remove();
    const other = createCookie(file());
    await other.write();
    await cookie.remove();
    expect(readdirSync(directory)).toEqual(['.cookie']);
  });

  test('names the file that cannot be written, and the reason', async () => {
    const nowhere = createCookie(join(directory, 'no', '.cookie'));
    await expect(nowhere.write()).rejects.toThrow(
      `cannot write ${join(directory, 'no', '.cookie')}: no such directory; name another file with --rpccookiefile, or use --norpccookiefile with --rpcuser or --rpcauth`,
    );
    mkdirSync(file());
    await expect(createCookie(file()).write()).rejects.toThrow(/cannot write .*: it is a directory/);
    expect(readdirSync(directory)).toEqual(['.cookie']);
  });
});
