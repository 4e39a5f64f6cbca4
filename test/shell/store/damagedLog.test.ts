import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sqlite from 'node-sqlite3-wasm';
import { describe, expect, test } from 'vitest';
import { checkStore, openStore } from '../../../src/shell/store/openStore.ts';
import { rounds, stride } from '../../support/campaign.ts';
import { atEachKillPoint } from '../../support/killPoints.ts';
import { batchOf, countIn, expectBatches } from '../../support/recordBatches.ts';
import { refusalOf } from '../../support/refusal.ts';
import { storeProcesses } from '../../support/storeProcess.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { MODERN, openWalletRpc } from '../../support/walletWorld.ts';

/**
 * After a kill, whatever happens to the files of a store: it answers the same, or it is refused and the files stay as they are.
 */

const newPath = temporaryPaths();
const [FILE, LOG, ANSWERED] = ['wallet.sqlite', 'wallet.sqlite-wal', 'wallet.sqlite-answered'] as const;
const FRAME = 4096 + 24;
const HEADER = 32;

type Files = Readonly<Record<string, Buffer>>;
type Outcome = 'same' | 'refused';
interface Counts {
  same: number;
  refused: number;
}

const filesIn = (directory: string): Files =>
  Object.fromEntries(
    [FILE, LOG, ANSWERED]
      .filter((name) => existsSync(join(directory, name)))
      .map((name) => [name, readFileSync(join(directory, name))]),
  );

/** An empty log holds nothing. */
const digestsOf = (files: Files): unknown =>
  Object.entries(files).flatMap(([name, bytes]) => (bytes.length > 0 ? [[name, bytes.length, crc32(bytes)]] : []));

function directoryOf(files: Files): string {
  const directory = newPath();
  mkdirSync(directory, { mode: 0o700 });
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(directory, name), bytes);
  return directory;
}

/** Opens damaged files. `expectSame`: fails for other answers */
function outcomeOf(files: Files, expectSame: (store: ReturnType<typeof openStore>) => void): Outcome {
  const directory = directoryOf(files);
  const refusal = refusalIn(directory, expectSame);
  if (refusal !== undefined) {
    expect(refusal).toMatch(/^store\/corrupt$/);
    expect(digestsOf(filesIn(directory))).toEqual(digestsOf(files));
  }
  rmSync(directory, { recursive: true });
  return refusal === undefined ? 'same' : 'refused';
}

function refusalIn(directory: string, expectSame: (store: ReturnType<typeof openStore>) => void): string | undefined {
  try {
    const store = openStore(directory, { waitsForDisk: false });
    try {
      expectSame(store);
    } finally {
      store.close();
    }
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('store/')) return String(error.code);
    throw error;
  }
}

const expectCount =
  (...counts: readonly number[]) =>
  (store: ReturnType<typeof openStore>): void => {
    const count = countIn(store.get);
    expect(counts).toContain(count);
    expectBatches(store, count);
  };

function write(directory: string, from: number, to: number): ReturnType<typeof openStore> {
  const store = openStore(directory);
  for (let n = from; n <= to; n++) store.write(batchOf(n));
  return store;
}

/** Returns the files of a process that was killed between two calls, half of whose batches are in the file. */
function killedAfter(batches: number): Files {
  const directory = newPath();
  write(directory, 1, batches / 2).close();
  const store = write(directory, batches / 2 + 1, batches);
  const files = filesIn(directory);
  store.close();
  return files;
}

function fileOfClosed(batches: number): Buffer {
  const directory = newPath();
  write(directory, 1, batches).close();
  return readFileSync(join(directory, FILE));
}

const without = (files: Files, ...names: readonly string[]): Files =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)));

const sizeOf = (files: Files, name: string): number => files[name]?.length ?? 0;

/** SQLite fills a sector with repetitions of the last frame, which it does not need. */
function usedEnd(files: Files): number {
  const log = files[LOG] ?? Buffer.alloc(0);
  const page = (end: number): Buffer => log.subarray(end - 4096, end);
  let end = log.length;
  while (page(end).equals(page(end - FRAME))) end -= FRAME;
  return end;
}

function flipped(files: Files, name: string, at: number, bit: number): Files {
  const bytes = Buffer.from(files[name] ?? []);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  return { ...files, [name]: bytes };
}

const cut = (files: Files, name: string, size: number): Files => ({
  ...files,
  [name]: (files[name] ?? Buffer.alloc(0)).subarray(0, size),
});

/** Returns places spread evenly over a file, each with another bit. */
const spread = (size: number, count: number): readonly (readonly [at: number, bit: number])[] =>
  Array.from({ length: count }, (_, i) => [Math.floor((i * size) / count), i % 8] as const);

function tally(what: string, outcomes: Iterable<Outcome>): Counts {
  const counts: Counts = { same: 0, refused: 0 };
  for (const outcome of outcomes) counts[outcome] += 1;
  console.log(`${what}: ${JSON.stringify(counts)}`);
  return counts;
}

describe('after a kill between two calls', () => {
  const BATCHES = 40;
  const killed = killedAfter(BATCHES);
  const expectSame = expectCount(BATCHES);
  const outcomes = (cases: readonly Files[]): readonly Outcome[] => cases.map((files) => outcomeOf(files, expectSame));

  test('the files as they are answer the same', () => {
    expect(Object.keys(killed)).toEqual([FILE, LOG, ANSWERED]);
    expect(outcomeOf(killed, expectSame)).toBe('same');
  });

  test('a flipped bit of the log is refused, also in the last batch', () => {
    const last = spread(3 * FRAME, 60).map(([at, bit]) => [usedEnd(killed) - 3 * FRAME + at, bit] as const);
    const places = [...spread(usedEnd(killed), rounds(1600)), ...last];
    const { same } = tally('flips of the log', outcomes(places.map((place) => flipped(killed, LOG, ...place))));
    expect(same).toBe(0);
  });

  test('a flipped bit of the file or of the record of what was answered is harmless or refused', () => {
    for (const name of [FILE, ANSWERED]) {
      const places = spread(sizeOf(killed, name), rounds(1600));
      tally(`flips of ${name}`, outcomes(places.map((place) => flipped(killed, name, ...place))));
    }
    const record = spread(32, 64).flatMap(([at, bit]) => [0, 4096].map((place) => [place + at, bit] as const));
    tally('flips of the record', outcomes(record.map((place) => flipped(killed, ANSWERED, ...place))));
  });

  test('a log that is cut anywhere is refused', () => {
    const size = usedEnd(killed);
    const frames = Array.from({ length: (size - HEADER) / FRAME }, (_, i) => HEADER + i * FRAME);
    const places = [...frames, ...spread(size, rounds(400)).map(([at]) => at), size - 1];
    expect(tally('cuts of the log', outcomes(places.map((at) => cut(killed, LOG, at)))).same).toBe(0);
  });

  test('a file or record that is cut anywhere is harmless or refused', () => {
    for (const name of [FILE, ANSWERED]) {
      const places = spread(sizeOf(killed, name), rounds(400)).map(([at]) => at);
      tally(`cuts of ${name}`, outcomes(places.map((at) => cut(killed, name, at))));
    }
  });

  test('files that are missing, or copied alone, are refused', () => {
    const missing = [[LOG], [FILE], [ANSWERED], [LOG, ANSWERED], [FILE, ANSWERED], [FILE, LOG]];
    expect(outcomes(missing.map((names) => without(killed, ...names)))).toEqual(missing.map(() => 'refused'));
  });

  test('an older file beside a newer log, or a newer file beside an older log, is refused', () => {
    const older = killedAfter(20);
    const mixed: readonly Files[] = [
      { ...killed, [LOG]: older[LOG] ?? Buffer.alloc(0) },
      { ...killed, [FILE]: fileOfClosed(20) },
      without(older, LOG, ANSWERED),
    ];
    expect(outcomes(mixed)).toEqual(mixed.map(() => 'refused'));
  });

  test('a log that another program has moved into the file is not missed', () => {
    const directory = directoryOf(killed);
    const other = new sqlite.Database(join(directory, FILE));
    other.exec('PRAGMA locking_mode = EXCLUSIVE; SELECT * FROM batches');
    other.close();
    expect(Object.keys(filesIn(directory))).toEqual([FILE, ANSWERED]);
    expect(outcomeOf(filesIn(directory), expectSame)).toBe('same');
  });

  test('a lost log can be given up', () => {
    const directory = directoryOf(without(killed, LOG));
    const database = new sqlite.Database(join(directory, FILE));
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA application_id = 1668511489');
    database.close();
    const store = openStore(directory);
    expectBatches(store, BATCHES / 2);
    store.write(batchOf(BATCHES / 2 + 1));
    store.close();
    expect(Object.keys(filesIn(directory))).toEqual([FILE]);
  });

  test('the refusal says what to put back, also to check-wallet', () => {
    expect(refusalOf(() => checkStore(directoryOf(without(killed, LOG)))).code).toBe('store/corrupt');
    const refusal = refusalOf(() => openStore(directoryOf(without(killed, LOG))));
    expect(refusal).toMatchObject({ code: 'store/corrupt', data: { reason: 'log' } });
    expect(refusal.message).toMatch(
      /wallet.sqlite lacks answered calls \(log\): put back its "-wal" and "-answered" as they were, restore it from a backup, or /,
    );
  });
});

test('after a kill at any write or sync, the files answer the same, and damage is refused or harmless', () => {
  const directory = newPath();
  let done = 0;
  const seen: (readonly [files: Files, batches: readonly number[]])[] = [];
  atEachKillPoint(
    () => seen.push([filesIn(directory), [done, done + 1]]),
    () => {
      let store = openStore(directory);
      for (let round = 0; round < 8; round++) {
        for (let n = 0; n < 3; n++) {
          store.write(batchOf(done + 1));
          done += 1;
        }
        if (round % 3 === 1) store.purge?.();
        // A wallet's origin is moved at once.
        if (round % 3 === 2) store.write([[`W${round}`, undefined]]);
        store.close();
        store = openStore(directory);
      }
      store.close();
    },
  );
  const points = seen.filter(([files], i) => files[FILE] && i % (2 * stride - 1) === 0);
  const { refused } = tally(
    'kill points',
    points.map(([files, batches]) => outcomeOf(files, expectCount(...batches))),
  );
  expect(refused).toBe(0);
  const damages = points.flatMap(([files, batches]) => {
    const size = sizeOf(files, LOG);
    const cases = [
      without(files, LOG),
      without(files, ANSWERED),
      without(files, LOG, ANSWERED),
      ...[0, HEADER, HEADER + FRAME, size - FRAME, size / 2].map((at) => cut(files, LOG, Math.max(0, at))),
      ...spread(size, 6).map((place) => flipped(files, LOG, ...place)),
      ...spread(sizeOf(files, FILE), 4).map((place) => flipped(files, FILE, ...place)),
    ];
    return cases.filter((_, i) => size > 0 || i < 3).map((damaged) => outcomeOf(damaged, expectCount(...batches)));
  });
  tally(`damages at ${points.length} kill points`, damages);
});

const start = storeProcesses();

test('after kills of a process at random moments, damage of its log is refused or harmless', async () => {
  const directory = newPath();
  const outcomes: Outcome[] = [];
  let count = 0;
  for (let round = 0; round < rounds(48); round++) {
    const child = start(directory, 'write');
    const lines = 2 + Math.floor(Math.random() * 30);
    while (child.lines.length < lines) await child.nextLine();
    await child.kill();
    const answered = Math.max(count, ...child.lines.filter((line) => line !== 'open').map(Number));
    const files = filesIn(directory);
    const expectSame = expectCount(answered, answered + 1);
    const places = spread(sizeOf(files, LOG), 12);
    const damaged = [
      ...places.map((place) => flipped(files, LOG, ...place)),
      ...places.map(([at]) => cut(files, LOG, at)),
    ];
    for (const some of damaged) outcomes.push(outcomeOf(some, expectSame));
    const store = openStore(directory);
    count = countIn(store.get);
    expectBatches(store, count);
    store.close();
  }
  expect(tally('damages of a log after random kills', outcomes).refused).toBeGreaterThan(0);
});

test('no bit of the log of a killed node takes a wallet with it', () => {
  const directory = newPath();
  const store = openStore(directory);
  const rpc = openWalletRpc(MODERN, store);
  rpc.call('createwallet', ['a']);
  for (let i = 0; i < 5; i++) rpc.call('getnewaddress', [], 'a');
  rpc.call('createwallet', ['b']);
  const fileAlone = directoryOf(filesIn(directory));
  rpc.call('getnewaddress', [], 'b');
  const files = filesIn(directory);
  const answersOf = (opened: ReturnType<typeof openStore>): unknown => {
    const again = openWalletRpc(MODERN, opened);
    return ['a', 'b'].map((name) => [
      again.call('listdescriptors', [true], name),
      again.call('getaddressesbylabel', [''], name),
    ]);
  };
  const whole = answersOf(store);
  store.close();
  rmSync(join(fileAlone, LOG));
  const alone = openStore(fileAlone);
  expect(openWalletRpc(MODERN, alone).call('listwalletdir', [])).toMatchObject({
    wallets: [{ name: 'a' }, { name: 'b' }],
  });
  alone.close();
  const same = (opened: ReturnType<typeof openStore>): void => expect(answersOf(opened)).toEqual(whole);
  const places = spread(usedEnd(files), rounds(4800));
  expect(
    tally(
      'flips of the log of a node',
      places.map((place) => outcomeOf(flipped(files, LOG, ...place), same)),
    ).same,
  ).toBe(0);
  expect(outcomeOf(files, same)).toBe('same');
});
