import { describe, expect, test } from 'vitest';
import { openJob, reviewJob, signJob } from '../../../src/core/job/job.ts';
import { holderOf, quorumOf, registered, STRANGER, single, spend } from '../../support/holderPsbts.ts';
import { formatQuestion, formatReview, type Psbt, reviewPsbt } from '../../support/library.ts';

const FAMILY = quorumOf(2, ['alice', 'bob', 'mallory']);
const HOLDER = holderOf(['alice'], [registered(FAMILY, 'Family')]);
const COINS = [
  { of: FAMILY, index: 3, value: 3_000_000n },
  { of: FAMILY, index: 7, value: 2_100_000n },
];
const PAID = { script: STRANGER, value: 4_000_000n };
const CHANGE = { of: FAMILY, chain: 1, index: 2, value: 1_098_000n };
const PSBT = spend({ coins: COINS, outputs: [PAID, CHANGE] });
const linesOf = (psbt: Psbt, options = {}): readonly string[] =>
  formatReview(reviewPsbt(psbt, { holder: HOLDER }), options)
    .trimEnd()
    .split('\n');

describe('a terminal of 24 lines', () => {
  test('holds the verdict, payments, fee and question of a 2-of-3 with two inputs', () => {
    const lines = linesOf(PSBT);
    const question = formatQuestion(reviewPsbt(PSBT, { holder: HOLDER }));
    expect(lines.length + Math.ceil(`${question} Type yes: `.length / 80)).toBeLessThanOrEqual(24);
    expect(lines[0]).toBe('Nothing suspicious was found.');
    expect(lines).toContain('     all yours, amounts proven: "Family" 3100acb9, receive 3, 7');
    expect(question).toBe(
      'Pays 0.04000000 BTC to bc1q zyg3 zyg3 zyg3 zyg3 zyg3 zyg3 zyg3 zyg3 h8ff kz, fee 0.00002000. Sign it?',
    );
  });

  test('says who has signed, and lists each coin on demand', () => {
    const job = openJob(PSBT, HOLDER);
    const { psbt } = signJob(job, reviewJob(job));
    expect(linesOf(psbt).join('\n')).toMatch(/receive 3, 7; signed by\s+73c5da0a/);
    const all = linesOf(PSBT, { listsInputs: true });
    expect(all.filter((line) => line.includes('yours ("Family" 3100acb9, receive'))).toHaveLength(2);
  });

  test('shows a coin that is not like the others', () => {
    const foreign = spend({
      coins: [...COINS, { of: single('bob'), index: 0, value: 1000n }],
      outputs: [PAID, CHANGE],
    });
    expect(linesOf(foreign).some((line) => line.includes('all yours'))).toBe(false);
  });
});
