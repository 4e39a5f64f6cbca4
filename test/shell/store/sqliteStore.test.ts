import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { afterEach, describe, expect, test } from 'vitest';
import type { RecordStore } from '../../../src/node/store/recordStore.ts';
import type { SqlitePackage } from '../../../src/shell/store/database.ts';
import { checkStore, openStore } from '../../../src/shell/store/openStore.ts';
import { openSqliteStore } from '../../../src/shell/store/sqliteStore.ts';
import { rounds, share, stride } from '../../support/campaign.ts';
import { fullDisk } from '../../support/fullDisk.ts';
import { batchOf, countIn, expectBatches, recordsAfter } from '../../support/recordBatches.ts';
import { describeRecords } from '../../support/recordContract.ts';
import { refusalIfAny, refusalOf } from '../../support/refusal.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const newPath = temporaryPaths();
const PAGE = 4096;
const code: SqlitePackage = sqlite as never;
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const fileIn = (directory: string): string => join(directory, 'wallet.sqlite');

describeRecords('a store in a directory', () => {
  const directory = newPath();
  return {
    store: openStore(directory),
    reopen: (store) => {
      store.close();
      return openStore(directory);
    },
  };
});

function writeBatches(store: RecordStore, count: number): void {
  for (let n = countIn(store.get) + 1; n <= count; n++) store.write(batchOf(n));
}

/** Makes a closed store in a new directory. */
function makeStore(batches: number): string {
  const directory = newPath();
  const store = openStore(directory);
  writeBatches(store, batches);
  store.close();
  return directory;
}

const fileOf = (batches: number): Buffer => readFileSync(fileIn(makeStore(batches)));
const toHex = (value: Uint8Array | undefined): string | undefined => value && Buffer.from(value).toString('hex');

/** Expects the same of single answers, and no other records. */
function expectAll({ get }: RecordStore, count: number): void {
  for (const [key, hex] of recordsAfter(count)) expect([key, toHex(get(key))]).toEqual([key, hex]);
  for (const key of ['', 'a', 'c', 'r', 'r1.', 'r999', 'z']) expect(get(key)).toBeUndefined();
}

describe('the file of a store', () => {
  test('is the only one once the store is closed, and readable by its owner only', () => {
    const directory = newPath();
    const store = openStore(directory);
    store.write(batchOf(1));
    expect(modeOf(directory)).toBe(0o700);
    for (const name of ['wallet.sqlite', 'wallet.sqlite-wal']) expect(modeOf(join(directory, name))).toBe(0o600);
    store.close();
    expect(readdirSync(directory)).toEqual(['wallet.sqlite']);
    chmodSync(fileIn(directory), 0o644);
    openStore(directory).close();
    expect(modeOf(fileIn(directory))).toBe(0o600);
  });

  test('does not change unless something is written', () => {
    const directory = makeStore(5);
    const bytes = readFileSync(fileIn(directory));
    for (let i = 0; i < 2; i++) {
      const store = openStore(directory);
      expectBatches(store, 5);
      store.close();
    }
    expect(readFileSync(fileIn(directory)).equals(bytes)).toBe(true);
  });

  test('can be read with plain SQL', () => {
    const directory = newPath();
    const store = openStore(directory);
    store.write([['bkey', Uint8Array.of(1, 2)]]);
    store.close();
    const database = new sqlite.Database(fileIn(directory), { readOnly: true });
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    const rows = database.all(
      'SELECT name, CAST(key AS TEXT) AS key, hex(value) AS value FROM records JOIN kinds USING (kind)',
    );
    expect(rows).toEqual([{ name: 'block', key: 'key', value: '0102' }]);
    database.close();
  });

  test('is checked, with the number of records of each kind', () => {
    const directory = newPath();
    const store = openStore(directory);
    store.write(['b1', 'b2'].map((key) => [key, Uint8Array.of(1)]));
    store.close();
    expect(checkStore(directory).counts).toMatchObject({ block: 2, coin: 0 });
    expect(refusalOf(() => checkStore(newPath())).message).toMatch(/wallet.sqlite: there is no such file: name a /);
  });

  test('keeps what was acknowledged after another program took the log away', () => {
    const directory = newPath();
    const store = openStore(directory);
    store.write([['b1', Uint8Array.of(1)]]);
    // As sqlite3 does: it moves the log into the file and removes it, since it sees no lock.
    rmSync(join(directory, 'wallet.sqlite-wal'));
    store.write([['b2', Uint8Array.of(2)]]);
    const copy = newPath();
    cpSync(directory, copy, { recursive: true, filter: (path) => !basename(path).startsWith('lock-') });
    const crashed = openStore(copy);
    expect(Array.from(crashed.list('b'), ([key]) => key)).toEqual(['b1', 'b2']);
    crashed.close();
    store.close();
  });
});

describe('a damaged file is refused or answers as before', () => {
  const path = newPath();

  /** Opens a file and asks for all records. @returns false if anything is refused; fails for another answer */
  function isHarmless(content: Buffer, count: number): boolean {
    writeFileSync(path, content);
    const steps = [
      (store: RecordStore) => expectAll(store, count),
      (store: RecordStore) => expectBatches(store, count),
    ];
    let store: RecordStore | undefined;
    const refusals = [
      () => {
        store = openSqliteStore(path, code);
      },
      ...steps.map((step) => () => store && step(store)),
    ].flatMap((step) => refusalIfAny(step)?.code ?? []);
    store?.close();
    for (const refused of refusals) expect(refused).toMatch(/^store\/(corrupt|version)$/);
    return refusals.length === 0;
  }

  /** Opens each damaged file, and prints how many were refused. */
  function expectSafe(what: string, batches: number, files: Iterable<Buffer>): void {
    const counts = { harmless: 0, refused: 0 };
    for (const content of files) counts[isHarmless(content, batches) ? 'harmless' : 'refused'] += 1;
    console.log(`${what}: ${JSON.stringify(counts)}`);
    expect(counts.refused).toBeGreaterThan(0);
  }

  function* flips(whole: Buffer, places: Iterable<number>): Generator<Buffer> {
    for (const at of places) {
      const flipped = Buffer.from(whole);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      yield flipped;
    }
  }

  test('whichever byte is flipped', () => {
    const small = fileOf(6);
    const places = Array.from({ length: small.length / stride }, (_, i) => i * stride + ((i + share) % stride));
    expectSafe('flips', 6, flips(small, places));
  });

  test('whichever byte is flipped in a larger one', () => {
    const large = fileOf(300);
    const places = Array.from({ length: rounds(2000) }, () => Math.floor(Math.random() * large.length));
    expectSafe('flips of a larger file', 300, flips(large, places));
  });

  test('whichever page is overwritten', () => {
    const large = fileOf(100);
    function* overwritten(): Generator<Buffer> {
      for (let at = 0; at < large.length; at += PAGE) {
        for (const page of [Buffer.alloc(PAGE), randomBytes(PAGE), large.subarray(PAGE, 2 * PAGE)]) {
          const bytes = Buffer.from(large);
          bytes.set(page, at);
          yield bytes;
        }
      }
    }
    expectSafe('pages', 100, overwritten());
  });

  test('wherever it is truncated', () => {
    const small = fileOf(6);
    const sizes = Array.from({ length: small.length / (8 * stride) }, (_, i) => 8 * (i * stride + share));
    expectSafe(
      'truncations',
      8,
      sizes.map((size) => small.subarray(0, size)),
    );
  });
});

describe('a file that is not a whole store', () => {
  const whole = fileOf(3);

  /** Expects a file to be refused and unchanged. */
  function expectRefused(content: Uint8Array, codeName: string, message: RegExp): void {
    const directory = newPath();
    mkdirSync(directory, { mode: 0o700 });
    writeFileSync(fileIn(directory), content);
    const refusal = refusalOf(() => openStore(directory));
    expect(refusal.code).toBe(codeName);
    expect(refusal.message).toMatch(message);
    expect(readFileSync(fileIn(directory)).equals(content)).toBe(true);
    expect(readdirSync(directory)).toEqual(['wallet.sqlite']);
  }

  const DAMAGED =
    /wallet.sqlite is damaged .*: restore it from a backup, or import the descriptors into a new directory$/;

  /** Returns the file of another program, or of ours after a change in SQL. */
  function madeWith(sql: string, from: Uint8Array = Buffer.alloc(0)): Buffer {
    const path = newPath();
    writeFileSync(path, from);
    const database = new sqlite.Database(path);
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; ${sql}`);
    database.close();
    return readFileSync(path);
  }

  test('is refused if it is empty, or ends before its last page', () => {
    for (let size = 0; size < whole.length; size += PAGE) {
      expectRefused(whole.subarray(0, size), 'store/corrupt', DAMAGED);
    }
  });

  test('is refused if it is the file of another program', () => {
    const texts = ['\n', 'SQLite format 3\0', '{}'.repeat(5000)];
    const others = [
      'CREATE TABLE mine (a)',
      'CREATE TABLE records (a); PRAGMA application_id = 7',
      'PRAGMA user_version = 1',
    ];
    for (const content of [...texts.map((text) => Buffer.from(text)), ...others.map((sql) => madeWith(sql))]) {
      expectRefused(content, 'store/corrupt', DAMAGED);
    }
  });

  test('is refused if its tables are not ours', () => {
    for (const sql of [
      'CREATE INDEX more ON records (sum)',
      'DROP TABLE kinds',
      'ALTER TABLE batches RENAME TO other',
    ]) {
      expectRefused(madeWith(sql, whole), 'store/corrupt', DAMAGED);
    }
  });

  test('is refused if a newer version wrote it', () => {
    const newer = madeWith('PRAGMA user_version = 2', whole);
    expectRefused(newer, 'store/version', /has version 2, and this program reads version 1: use a newer countersign$/);
  });

  test('is not made anew beside the log of a lost one', () => {
    const directory = makeStore(3);
    const store = openStore(directory);
    writeBatches(store, 4);
    rmSync(fileIn(directory));
    store.close();
    rmSync(join(directory, 'wallet.sqlite-answered'));
    writeFileSync(join(directory, 'wallet.sqlite-wal'), 'a log');
    expect(refusalOf(() => openStore(directory)).message).toMatch(/\(missing\): restore it from a backup/);
    expect(readdirSync(directory)).toEqual(['wallet.sqlite-wal']);
  });

  test('is made anew if a crash cut its creation short', () => {
    const directory = newPath();
    mkdirSync(join(directory, 'wallet.sqlite.new.lock'), { recursive: true, mode: 0o700 });
    writeFileSync(join(directory, 'wallet.sqlite.new'), 'half');
    openStore(directory).close();
    expect(readdirSync(directory)).toEqual(['wallet.sqlite']);
  });
});

test('a directory of a version before 1.0 is refused by name, with what to do, and unchanged', () => {
  const directory = newPath();
  mkdirSync(directory, { mode: 0o700 });
  writeFileSync(join(directory, 'journal'), 'countersign journal 2');
  const refusal = refusalOf(() => openStore(directory));
  expect(refusal).toMatchObject({ code: 'store/version', data: { path: directory, version: 0, newest: 1 } });
  expect(refusal.message).toMatch(/was made before 1.0 \(file "journal"\): .* import them into a new directory$/);
  expect(readdirSync(directory)).toEqual(['journal']);
});

test('a missing package is named, with what to do', () => {
  const refusal = refusalOf(() => openStore(newPath(), { sqlite: () => undefined }));
  expect(refusal.code).toBe('store/failed');
  expect(refusal.message).toContain('SQLite is not installed: run "npm install --global node-sqlite3-wasm@');
});

test('a purge leaves nothing of what was replaced or removed in any file of the directory', () => {
  const directory = newPath();
  const store = openStore(directory);
  const secret = 'a secret in the clear';
  // Records that grow and shrink move from page to page, and leave copies behind.
  for (let n = 0; n < 300; n++) {
    const keys = new Set(
      Array.from({ length: 8 }, (_, i) => `j${String((n * 37 + i * i * 11) % 200).padStart(3, '0')}`),
    );
    const texts = [...keys].map((key, i) => [key, ((n + i) % 2 === 0 ? secret : 'no secret').repeat((n * i * i) % 60)]);
    store.write(texts.map(([key = '', text = ''], i) => [key, (n + i) % 4 === 0 ? undefined : Buffer.from(text)]));
  }
  const secrets = [...store.list('j')].filter(([, value]) => Buffer.from(value).includes(secret));
  store.write(secrets.map(([key], i) => [key, i % 2 === 0 ? Buffer.from('sealed') : undefined]));
  store.purge?.();
  const texts = (): readonly string[] =>
    readdirSync(directory)
      .filter((name) => /sqlite(-wal|-answered)?$/.test(name))
      .map((name) => readFileSync(join(directory, name), 'latin1'));
  expect(texts()).toHaveLength(3);
  expect(texts().map((text) => text.includes(secret.slice(0, 8)))).not.toContain(true);
  expect(Buffer.from(store.get(secrets[0]?.[0] ?? '') ?? []).toString()).toBe('sealed');
  store.close();
  expect(texts().map((text) => text.includes(secret.slice(0, 8)))).not.toContain(true);
});

describe('a full disk', () => {
  const disk = fullDisk();
  afterEach(disk.free);

  interface Life {
    readonly directory: string;
    store: RecordStore;
    count: number;
    refused: number;
  }

  /** Closes the store, on the disk as it is, and opens it on one with room. */
  function reopen(life: Life): void {
    life.store.close();
    disk.free();
    life.store = openStore(life.directory);
  }

  /** Tries a change with ever more room until it is made. A refusal must leave the store as it was, and usable. */
  function changeOnceThereIsRoom(life: Life, change: () => void): void {
    for (let room = 0; room < 99; room++) {
      disk.fill(room, true);
      const refusal = refusalIfAny(change);
      if (!refusal) break;
      life.refused += 1;
      if (refusal.code !== 'store/full') {
        // All was written, but not synced.
        expect(refusal).toMatchObject({ code: 'store/failed', data: { isUnsure: true } });
        reopen(life);
        expect(countIn(life.store.get) - life.count).toBe(1);
        life.count += 1;
      }
      expectBatches(life.store, life.count);
    }
    disk.free();
  }

  test('refuses a change at any write or sync, loses nothing, and lets the same store go on once there is room', () => {
    const directory = newPath();
    const life: Life = { directory, store: openStore(directory), count: 0, refused: 0 };
    for (let round = 1; round < rounds(80); round++) {
      changeOnceThereIsRoom(life, () => {
        life.store.write(batchOf(life.count + 1));
        life.count += 1;
      });
      if (round % 4 === 0) changeOnceThereIsRoom(life, () => life.store.purge?.());
      if (round % 3 === 0) {
        disk.fill(round % 5);
        reopen(life);
      }
      expectBatches(life.store, life.count);
    }
    life.store.close();
    expect(life.refused).toBeGreaterThan(4 * rounds(80));
  });

  test('refuses to make a store at any write, and leaves a directory in which it can be made', () => {
    const directory = newPath();
    let refused = 0;
    for (let room = 0; ; room++) {
      disk.fill(room, true);
      const refusal = refusalIfAny(() => openStore(directory).close());
      disk.free();
      if (!refusal) break;
      refused += 1;
      expect(refusal.code).toBe('store/full');
    }
    expect(refused).toBeGreaterThan(2);
    expect(readdirSync(directory)).toEqual(['wallet.sqlite']);
  });
});

/** Root may mount file systems. */
test.runIf(process.geteuid?.() === 0)(
  'a file system that is full or read-only is named, and loses nothing',
  ({ skip }) => {
    const mountPoint = newPath();
    mkdirSync(mountPoint);
    const run = (program: string, ...args: readonly string[]): unknown =>
      execFileSync(program, [...args, mountPoint], { stdio: 'ignore' });
    if (refusedBySystem(() => run('mount', '-t', 'tmpfs', '-o', 'size=256k', 'tmpfs'))) skip();
    try {
      const directory = join(mountPoint, 'node');
      const store = openStore(directory);
      let count = 0;
      const refusal = refusalOf(() => {
        for (; ; count++) store.write(batchOf(count + 1));
      });
      expect(refusal).toMatchObject({ code: 'store/full', data: { path: fileIn(directory), reason: 'ENOSPC' } });
      expectBatches(store, count);
      store.close();
      const again = openStore(directory);
      expectBatches(again, count);
      again.close();
      const bytes = readFileSync(fileIn(directory));
      run('mount', '-o', 'remount,ro');
      expect(refusalOf(() => openStore(directory)).message).toMatch(/^Cannot use .*: the file system is read-only/);
      expect(readFileSync(fileIn(directory)).equals(bytes)).toBe(true);
    } finally {
      // Lazily: a failed test may have left its store open.
      run('umount', '-l');
    }
  },
);

function refusedBySystem(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch {
    return true;
  }
}
