import { expect, test } from 'vitest';
import { formatWif, networks, type ReviewOptions, reviewPsbt } from '../support/library.ts';
import { refusalOf } from '../support/refusal.ts';

const dataOf = (options: object): unknown => {
  const psbt = { global: { txVersion: 2, version: 2, fallbackLocktime: 0 }, inputs: [], outputs: [] } as const;
  const { code, data } = refusalOf(() => reviewPsbt(psbt, options as ReviewOptions));
  expect(code).toBe('policy/invalid');
  return data;
};

test('a policy error names an unknown check, action or limit', () => {
  expect(dataOf({ policy: { 'fee-absurt': 'warn' } })).toEqual({ name: 'fee-absurt', value: 'warn' });
  expect(dataOf({ policy: { 'fee-absurd': 'ignore' } })).toEqual({ name: 'fee-absurd', value: 'ignore' });
  expect(dataOf({ limits: { maxFeeRates: 5 } })).toEqual({ name: 'maxFeeRates', value: '5' });
  expect(dataOf({ limits: { maxFeeRate: -1.5 } })).toEqual({ name: 'maxFeeRate', value: '-1.5' });
  expect(dataOf({ limits: { maxFeeRate: Number.NaN } })).toEqual({ name: 'maxFeeRate', value: 'NaN' });
});

test('a policy error masks possible keys and seed words', () => {
  const wif = formatWif({ secretKey: new Uint8Array(32).fill(7), isCompressed: true }, networks.main);
  for (const secret of [wif, '07'.repeat(32), 'legal-winner-thank-year', 'legal winner thank', 'legal-winner-thank']) {
    expect(dataOf({ policy: { [secret]: 'warn' } })).toEqual({ name: '...', value: 'warn' });
    expect(dataOf({ policy: { 'fee-absurd': secret } })).toEqual({ name: 'fee-absurd', value: '...' });
    expect(dataOf({ limits: { maxFeeRate: secret } })).toEqual({ name: 'maxFeeRate', value: '...' });
  }
});
