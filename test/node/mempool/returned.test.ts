import { expect, test } from 'vitest';
import { type RegtestOptions, startRegtest } from '../../../src/shell/regtest/index.ts';

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
  return chain.rpc.call('getrawmempool');
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

/** Mines the first of a chain of payments, adds others, disconnects the block, and counts the mempool. */
function countReturned(dialect: 'core-30' | 'core-31', options: RegtestOptions, others: number): number {
  const chain = startRegtest({ dialect, ...options });
  const alice = chain.wallet('alice');
  chain.fund(alice.address(), 100_000_000n);
  // Payments of a wallet are locked to the height, which they lose with the block.
  const pay = (fee: number): void => {
    const [coin] = alice.call('listunspent', [0]);
    if (!coin) throw new Error('no coin');
    const output = { [alice.address()]: Number((coin.amount - fee).toFixed(8)) };
    const raw = chain.rpc.call('createrawtransaction', [[{ txid: coin.txid, vout: coin.vout }], [output]]);
    chain.rpc.call('sendrawtransaction', [alice.call('signrawtransactionwithwallet', [raw]).hex]);
  };
  pay(0.001);
  const [hash = ''] = chain.mine();
  for (let i = 0; i < others; i += 1) pay(0.001);
  expect(chain.rpc.call('getrawmempool')).toHaveLength(others);
  chain.rpc.call('invalidateblock', [hash]);
  return chain.rpc.call('getrawmempool').length;
}

test('transactions of a disconnected block leave others with no more ancestors than Core 30 allows', () => {
  expect(countReturned('core-30', { limitancestorcount: 3 }, 2)).toBe(3);
  expect(countReturned('core-30', { limitancestorcount: 3 }, 3)).toBe(3);
  expect(countReturned('core-31', {}, 3)).toBe(4);
});
