import { expect, test } from 'vitest';
import type { BitcoindOptions } from '../../../src/node/bitcoindOptions.ts';
import { startRegtest } from '../../../src/shell/regtest/index.ts';

const warningsOf = (dialect: 'core-30' | 'core-32', options: BitcoindOptions): readonly string[] | undefined =>
  startRegtest({ dialect, ...options }).rpc.call('createwallet', ['w']).warnings;

const HIGH = 1_000_000;

test('a wallet warns of fees that are very high, in the words of a node', () => {
  expect(warningsOf('core-32', { fallbackfee: HIGH, mintxfee: HIGH, maxtxfee: 100 * HIGH })).toBeUndefined();
  expect(warningsOf('core-32', { fallbackfee: HIGH + 1, mintxfee: HIGH + 1, maxtxfee: 100 * HIGH + 1 })).toEqual([
    '-mintxfee is set very high! This is the minimum transaction fee you pay on every transaction.',
    '-fallbackfee is set very high! This is the transaction fee you may pay when fee estimates are not available.',
    '-maxtxfee is set very high! Fees this large could be paid on a single transaction.',
  ]);
});

test('a wallet warns of options on their way out', () => {
  expect(warningsOf('core-30', { paytxfee: 1000, walletrbf: false })).toEqual([
    '-paytxfee is deprecated and will be fully removed in v31.0.',
  ]);
  expect(warningsOf('core-32', { walletrbf: false })).toEqual([
    '-walletrbf is deprecated and will be fully removed in the next release.',
  ]);
});
