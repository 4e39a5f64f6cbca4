import { describe, expect, test } from 'vitest';
import { type Regtest, startRegtest } from '../../../src/shell/regtest/index.ts';
import { decodeTransaction, encodeTransaction, formatHex, parseHex } from '../../support/library.ts';

/** An address of each form, of keys and scripts that nobody here has. */
const FOREIGN = [
  'mrCDrCybB6J1vRfbwM5hemdJz73FwDBC8r',
  '2NBFNJTktNa7GZusGbDbGKRZTxdK9VVez3n',
  'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  'bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry',
  'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6',
];
const RELEASES = ['core-0.21', 'core-29', 'core-30', 'core-31', 'core-32'] as const;

const warningsOf = (chain: Regtest): string => String(chain.rpc.call('getblockchaininfo').warnings);

/** An unsigned transaction that takes all of a coin. */
function unsigned(chain: Regtest, coin: { txid: string; vout: number }, address: string, amount: number): string {
  return chain.rpc.call('createrawtransaction', [[coin], { [address]: amount }]);
}

describe.each(RELEASES)('an impersonated address (%s)', (dialect) => {
  test.each(FOREIGN)('is spent from without its key: %s', (address) => {
    const chain = startRegtest({ dialect });
    const bob = chain.wallet('bob').address();
    const coin = chain.fund(address, 100_000n);
    const hex = unsigned(chain, coin, bob, 0.0009);
    expect(() => chain.rpc.call('sendrawtransaction', [hex])).toThrow();
    const owner = chain.impersonate(address);
    expect(owner.coins()).toEqual([{ ...coin, value: 100_000n }]);
    const txid = chain.rpc.call('sendrawtransaction', [hex]);
    const [hash = ''] = chain.mine();
    expect(chain.rpc.call('gettxout', [txid, 0])?.confirmations).toBe(1);
    expect(chain.rpc.call('getblock', [hash]).tx).toContain(txid);
    expect(owner.balance()).toBe(0n);
  });

  test('pays by a call, with change, and again before a block', () => {
    const chain = startRegtest({ dialect });
    const bob = chain.wallet('bob');
    const [, , address = ''] = FOREIGN;
    chain.fund(address, 1_000_000n);
    const owner = chain.impersonate(address);
    owner.send(bob.address(), 300_000n);
    owner.send(bob.address(), 200_000n, { feeRate: 2 });
    chain.mine();
    expect(bob.balance()).toBe(500_000n);
    expect(owner.balance()).toBeGreaterThan(495_000n);
    expect(() => owner.send(bob.address(), 10_000_000n)).toThrow(/satoshi to spend, not 10000000/);
  });

  test('marks the chain, which says so, until it is rewound', () => {
    const chain = startRegtest({ dialect });
    const start = chain.snapshot();
    const before = warningsOf(chain);
    chain.impersonate(FOREIGN[0] ?? '');
    expect(warningsOf(chain)).toBe('This chain lets anybody spend the coins of a script: no other node follows it');
    expect(String(chain.rpc.call('getnetworkinfo').warnings)).toBe(warningsOf(chain));
    chain.impersonate(FOREIGN[1] ?? '');
    expect(warningsOf(chain)).toMatch(/of 2 scripts/);
    chain.rewind(start);
    expect(warningsOf(chain)).toBe(before);
  });
});

test('Scripts of other addresses still count, also in the same transaction', () => {
  const chain = startRegtest();
  const [one = '', , other = ''] = FOREIGN;
  const coins = [chain.fund(one, 50_000n), chain.fund(other, 50_000n)];
  chain.impersonate(one);
  const tx = chain.rpc.call('createrawtransaction', [coins, { [one]: 0.0009 }]);
  expect(() => chain.rpc.call('sendrawtransaction', [tx])).toThrow(/script-verify-flag-failed/);
  const [verdict] = chain.rpc.call('testmempoolaccept', [[tx]]);
  expect(verdict?.allowed).toBe(false);
  expect(() => chain.rpc.call('generateblock', ['raw(51)', [tx]])).toThrow(/block-script-verify-flag-failed/);
  chain.impersonate(other);
  expect(chain.rpc.call('testmempoolaccept', [[tx]])[0]?.allowed).toBe(true);
});

test('A chain with such a spend is dumped, loaded and reorganized', () => {
  const chain = startRegtest();
  const address = FOREIGN[3] ?? '';
  chain.fund(address, 100_000n);
  const bob = chain.wallet('bob');
  chain.impersonate(address).send(bob.address(), 60_000n);
  const [hash = ''] = chain.mine();
  const other = startRegtest();
  other.load(chain.dump());
  expect(warningsOf(other)).toBe(warningsOf(chain));
  other.rpc.call('invalidateblock', [hash]);
  other.rpc.call('reconsiderblock', [hash]);
  expect(other.rpc.call('getbestblockhash')).toBe(hash);
});

test('Linked nodes follow, whether linked before or after', () => {
  const chain = startRegtest();
  const address = FOREIGN[2] ?? '';
  chain.fund(address, 100_000n);
  const before = chain.link();
  const owner = chain.impersonate(address);
  owner.send(address, 50_000n);
  chain.mine();
  const after = chain.link();
  for (const node of [before, after]) {
    expect(node.rpc.call('getbestblockhash')).toBe(chain.rpc.call('getbestblockhash'));
    expect(warningsOf(node)).toBe(warningsOf(chain));
  }
});

test('A witness of the right script that lacks signatures is waived, too', () => {
  const chain = startRegtest();
  const address = FOREIGN[4] ?? '';
  const coin = chain.fund(address, 100_000n);
  chain.impersonate(address);
  const tx = decodeTransaction(parseHex(unsigned(chain, coin, address, 0.0009)));
  const [input] = tx.inputs;
  if (!input) throw new Error('no input');
  const bad = { ...tx, inputs: [{ ...input, witness: [new Uint8Array(64)] }] };
  expect(chain.rpc.call('sendrawtransaction', [formatHex(encodeTransaction(bad))])).toMatch(/^[0-9a-f]{64}$/);
});

test('A balance is set up, down and to nothing', () => {
  const chain = startRegtest();
  const address = FOREIGN[2] ?? '';
  for (const sats of [100_000n, 250_000n, 99n, 1_000_000n, 0n]) {
    chain.setBalance(address, sats);
    const scanned = chain.rpc.call('scantxoutset', ['start', [`addr(${address})`]]);
    expect(BigInt(Math.round((scanned?.total_amount ?? -1) * 1e8))).toBe(sats);
  }
  expect(() => chain.setBalance(address, -1n)).toThrow(/sats must be satoshi as a bigint, 0n or more/);
});

test('The balance of a wallet is set, which then knows it', () => {
  const chain = startRegtest();
  const alice = chain.wallet('alice');
  const address = alice.address();
  chain.setBalance(address, 500_000n);
  expect(alice.balance()).toBe(500_000n);
  chain.setBalance(address, 200_000n);
  expect(alice.balance()).toBe(200_000n);
});

test('The clock is set forward only', () => {
  const chain = startRegtest({ time: 1_760_000_000 });
  chain.setTime(1_770_000_000);
  expect(chain.time()).toBe(1_770_000_000);
  const [hash = ''] = chain.mine();
  expect(chain.rpc.call('getblockheader', [hash]).time).toBe(1_770_000_000);
  expect(() => chain.setTime(1_769_999_999)).toThrow(/time must be a whole number of seconds, 1770000001, the present/);
  expect(() => chain.setTime(2 ** 32)).toThrow(/to 4294000000/);
  expect(() => chain.advance(2 ** 32)).toThrow(/seconds must be a number, 0 to 2523999999/);
  expect(() => startRegtest({ time: 2 ** 33 })).toThrow(/time must be/);
  chain.setTime(4_294_000_000);
  chain.mine(3);
});

describe.each(RELEASES)('fee rates that are set (%s)', (dialect) => {
  test('are what estimators answer', () => {
    const chain = startRegtest({ dialect });
    const ask = (target: number) => chain.rpc.call('estimatesmartfee', [target]);
    const nothing = ask(6);
    expect(nothing.errors).toHaveLength(1);
    chain.setFeeRates({ 2: 50, 6: 20, 144: 1.5 });
    const estimator = dialect === 'core-32' ? { estimator: 'block_policy' } : {};
    const rows = [
      [1, 0.0005, 2],
      [2, 0.0005, 2],
      [5, 0.0005, 5],
      [6, 0.0002, 6],
      [144, 0.000015, 144],
      [1008, 0.000015, 1008],
    ] as const;
    for (const [target, feerate, blocks] of rows) expect(ask(target)).toEqual({ feerate, ...estimator, blocks });
    chain.setFeeRates();
    expect(ask(6)).toEqual(nothing);
  });

  test('are what wallets pay', () => {
    const chain = startRegtest({ dialect });
    const alice = chain.wallet('alice');
    chain.fund(alice.address(), 10_000_000n);
    chain.setFeeRates({ 1: 30, 6: 12, 100: 3 });
    const rateOf = (options: object): number => {
      chain.mine();
      const sent = alice.call('sendtoaddress', { address: alice.address(), amount: 0.01, ...options });
      const { fees, vsize } = chain.rpc.call('getmempoolentry', [String(sent)]);
      return Math.round((fees.base * 1e8) / vsize);
    };
    expect(rateOf({})).toBe(12);
    expect(rateOf({ conf_target: 2 })).toBe(30);
    expect(rateOf({ conf_target: 500 })).toBe(3);
    const told = alice.call('sendtoaddress', { address: alice.address(), amount: 0.01, verbose: true });
    const reason = dialect === 'core-32' ? 'Fee Rate Estimator' : 'Target 85% Threshold';
    expect(told).toMatchObject({ fee_reason: reason });
  });
});

test('Wrong fee rates are refused, and change nothing', () => {
  const chain = startRegtest();
  const odd = [null, [], 'x'] as unknown as number[];
  for (const rates of [0, -1, Number.NaN, { 0: 5 }, { 1009: 5 }, { 6: 0 }, 2_000_000, ...odd]) {
    expect(() => chain.setFeeRates(rates)).toThrow(/must/);
  }
  expect(chain.rpc.call('estimatesmartfee', [6]).errors).toHaveLength(1);
});
