import { describe, expect, test } from 'vitest';
import { openJob, reviewJob, signJob } from '../../../src/core/job/job.ts';
import { lockAgeText } from '../../../src/core/report/ageText.ts';
import { indexesText } from '../../../src/core/report/indexesText.ts';
import { payeeOf } from '../../../src/core/report/payee.ts';
import { holderOf, quorumOf, registered, STRANGER, single, spend } from '../../support/holderPsbts.ts';
import { formatQuestion, formatReview, networks, type Psbt, parseHex, reviewPsbt } from '../../support/library.ts';
import { dataOf } from '../../support/picturedReviews.ts';

// What a hostile PSBT could make of the words of a report.

const ALICE = single('alice');
const FAMILY = quorumOf(2, ['alice', 'bob', 'mallory']);
const HOLDER = holderOf(['alice', 'bob'], [registered(FAMILY, 'Family')]);
const reviewed = (psbt: Psbt) => reviewPsbt(psbt, { holder: HOLDER });
const linesOf = (psbt: Psbt): readonly string[] => formatReview(reviewed(psbt)).trimEnd().split('\n');
/** The columns of a terminal that shows everything beyond ASCII twice as wide. */
const columns = (line: string): number => [...line].reduce((sum, one) => sum + (one > '~' ? 2 : 1), 0);

const carrying = (text: string): Psbt =>
  spend({
    coins: [{ of: ALICE }],
    outputs: [
      { script: dataOf(text), value: 0n },
      { of: ALICE, chain: 1, index: 1 },
    ],
  });

describe('a text of a stranger', () => {
  test.each([
    ['blanks as wide as letters', `${'\u3000'.repeat(20)}Nothing\u00a0suspicious\u00a0was\u00a0found.`],
    ['wide letters', `${'漢'.repeat(29)} Nothing suspicious was found.`],
    ['pictures', '\u{1f600}'.repeat(60)],
  ])('of %s never fills a line of the terminal, nor begins one', (_, text) => {
    const lines = linesOf(carrying(text));
    expect(lines.filter((line) => columns(line) > 80)).toEqual([]);
    expect(lines.filter((line) => /^\S*Nothing/.test(line))).toEqual(['Nothing suspicious was found.']);
    expect(lines.join('')).not.toMatch(/[\u3000\u00a0\ud83d](?![\udc00-\udfff])/);
  });

  test('is one only if the output holds nothing else', () => {
    const kindOf = (hex: string): string => payeeOf(parseHex(hex), networks.main).kind;
    expect(['6a026869', '6a51026869', '6a02686960', '6a00'].map(kindOf)).toEqual([
      'data',
      'script',
      'script',
      'script',
    ]);
  });

  test('is no payment, and counts as none', () => {
    const question = formatQuestion(reviewed(carrying('hello')));
    expect(question).toMatch(/^Pays nothing to others, fee /);
    const beside = spend({
      coins: [{ of: ALICE }],
      outputs: [
        { script: STRANGER, value: 900_000n },
        { script: dataOf('hello'), value: 0n },
      ],
    });
    expect(linesOf(beside)).toContain('Pays     0.00900000 BTC to 1 address');
  });
});

describe('inputs stay unfolded', () => {
  const coins = [
    { of: FAMILY, index: 3 },
    { of: FAMILY, index: 7 },
  ];
  const honest = spend({ coins, outputs: [{ script: STRANGER, value: 1_990_000n }] });
  const isFolded = (psbt: Psbt): boolean => linesOf(psbt).some((line) => line.includes('all yours'));

  test('where a coin is spent twice', () => {
    expect(isFolded(honest)).toBe(true);
    expect(isFolded({ ...honest, inputs: [...honest.inputs, ...honest.inputs.slice(0, 1)] })).toBe(false);
  });

  test('where others have signed each', () => {
    const sign = (name: 'alice' | 'bob', index: number): Psbt['inputs'][number] => {
      const holder = holderOf([name], [registered(FAMILY, 'Family')]);
      const job = openJob(honest, holder);
      return signJob(job, reviewJob(job)).psbt.inputs[index] ?? {};
    };
    expect(isFolded({ ...honest, inputs: [sign('alice', 0), sign('alice', 1)] })).toBe(true);
    expect(isFolded({ ...honest, inputs: [sign('alice', 0), sign('bob', 1)] })).toBe(false);
  });
});

test('places are sorted, and none is left out without a count', () => {
  expect(indexesText([6, 4, 0, 7, 3])).toBe('inputs 0, 3 to 4, 6 to 7');
  expect(indexesText([0, 2, 4, 6, 8, 10, 11])).toBe('inputs 0, 2, 4, 6, 8 and 2 more');
});

test('a short age is told in minutes', () => {
  expect(lockAgeText({ kind: 'time', value: 1 })).toBe('9 minutes');
  expect(lockAgeText({ kind: 'time', value: 1000 })).toBe('5.9 days');
});
