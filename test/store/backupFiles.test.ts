import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBackupFiles } from '../../src/store/backupFiles.ts';
import { makeDisk } from '../support/disk.ts';
import { temporaryPaths } from '../support/temporary.ts';

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

  test('are there whole or not at all, whichever call of the disk fails, and after a power cut', () => {
    let failures = 0;
    for (let call = 1; call < 12; call += 1) {
      const disk = makeDisk('/disk', () => 0.5);
      disk.failAt(call, 'ENOSPC');
      const before = disk.changes();
      const reason = createBackupFiles(disk.files).write('/disk/backup', CONTENT);
      const hasFailed = disk.changes() - before >= call;
      const contents = (): readonly Buffer[] =>
        disk.names().flatMap((name) => (name.endsWith('backup') ? [disk.read('/disk/backup')] : []));
      if (reason !== undefined) failures += 1;
      expect([undefined, 'the disk is full']).toContain(reason);
      expect(contents()).toEqual(reason === undefined ? [CONTENT] : []);
      disk.losePower();
      for (const content of contents()) expect(content).toEqual(CONTENT);
      if (!hasFailed) expect(contents()).toHaveLength(1);
    }
    expect(failures).toBeGreaterThan(2);
  });
});
