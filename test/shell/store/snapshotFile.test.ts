import { existsSync, readFileSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/shell/store/openStore.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const newPath = temporaryPaths();
const SNAPSHOT = { head: '{"a":"ä€"}', rows: '\u0000\u00ff\u0080ab', size: 5 };

/** Makes a directory with a snapshot after its second entry. */
function makeDirectory(): string {
  const directory = newPath();
  const store = openStore(directory);
  store.append(['first']);
  store.append(['second']);
  store.snapshots?.write(SNAPSHOT);
  store.close();
  return directory;
}

/** Opens a directory, and returns its snapshot. */
function snapshotIn(directory: string): unknown {
  const store = openStore(directory);
  const found = store.snapshots?.read();
  store.close();
  return found;
}

test('a snapshot is found again, also after further entries, in a file that only its owner may read', () => {
  const directory = makeDirectory();
  expect(snapshotIn(directory)).toEqual(SNAPSHOT);
  const store = openStore(directory);
  store.append(['third', 'fourth']);
  store.close();
  expect(snapshotIn(directory)).toEqual(SNAPSHOT);
  expect(statSync(join(directory, 'snapshot')).mode & 0o777).toBe(0o600);
  expect(existsSync(join(directory, 'snapshot.new'))).toBe(false);
});

test('a snapshot of entries that the journal no longer begins with is missing', () => {
  const truncated = makeDirectory();
  let store = openStore(truncated);
  store.truncate(1);
  expect(store.snapshots?.read()).toBeUndefined();
  store.append(['another']);
  store.close();
  expect(snapshotIn(truncated)).toBeUndefined();
  const rewritten = makeDirectory();
  store = openStore(rewritten);
  store.rewrite(['first', 'second']);
  store.close();
  expect(snapshotIn(rewritten)).toBeUndefined();
  const [one, other] = [makeDirectory(), makeDirectory()];
  writeFileSync(join(other, 'snapshot'), readFileSync(join(one, 'snapshot')));
  expect(snapshotIn(other)).toBeUndefined();
});

test('a snapshot with any byte changed, or cut short, is missing', () => {
  const directory = makeDirectory();
  const path = join(directory, 'snapshot');
  const whole = readFileSync(path);
  for (const at of whole.keys()) {
    const changed = Buffer.from(whole);
    changed.writeUInt8((whole[at] ?? 0) ^ 0x10, at);
    writeFileSync(path, changed);
    expect(snapshotIn(directory)).toBeUndefined();
  }
  for (let size = 0; size < whole.length; size += 1) {
    writeFileSync(path, whole.subarray(0, size));
    expect(snapshotIn(directory)).toBeUndefined();
  }
  writeFileSync(path, whole);
  expect(snapshotIn(directory)).toEqual(SNAPSHOT);
});

test('a snapshot that is a link is neither followed nor replaced in place', () => {
  const directory = makeDirectory();
  const [path, elsewhere] = [join(directory, 'snapshot'), newPath()];
  writeFileSync(elsewhere, readFileSync(path));
  unlinkSync(path);
  symlinkSync(elsewhere, path);
  expect(snapshotIn(directory)).toBeUndefined();
  const store = openStore(directory);
  store.snapshots?.write({ head: 'new', rows: '', size: 0 });
  store.close();
  expect(snapshotIn(directory)).toEqual({ head: 'new', rows: '', size: 0 });
  expect(readFileSync(elsewhere, 'utf8')).not.toContain('new');
});

test('a snapshot is due after 64 KiB of entries that are a sixteenth of the journal', () => {
  const store = openStore(newPath());
  expect(store.snapshots?.isDue(2 ** 16 - 1)).toBe(false);
  expect(store.snapshots?.isDue(2 ** 16)).toBe(true);
  store.append(['x'.repeat(2 ** 21)]);
  expect(store.snapshots?.isDue(2 ** 16)).toBe(false);
  expect(store.snapshots?.isDue(2 ** 17 + 100)).toBe(true);
  store.close();
});
