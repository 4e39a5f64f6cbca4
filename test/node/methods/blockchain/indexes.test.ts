import { expect, test } from 'vitest';
import { startRegtest } from '../../../../src/shell/regtest/index.ts';

const OPTIONS = { dialect: 'core-31', coinstatsindex: true, txospenderindex: true } as const;

/** A chain with a payment from alice to bob in its last block, of which the mempool has another. */
function paidChain() {
  const chain = startRegtest(OPTIONS);
  const [alice, bob] = [chain.wallet('alice'), chain.wallet('bob')];
  chain.mine(101, alice.address());
  const address = bob.address();
  const txid = alice.send(address, 25_000_000n);
  const [block = ''] = chain.mine();
  return { chain, rpc: chain.rpc, alice, bob, address, txid, block };
}

test('coinstatsindex shows any block, and the last one as the coins themselves do', () => {
  const { chain, rpc, block } = paidChain();
  const counted = rpc.call('gettxoutsetinfo', ['muhash', null, false]);
  const indexed = rpc.call('gettxoutsetinfo', ['muhash']);
  const { transactions: _, disk_size: __, ...shared } = counted;
  expect(indexed).toMatchObject(shared);
  expect(Object.keys(indexed)).toEqual([...Object.keys(shared), 'total_unspendable_amount', 'block_info']);
  const before = rpc.call('gettxoutsetinfo', ['muhash', 101]);
  chain.rpc.call('invalidateblock', [block]);
  const { muhash, txouts, total_amount } = rpc.call('gettxoutsetinfo', ['muhash', null, false]);
  expect(before).toMatchObject({ muhash, txouts, total_amount });
});

test('each amount of a block is spent, created or lost', () => {
  const { rpc } = paidChain();
  const { block_info } = rpc.call('gettxoutsetinfo', ['none', 102]);
  const subsidy = 50;
  const { prevout_spent = 0, coinbase = 0, new_outputs_ex_coinbase = 0, unspendable = 0 } = block_info ?? {};
  expect(prevout_spent + subsidy).toBeCloseTo(coinbase + new_outputs_ex_coinbase + unspendable, 8);
  expect(rpc.call('gettxoutsetinfo', ['none', 0])).toMatchObject({
    txouts: 0,
    total_unspendable_amount: subsidy,
    block_info: { unspendable: subsidy, unspendables: { genesis_block: subsidy } },
  });
});

test('a block needs the index, and another hash than that of all coins', () => {
  const refusal = (
    rpc: ReturnType<typeof startRegtest>['rpc'],
    ...args: readonly [string, number, boolean?]
  ): string => {
    try {
      rpc.call('gettxoutsetinfo', args);
    } catch (error) {
      return String(error);
    }
    return '';
  };
  expect(refusal(startRegtest().rpc, 'none', 0)).toContain('Querying specific block heights requires coinstatsindex');
  const { rpc } = startRegtest(OPTIONS);
  expect(refusal(rpc, 'hash_serialized_3', 0)).toContain(
    'hash_serialized_3 hash type cannot be queried for a specific block',
  );
  expect(refusal(rpc, 'none', 0, false)).toContain('Cannot set use_index to false when querying for a specific block');
  expect(refusal(rpc, 'none', 9)).toContain('Target block height 9 after current tip 0');
});

test('txospenderindex finds who spends a coin in a block', () => {
  const { chain, rpc, txid, block } = paidChain();
  const { vin } = rpc.call('decoderawtransaction', [rpc.call('getrawtransaction', [txid, 0, block])]);
  const outpoint = { txid: vin[0]?.txid ?? '', vout: vin[0]?.vout ?? 0 };
  const spent = { ...outpoint, spendingtxid: txid, blockhash: block };
  expect(rpc.call('gettxspendingprevout', [[outpoint]])).toEqual([spent]);
  expect(rpc.call('gettxspendingprevout', [[outpoint], { mempool_only: true }])).toEqual([outpoint]);
  rpc.call('invalidateblock', [block]);
  expect(rpc.call('gettxspendingprevout', [[outpoint]])).toEqual([{ ...outpoint, spendingtxid: txid }]);
  rpc.call('droptransaction', [txid]);
  // As Core's, the index counts a lost block when the next one comes.
  expect(rpc.call('gettxspendingprevout', [[outpoint]])).toEqual([spent]);
  chain.mine();
  expect(rpc.call('gettxspendingprevout', [[outpoint]])).toEqual([outpoint]);
});

test('getdescriptoractivity lists what a script receives and spends, block by block', () => {
  const { rpc, alice, bob, address, txid, block } = paidChain();
  const activity = (blocks: readonly string[], include_mempool?: boolean) =>
    rpc.call('getdescriptoractivity', [blocks, [`addr(${address})`], include_mempool]).activity;
  const received = {
    type: 'receive',
    amount: 0.25,
    blockhash: block,
    height: 102,
    txid,
    output_spk: expect.objectContaining({ address }),
  };
  expect(activity([block])).toEqual([expect.objectContaining(received)]);
  const back = bob.send(alice.address(), 24_000_000n);
  const spent = { type: 'spend', amount: 0.25, spend_txid: back, spend_vin: 0, prevout_txid: txid };
  expect(activity([block])).toEqual([expect.objectContaining(received), expect.objectContaining(spent)]);
  expect(activity([block], false)).toHaveLength(1);
  expect(() => activity(['00'.repeat(32)])).toThrow('Block not found');
});
