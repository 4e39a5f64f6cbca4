import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rounds } from '../support/campaign.ts';
import { report } from '../support/report.ts';
import { seed } from '../support/seed.ts';
import { hasLitecoind } from './litecoind.ts';
import { type Both, startBoth } from './wallet/bothNodes.ts';
import { begin, live } from './wallet/scenario.ts';

const STEPS = Number(process.env['COUNTERSIGN_STEPS'] ?? rounds(2400));
const QUESTIONS = 8;
const LEAST_ANSWERS = 10 * STEPS;

describe.runIf(hasLitecoind())(`Litecoin Core on this machine, for wallets of seed ${seed},`, () => {
  let both: Both;
  beforeAll(async () => {
    both = await startBoth();
  });
  afterAll(async () => {
    const rows = [...both.counts].sort().map(([what, count]) => `${count}\t${what}`);
    const sum = [...both.counts.values()].reduce((total, count) => total + count, 0);
    const head = `wallets of seed ${seed}: ${sum} replies compared, ${both.differences.length} different`;
    console.log([head, ...rows, ...both.differences].join('\n'));
    report({ subject: 'wallets', passed: sum - both.differences.length, total: sum });
    await both.stop();
    expect(sum).toBeGreaterThanOrEqual(LEAST_ANSWERS);
  });

  test('records events and answers questions as we do', async () => {
    const world = await begin(both, seed);
    for (let i = 0; i < STEPS; i += 1) await live(world, QUESTIONS);
    expect(both.differences).toEqual([]);
  });
});
