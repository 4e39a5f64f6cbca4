import { describe, expect, test } from 'vitest';
import { type RefusalReason, type Regtest, startRegtest } from '../../../src/shell/regtest/index.ts';

const RELEASES = ['core-29', 'core-30', 'core-31', 'core-32'] as const;

/** A chain with a wallet that has a confirmed coin. */
function funded(options: Parameters<typeof startRegtest>[0] = {}) {
  const chain = startRegtest(options);
  const alice = chain.wallet('alice');
  chain.fund(alice.address(), 10_000_000n);
  return { chain, alice };
}

const confirmationsOf = (chain: Regtest, txid: string): number =>
  chain.rpc.call('gettransaction', [txid], 'alice').confirmations;

/** A transaction that alice has signed and not sent. */
function signed({ chain, alice }: ReturnType<typeof funded>): string {
  const { hex } = alice.call('send', {
    outputs: { [alice.address()]: 0.001 },
    options: { add_to_wallet: false, fee_rate: 5 },
  }) as { hex?: string };
  if (hex === undefined) throw new Error(`no transaction at height ${chain.rpc.call('getblockcount')}`);
  return hex;
}

describe.each(RELEASES)('the next broadcast (%s)', (dialect) => {
  const texts: readonly (readonly [RefusalReason, number, RegExp])[] = [
    ['mempool full', -26, /^mempool full$/],
    ['mempool min fee not met', -26, /^mempool min fee not met, (\d+) < (\d+)$/],
    [
      'insufficient fee',
      -26,
      /^insufficient fee, rejecting replacement [0-9a-f]{64}, less fees than conflicting txs; 0\.\d{8} < 0\.\d{8}$/,
    ],
    ['bad-txns-inputs-missingorspent', -25, /^bad-txns-inputs-missingorspent$/],
    dialect === 'core-29' || dialect === 'core-30'
      ? ['too-long-mempool-chain', -26, /^too-long-mempool-chain, too many unconfirmed ancestors \[limit: 25\]$/]
      : ['too-large-cluster', -26, /^too-large-cluster$/],
  ];
  test.each(texts)('is refused for %s', (reason, code, text) => {
    const parts = funded({ dialect });
    const hex = signed(parts);
    const { chain } = parts;
    chain.refuseNext(reason);
    expect(() => chain.rpc.call('sendrawtransaction', [hex])).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(text) }),
    );
    expect(chain.rpc.call('getmempoolinfo').size).toBe(0);
    const txid = chain.rpc.call('sendrawtransaction', [hex]);
    expect(chain.rpc.call('getrawmempool')).toEqual([txid]);
  });

  test('is not refused for a reason of another release', () => {
    const { chain } = funded({ dialect });
    const other = dialect === 'core-29' || dialect === 'core-30' ? 'too-large-cluster' : 'too-long-mempool-chain';
    expect(() => chain.refuseNext(other)).toThrow(/reason must be one that the release gives: mempool full, /);
    // Since 29, any conflict may be replaced.
    expect(() => chain.refuseNext('txn-mempool-conflict')).toThrow(/must be one/);
    expect(() => chain.refuseNext('no reason' as RefusalReason)).toThrow(/must be one/);
  });
});

test('A refusal waits for a broadcast that would succeed, as often as told, and goes with a rewind', () => {
  const parts = funded();
  const hex = signed(parts);
  const { chain } = parts;
  const start = chain.snapshot();
  chain.refuseNext('mempool full', 2);
  expect(chain.rpc.call('testmempoolaccept', [[hex]])[0]?.allowed).toBe(true);
  expect(() => chain.rpc.call('sendrawtransaction', ['00'])).toThrow(/TX decode failed/);
  for (let time = 0; time < 2; time += 1) {
    expect(() => chain.rpc.call('sendrawtransaction', [hex])).toThrow('mempool full');
  }
  chain.refuseNext('mempool full');
  chain.rewind(start);
  expect(chain.rpc.call('sendrawtransaction', [hex])).toMatch(/^[0-9a-f]{64}$/);
});

describe('a reorganization', () => {
  test.each([1, 2, 6])('of %i blocks returns their transactions to the mempool', (count) => {
    const { chain, alice } = funded();
    chain.mine(10);
    const txid = alice.send(alice.address(), 100_000n);
    chain.mine(count);
    const [height, old] = [chain.rpc.call('getblockcount'), chain.rpc.call('getbestblockhash')];
    expect(confirmationsOf(chain, txid)).toBe(count);
    const hashes = chain.reorganize(count);
    expect(hashes).toHaveLength(count + 1);
    expect(chain.rpc.call('getblockcount')).toBe(height + 1);
    expect(chain.rpc.call('getbestblockhash')).toBe(hashes.at(-1));
    expect(confirmationsOf(chain, txid)).toBe(0);
    expect(chain.rpc.call('getrawmempool')).toEqual([txid]);
    const fork = chain.rpc.call('getchaintips').find(({ hash }) => hash === old);
    expect(fork).toMatchObject({ branchlen: count, status: 'valid-fork' });
    chain.mine();
    expect(confirmationsOf(chain, txid)).toBe(1);
  });

  test('of more blocks than there are is refused', () => {
    const chain = startRegtest();
    chain.mine(3);
    for (const count of [0, -1, 4, 1.5]) expect(() => chain.reorganize(count)).toThrow(/count must be a whole number/);
    chain.reorganize(3);
    expect(chain.rpc.call('getblockcount')).toBe(4);
  });

  test('is seen by linked nodes', () => {
    const { chain } = funded();
    const other = chain.link();
    chain.reorganize(2);
    expect(other.rpc.call('getbestblockhash')).toBe(chain.rpc.call('getbestblockhash'));
  });
});

describe('withheld blocks', () => {
  test('replace those that were mined meanwhile', () => {
    const { chain, alice } = funded();
    const before = chain.rpc.call('getbestblockhash');
    const withheld = chain.withhold(2);
    expect(chain.rpc.call('getbestblockhash')).toBe(before);
    const txid = alice.send(alice.address(), 100_000n);
    chain.mine();
    expect(confirmationsOf(chain, txid)).toBe(1);
    withheld.release();
    expect(chain.rpc.call('getbestblockhash')).toBe(withheld.hashes.at(-1));
    expect(confirmationsOf(chain, txid)).toBe(0);
    withheld.release();
    expect(chain.rpc.call('getbestblockhash')).toBe(withheld.hashes.at(-1));
  });

  test('come too late against more work', () => {
    const { chain } = funded();
    const withheld = chain.withhold();
    const [, last] = chain.mine(2);
    withheld.release();
    expect(chain.rpc.call('getbestblockhash')).toBe(last);
    expect(chain.rpc.call('getchaintips')).toContainEqual(
      expect.objectContaining({ hash: withheld.hashes[0], branchlen: 1 }),
    );
  });
});

describe('a double spend', () => {
  test('is mined in the place of the transaction, which conflicts from then on', () => {
    const { chain, alice } = funded();
    const txid = alice.send(alice.address(), 100_000n);
    const rival = chain.doubleSpend(txid);
    expect(chain.rpc.call('getblock', [rival.hash]).tx.at(-1)).toBe(rival.txid);
    expect(chain.rpc.call('getrawmempool')).toEqual([]);
    expect(confirmationsOf(chain, txid)).toBe(-1);
    expect(alice.balance()).toBe(0n);
    // The chain can spend what it took.
    chain.fund(alice.address(), 5_000n);
  });

  test('needs a transaction of the mempool with a confirmed coin', () => {
    const { chain, alice } = funded();
    const first = alice.send(alice.address(), 9_000_000n);
    const second = alice.call('send', {
      outputs: { [alice.address()]: 0.05 },
      options: { fee_rate: 5, inputs: [{ txid: first, vout: 0 }], add_inputs: true },
    }).txid;
    expect(() => chain.doubleSpend(String(second))).toThrow(/mine its parents first|mempool/);
    expect(() => chain.doubleSpend('00'.repeat(32))).toThrow(/txid must name a transaction of the mempool/);
    expect(() => chain.doubleSpend('xyz')).toThrow();
  });
});

describe.each(RELEASES)('a pinned transaction (%s)', (dialect) => {
  test('is replaced only by one that pays for what is pinned to it', () => {
    const { chain, alice } = funded({ dialect });
    const txid = String(alice.call('sendtoaddress', { address: alice.address(), amount: 0.001, fee_rate: 5 }));
    const pinning = chain.pin(txid);
    const { vsize, fees } = chain.rpc.call('getmempoolentry', [pinning]);
    expect(vsize).toBeGreaterThan(70_000);
    expect(chain.rpc.call('getmempoolentry', [txid]).descendantcount).toBe(2);
    expect(() => alice.call('bumpfee', [txid, { fee_rate: 100 }])).toThrow();
    const rate = Math.ceil((fees.base * 1e8) / chain.rpc.call('getmempoolentry', [txid]).vsize) + 100;
    expect(rate).toBeGreaterThan(500);
    chain.mine();
    expect(confirmationsOf(chain, txid)).toBe(1);
  });
});

test('A spike lasts from block to block until it ends', () => {
  const { chain, alice } = funded();
  const spike = chain.spike(40);
  expect(chain.rpc.call('estimatesmartfee', [6]).feerate).toBe(0.0004);
  const cheap = String(alice.call('sendtoaddress', { address: alice.address(), amount: 0.001, fee_rate: 5 }));
  for (let block = 0; block < 3; block += 1) {
    chain.mine();
    expect(confirmationsOf(chain, cheap)).toBe(0);
  }
  spike.end();
  expect(chain.rpc.call('estimatesmartfee', [6]).errors).toHaveLength(1);
  chain.mine(2);
  expect(confirmationsOf(chain, cheap)).toBe(1);
});

test('A spike fills each of several blocks, and gives back the rates that were set before', () => {
  const { chain, alice } = funded();
  chain.setFeeRates(5);
  const first = chain.spike(40);
  const cheap = String(alice.call('sendtoaddress', { address: alice.address(), amount: 0.001, fee_rate: 3 }));
  chain.mine(2);
  expect(confirmationsOf(chain, cheap)).toBe(0);
  const second = chain.spike(50);
  first.end();
  expect(chain.rpc.call('estimatesmartfee', [6]).feerate).toBe(0.0005);
  second.end();
  expect(chain.rpc.call('estimatesmartfee', [6]).feerate).toBe(0.0004);
});

describe('without coins of the chain', () => {
  /** A chain whose blocks have paid alice alone. */
  const mined = () => {
    const chain = startRegtest();
    const alice = chain.wallet('alice');
    chain.mine(101, alice.address());
    return { chain, txid: alice.send(chain.wallet('bob').address(), 25_000_000n) };
  };
  const acts: Readonly<Record<string, (chain: Regtest, txid: string) => unknown>> = {
    pin: (chain, txid) => chain.pin(txid),
    congest: (chain) => chain.congest({ feeRate: 20 }),
    spike: (chain) => chain.spike(20),
    fund: (chain) => chain.fund(chain.wallet('bob').address(), 10_000n, { isMined: false }),
  };
  test.each(Object.entries(acts))('%s mines what it needs, and confirms nothing', (_, act) => {
    const { chain, txid } = mined();
    act(chain, txid);
    expect(confirmationsOf(chain, txid)).toBe(0);
    expect(chain.rpc.call('getrawmempool')).toContain(txid);
  });
});

test('Planned faults wait for the calls of others than the chain itself', () => {
  const parts = funded();
  const { chain, alice } = parts;
  const hex = signed(parts);
  chain.refuseNext('mempool full');
  chain.failNext('submitblock', { code: -1, message: 'no' });
  chain.failNext('generateblock', { code: -1, message: 'no' });
  chain.fund(chain.wallet('bob').address(), 10_000n);
  chain.reorganize(1);
  chain.setBalance(chain.wallet('bob').address(), 5_000n);
  expect(() => chain.rpc.call('sendrawtransaction', [hex])).toThrow('mempool full');
  expect(() => chain.rpc.call('generateblock', [alice.address(), []])).toThrow('no');
});

test('A fault that can never happen is refused', () => {
  const chain = startRegtest();
  const refusal = { code: -1, message: 'no' };
  expect(() => chain.failNext('getblok' as 'getblock', refusal)).toThrow(/method must name a method of a node/);
  expect(() => chain.failNext('getblock', {} as typeof refusal)).toThrow(/refusal must be { code, message }/);
  expect(() => chain.failNext('getblock', undefined as unknown as typeof refusal)).toThrow(/refusal must be/);
  for (const times of [-1, Number.NaN, 1.5]) {
    expect(() => chain.failNext('getblock', refusal, times)).toThrow(/times must be a whole number/);
    expect(() => chain.refuseNext('mempool full', times)).toThrow(/times must be a whole number/);
  }
  expect(() => chain.congest({ feeRate: 5, blocks: -1 })).toThrow(/count must be a whole number of blocks/);
});

test('Withheld blocks whose parent a rewind has taken are refused with the reason of the node', () => {
  const { chain } = funded();
  const start = chain.snapshot();
  chain.mine(3);
  const withheld = chain.withhold(2);
  chain.rewind(start);
  expect(() => withheld.release()).toThrow('prev-blk-not-found');
});

test('A pin that the node refuses leaves no impersonation', () => {
  const { chain, alice } = funded();
  const txid = alice.send(alice.address(), 100_000n);
  chain.pin(txid, 0);
  expect(() => chain.pin(txid, 1)).toThrow(/too-large-cluster/);
  expect(chain.rpc.call('getblockchaininfo').warnings).toEqual([expect.stringMatching(/the coins of a script:/)]);
});

test('A rewound node follows the blocks of others that impersonate', () => {
  const { chain } = funded();
  const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
  chain.fund(address, 100_000n);
  const other = chain.link();
  const start = other.snapshot();
  chain.impersonate(address).send(address, 50_000n);
  chain.mine(2);
  other.rewind(start);
  chain.mine();
  expect(other.rpc.call('getbestblockhash')).toBe(chain.rpc.call('getbestblockhash'));
});
