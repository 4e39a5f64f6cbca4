import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../../src/core/crypto/nativeSecp256k1.ts';
import { createClient } from '../../../src/shell/client/index.ts';
import { type Regtest, type RegtestOptions, startRegtest } from '../../../src/shell/regtest/index.ts';
import { refusalOf } from '../../support/refusal.ts';

const PAYEE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const open: Regtest[] = [];

function start(options: RegtestOptions = {}): Regtest {
  const chain = startRegtest({ ecc: nativeSecp256k1Ecc, ...options });
  open.push(chain);
  return chain;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((chain) => chain.close()));
});

const heightOf = ({ rpc }: Regtest): number => rpc.call('getblockcount');
const tipOf = ({ rpc }: Regtest): string => rpc.call('getbestblockhash');
const sent = (answer: unknown): string => String(answer);
const pooled = ({ rpc }: Regtest): readonly string[] => rpc.call('getrawmempool');

describe('a chain for tests', () => {
  test('funds, pays, mines and lists', () => {
    const chain = start();
    const [alice, bob] = [chain.wallet('alice'), chain.wallet('bob')];
    chain.fund(alice.address(), 100_000_000n);
    const txid = alice.send(bob.address(), 25_000_000n);
    expect(bob.balance()).toBe(0n);
    chain.mine();
    expect(bob.balance()).toBe(25_000_000n);
    expect(bob.call('listtransactions')).toMatchObject([{ category: 'receive', txid, confirmations: 1 }]);
  });

  test('is the same each time, unless its seed is another', () => {
    const addressOf = (options?: RegtestOptions): string => start(options).wallet('w').address();
    expect(addressOf()).toBe(addressOf());
    expect(addressOf({ seed: 'another' })).not.toBe(addressOf());
    expect(start().mine(3)).toEqual(start().mine(3));
  });

  test.each(['core-29', 'core-30', 'core-32'] as const)('answers as %s', (dialect) => {
    const chain = start({ dialect });
    chain.fund(PAYEE, 5000n);
    expect(chain.rpc.call('getnetworkinfo').subversion).toMatch(/^\/Satoshi:/);
    expect(heightOf(chain)).toBe(102);
  });

  test('gives away no more than blocks create', () => {
    const chain = start();
    expect(() => chain.fund(PAYEE, 10n ** 15n)).toThrow('ask for less');
    expect(heightOf(chain)).toBe(0);
    expect(() => chain.fund('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 5000n)).toThrow(/main/);
  });

  test('leaves a payment in the mempool if it shall not be mined, also many of them', () => {
    const chain = start();
    const ids = Array.from({ length: 5 }, () => chain.fund(PAYEE, 5000n, { isMined: false }).txid);
    expect([...pooled(chain)].sort()).toEqual(ids.sort());
    chain.mine();
    expect(pooled(chain)).toEqual([]);
  });

  test('has a clock of its own, which moves a second with each call that changes the tip', () => {
    const chain = start({ time: 1_800_000_000 });
    chain.rpc.call('getblockcount');
    expect(chain.time()).toBe(1_800_000_000);
    chain.mine();
    expect(chain.time()).toBe(1_800_000_001);
    chain.advance(3600);
    chain.mine();
    expect(chain.rpc.call('getblockheader', [tipOf(chain)])).toMatchObject({ time: 1_800_003_601 });
    // The median of block times has to rise.
    chain.mine(100);
    expect(chain.time()).toBe((chain.rpc.call('getblockchaininfo').time as number) + 1);
  });

  test('mines another block in the place of one that was taken back', () => {
    const chain = start();
    const [taken = ''] = chain.mine();
    chain.rpc.call('invalidateblock', [taken]);
    expect(chain.mine()).not.toEqual([taken]);
    expect(heightOf(chain)).toBe(1);
  });

  test.each([1, 0n, -1n, '1'])('refuses %s in the place of satoshi', (sats) => {
    const chain = startRegtest();
    for (const pay of [chain.fund, chain.wallet('alice').send]) {
      expect(() => pay(PAYEE, sats as bigint)).toThrow('The argument sats must be satoshi as a bigint above 0');
    }
  });

  test('refuses options that it does not know', () => {
    expect(() => start({ fallbackFee: 5 } as RegtestOptions)).toThrow(/fallbackFee/);
    expect(() => start().fund(PAYEE, 5000n, { mined: false } as object)).toThrow(/mined/);
  });
});

describe('an argument of a chain for tests', () => {
  const BLOCKS = 'The argument count must be a whole number of blocks, 0 or more';
  const SECONDS = 'The argument seconds must be a number, 0 to 2544000000: rewind turns the clock back';

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '1' as unknown as number])('mine(%s)', (count) => {
    const chain = start();
    expect(refusalOf(() => chain.mine(count))).toMatchObject({ code: 'argument/invalid', message: BLOCKS });
    expect(chain.rpc.call('getblockcount')).toBe(0);
  });

  test.each([-5, Number.NaN, Number.POSITIVE_INFINITY, '1' as unknown as number])('advance(%s)', (seconds) => {
    const chain = start();
    const before = chain.time();
    expect(refusalOf(() => chain.advance(seconds))).toMatchObject({ code: 'argument/invalid', message: SECONDS });
    expect(chain.time()).toBe(before);
  });

  test('may be 0', () => {
    const chain = start();
    chain.advance(0);
    expect(chain.mine(0)).toEqual([]);
    expect(chain.rpc.call('getblockcount')).toBe(0);
  });
});

describe('a snapshot', () => {
  test('is returned to with chain, mempool, wallets and clock, more than once', () => {
    const chain = start();
    const alice = chain.wallet('alice');
    chain.fund(alice.address(), 50_000n);
    const waiting = chain.fund(PAYEE, 7000n, { isMined: false });
    const before = chain.snapshot();
    const state = (): unknown => [
      chain.rpc.call('getblockchaininfo'),
      pooled(chain),
      chain.rpc.call('listwallets'),
      alice.call('listtransactions'),
      alice.balance(),
      chain.time(),
    ];
    const kept = state();
    for (let round = 0; round < 2; round += 1) {
      chain.mine(3);
      chain.advance(100);
      chain.wallet('bob');
      alice.send(PAYEE, 10_000n);
      chain.rewind(before);
      expect(state()).toEqual(kept);
    }
    chain.mine();
    expect(chain.rpc.call('gettxout', [waiting.txid, 0])).toMatchObject({ confirmations: 1 });
    expect(() => start().rewind(before)).toThrow('of the same chain');
  });

  test('makes no difference to what follows, whatever came between', () => {
    const steps = {
      mine: (chain: Regtest) => chain.mine(),
      fund: (chain: Regtest) => chain.fund(chain.wallet('alice').address(), 60_000n),
      pool: (chain: Regtest) => chain.fund(PAYEE, 1000n, { isMined: false }),
      pay: (chain: Regtest) => {
        const alice = chain.wallet('alice');
        return alice.balance() > 20_000n && alice.send(PAYEE, 10_000n);
      },
    };
    const step = fc.constantFrom(...Object.values(steps));
    const run = (chain: Regtest, each: readonly ((chain: Regtest) => unknown)[]): unknown[] => {
      for (const take of each) take(chain);
      return [heightOf(chain), pooled(chain).length, chain.wallet('alice').balance()];
    };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), fc.array(step, { maxLength: 6 }), (between, after) => {
        const [plain, rewound] = [start(), start()];
        const before = rewound.snapshot();
        run(rewound, between);
        rewound.rewind(before);
        expect(heightOf(rewound)).toBe(0);
        expect(run(rewound, after)).toEqual(run(plain, after));
      }),
      { numRuns: 6 },
    );
  });
});

describe('linked nodes', () => {
  test('leave with a rewind to before they were linked', () => {
    const chain = start();
    const before = chain.snapshot();
    const keyOf = (node: Regtest): string => node.wallet('w').address();
    const other = chain.link();
    const key = keyOf(other);
    other.mine(5);
    expect(heightOf(chain)).toBe(5);
    chain.rewind(before);
    chain.mine();
    expect(heightOf(chain)).toBe(1);
    chain.reconnect();
    other.mine();
    expect([heightOf(chain), heightOf(other)]).toEqual([1, 6]);
    expect(keyOf(chain.link())).toBe(key);
  });

  test('share blocks and transactions, and follow the chain with the most work after a fork', () => {
    const chain = start();
    chain.fund(PAYEE, 5000n);
    const other = chain.link();
    expect(tipOf(other)).toBe(tipOf(chain));
    const lost = chain.fund(PAYEE, 6000n, { isMined: false });
    expect(pooled(other)).toEqual([lost.txid]);
    chain.disconnect();
    chain.mine(1);
    other.mine(2);
    expect(tipOf(other)).not.toBe(tipOf(chain));
    chain.reconnect();
    expect(tipOf(chain)).toBe(tipOf(other));
    expect(chain.rpc.call('getchaintips').map(({ status }) => status)).toEqual(['active', 'valid-fork']);
  });

  test('give back what a reorganization takes out of the chain', () => {
    const chain = start();
    const alice = chain.wallet('alice');
    chain.fund(alice.address(), 100_000n);
    const other = chain.link();
    chain.disconnect();
    const txid = alice.send(PAYEE, 50_000n);
    chain.mine();
    other.mine(2);
    chain.reconnect();
    expect(alice.call('gettransaction', [txid])).toMatchObject({ confirmations: 0 });
    expect(pooled(other)).toEqual([txid]);
    other.mine();
    expect(alice.call('gettransaction', [txid])).toMatchObject({ confirmations: 1 });
  });

  test('are as many as are started', () => {
    const chain = start();
    const [second, third] = [chain.link(), chain.link()];
    const fourth = third.link();
    second.mine(2);
    expect([chain, third, fourth].map(heightOf)).toEqual([2, 2, 2]);
    fourth.fund(PAYEE, 4000n, { isMined: false });
    expect(pooled(second)).toHaveLength(1);
  });
});

describe('faults', () => {
  test('let the next calls of a method fail, and no others', () => {
    const chain = start();
    const refusal = { code: -8, message: 'Block height out of range' };
    chain.failNext('getblockhash', refusal, 2);
    expect(chain.rpc.call('getblockcount')).toBe(0);
    for (let i = 0; i < 2; i += 1) expect(() => chain.rpc.call('getblockhash', [0])).toThrow(refusal.message);
    expect(chain.rpc.call('getblockhash', [0])).toMatch(/^0f9188f1/);
  });

  test('fill blocks, so that what pays less waits', () => {
    const chain = start();
    const alice = chain.wallet('alice');
    chain.fund(alice.address(), 1_000_000n);
    const ids = chain.congest({ feeRate: 50, blocks: 2 });
    expect(ids).toHaveLength(26);
    const cheap = sent(alice.call('sendtoaddress', { address: PAYEE, amount: 0.001, fee_rate: 2 }));
    const confirmations = (): unknown => alice.call('gettransaction', [cheap]).confirmations;
    chain.mine(2);
    expect(confirmations()).toBe(0);
    chain.mine();
    expect(confirmations()).toBe(1);
  });
});

describe('a chain that listens', () => {
  test('answers JSON-RPC over HTTP, with the same faults and relays', async () => {
    const chain = start();
    const other = chain.link();
    const { url, user, password } = await chain.listen();
    const node = createClient({ url, user, password, version: '31' });
    await node.generatetoaddress(2, PAYEE);
    expect(heightOf(other)).toBe(2);
    chain.failNext('getblockcount', { code: -28, message: 'Loading block index…' });
    await expect(node.getblockcount()).rejects.toMatchObject({ code: -28, message: 'Loading block index…' });
    expect(await node.getblockcount()).toBe(2);
    await expect(createClient({ url, version: '31' }).getblockcount()).rejects.toThrow(/401|login|password/);
    await expect(chain.listen({ prt: 1 } as object)).rejects.toThrow(/prt/);
  });

  test('answers as Esplora', async () => {
    const chain = start();
    chain.fund(PAYEE, 12_345n);
    const { url } = await chain.listenEsplora();
    const reply = await fetch(`${url}/address/${PAYEE}/utxo`);
    expect(await reply.json()).toMatchObject([{ value: 12_345, status: { confirmed: true, block_height: 102 } }]);
  });
});
