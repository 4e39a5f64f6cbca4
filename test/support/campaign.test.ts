import { expect, test } from 'vitest';
import { playing } from './campaign.ts';

/** The shares of a campaign are its cases, each in at least one share. */

const SHARES = [...'0123456789abcdef'].map((digit) => playing({ COUNTERSIGN_SHARE: digit }));

test.each([1, 5, 16, 17, 40, 100, 2000, 30_000])('the shares of %d cases cover them, and nothing else', (whole) => {
  const played = SHARES.map(({ campaign }) => campaign(whole));
  expect(played.every(({ numRuns }) => numRuns === Math.ceil(whole / 16))).toBe(true);
  const seen = played.flatMap(({ numRuns, path = '0' }) => Array.from({ length: numRuns }, (_, i) => Number(path) + i));
  expect([...new Set(seen)].sort((a, b) => a - b)).toEqual(Array.from({ length: whole }, (_, i) => i));
});

test.each([1, 3, 4, 8, 12, 16])('%d items are taken in turn, each by a share', (count) => {
  const items = Array.from({ length: count }, (_, i) => i);
  const taken = SHARES.map(({ inTurn }) => inTurn(items));
  expect(taken.every(({ length }) => length === 1)).toBe(true);
  expect(new Set(taken.flat()).size).toBe(count);
});

test('each row is in the sample of one share', () => {
  for (const row of [0, 1, 15, 16, 1234]) expect(SHARES.filter(({ isSampled }) => isSampled(row))).toHaveLength(1);
});

test('a whole campaign plays all, and without a share a run plays the first', () => {
  const { campaign, inTurn, isSampled, stride } = playing({ COUNTERSIGN_WHOLE: '1', COUNTERSIGN_SHARE: 'c' });
  expect(campaign(40)).toEqual({ numRuns: 40 });
  expect(inTurn([1, 2, 3])).toEqual([1, 2, 3]);
  expect([stride, isSampled(0), isSampled(7)]).toEqual([1, true, true]);
  expect(playing({}).campaign(40)).toEqual({ numRuns: 3 });
});

test.each(['g', '10', '', '-1', 'A'])('%j is refused as a share', (text) => {
  expect(() => playing({ COUNTERSIGN_SHARE: text })).toThrow('COUNTERSIGN_SHARE must be a hexadecimal digit');
});
