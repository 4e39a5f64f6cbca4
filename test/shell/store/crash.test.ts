import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/shell/store/openStore.ts';
import { rounds } from '../../support/campaign.ts';
import { refusalOf } from '../../support/refusal.ts';

/** The number of kills; COUNTERSIGN_ROUNDS sets more. */
const ROUNDS = Number(process.env['COUNTERSIGN_ROUNDS'] ?? rounds(60));
const AT_ONCE = 4;

const root = mkdtempSync(join(tmpdir(), 'countersign-crash-'));
const started: Child[] = [];
afterAll(async () => {
  // A failed test may leave processes running.
  await Promise.all(started.map(kill));
  rmSync(root, { recursive: true, force: true });
});

const script = new URL('../../support/storeChild.mjs', import.meta.url).pathname;

interface Child {
  readonly process: ChildProcess;
  /** The lines of its output so far. */
  readonly lines: string[];
  readonly ended: Promise<unknown>;
  /** Resolves at its next line or its end. */
  readonly nextLine: () => Promise<void>;
}

function start(directory: string, mode = 'append'): Child {
  const child = spawn(process.execPath, [script, directory, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const ended = once(child, 'close');
  const handle: Child = {
    process: child,
    lines,
    ended,
    nextLine: async () => {
      await Promise.race([once(reader, 'line'), ended]);
    },
  };
  started.push(handle);
  return handle;
}

async function kill(child: Child): Promise<void> {
  child.process.kill('SIGKILL');
  await child.ended;
}

/** Kills an appending process at a random moment, and checks the entries it left. */
async function crashOnce(directory: string, before: number): Promise<number> {
  const child = start(directory);
  // Some die while they open the store, most while they append.
  if (Math.random() < 0.85) await child.nextLine();
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
  await kill(child);
  const acknowledged = Math.max(before, ...child.lines.filter((line) => line !== 'open').map(Number));
  expect(acknowledged).not.toBeNaN();

  const store = openStore(directory);
  const found = Array.from(store.read(), (text) => JSON.parse(text).n);
  store.close();
  expect(found).toEqual(Array.from(found, (_, n) => n));
  expect(found.length).toBeGreaterThanOrEqual(acknowledged);
  // The append under way may have been completed.
  expect(found.length).toBeLessThanOrEqual(acknowledged + 4);
  return found.length;
}

describe('a store whose process is killed', () => {
  test(`keeps all acknowledged entries and opens again, ${ROUNDS} times`, async () => {
    const counts = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, i) => {
        const directory = join(root, `crash-${i}`);
        let count = 0;
        for (let round = 0; round < ROUNDS / AT_ONCE; round++) count = await crashOnce(directory, count);
        // The torn record of a kill was moved to a file.
        expect(readdirSync(directory).filter((name) => !name.startsWith('journal.cut-'))).toEqual(['journal']);
        return count;
      }),
    );
    // A process may be killed before its first entry, but not all are.
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(ROUNDS / AT_ONCE);
  });
});

describe('two processes', () => {
  test('cannot share a directory, until the first is killed', async () => {
    const directory = join(root, 'two');
    const first = start(directory, 'hold');
    await first.nextLine();
    expect(first.lines).toEqual(['open']);
    const second = start(directory, 'hold');
    await second.nextLine();
    expect(second.lines).toEqual(['store/locked']);
    expect(refusalOf(() => openStore(directory)).data).toMatchObject({ directory, process: first.process.pid });
    await kill(first);
    openStore(directory).close();
  });

  test('that start at once do not both get a directory', async () => {
    for (let round = 0; round < 8; round++) {
      const directory = join(root, `race-${round}`);
      const children = Array.from({ length: 4 }, () => start(directory, 'hold'));
      await Promise.all(children.map((child) => child.nextLine()));
      const said = children.flatMap(({ lines }) => lines);
      expect(said.filter((line) => line === 'open').length).toBeLessThanOrEqual(1);
      expect(said.filter((line) => line !== 'open' && line !== 'store/locked')).toEqual([]);
      await Promise.all(children.map(kill));
      openStore(directory).close();
    }
  });
});
