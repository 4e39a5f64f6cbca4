import { expect, test } from 'vitest';
import { unlessError } from '../../../support/askRpc.ts';
import { openNode } from '../../../support/feeding.ts';
import { createMemoryStore, type DialectName } from '../../../support/library.ts';

const NO_DATA = { errors: ['Insufficient data or no feerate found'], blocks: 0 };

const estimate = (dialect: DialectName, params: readonly unknown[]): unknown =>
  unlessError(() => openNode(createMemoryStore(), dialect).call('estimatesmartfee', params as never));

test.each([
  [[6], NO_DATA],
  [[6, 'economical'], NO_DATA],
  [[6, null, {}], NO_DATA],
  [[6, null, { fee_rate_estimator: 'block_policy', verbosity: 1 }], NO_DATA],
  [[6, null, { verbosity: 2 }], { ...NO_DATA, mempool_health_statistics: [] }],
  [
    [6, null, { fee_rate_estimator: 'mempool_policy' }],
    { errors: ['Not enough recent block data for fee rate estimation'], blocks: 2 },
  ],
  [[6, null, { fee_rate_estimator: 'other' }], NO_DATA],
  [[6, null, { estimator: 'other' }], '-3 Unexpected key estimator'],
  [[6, null, { verbosity: 1.5 }], '-1 JSON integer out of range'],
  [[1009], '-8 Invalid conf_target, must be between 1 and 1008'],
])('estimatesmartfee answers %j', (params, answer) => {
  expect(estimate('core-32', params)).toEqual(answer);
});

test('estimatesmartfee has options since release 32', () => {
  expect(estimate('core-31', [6, null, {}])).toMatch(/^-1 estimatesmartfee conf_target/);
});
