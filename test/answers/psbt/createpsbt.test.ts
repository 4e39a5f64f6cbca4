import { describe, expect, test } from 'vitest';
import { callText } from '../../support/askRpc.ts';
import { parsePsbt, psbtVersion } from '../../support/library.ts';

const OUT_OF_RANGE = '-1 JSON integer out of range';
const NO_OUTPUTS = '-8 Invalid parameter, output argument must be non-null';
const NO_VERSION = '-8 Invalid parameter, version out of range(1~3)';
const NO_PSBT_VERSION = '-8 The PSBT version can only be 2 or 0';

test.each([
  ['core-32', 2],
  ['core-0.21', 0],
  ['litecoin-0.21', 0],
  ['documented', 0],
] as const)('createpsbt of %s makes version %i unless told', (dialect, version) => {
  const made = (...params: readonly unknown[]) =>
    psbtVersion(parsePsbt(String(callText(dialect, 'createpsbt', [[], [], ...params]))));
  expect(made()).toBe(version);
  if (dialect.endsWith('0.21')) return;
  expect([made(0, true, 2, 0), made(0, true, 2, 2)]).toEqual([0, 2]);
});

describe('createpsbt of core-32 checks', () => {
  const input = { txid: '11'.repeat(32) };
  test.each<[what: string, params: readonly unknown[], answer: string]>([
    ['inputs before absent outputs', [[input], null], '-8 Invalid parameter, missing vout key'],
    ['that there are outputs', [[], null], NO_OUTPUTS],
    ['the locktime before inputs', [[input], null, -1], '-8 Invalid parameter, locktime out of range'],
    ['an unknown version before inputs', [[input], null, 0, true, 4], NO_VERSION],
    ['an unknown version after the locktime', [[], [], -1, true, 4], '-8 Invalid parameter, locktime out of range'],
    ['that the version is a uint32 before the locktime', [[], [], -1, true, -1], OUT_OF_RANGE],
    ['a version of 32 bits, which is unknown', [[], [], 0, true, 4294967295], NO_VERSION],
    ['a version beyond 32 bits', [[], [], 0, true, 4294967296], OUT_OF_RANGE],
    ['a version with a fraction', [[], [], 0, true, 1.5], OUT_OF_RANGE],
    ['a PSBT version of 32 bits, which is unknown', [[], [], 0, true, 2, 4294967295], NO_PSBT_VERSION],
    ['a PSBT version below zero', [[], [], 0, true, 2, -1], OUT_OF_RANGE],
    ['a PSBT version last', [[], null, 0, true, 2, -1], NO_OUTPUTS],
  ])('%s', (_, params, answer) => {
    expect(callText('core-32', 'createpsbt', params)).toBe(answer);
  });

  test('the presence of outputs first, in 0.21', () => {
    for (const inputs of [[input], [5], null])
      expect(callText('core-0.21', 'createpsbt', [inputs, null])).toBe(NO_OUTPUTS);
    expect(callText('core-0.21', 'createpsbt', [[input], 5, -1])).toBe('-1 JSON value is not an array as expected');
  });
});
