import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRecords } from '../../../src/shell/store/recordFile.ts';
import { rounds, stride } from '../../support/campaign.ts';
import { apply, batchOf, countIn, recordsAfter, sorted } from '../../support/recordBatches.ts';
import { refusalIfAny, refusalOf } from '../../support/refusal.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const newPath = temporaryPaths();
const options = { owner: '0123456789abcdef', kindOf: (key: string) => (key.startsWith('r') ? 'a test' : 'a count') };
const PAGE = 4096;
const BATCHES = 40;

function newDirectory(): string {
  const directory = newPath();
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}

const fill = Array.from({ length: 300 }, (_, i) => [`f${i}`, Buffer.alloc(300, i)] as const);

/** Makes a database whose last batches are in the log. */
function filled(): string {
  const directory = newDirectory();
  const store = openRecords(directory, options);
  for (let i = 0; i < fill.length; i += 20) store.write(fill.slice(i, i + 20));
  for (let n = 1; n <= BATCHES - 10; n++) store.write(batchOf(n));
  // The log is large enough to go into the database.
  store.close();
  const again = openRecords(directory, options);
  for (let n = BATCHES - 9; n <= BATCHES; n++) again.write(batchOf(n));
  again.close();
  return directory;
}

type Outcome = 'right' | 'refused' | 'older' | 'wrong';

const model = new Map(recordsAfter(BATCHES));
apply(model, fill);
const wanted = sorted(model);

const hexOf = (value: Uint8Array = Buffer.from('none')): string => Buffer.from(value).toString('hex');

/** Opens a damaged copy, reads all of it, writes, and lists all of it. */
function outcomeOf(directory: string): Outcome {
  let outcome: Outcome = 'right';
  const refusal = refusalIfAny(() => {
    const store = openRecords(directory, options);
    try {
      outcome = countIn(store.get) < BATCHES ? 'older' : 'wrong';
      const found = Array.from(store.list(''), ([key, value]) => [key, hexOf(value)]);
      const isRight = wanted.every(([key, text]) => hexOf(store.get(key)) === text);
      store.write([['z', Uint8Array.of(1)]]);
      const isWhole = [...store.list('')].length === wanted.length + 1;
      if (isRight && isWhole && JSON.stringify(found) === JSON.stringify(wanted)) outcome = 'right';
    } finally {
      store.close();
    }
  });
  if (refusal !== undefined && refusal.code !== 'store/corrupt') throw refusal;
  return refusal ? 'refused' : outcome;
}

const source = filled();
const FILES = ['records', 'records-wal', 'records-head'];

/** Counts the outcomes of damage to a file, each in a copy of its own. */
function damageEach(name: string, damages: Iterable<(bytes: Buffer) => Buffer>): Record<Outcome, number> {
  const counts = { right: 0, refused: 0, older: 0, wrong: 0 };
  const directory = newDirectory();
  const whole = readFileSync(join(source, name));
  for (const damage of damages) {
    for (const file of FILES) copyFileSync(join(source, file), join(directory, file));
    writeFileSync(join(directory, name), damage(Buffer.from(whole)));
    counts[outcomeOf(directory)] += 1;
  }
  rmSync(directory, { recursive: true });
  return counts;
}

const pagesOf = (name: string): readonly number[] =>
  Array.from({ length: Math.ceil(readFileSync(join(source, name)).length / PAGE) }, (_, i) => i * PAGE);

function* overwrites(name: string, content: (size: number) => Buffer): Generator<(bytes: Buffer) => Buffer> {
  for (const at of pagesOf(name).filter((_, i) => i % stride === 0)) {
    yield (bytes) => {
      bytes.set(content(Math.min(PAGE, bytes.length - at)), at);
      return bytes;
    };
  }
}

function* flips(name: string, count: number): Generator<(bytes: Buffer) => Buffer> {
  const { length } = readFileSync(join(source, name));
  for (let i = 0; i < count; i++) {
    const at = Math.floor(((i + Math.random()) * length) / count);
    yield (bytes) => {
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (i % 8));
      return bytes;
    };
  }
}

/** The number of bits that are flipped in each file; COUNTERSIGN_ROUNDS sets more. */
const FLIPS = Number(process.env['COUNTERSIGN_ROUNDS'] ?? rounds(60));

describe('damage to a database', () => {
  test('of a store with content in all files', () => {
    for (const name of FILES) expect(readFileSync(join(source, name)).length).toBeGreaterThan(100);
    expect(pagesOf('records').length).toBeGreaterThan(20);
    expect(pagesOf('records-wal').length).toBeGreaterThan(20);
    expect(outcomeOf(cpDirectory())).toBe('right');
  });

  test.each(FILES)('is noticed or harmless in each page of %s', (name) => {
    const counts = [
      damageEach(name, overwrites(name, randomBytes)),
      damageEach(
        name,
        overwrites(name, (size) => Buffer.alloc(size)),
      ),
      damageEach(name, flips(name, FLIPS)),
    ];
    for (const { older, wrong, refused } of counts) {
      expect({ older, wrong }).toEqual({ older: 0, wrong: 0 });
      expect(refused).toBeGreaterThan(0);
    }
  });

  test('is noticed if a file is shorter, older or missing', () => {
    for (const name of FILES) {
      const sizes = pagesOf(name)
        .filter((_, i) => i % stride === 0)
        .map((at) => (bytes: Buffer) => bytes.subarray(0, at));
      const { older, wrong, refused } = damageEach(name, sizes);
      expect({ older, wrong }).toEqual({ older: 0, wrong: 0 });
      expect(refused).toBeGreaterThanOrEqual(sizes.length - 1);
      const directory = cpDirectory();
      rmSync(join(directory, name));
      expect(outcomeOf(directory)).toBe('refused');
    }
  });

  test('is distinguished from a database of another directory and a file of another kind', () => {
    const directory = cpDirectory();
    expect(refusalOf(() => openRecords(directory, { owner: 'fedcba9876543210' })).data).toMatchObject({
      reason: 'owner',
    });
    const other = filled();
    copyFileSync(join(other, 'records-wal'), join(directory, 'records-wal'));
    expect(outcomeOf(directory)).toBe('refused');
    copyFileSync(join(other, 'records'), join(directory, 'records'));
    expect(outcomeOf(directory)).toBe('refused');
    for (const text of ['', 'SQLite format 3\0', 'countersign records 1\n']) {
      writeFileSync(join(directory, 'records-head'), text);
      expect(refusalOf(() => openRecords(directory, options)).data).toMatchObject({ reason: 'header' });
    }
  });

  test('is not reported for what a crash leaves of a new database', () => {
    const directory = newDirectory();
    openRecords(directory, options).close();
    rmSync(join(directory, 'records'));
    writeFileSync(join(directory, 'records.new'), 'cut short');
    const store = openRecords(directory, options);
    store.write(batchOf(1));
    store.close();
    expect(existsSync(join(directory, 'records.new'))).toBe(false);
    const again = openRecords(directory, options);
    expect(countIn(again.get)).toBe(1);
    again.close();
    expect(readdirSync(directory).sort()).toEqual(['records', 'records-head', 'records-wal']);
  });

  test('names the file and the kind of record, but not its content', () => {
    const directory = cpDirectory();
    truncateSync(join(directory, 'records-wal'), 0);
    const { message } = refusalOf(() => openRecords(directory, options));
    expect(message).toMatch(/\/records lacks changes that were durable, like an older or incomplete copy: move /);
  });
});

function cpDirectory(): string {
  const directory = newPath();
  cpSync(source, directory, { recursive: true });
  return directory;
}
