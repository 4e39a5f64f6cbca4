import { expect, test } from 'vitest';
import { startRegtest } from '../../../src/shell/regtest/index.ts';

/** Mines a transaction that pays amounts in coins and no fee, disconnects its block, and returns the mempool. */
function returned(dialect: 'core-30' | 'core-32', amounts: readonly string[]): readonly string[] {
  const chain = startRegtest({ dialect });
  const alice = chain.wallet('alice');
  chain.fund(alice.address(), 100_000_000n);
  const [coin] = alice.call('listunspent');
  if (!coin) throw new Error('no coin');
  const rest = 100_000_000 - amounts.reduce((sum, amount) => sum + Math.round(Number(amount) * 1e8), 0);
  const outputs = [...amounts, rest / 1e8].map((amount) => ({ [alice.address()]: amount }));
  const raw = chain.rpc.call('createrawtransaction', [[{ txid: coin.txid, vout: coin.vout }], outputs]);
  const { hex } = alice.call('signrawtransactionwithwallet', [raw]);
  const { hash } = chain.rpc.call('generateblock', [alice.address(), [hex]]);
  expect(chain.rpc.call('getrawmempool')).toEqual([]);
  chain.rpc.call('invalidateblock', [hash]);
  return chain.rpc.call('getrawmempool') as readonly string[];
}

test.each(['core-30', 'core-32'] as const)(
  'a disconnected block of %s returns what is standard, whatever its fee, and nothing else',
  (dialect) => {
    expect(returned(dialect, ['0.1'])).toHaveLength(1);
    // One output of dust may be spent together with its transaction; two may not.
    expect(returned(dialect, ['0.00000001'])).toHaveLength(1);
    expect(returned(dialect, ['0.00000001', '0.00000001'])).toEqual([]);
  },
);
