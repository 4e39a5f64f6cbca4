import { expect, test } from 'vitest';
import { resolveLimits } from '../../../src/core/review/policy.ts';
import { formatWif, networks, POLICY_DEFAULTS, type ReviewOptions, reviewPsbt } from '../../support/library.ts';
import { findingsOf, make, PAYEE, sign, WALLETS } from '../../support/psbts.ts';
import { refusalOf } from '../../support/refusal.ts';

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

test('limits are those of the caller, then of the network, then the same for all', () => {
  const { maxFeeRate: _rate, dustFeeRate: _dust, ...plain } = networks.main;
  const all = {
    maxFeeRate: 1000,
    warnFeeRate: 300,
    maxFeePercent: 25,
    warnFeePercent: 5,
    warnFee: 500_000,
    dustFeeRate: 3,
    maxLockHeight: 1_500_000,
  };
  const own = { ...plain, maxFeeRate: 7, dustFeeRate: 9, maxLockHeight: 2 };
  expect(resolveLimits(plain)).toEqual(all);
  expect(resolveLimits(own)).toEqual({ ...all, maxFeeRate: 7, dustFeeRate: 9, maxLockHeight: 2 });
  expect(resolveLimits(own, { maxFeeRate: 8, warnFee: 20 })).toEqual({
    ...all,
    maxFeeRate: 8,
    dustFeeRate: 9,
    maxLockHeight: 2,
    warnFee: 20,
  });
});

test('a limit may be 0, Infinity, or left to the default', () => {
  const paying = (value: bigint) => make({ inputs: [{ of: WALLETS.wpkh }], outputs: [{ to: PAYEE, value }] });
  const checksWith = (limits: object, value = 999_000n): readonly string[] =>
    findingsOf(paying(value), { limits }).map(({ check }) => check);
  expect(checksWith({ maxFeeRate: 0 })).toEqual(['fee-absurd']);
  expect(checksWith({ warnFee: 0 })).toEqual(['fee-high']);
  expect(checksWith({ warnFee: 0.5 })).toEqual(['fee-high']);
  expect(checksWith({ warnFee: Number.POSITIVE_INFINITY })).toEqual([]);
  expect(checksWith({ maxFeeRate: undefined, maxFeePercent: Number.POSITIVE_INFINITY })).toEqual([]);
  expect(checksWith({ warnFeePercent: 100, warnFeeRate: 1000 }, 899_000n)).toEqual([]);
});

test('a policy error masks possible keys and seed words', () => {
  const wif = formatWif({ secretKey: new Uint8Array(32).fill(7), isCompressed: true }, networks.main);
  for (const secret of [wif, '07'.repeat(32), 'legal-winner-thank-year', 'legal winner thank', 'legal-winner-thank']) {
    expect(dataOf({ policy: { [secret]: 'warn' } })).toEqual({ name: '...', value: 'warn' });
    expect(dataOf({ policy: { 'fee-absurd': secret } })).toEqual({ name: 'fee-absurd', value: '...' });
    expect(dataOf({ limits: { maxFeeRate: secret } })).toEqual({ name: 'maxFeeRate', value: '...' });
  }
});

test('a check refuses by default, unless honest PSBTs fail it', () => {
  const warned = Object.entries(POLICY_DEFAULTS).filter(([, action]) => action !== 'refuse');
  expect(Object.fromEntries(warned)).toEqual({
    'amount-unproven': 'warn',
    'change-unverified': 'warn',
    'coin-unknown': 'warn',
    dust: 'warn',
    'fee-high': 'warn',
    'lock-unmet': 'warn',
    'signature-foreign': 'warn',
    'locktime-unusual': 'warn',
    'name-unproven': 'warn',
    'nonce-repeated': 'warn',
    'owner-unknown': 'warn',
    'coin-foreign': 'warn',
    'fee-low': 'warn',
    'path-far': 'warn',
    'search-cut': 'warn',
    'account-other': 'warn',
    'wallet-unregistered': 'warn',
    'script-unread': 'warn',
    'silent-payment-conditional': 'warn',
    'silent-payment-open': 'warn',
    'sighash-unusual': 'warn',
    'version-unusual': 'warn',
    'wallet-other': 'warn',
  });
  expect(Object.keys(POLICY_DEFAULTS)).toHaveLength(58);
  expect(new Set(Object.values(POLICY_DEFAULTS))).toEqual(new Set(['refuse', 'warn']));
});

test('a refusal names its checks, and the worst finding', () => {
  const absurd = make({ inputs: [{ of: WALLETS.wpkh }], outputs: [{ to: PAYEE, value: 1n }], txVersion: 4 });
  const fee = 'The fee of 0.00999999 BTC is 9091 sat/vB, above 1000';
  const one = refusalOf(() => sign(absurd));
  expect(one.message).toBe(`The review refuses the PSBT (fee-absurd): ${fee}`);
  expect(one.data).toEqual({ checks: 'fee-absurd', findings: `${fee}.` });
  const all = refusalOf(() => sign(absurd, { policy: { dust: 'refuse', 'version-unusual': 'refuse' } }));
  expect(all.message).toMatch(/^The review refuses the PSBT \(fee-absurd, .*\): The fee of .*, and 2 more$/);
  expect(all.data).toEqual({
    checks: 'fee-absurd, version-unusual, dust',
    findings: `${fee}.; The transaction version is 4.; Output 0 is dust: it would cost more to spend than it is worth.`,
  });
});
