import { describe, expect, test } from 'vitest';
import { blockAfter, blocksAfter, GENESIS, type MadeBlock, spend } from '../support/blocks.ts';
import {
  BtcError,
  createMemoryStore,
  createNodeRpc,
  encodeTransaction,
  formatHex,
  type NodeRpc,
  type Transaction,
  txid,
} from '../support/library.ts';
import {
  allAnswers,
  ask,
  hexOf,
  idOf,
  LEGACY,
  MODERN,
  makeWorld,
  NOW,
  openWalletRpc,
  payment,
  put,
} from '../support/walletWorld.ts';

const open = (store = createMemoryStore()): NodeRpc =>
  createNodeRpc({
    network: 'regtest',
    dialect: 'core-31',
    store,
    clock: () => 0,
    random: (size) => new Uint8Array(size),
  });
const submit = (rpc: NodeRpc, blocks: readonly MadeBlock[]): unknown[] =>
  blocks.map(({ hex }) => rpc.call('submitblock', [hex]));
const tip = (rpc: NodeRpc): unknown => rpc.call('getbestblockhash');

const long = blocksAfter(GENESIS, 5, 'aa');
const short = blocksAfter(long[1] ?? GENESIS, 2, 'bb');

describe('reconsiderblock', () => {
  test('makes the longest chain active again, from any of its blocks', () => {
    for (const at of [2, 3, 4]) {
      const rpc = open();
      submit(rpc, [...long, ...short]);
      rpc.call('invalidateblock', [long[2]?.hash]);
      expect(tip(rpc)).toBe(short[1]?.hash);
      expect(submit(rpc, long.slice(2))).toEqual(['duplicate-invalid', 'duplicate-invalid', 'duplicate-invalid']);
      expect(rpc.call('reconsiderblock', [long[at]?.hash])).toBe(null);
      expect(tip(rpc)).toBe(long[4]?.hash);
      expect(submit(rpc, blocksAfter(long[4] ?? GENESIS, 1))).toEqual([null]);
    }
  });

  test('is replayed from the journal', () => {
    const store = createMemoryStore();
    const rpc = open(store);
    submit(rpc, [...long, ...short]);
    rpc.call('invalidateblock', [long[2]?.hash]);
    rpc.call('reconsiderblock', [long[2]?.hash]);
    expect(tip(open(store))).toBe(long[4]?.hash);
  });

  test('refuses an unknown block', () => {
    expect(() => open().call('reconsiderblock', ['11'.repeat(32)])).toThrow('Block not found');
    expect(() => open().call('reconsiderblock', ['11'])).toThrow("blockhash must be of length 64 (not 2, for '11')");
  });
});

describe('invalidateblock', () => {
  // Observed with Litecoin Core for a chain of transactions.
  test.each([
    [9, 9, 9],
    [10, 10, 10],
    [11, 10, 0],
    [13, 10, 0],
  ])('of %d blocks returns %d transactions to the mempool, or %d of a chain', (depth, apart, inLine) => {
    const { rpc, coins, base } = makeWorld(MODERN);
    const after = (txs: readonly Transaction[]): readonly string[] => {
      let last = base;
      return txs.map((tx) => {
        last = blockAfter(last, { txs: [tx] });
        rpc.call('submitblock', [last.hex]);
        return last.hash;
      });
    };
    const line = coins.slice(0, 1).map((coin) => spend([coin]));
    while (line.length < 13) line.push(spend([{ txid: txid(line.at(-1) ?? spend([])), vout: 0 }]));
    for (const [txs, count] of [
      [coins.slice(1, 14).map((coin) => spend([coin])), apart],
      [line, inLine],
    ] as const) {
      const hashes = after(txs);
      rpc.call('invalidateblock', [hashes[13 - depth]]);
      expect(rpc.call('getrawmempool')).toHaveLength(count);
      rpc.call('invalidateblock', [hashes[0]]);
      for (const txid of rpc.call('getrawmempool') as readonly string[]) rpc.call('droptransaction', [txid]);
    }
  });
});

describe('getrawmempool', () => {
  test('lists only the txids of the mempool, parents first', () => {
    const rpc = open();
    submit(rpc, blocksAfter(GENESIS, 101, 'aa'));
    expect(rpc.call('getrawmempool')).toEqual([]);
    const coinbase = blocksAfter(GENESIS, 1, 'aa')[0]?.txs[0];
    const parent = spend(coinbase ? [{ txid: txid(coinbase), vout: 0 }] : []);
    const child = spend([{ txid: txid(parent), vout: 0 }]);
    const ids = [parent, child].map((tx) => rpc.call('sendrawtransaction', [formatHex(encodeTransaction(tx))]));
    expect(rpc.call('getrawmempool', [false, null])).toEqual(ids);
    expect(() => rpc.call('getrawmempool', [true])).toThrow('leave verbose out');
    expect(() => rpc.call('getrawmempool', [false, true])).toThrow('leave mempool_sequence out');
  });
});

describe('droptransaction', () => {
  test.each([
    ['0.21', LEGACY],
    ['31', MODERN],
  ])('removes a transaction and its descendants from the mempool of %s, but not from the wallet', (_, kind) => {
    const store = createMemoryStore();
    const world = makeWorld(kind, { store });
    const [first, second] = world.coins;
    const [own = ''] = world.scripts;
    if (!first || !second) throw new Error('no coins');
    const parent = payment(first, [own, own]);
    const child = payment({ txid: txid(parent), vout: 0 }, [own, own], 40_000n);
    const other = payment(second, [own, own]);
    for (const tx of [parent, child, other]) put(world.rpc, tx);
    const unspent = (rpc: NodeRpc): number => (ask(rpc, 'listunspent', [0]) as readonly unknown[]).length;
    expect(unspent(world.rpc)).toBe(5);
    expect(ask(world.rpc, 'droptransaction', [idOf(parent)])).toBeNull();
    expect(ask(world.rpc, 'getrawmempool')).toEqual([idOf(other)]);
    expect(unspent(world.rpc)).toBe(2);
    const { transactions } = ask(world.rpc, 'listsinceblock') as { readonly transactions: readonly unknown[] };
    expect(transactions).toHaveLength(2 + 4 + 2);
    // Only a dropped transaction can be abandoned.
    expect(ask(world.rpc, 'abandontransaction', [idOf(parent)])).toBeNull();
    expect(ask(world.rpc, 'abandontransaction', [idOf(other)])).toMatchObject({ code: -5 });
    const missing = { code: -5, message: 'Transaction not in mempool' };
    expect(ask(world.rpc, 'droptransaction', [idOf(child)])).toEqual(missing);
    expect(allAnswers({ ...world, rpc: openWalletRpc(kind, store) })).toEqual(allAnswers(world));
  });

  test('ends a mempool conflict, also while a wallet of 31 is not loaded', () => {
    const { rpc, coins, scripts } = makeWorld(MODERN);
    const [coin] = coins;
    const [own = '', other = ''] = scripts;
    if (!coin) throw new Error('no coin');
    const funds = payment(coin, [own, own]);
    const [first, second] = [40_000n, 30_000n].map((value) =>
      payment({ txid: txid(funds), vout: 0 }, [other, other], value),
    );
    if (!first || !second) throw new Error('no payments');
    for (const tx of [funds, first, second]) put(rpc, tx);
    const conflicts = (): unknown => {
      const { transactions } = ask(rpc, 'listsinceblock') as {
        readonly transactions: readonly { readonly txid: string; readonly mempoolconflicts: unknown }[];
      };
      return transactions.find((entry) => entry.txid === idOf(first))?.mempoolconflicts;
    };
    expect(conflicts()).toEqual([idOf(second)]);
    rpc.call('unloadwallet', ['w']);
    rpc.call('droptransaction', [idOf(second)]);
    rpc.call('loadwallet', ['w']);
    expect(conflicts()).toEqual([]);
  });

  // Following each of the 2^64 paths would never end.
  test('visits each descendant once, however many paths lead to it', () => {
    const { rpc, coins } = makeWorld(MODERN);
    const outputs = [1000n, 1000n].map((value) => ({ value, scriptPubKey: Uint8Array.of(0x51) }));
    const family = [{ ...spend(coins.slice(0, 2)), outputs }];
    for (let i = 0; i < 64; i += 1) {
      const id = txid(family[i] ?? spend([]));
      family.push({ ...spend([0, 1].map((vout) => ({ txid: id, vout }))), outputs });
    }
    for (const tx of family) rpc.call('sendrawtransaction', [hexOf(tx)]);
    expect(rpc.call('getrawmempool')).toHaveLength(65);
    rpc.call('droptransaction', [idOf(family[1] ?? spend([]))]);
    expect(rpc.call('getrawmempool')).toEqual([idOf(family[0] ?? spend([]))]);
  });
});

describe.each([
  ['0.21', LEGACY],
  ['31', MODERN],
])('a wallet of %s', (_, kind) => {
  test('trusts its own unconfirmed change, however long the chain of ancestors', { timeout: 30_000 }, () => {
    const { rpc, coins, scripts, base } = makeWorld(kind);
    const [own = ''] = scripts;
    const family = [spend(coins.slice(0, 1), own, 90_000n)];
    for (let i = 0; i < 7000; i += 1) {
      family.push(spend([{ txid: txid(family[i] ?? spend([])), vout: 0 }], own, 90_000n));
    }
    const [funds, ...rest] = family;
    rpc.call('submitblock', [blockAfter(base, { txs: funds ? [funds] : [] }).hex]);
    for (const tx of rest) put(rpc, tx);
    expect(rpc.call('getrawmempool')).toHaveLength(7000);
    const unspent = ask(rpc, 'listunspent', [0]);
    expect(unspent).toMatchObject([{ txid: idOf(family[7000] ?? spend([])), confirmations: 0, safe: true }]);
  });

  test('gives a malleated copy the time of the first, whatever came in between', () => {
    let time = 0;
    const { rpc, coins, scripts } = makeWorld(kind, { clock: () => NOW + time });
    const [own = ''] = scripts;
    const first = spend(coins.slice(0, 1), own);
    const inputs = first.inputs.map((input) => ({ ...input, scriptSig: Uint8Array.of(0x51) }));
    const copy = { ...first, inputs };
    const other = spend(coins.slice(0, 1), own, 999n);
    for (const tx of [first, other, copy]) {
      put(rpc, tx);
      time += 50;
    }
    const { transactions } = ask(rpc, 'listsinceblock') as {
      readonly transactions: readonly { readonly txid: string; readonly time: number; readonly timereceived: number }[];
    };
    const times = new Map(transactions.map((entry) => [entry.txid, [entry.time - NOW, entry.timereceived - NOW]]));
    expect([first, other, copy].map((tx) => times.get(idOf(tx)))).toEqual([
      [0, 0],
      [50, 50],
      [0, 100],
    ]);
  });
});

describe('a store that fails', () => {
  const broken = () => {
    const store = createMemoryStore();
    const failing = { append: false, read: false };
    const unless = <A extends readonly unknown[], R>(kind: keyof typeof failing, work: (...args: A) => R) => {
      return (...args: A): R => {
        if (failing[kind]) throw new BtcError('store/failed', { path: 'here', reason: kind });
        return work(...args);
      };
    };
    const rpc = openWalletRpc(MODERN, {
      ...store,
      append: unless('append', store.append),
      read: unless('read', store.read),
    });
    rpc.call('createwallet', ['w']);
    return { rpc, failing };
  };
  const refusal = (reason: string) => ({ code: -20, message: expect.stringContaining(reason) });

  test('leaves the state unchanged if an append fails', () => {
    const { rpc, failing } = broken();
    failing.append = true;
    expect(ask(rpc, 'createwallet', ['v'])).toEqual(refusal('path=here reason=append'));
    expect(ask(rpc, 'listwallets')).toEqual(['w']);
  });

  test('makes every method fail if it cannot be read either', () => {
    const { rpc, failing } = broken();
    Object.assign(failing, { append: true, read: true });
    expect(ask(rpc, 'createwallet', ['v'])).toEqual(refusal('path=here reason=append'));
    for (const method of ['listwallets', 'listunspent', 'getblockcount', 'getwalletinfo']) {
      expect(ask(rpc, method)).toEqual(refusal('the last change may or may not be kept; reopen the store to see'));
    }
    expect(() => rpc.lockExpired()).not.toThrow();
    expect(() => rpc.close()).not.toThrow();
  });
});
