import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/shell/store/openStore.ts';
import { rounds } from '../../support/campaign.ts';
import { countIn, expectBatches } from '../../support/recordBatches.ts';
import { storeProcesses } from '../../support/storeProcess.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** The number of kills; COUNTERSIGN_ROUNDS sets more. */
const ROUNDS = Number(process.env['COUNTERSIGN_ROUNDS'] ?? rounds(80));
const AT_ONCE = 4;
const root = temporaryDirectory();
const start = storeProcesses();

/** Kills a process at a random moment: while it opens the store, writes, purges or closes. @returns its last batch */
async function killOnce(directory: string): Promise<number> {
  const child = start(directory, 'write');
  if (Math.random() < 0.85) await child.nextLine();
  await sleep(Math.random() * 250);
  await child.kill();
  return Math.max(0, ...child.lines.filter((line) => line !== 'open').map(Number));
}

test(`a store whose process is killed has all acknowledged batches and no half one, ${ROUNDS} times`, async () => {
  const counts = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, i) => {
      const directory = join(root, String(i));
      let count = 0;
      for (let round = 0; round < ROUNDS / AT_ONCE; round++) {
        const acknowledged = Math.max(count, await killOnce(directory));
        expect(acknowledged).not.toBeNaN();
        const store = openStore(directory);
        count = countIn(store.get);
        // The batch under way may have been completed.
        expect(count - acknowledged).toBeGreaterThanOrEqual(0);
        expect(count - acknowledged).toBeLessThanOrEqual(1);
        expectBatches(store, count);
        store.close();
      }
      return count;
    }),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  console.log(`${ROUNDS} kills, ${total} batches`);
  expect(total).toBeGreaterThan(ROUNDS);
});
