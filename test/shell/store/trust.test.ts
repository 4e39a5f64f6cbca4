import { execFileSync } from 'node:child_process';
import * as nodeFiles from 'node:fs';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Files, Stat } from '../../../src/shell/store/files.ts';
import { openStore } from '../../../src/shell/store/openStore.ts';
import { expectRefusal, refusalOf } from '../../support/refusal.ts';
import { temporaryPaths } from '../../support/temporary.ts';

/** Another user may have prepared files and directories: the store changes nothing outside its directory. */

const newPath = temporaryPaths();
const newDirectory = (): string => {
  const directory = newPath();
  mkdirSync(directory, { mode: 0o700 });
  return directory;
};

const CONTENT = 'what another program keeps\n'.repeat(12);

function victim(): string {
  const path = join(newDirectory(), 'victim');
  writeFileSync(path, CONTENT, { mode: 0o644 });
  chmodSync(path, 0o644);
  return path;
}

function expectUntouched(path: string): void {
  expect(readFileSync(path, 'utf8')).toBe(CONTENT);
  expect(statSync(path).mode & 0o777).toBe(0o644);
}

const ownedBy = ({ size, mode, nlink }: Stat, uid: number): Stat => ({ size, mode, nlink, uid });

/** Wraps the file system so that another user owns one path; of a link, the link itself. */
function filesWithForeign(path: string): Files {
  const statWith =
    (stat: (asked: string) => Stat) =>
    (asked: string): Stat =>
      asked === path ? ownedBy(stat(asked), stat(asked).uid + 1) : stat(asked);
  return { ...nodeFiles, lstatSync: statWith(nodeFiles.lstatSync), statSync: statWith(nodeFiles.statSync) };
}

describe.each(['wallet.sqlite', 'wallet.sqlite-wal', 'wallet.sqlite-answered', 'wallet.sqlite-journal'])(
  '%s',
  (name) => {
    /** Expects the file of that name to be refused, and nothing to be made beside it. */
    function expectUnsafe(make: (path: string) => void, reason: string, files?: (path: string) => Files): void {
      const directory = newDirectory();
      const path = join(directory, name);
      make(path);
      const open = (): unknown => openStore(directory, files && { files: files(path) });
      expectRefusal(open, 'store/unsafe', { path, reason, mode: '0' });
      expect(readdirSync(directory)).toEqual([name]);
    }

    test('is not followed if it is a link, to a file or to nothing', () => {
      const [target, missing] = [victim(), newPath()];
      for (const to of [target, missing]) expectUnsafe((path) => symlinkSync(to, path), 'link');
      expectUntouched(target);
      expect(() => lstatSync(missing)).toThrow('ENOENT');
    });

    test('is neither overwritten nor changed if it is a hard link', () => {
      const target = victim();
      expectUnsafe((path) => linkSync(target, path), 'links');
      expectUntouched(target);
    });

    test('is refused at once if it is a directory or a pipe', () => {
      expectUnsafe((path) => mkdirSync(path), 'file');
      expectUnsafe((path) => execFileSync('mkfifo', [path]), 'file');
    });

    test('is refused if another user owns it', () => {
      expectUnsafe((path) => writeFileSync(path, CONTENT), 'owner', filesWithForeign);
    });
  },
);

test('a link in the place of a file that is being made is replaced, not followed', () => {
  const directory = newDirectory();
  const target = victim();
  symlinkSync(target, join(directory, 'wallet.sqlite.new'));
  openStore(directory).close();
  expectUntouched(target);
  expect(readdirSync(directory)).toEqual(['wallet.sqlite']);
});

describe('a directory', () => {
  test.each([0o777, 0o1777, 0o770, 0o720, 0o702])('of mode %o is refused with advice', (mode) => {
    const directory = newDirectory();
    chmodSync(directory, mode);
    const refusal = refusalOf(() => openStore(directory));
    const data = { path: directory, reason: 'writable', mode: mode.toString(8) };
    expect(refusal).toMatchObject({ code: 'store/unsafe', data });
    expect(refusal.message).toContain(`(mode ${data.mode}) and could replace wallets: run "chmod go-w `);
    expect(readdirSync(directory)).toEqual([]);
    expect(statSync(directory).mode & 0o7777).toBe(mode);
  });

  test.each([0o700, 0o755, 0o750, 0o500])('of mode %o is accepted', (mode) => {
    const directory = newDirectory();
    openStore(directory).close();
    chmodSync(directory, mode);
    // Root may write everywhere.
    if (process.geteuid?.() === 0 || mode !== 0o500) openStore(directory).close();
  });

  test('in a directory that others may write to is refused, unless that one is sticky like /tmp', () => {
    const parent = newDirectory();
    const directory = join(parent, 'deep', 'er');
    mkdirSync(directory, { recursive: true });
    chmodSync(parent, 0o777);
    expectRefusal(() => openStore(directory), 'store/unsafe', { path: parent, reason: 'parent', mode: '777' });
    for (const mode of [0o1777, 0o775]) {
      chmodSync(parent, mode);
      openStore(directory).close();
    }
  });

  test('of another user is refused', () => {
    const directory = newDirectory();
    const refusal = refusalOf(() => openStore(directory, { files: filesWithForeign(directory) }));
    expect(refusal).toMatchObject({ code: 'store/unsafe', data: { path: directory, reason: 'owner', mode: '0' } });
    expect(refusal.message).toContain(`${directory} belongs to another user`);
  });

  test('is refused if another user owns any link or directory on its path', () => {
    const root = newDirectory();
    const inRoot = (...names: string[]): string => join(root, ...names);
    mkdirSync(inRoot('first'), { mode: 0o700 });
    mkdirSync(inRoot('second', 'deep'), { recursive: true, mode: 0o700 });
    symlinkSync('../second/../second', inRoot('first', 'over'));
    symlinkSync(inRoot('first', 'over', 'deep'), inRoot('alias'));
    const directory = inRoot('alias', 'store');
    const real = inRoot('second', 'deep', 'store');
    const before = ['first', 'second', 'second/deep'].map((name) => readdirSync(inRoot(name)));
    const foreign = [
      [inRoot('alias'), 'link'],
      [inRoot('first', 'over'), 'link'],
      [inRoot('first'), 'owner'],
      [inRoot('second'), 'owner'],
      [inRoot('second', 'deep'), 'owner'],
      [root, 'owner'],
    ] as const;
    for (const [path, reason] of foreign) {
      const refusal = refusalOf(() => openStore(directory, { files: filesWithForeign(path) }));
      expect(refusal).toMatchObject({ code: 'store/unsafe', data: { path, reason } });
      expect(refusal.message).toContain(path);
    }
    // The store created nothing before it knew the owners.
    expect(['first', 'second', 'second/deep'].map((name) => readdirSync(inRoot(name)))).toEqual(before);
    openStore(directory).close();
    for (const [path, reason] of foreign) {
      expect(refusalOf(() => openStore(directory, { files: filesWithForeign(path) })).data).toMatchObject({
        path,
        reason,
      });
    }
    expect(readdirSync(real)).toEqual(['wallet.sqlite']);
  });

  test('behind a circle of links is refused', () => {
    const path = newPath();
    symlinkSync(path, path);
    expectRefusal(() => openStore(join(path, 'x')), 'store/failed', { path: join(path, 'x'), reason: 'ELOOP' });
  });
});
