import { expect, test } from 'vitest';
import { dustThreshold } from '../../../src/core/tx/dust.ts';
import { parseHex } from '../../support/library.ts';

test('dust is what an output and the cheapest input that spends it cost', () => {
  const thresholds = (...scripts: readonly string[]) => scripts.map((hex) => dustThreshold(parseHex(hex), 3));
  expect(thresholds(`0014${'11'.repeat(20)}`, `0020${'11'.repeat(32)}`, `5120${'11'.repeat(32)}`, '51024e73')).toEqual([
    294, 330, 330, 240,
  ]);
  expect(thresholds(`76a914${'11'.repeat(20)}88ac`, `a914${'11'.repeat(20)}87`)).toEqual([546, 540]);
  // The size of a longer script takes three bytes.
  expect(thresholds('51'.repeat(300))).toEqual([1377]);
  expect(dustThreshold(parseHex(`0014${'11'.repeat(20)}`), 0.1)).toBe(10);
});
