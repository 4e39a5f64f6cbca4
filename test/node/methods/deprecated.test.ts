import { expect, test } from 'vitest';
import { startRegtest } from '../../../src/shell/regtest/index.ts';

test('deprecatedrpc=settxfee lets Core 30 set the rate of payments', () => {
  const setRate = (deprecatedrpc: readonly string[]): true => {
    const chain = startRegtest({ dialect: 'core-30', deprecatedrpc });
    return chain.wallet('alice').call('settxfee', [0.0005]);
  };
  expect(setRate(['settxfee'])).toBe(true);
  expect(() => setRate([])).toThrow('To use settxfee restart bitcoind with -deprecatedrpc=settxfee.');
});

test('deprecatedrpc=warnings shows them as a text', () => {
  const warnings = (deprecatedrpc: readonly string[]) => {
    const { rpc } = startRegtest({ deprecatedrpc });
    return (['getblockchaininfo', 'getnetworkinfo', 'getmininginfo'] as const).map(
      (name) => rpc.call(name, []).warnings,
    );
  };
  expect(warnings(['warnings'])).toEqual(['', '', '']);
  expect(warnings([])).toEqual([[], [], []]);
});

test('deprecatedrpc=bip125 shows again what signals replacement', () => {
  const shown = (dialect: 'core-31' | 'core-32', deprecatedrpc: readonly string[]) => {
    const chain = startRegtest({ dialect, deprecatedrpc });
    const alice = chain.wallet('alice');
    chain.fund(alice.address(), 100_000_000n);
    const id = alice.send(alice.address(), 50_000_000n);
    return [
      Object.keys(chain.rpc.call('getmempoolentry', [id])).includes('bip125-replaceable'),
      alice.call('gettransaction', [id])['bip125-replaceable'],
    ];
  };
  expect(shown('core-32', ['bip125'])).toEqual([true, 'yes']);
  expect(shown('core-32', [])).toEqual([false, undefined]);
  expect(shown('core-31', [])).toEqual([true, 'yes']);
});

test('deprecatedrpc=fullrbf shows again that anything can be replaced', () => {
  const last = (deprecatedrpc: readonly string[]) =>
    Object.entries(startRegtest({ dialect: 'core-32', deprecatedrpc }).rpc.call('getmempoolinfo', [])).at(-1);
  expect(last(['fullrbf'])).toEqual(['fullrbf', true]);
  expect(last([])).toEqual(['optimal', true]);
});

test('deprecatedrpc=removeprunedfunds lets Core 32 remove transactions', () => {
  const remove = (dialect: 'core-31' | 'core-32', deprecatedrpc: readonly string[]): null =>
    startRegtest({ dialect, deprecatedrpc })
      .wallet('alice')
      .call('removeprunedfunds', ['00'.repeat(32)]);
  expect(() => remove('core-32', [])).toThrow('Start bitcoind with the `-deprecatedrpc=removeprunedfunds` option');
  expect(() => remove('core-32', ['removeprunedfunds'])).toThrow('does not belong to this wallet');
  expect(() => remove('core-31', [])).toThrow('does not belong to this wallet');
});

test('deprecatedrpc=create_bdb makes Core 29 answer as a build without BDB', () => {
  const create = (deprecatedrpc: readonly string[]) =>
    startRegtest({ dialect: 'core-29', deprecatedrpc }).rpc.call('createwallet', [
      'old',
      false,
      false,
      '',
      false,
      false,
    ]);
  expect(() => create(['create_bdb'])).toThrow('Compiled without bdb support (required for legacy wallets)');
  expect(() => create([])).toThrow('BDB wallet creation is deprecated');
});
