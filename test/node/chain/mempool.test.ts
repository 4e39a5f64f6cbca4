import { describe, expect, test } from 'vitest';
import { blockAfter, blocksAfter, GENESIS, spend } from '../../support/blocks.ts';
import { openNode, submit } from '../../support/feeding.ts';
import { createMemoryStore, encodeTransaction, formatHex, type NodeRpc, txid } from '../../support/library.ts';
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
} from '../../support/walletWorld.ts';

describe('getrawmempool', () => {
  test('lists the mempool, parents first', () => {
    const rpc = openNode();
    const blocks = blocksAfter(GENESIS, 101, 'aa');
    submit(rpc, blocks);
    expect(rpc.call('getrawmempool')).toEqual([]);
    const coinbase = blocks[0]?.txs[0];
    const parent = spend(coinbase ? [{ txid: txid(coinbase), vout: 0 }] : []);
    const child = spend([{ txid: txid(parent), vout: 0 }]);
    const ids = [parent, child].map((tx) => rpc.call('sendrawtransaction', [formatHex(encodeTransaction(tx)), 0]));
    expect(rpc.call('getrawmempool', [false, null])).toEqual(ids);
    expect(Object.keys(rpc.call('getrawmempool', [true]))).toEqual(ids);
    expect(rpc.call('getrawmempool', [false, true])).toEqual({ txids: ids, mempool_sequence: 3 });
    submit(rpc, [blockAfter(blocks.at(-1) ?? GENESIS, { txs: [parent] })]);
    expect(rpc.call('getrawmempool', [false, true])).toEqual({ txids: ids.slice(1), mempool_sequence: 4 });
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
  test('trusts its own unconfirmed change, however long the chain of ancestors', () => {
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
