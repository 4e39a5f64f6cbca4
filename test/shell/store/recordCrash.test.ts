import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as nodeFiles from 'node:fs';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordStore } from '../../../src/node/store/recordStore.ts';
import type { Files } from '../../../src/shell/store/files.ts';
import { openRecords } from '../../../src/shell/store/recordFile.ts';
import { rounds, stride } from '../../support/campaign.ts';
import { type Disk, makeDisk, randomFrom } from '../../support/disk.ts';
import { batchOf, countIn, recordsAfter, sorted } from '../../support/recordBatches.ts';
import { refusalIfAny, refusalOf } from '../../support/refusal.ts';
import { temporaryDirectory, temporaryPaths } from '../../support/temporary.ts';

/** The number of kills, and of lost powers; COUNTERSIGN_ROUNDS sets more. */
const ROUNDS = Number(process.env['COUNTERSIGN_ROUNDS'] ?? rounds(24));
const options = { owner: '0123456789abcdef' };
const root = new URL('../../..', import.meta.url).pathname;
const newPath = temporaryPaths();

/** Expects a store to hold exactly what so many batches leave. */
function expectBatches(store: RecordStore, count: number): void {
  const found = Array.from(store.list(''), ([key, value]) => [key, Buffer.from(value).toString('hex')]);
  expect(found).toEqual(sorted(recordsAfter(count)));
}

describe('a database whose process is killed', () => {
  const folder = temporaryDirectory();
  const script = join(folder, 'child.mjs');
  const started: ChildProcess[] = [];
  afterAll(() => {
    // A failed test may leave processes running.
    for (const child of started) child.kill('SIGKILL');
  });
  beforeAll(async () => {
    const entryPoints = [join(root, 'test/support/recordChild.ts')];
    await build({ entryPoints, bundle: true, platform: 'node', format: 'esm', outfile: script, logLevel: 'error' });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });

  /** Kills a process at a random moment, of its opening or of its writing. @returns the number of the last batch that it acknowledged */
  async function killOnce(directory: string, isWriting: boolean): Promise<number> {
    const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(child);
    let last = 0;
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      last = Number(line);
    });
    const ended = once(child, 'close');
    if (isWriting) await Promise.race([once(lines, 'line'), ended]);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 80));
    child.kill('SIGKILL');
    await ended;
    return last;
  }

  test(`keeps all acknowledged batches, ${ROUNDS} times`, async () => {
    const directory = newPath();
    mkdirSync(directory, { mode: 0o700 });
    let count = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const isWriting = round === 0 || Math.random() < 0.85;
      const acknowledged = Math.max(count, await killOnce(directory, isWriting));
      expect(acknowledged).not.toBeNaN();
      const store = openRecords(directory, options);
      count = countIn(store.get);
      // The batch under way may have been completed.
      expect(count - acknowledged).toBeGreaterThanOrEqual(0);
      expect(count - acknowledged).toBeLessThanOrEqual(1);
      expectBatches(store, count);
      store.close();
    }
    expect(count).toBeGreaterThan(0);
  });
});

const DIRECTORY = '/simulated/wallet';

/** Writes batches until one is refused. @returns the number of the last one that was not */
function writeSome(store: RecordStore, from: number, most: number): { readonly count: number; readonly code?: string } {
  for (let n = from + 1; n <= from + most; n++) {
    const refusal = refusalIfAny(() => store.write(batchOf(n)));
    if (refusal) return { count: n - 1, code: refusal.code };
  }
  return { count: from + most };
}

describe('a disk that fails', () => {
  const open = (disk: Disk): RecordStore => openRecords(DIRECTORY, { ...options, files: disk.files });

  /** Opens, writes, and perhaps closes a store on a disk that may fail; then the power is lost. @returns the batches kept */
  function liveOnce(disk: Disk, random: () => number, before: number): number {
    const chance = (): boolean => random() < 0.5;
    if (random() < 0.7) disk.failAt(1 + Math.floor(random() * 300), chance() ? 'ENOSPC' : 'EIO', chance());
    let count = before;
    let isSure = true;
    const refusal = refusalIfAny(() => {
      const store = open(disk);
      const written = writeSome(store, count, Math.floor(random() * 30));
      isSure = written.code === undefined || refusalIfAny(() => store.get('count')) === undefined;
      count = written.count;
      if (isSure) expectBatches(store, count);
      if (chance()) store.close();
    });
    expect(refusal?.code ?? 'store/full').toMatch(/^store\/(full|failed)$/);
    disk.losePower();
    const store = open(disk);
    const found = countIn(store.get);
    expect(found - count).toBeGreaterThanOrEqual(0);
    expect(found - count).toBeLessThanOrEqual(isSure ? 0 : 1);
    expectBatches(store, found);
    store.close();
    return found;
  }

  test('loses nothing that was acknowledged, wherever the power fails', () => {
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const random = randomFrom(seed);
      const disk = makeDisk(DIRECTORY, random);
      let count = 0;
      for (let life = 0; life < 4; life++) count = liveOnce(disk, random, count);
    }
  });
});

test('on a full disk, a change is refused at any write, nothing is lost, and there is no need to open it again', () => {
  const directory = newPath();
  mkdirSync(directory, { mode: 0o700 });
  /** The number of writes from now on that may make a file larger. */
  let room = Number.POSITIVE_INFINITY;
  const files: Files = {
    ...nodeFiles,
    writeSync: (file, from, offset, length, position) => {
      const isGrowing = position + length > nodeFiles.fstatSync(file).size;
      if (isGrowing && --room < 0) {
        // A part may still fit.
        nodeFiles.writeSync(file, from, offset, Math.floor(length / 2), position);
        throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      }
      return nodeFiles.writeSync(file, from, offset, length, position);
    },
  };
  const open = (): RecordStore => openRecords(directory, { ...options, files });
  let store = open();
  let count = 0;
  for (let call = 0; call < 40; call += stride) {
    room = call;
    const { count: reached, code } = writeSome(store, count, 40);
    expect(code).toBe('store/full');
    count = reached;
    expectBatches(store, count);
    if (call % 5 === 0) {
      store.close();
      store = open();
    }
    expect(refusalOf(() => store.write(batchOf(count + 1))).data).toMatchObject({ reason: 'ENOSPC' });
    expectBatches(store, count);
    room = Number.POSITIVE_INFINITY;
    store.write(batchOf(++count));
    expectBatches(store, count);
  }
  store.close();
});
