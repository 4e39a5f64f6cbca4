import { execFileSync } from 'node:child_process';
import * as nodeFiles from 'node:fs';
import {
  chmodSync,
  linkSync,
  lstatSync,
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
import { afterAll, describe, expect, test } from 'vitest';
import { storeFaultText } from '../../src/cli/store/faultText.ts';
import type { Files, Stat } from '../../src/cli/store/files.ts';
import { openStore } from '../../src/cli/store/openStore.ts';
import { expectRefusal, refusalOf } from '../support/refusal.ts';

/** Files and directories that another user may have prepared: nothing outside the store's directory is ever changed. */

const root = mkdtempSync(join(tmpdir(), 'countersign-trust-'));
let directories = 0;
const newDirectory = (): string => {
  const directory = join(root, String(directories++));
  mkdirSync(directory, { mode: 0o700 });
  return directory;
};
afterAll(() => rmSync(root, { recursive: true, force: true }));

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

const NAMES = ['journal', 'journal.new', 'journal.old'];

describe.each(NAMES)('%s', (name) => {
  test('is not followed where it is a link, to a file or to nothing', () => {
    for (const target of [victim(), join(root, 'missing')]) {
      const directory = newDirectory();
      const path = join(directory, name);
      symlinkSync(target, path);
      expectRefusal(() => openStore(directory), 'store/unsafe', { path, reason: 'link', mode: '0' });
      expect(readdirSync(directory)).toEqual([name]);
      if (target.endsWith('victim')) expectUntouched(target);
    }
    expect(() => lstatSync(join(root, 'missing'))).toThrow('ENOENT');
  });

  test('with a name elsewhere is neither overwritten nor changed', () => {
    const directory = newDirectory();
    const target = victim();
    linkSync(target, join(directory, name));
    // Alone, the old journal is the only one.
    if (name === 'journal.new') openStore(directory).close();
    else expect(refusalOf(() => openStore(directory)).data).toMatchObject({ reason: 'links' });
    expectUntouched(target);
  });

  test('is refused where it is a directory or a pipe, at once', () => {
    for (const make of [(path: string) => mkdirSync(path), (path: string) => execFileSync('mkfifo', [path])]) {
      const directory = newDirectory();
      const path = join(directory, name);
      make(path);
      expectRefusal(() => openStore(directory), 'store/unsafe', { path, reason: 'kind', mode: '0' });
    }
  });

  test("is refused where it is another user's", () => {
    const directory = newDirectory();
    const path = join(directory, name);
    writeFileSync(path, CONTENT);
    const foreign = (stat: Stat): Stat => ({ ...pick(stat), uid: stat.uid + 1 });
    const files: Files = {
      ...nodeFiles,
      lstatSync: (asked) => (asked === path ? foreign(nodeFiles.lstatSync(asked)) : nodeFiles.lstatSync(asked)),
    };
    expectRefusal(() => openStore(directory, files), 'store/unsafe', { path, reason: 'owner', mode: '0' });
    expect(readFileSync(path, 'utf8')).toBe(CONTENT);
  });
});

const pick = ({ size, ino, mode, uid, nlink }: Stat): Stat => ({ size, ino, mode, uid, nlink });

test('a file that is no journal keeps its mode as well as its bytes', () => {
  const directory = newDirectory();
  const path = join(directory, 'journal');
  writeFileSync(path, CONTENT);
  chmodSync(path, 0o644);
  expectRefusal(() => openStore(directory), 'store/corrupt', { path, offset: 0, reason: 'header' });
  expectUntouched(path);
});

test('a link that replaces a file after its check is not followed', () => {
  const directory = newDirectory();
  openStore(directory).close();
  const path = join(directory, 'journal');
  const target = victim();
  const files: Files = {
    ...nodeFiles,
    lstatSync: (asked) => {
      const stat = nodeFiles.lstatSync(asked);
      if (asked === path && stat.isFile()) {
        rmSync(path);
        symlinkSync(target, path);
      }
      return stat;
    },
  };
  expectRefusal(() => openStore(directory, files), 'store/unsafe', { path, reason: 'link', mode: '0' });
  expectUntouched(target);
});

describe('a directory', () => {
  test.each([0o777, 0o1777, 0o770, 0o720, 0o702])('of mode %o is refused, and says what to do', (mode) => {
    const directory = newDirectory();
    chmodSync(directory, mode);
    const refusal = refusalOf(() => openStore(directory));
    const data = { path: directory, reason: 'writable', mode: mode.toString(8) };
    expect(refusal).toMatchObject({ code: 'store/unsafe', data });
    expect(storeFaultText(refusal, directory)).toContain(
      `(mode ${data.mode}) and could replace wallets: run "chmod go-w `,
    );
    expect(readdirSync(directory)).toEqual([]);
    expect(statSync(directory).mode & 0o7777).toBe(mode);
  });

  test.each([0o700, 0o755, 0o750, 0o500])('of mode %o is not', (mode) => {
    const directory = newDirectory();
    openStore(directory).close();
    chmodSync(directory, mode);
    // Root may write everywhere.
    if (process.geteuid?.() === 0 || mode !== 0o500) openStore(directory).close();
  });

  test('below one in which all may rename what they like is refused, but not below /tmp and its like', () => {
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

  test('of another user, or behind a link that another user made, is refused', () => {
    const directory = newDirectory();
    const alias = `${directory}-alias`;
    symlinkSync(directory, alias);
    const owned = (stat: Stat, uid: number): Stat => ({ ...pick(stat), uid });
    const own = process.geteuid?.() ?? 0;
    const foreignDirectory: Files = { ...nodeFiles, statSync: (path) => owned(nodeFiles.statSync(path), own + 1) };
    const foreignLink: Files = { ...nodeFiles, lstatSync: (path) => owned(nodeFiles.lstatSync(path), own + 1) };
    expectRefusal(() => openStore(directory, foreignDirectory), 'store/unsafe', {
      path: directory,
      reason: 'owner',
      mode: '0',
    });
    expectRefusal(() => openStore(alias, foreignLink), 'store/unsafe', { path: alias, reason: 'link', mode: '0' });
    openStore(alias).close();
  });
});
