import { describe, expect, test } from 'vitest';
import { type Regtest, startRegtest } from '../../../../src/shell/regtest/index.ts';
import { type DialectName, descriptorChecksum } from '../../../support/library.ts';

const RELEASES = ['core-29', 'core-30', 'core-31', 'core-32'] as const;

interface Listed {
  readonly desc: string;
  readonly active: boolean;
  readonly internal?: boolean;
}

/** Opens a wallet that was paid at an index beyond its range, in a block, before the range reached it. */
function paidTooEarly(dialect: DialectName): Regtest {
  const chain = startRegtest({ dialect });
  const wallet = chain.wallet('w');
  const { descriptors } = chain.rpc.call('listdescriptors', [], 'w') as { readonly descriptors: readonly Listed[] };
  const { desc = '' } =
    descriptors.find((one) => one.active && one.internal === false && one.desc.startsWith('wpkh')) ?? {};
  const text = desc.split('#')[0] ?? '';
  const [address] = chain.rpc.call('deriveaddresses', [`${text}#${descriptorChecksum(text)}`, [25, 25]]) as [string];
  chain.fund(address, 100_000n);
  for (let i = 0; i < 20; i += 1) wallet.call('getnewaddress', { address_type: 'bech32' });
  expect(wallet.call('listunspent')).toEqual([]);
  return chain;
}

function foundAfterLoading({ rpc }: Regtest): number {
  rpc.call('unloadwallet', ['w']);
  rpc.call('loadwallet', ['w']);
  return rpc.call('listunspent', [], 'w').length;
}

test.each([false, true])('loadwallet of 0.21 begins at the block that the node last wrote: %s', (isWritten) => {
  const chain = startRegtest({ dialect: 'core-0.21' });
  chain.rpc.call('createwallet', ['w', true]);
  const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
  chain.fund(address, 100_000n);
  chain.rpc.call('importaddress', [address, '', false], 'w');
  chain.mine();
  if (isWritten) chain.rpc.call('gettxoutsetinfo');
  chain.mine();
  expect(foundAfterLoading(chain)).toBe(isWritten ? 0 : 1);
});

describe.each(RELEASES)('loadwallet of %s', (dialect) => {
  const isWalking = dialect === 'core-29';

  test('goes through the blocks since the last loading in 29 alone', () => {
    expect(foundAfterLoading(paidTooEarly(dialect))).toBe(isWalking ? 1 : 0);
  });

  test.each([
    ['gettxoutsetinfo', []],
    ['scantxoutset', ['start', ['raw(51)']]],
  ] as const)('goes through none from before %s, which writes the coins', (method, params) => {
    const chain = paidTooEarly(dialect);
    chain.rpc.call(method, params);
    expect(foundAfterLoading(chain)).toBe(0);
  });

  test('goes through the block of its last loading, but none before', () => {
    const chain = paidTooEarly(dialect);
    chain.mine(2);
    expect(foundAfterLoading(chain)).toBe(isWalking ? 1 : 0);
    const other = paidTooEarly(dialect);
    other.rpc.call('gettxoutsetinfo');
    other.mine(2);
    // The payment is in the block of the saved tip.
    expect(foundAfterLoading(other)).toBe(isWalking ? 1 : 0);
    const later = paidTooEarly(dialect);
    later.mine();
    later.rpc.call('gettxoutsetinfo');
    later.mine();
    expect(foundAfterLoading(later)).toBe(0);
  });
});
