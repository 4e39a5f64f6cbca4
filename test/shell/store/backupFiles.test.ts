import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBackupFiles } from '../../../src/shell/store/backupFiles.ts';
import { type Files, systemFiles } from '../../../src/shell/store/files.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const newPath = temporaryPaths();
const CONTENT = Buffer.from('the content of a backup, longer than one sector of the simulated disk');

describe('the files of backups', () => {
  const { write, read } = createBackupFiles();

  test('are whole, and only their owner may read them', () => {
    const path = newPath();
    expect(write(path, CONTENT)).toBeUndefined();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(read(path)).toEqual(new Uint8Array(CONTENT));
    expect(readdirSync(dirname(path)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('never replace a file, and need a directory', () => {
    const path = newPath();
    writeFileSync(path, 'mine');
    expect(write(path, CONTENT)).toBe('exists already');
    expect(readFileSync(path, 'utf8')).toBe('mine');
    const directory = newPath();
    mkdirSync(directory);
    expect(write(directory, CONTENT)).toBe('is a directory');
    expect(write(join(newPath(), 'missing', 'file'), CONTENT)).toBe('no such directory');
    expect(write('', CONTENT)).toBe('no such directory');
    expect(write(join(path, 'below'), CONTENT)).toBe('part of the path is not a directory');
    expect(readdirSync(directory)).toEqual([]);
  });

  test('lie in the directories that are named, whatever links and dots lead elsewhere', () => {
    const [walletDir, named, elsewhere] = [newPath(), newPath(), newPath()];
    for (const directory of [walletDir, named, elsewhere]) mkdirSync(directory);
    symlinkSync(elsewhere, join(named, 'way'));
    writeFileSync(join(elsewhere, 'there'), 'mine');
    const files = createBackupFiles({ walletDir, named: [named] });
    const find = (path: string): unknown => files.locate?.(path);
    const real = realpathSync(named);
    expect(find('a')).toEqual({ path: join(real, 'a') });
    expect(find(`${named}/below/../b`)).toEqual({ path: join(real, 'b') });
    expect(find('')).toEqual({ path: real });
    expect(find(join(walletDir, 'backups', 'c'))).toEqual({ path: join(realpathSync(walletDir), 'backups', 'c') });
    const [taken = '', free = ''] = ['there', 'not there'].map((name) => join(elsewhere, name));
    const outside = {
      fault: `lies outside ${named} or ${walletDir}/backups: name a file there, or start with --backup-dir DIRECTORY`,
    };
    for (const path of [
      taken,
      free,
      '..',
      '../x',
      'way/there',
      'way/not there',
      `${named}x`,
      '/',
      '/dev/null',
      walletDir,
    ]) {
      expect([path, find(path)]).toEqual([path, outside]);
    }
    expect(find('x'.repeat(5000))).toEqual({ fault: 'is longer than 4096 characters: choose a shorter path' });
    expect(createBackupFiles({ named: [] }).locate?.('a')).toEqual({
      fault: 'lies in no directory for backups: start with --backup-dir DIRECTORY',
    });
  });

  test('never lie among the files of a store, which names no backups itself', () => {
    const walletDir = newPath();
    mkdirSync(walletDir);
    for (const named of [undefined, [dirname(walletDir)], [walletDir]]) {
      const files = createBackupFiles({ walletDir, named });
      for (const name of ['wallet.sqlite', 'wallet.sqlite-wal', '.', 'below/file']) {
        expect(files.locate?.(join(walletDir, name))).toEqual({
          fault: `would lie among the files of the wallet directory: name a file in ${walletDir}/backups`,
        });
      }
      expect(files.locate?.(join(dirname(walletDir), 'a'))).toHaveProperty(named?.[0] === walletDir ? 'fault' : 'path');
    }
    const place = createBackupFiles({ walletDir, named: [] }).locate?.('a');
    const path = place && 'path' in place ? place.path : '';
    expect(createBackupFiles({ walletDir, named: [] }).write(path, CONTENT)).toBeUndefined();
    expect(readFileSync(join(walletDir, 'backups', 'a'))).toEqual(CONTENT);
    expect(statSync(join(walletDir, 'backups')).mode & 0o777).toBe(0o700);
  });

  test('are read only if they are files', () => {
    expect(read(newPath())).toBe('missing');
    const directory = newPath();
    mkdirSync(directory);
    expect(read(directory)).toBe('is not a regular file');
    const pipe = newPath();
    execFileSync('mkfifo', [pipe]);
    expect(read(pipe)).toBe('is not a regular file');
    expect(read('/dev/zero')).toBe('is not a regular file');
  });

  test('are there whole or not at all, whichever call of the system fails', () => {
    const steps = ['openSync', 'writeSync', 'fsyncSync', 'linkSync', 'unlinkSync'] as const;
    let failures = 0;
    for (let at = 0; at < 8; at++) {
      const path = newPath();
      const { files, calls } = failing(steps, at);
      const reason = createBackupFiles({}, files).write(path, CONTENT);
      if (reason !== undefined) failures += 1;
      expect([undefined, 'the disk is full']).toContain(reason);
      expect(read(path)).toEqual(reason === undefined ? new Uint8Array(CONTENT) : 'missing');
      // A file gets its name only once it is on disk.
      if (reason === undefined) expect(calls.indexOf('fsyncSync')).toBeLessThan(calls.indexOf('linkSync'));
    }
    expect(failures).toBe(3);
  });
});

type Step = 'openSync' | 'writeSync' | 'fsyncSync' | 'linkSync' | 'unlinkSync';

/** Makes files of which one call fails, by its number among these. */
function failing(steps: readonly Step[], at: number): { readonly files: Files; readonly calls: readonly string[] } {
  const calls: string[] = [];
  const wrapped = steps.map((step) => {
    const call = (...args: readonly unknown[]): unknown => {
      calls.push(step);
      if (calls.length === at + 1) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      return (systemFiles[step] as (...args: readonly unknown[]) => unknown)(...args);
    };
    return [step, call] as const;
  });
  return { files: { ...systemFiles, ...Object.fromEntries(wrapped) }, calls };
}
