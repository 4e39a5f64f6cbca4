import { expect, test } from 'vitest';
import { callText } from '../../support/askRpc.ts';

const OUT_OF_RANGE = '-1 JSON integer out of range';
const NO_PSBT_VERSION = '-8 The PSBT version can only be 2 or 0';

test('converttopsbt refuses a negative PSBT version as out of range, others as unknown', () => {
  const tx = '02000000000000000000';
  expect(callText('core-32', 'converttopsbt', [tx, false, false, -1])).toBe(OUT_OF_RANGE);
  expect(callText('core-32', 'converttopsbt', [tx, false, false, 4294967295])).toBe(NO_PSBT_VERSION);
});
