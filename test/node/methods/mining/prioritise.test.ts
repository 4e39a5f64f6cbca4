import { describe, expect, test } from 'vitest';
import { blockAfter, spend } from '../../../support/blocks.ts';
import { openNode, rpcFault, submit } from '../../../support/feeding.ts';
import { COINBASE_VALUE, coinOf, LAST, MATURE, openMature, outputOf } from '../../../support/funded.ts';
import {
  createMemoryStore,
  type DialectName,
  encodeTransaction,
  formatHex,
  formatTxid,
  type NodeRpc,
  type Transaction,
  txid,
} from '../../../support/library.ts';

/** Anyone can spend it; a shorter script would make the transaction too small. */
const SCRIPT = `${'61'.repeat(20)}51`;
const hexOf = (tx: Transaction): string => formatHex(encodeTransaction(tx));
const idOf = (tx: Transaction): string => formatTxid(txid(tx));
const spending = (height: number, fee: bigint, script = SCRIPT): Transaction =>
  spend([coinOf(height)], script, COINBASE_VALUE - fee);
const childOf = (tx: Transaction, fee: bigint): Transaction =>
  spend([outputOf(tx)], SCRIPT, (tx.outputs[0]?.value ?? 0n) - fee);
const send = (rpc: NodeRpc, tx: Transaction): unknown => rpc.call('sendrawtransaction', [hexOf(tx), 0]);
const add = (rpc: NodeRpc, tx: Transaction, delta: number): void =>
  expect(rpc.call('prioritisetransaction', [idOf(tx), 0, delta])).toBe(true);
const open = (dialect: DialectName = 'core-32'): NodeRpc =>
  openMature(dialect, { skipsMempoolPolicy: false, acceptnonstdtxn: true });
const template = (rpc: NodeRpc) => {
  const shown = rpc.call('getblocktemplate', [{ rules: ['segwit'] }]);
  if (typeof shown !== 'object' || shown === null) throw new Error('no template');
  return shown;
};

const [PARENT, OTHER] = [spending(1, 1000n), spending(2, 5000n)];
const CHILD = childOf(PARENT, 1000n);

describe('what prioritisetransaction adds to a fee', () => {
  test('adds up, is shown with the fee, and is gone where the sum is 0', () => {
    const rpc = open();
    send(rpc, PARENT);
    for (const delta of [500, -200]) add(rpc, PARENT, delta);
    add(rpc, OTHER, 7);
    expect(rpc.call('getprioritisedtransactions')).toEqual({
      [idOf(PARENT)]: { fee_delta: 300, in_mempool: true, modified_fee: 1300 },
      [idOf(OTHER)]: { fee_delta: 7, in_mempool: false },
    });
    expect(rpc.call('getmempoolentry', [idOf(PARENT)]).fees).toMatchObject({ base: 0.00001, modified: 0.000013 });
    add(rpc, PARENT, -300);
    expect(rpc.call('getprioritisedtransactions')).toEqual({ [idOf(OTHER)]: { fee_delta: 7, in_mempool: false } });
    expect(rpc.call('getmempoolentry', [idOf(PARENT)]).fees).toMatchObject({ base: 0.00001, modified: 0.00001 });
  });

  test('is listed by the bytes of the ids, which are shown backwards', () => {
    const rpc = open();
    const txs = [1n, 2n, 3n, 4n, 5n].map((fee) => spending(1, fee));
    for (const tx of txs) add(rpc, tx, 1);
    const ids = Object.keys(rpc.call('getprioritisedtransactions'));
    const backwards = (id: string): string => Buffer.from(id, 'hex').reverse().toString('hex');
    expect(ids).toHaveLength(5);
    expect(ids.map(backwards)).toEqual(txs.map(idOf).map(backwards).sort());
  });

  test('counts for relatives, and for chunks', () => {
    const rpc = open();
    for (const tx of [PARENT, CHILD]) send(rpc, tx);
    add(rpc, CHILD, 10_000);
    expect(rpc.call('getmempoolentry', [idOf(PARENT)]).fees).toMatchObject({ descendant: 0.00012, chunk: 0.00012 });
    expect(rpc.call('getmempoolentry', [idOf(CHILD)]).fees).toMatchObject({ modified: 0.00011, ancestor: 0.00012 });
    add(rpc, CHILD, -11_000);
    expect(rpc.call('getmempoolentry', [idOf(PARENT)]).fees).toMatchObject({ chunk: 0.00001 });
  });

  test('waits for a transaction that comes later, and is kept when it is dropped or the node is opened anew', () => {
    const store = createMemoryStore();
    const anew = (): NodeRpc => openNode(store);
    const rpc = anew();
    submit(rpc, MATURE);
    add(rpc, PARENT, 300);
    send(rpc, PARENT);
    expect(rpc.call('getmempoolentry', [idOf(PARENT)]).fees.modified).toBe(0.000013);
    expect(anew().call('getmempoolentry', [idOf(PARENT)]).fees.modified).toBe(0.000013);
    anew().call('droptransaction', [idOf(PARENT)]);
    expect(anew().call('getprioritisedtransactions')).toEqual({
      [idOf(PARENT)]: { fee_delta: 300, in_mempool: false },
    });
  });

  test('is forgotten once the transaction is in a block', () => {
    const rpc = open();
    for (const tx of [PARENT, OTHER]) add(rpc, tx, 300);
    const block = blockAfter(LAST, { txs: [PARENT] });
    expect(submit(rpc, [block])).toEqual([null]);
    expect(Object.keys(rpc.call('getprioritisedtransactions'))).toEqual([idOf(OTHER)]);
    rpc.call('invalidateblock', [block.hash]);
    expect(rpc.call('getmempoolentry', [idOf(PARENT)]).fees.modified).toBe(0.00001);
  });

  test('makes miners prefer it, or leave it out, but is not paid to them', () => {
    const rpc = open('core-30');
    for (const tx of [PARENT, OTHER]) send(rpc, tx);
    const order = (): readonly string[] => template(rpc).transactions.map((tx) => tx.txid);
    expect(order()).toEqual([OTHER, PARENT].map(idOf));
    add(rpc, PARENT, 9000);
    rpc.call('setmocktime', [1_701_000_006]);
    expect(order()).toEqual([PARENT, OTHER].map(idOf));
    expect(template(rpc)).toMatchObject({ coinbasevalue: 5_000_006_000, transactions: [{ fee: 1000 }, { fee: 5000 }] });
    add(rpc, PARENT, -10_000);
    rpc.call('setmocktime', [1_701_000_012]);
    expect(order()).toEqual([idOf(OTHER)]);
    expect(rpc.call('getrawmempool')).toHaveLength(2);
  });

  test('counts for the least fee of the mempool, and for replacements, but not for what a caller allows', () => {
    const rpc = open();
    const free = spending(1, 0n);
    expect(() => send(rpc, free)).toThrow('min relay fee not met');
    add(rpc, free, 1000);
    send(rpc, free);
    const rival = spending(1, 1100n);
    add(rpc, free, 5000);
    expect(() => send(rpc, rival)).toThrow('insufficient fee');
    add(rpc, rival, 6000);
    expect(send(rpc, rival)).toBe(idOf(rival));
    const dear = spending(2, 9_000_000n);
    add(rpc, dear, -8_990_000);
    expect(() => rpc.call('sendrawtransaction', [hexOf(dear)])).toThrow('Fee exceeds maximum configured by user');
  });
});

describe('prioritisetransaction', () => {
  const fault = (rpc: NodeRpc, ...params: readonly unknown[]) => {
    const { code, message } = rpcFault(() => rpc.call('prioritisetransaction' as string, params));
    return { code, message };
  };

  test('checks its arguments in order', () => {
    const rpc = open();
    const id = idOf(PARENT);
    for (const [params, code, message] of [
      [['ab', 1, 5], -8, "txid must be of length 64 (not 2, for 'ab')"],
      [['z'.repeat(64), 1, 5], -8, `txid must be hexadecimal string (not '${'z'.repeat(64)}')`],
      [[id, 1, 1.5], -1, 'JSON integer out of range'],
      [[id, 0.5, 5], -8, 'Priority is no longer supported, dummy argument to prioritisetransaction must be 0.'],
    ] as const)
      expect(fault(rpc, ...params)).toEqual({ code, message });
    expect(fault(rpc, id, 0)).toMatchObject({ code: -1 });
    for (const dummy of [0, null]) expect(rpc.call('prioritisetransaction', [id, dummy, 1])).toBe(true);
    expect(rpc.call('prioritisetransaction', { txid: id, fee_delta: -2 })).toBe(true);
    expect(rpc.call('getprioritisedtransactions')).toEqual({});
  });

  test('of 0.21 keeps sums of 0, and has no list', () => {
    const rpc = open('core-0.21');
    for (const delta of [5, -5]) add(rpc, PARENT, delta);
    expect([...rpc.node.inCall(() => [...rpc.node.chain.feeDeltas.entries()])].map(([, delta]) => delta)).toEqual([0n]);
    expect(() => rpc.call('getprioritisedtransactions')).toThrow('Method not found');
  });

  test('stays within 64 bits', () => {
    const rpc = open();
    const params = (delta: string) => ({
      type: 'array' as const,
      items: [
        { type: 'string' as const, value: idOf(PARENT) },
        { type: 'null' as const },
        { type: 'number' as const, text: delta },
      ],
    });
    for (let i = 0; i < 2; i += 1) rpc.callJson('prioritisetransaction', params('9223372036854775807'));
    const deltas = (): readonly bigint[] =>
      rpc.node.inCall(() => [...rpc.node.chain.feeDeltas.entries()].map(([, d]) => d));
    expect(deltas()).toEqual([2n ** 63n - 1n]);
    for (let i = 0; i < 3; i += 1) rpc.callJson('prioritisetransaction', params('-9223372036854775808'));
    expect(deltas()).toEqual([-(2n ** 63n)]);
  });

  test('takes no transaction with dust, where there is a policy', () => {
    const dusty = { ...spending(1, 0n), version: 3 };
    const withDust = {
      ...dusty,
      outputs: [...dusty.outputs, { value: 0n, scriptPubKey: Uint8Array.of(0x51, 2, 0x4e, 0x73) }],
    };
    const rpc = openMature('core-32', { skipsMempoolPolicy: false });
    const standard = openMature('core-32', { skipsMempoolPolicy: true });
    for (const node of [rpc, standard]) node.node.inCall(() => node.node.change({ type: 'transaction', tx: withDust }));
    expect(fault(rpc, idOf(withDust), 0, 5)).toEqual({
      code: -8,
      message: 'Priority is not supported for transactions with dust outputs.',
    });
    add(standard, withDust, 5);
  });
});
