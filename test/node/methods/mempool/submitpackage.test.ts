import { beforeEach, describe, expect, test } from 'vitest';
import { blocksAfter, coinbaseOf, GENESIS, spend } from '../../../support/blocks.ts';
import { submit } from '../../../support/feeding.ts';
import {
  createNodeRpc,
  type DialectName,
  encodeTransaction,
  formatHex,
  formatTxid,
  type NodeRpc,
  type Transaction,
  txid,
} from '../../../support/library.ts';

const BLOCKS = blocksAfter(GENESIS, 104);
const COIN = 5_000_000_000n;
/** Anyone can spend it; a shorter script would make the transaction too small. */
const SCRIPT = `${'61'.repeat(20)}51`;

const open = (dialect: DialectName, options: { readonly maxmempool?: number } = {}): NodeRpc => {
  const rpc = createNodeRpc({
    acceptnonstdtxn: true,
    network: 'regtest',
    dialect,
    clock: () => 1_700_100_000,
    random: (size) => new Uint8Array(size),
    ...options,
  });
  submit(rpc, BLOCKS);
  return rpc;
};

const idOf = (tx: Transaction): string => formatTxid(txid(tx));
const hexOf = (tx: Transaction): string => formatHex(encodeTransaction(tx));
const outputOf = (tx: Transaction) => ({ txid: txid(tx), vout: 0 });
const paidBy = (tx: Transaction): bigint => tx.outputs[0]?.value ?? 0n;
const pooled = (rpc: NodeRpc): readonly string[] => [...rpc.call('getrawmempool')].sort();
/** The spend of the coinbase of a block, by its number. */
const spendOf = (number: number, fee: bigint): Transaction =>
  spend([outputOf(coinbaseOf(BLOCKS[number] ?? GENESIS))], SCRIPT, COIN - fee);
const childOf = (parents: readonly Transaction[], fee: bigint): Transaction =>
  spend(parents.map(outputOf), SCRIPT, parents.reduce((sum, tx) => sum + paidBy(tx), 0n) - fee);

describe('submitpackage', () => {
  let rpc: NodeRpc;
  beforeEach(() => {
    rpc = open('core-32');
  });
  const pack = (...txs: readonly Transaction[]) => rpc.call('submitpackage', [txs.map(hexOf)]);

  test('lets a child pay for its parents, and counts their fees together', () => {
    const parents = [spendOf(0, 0n), spendOf(1, 5n)];
    const child = childOf(parents, 1000n);
    const { package_msg: message, 'tx-results': results } = pack(...parents, child);
    expect(message).toBe('success');
    const ids = [...parents, child].map(idOf);
    expect(ids.map((id) => results[id]?.fees?.base)).toEqual([0, 0.00000005, 0.00001]);
    expect(ids.map((id) => results[id]?.fees?.['effective-includes'])).toEqual([ids, ids, ids]);
    expect(pooled(rpc)).toEqual([...ids].sort());
  });

  test('adds a parent that can stand alone alone', () => {
    const parent = spendOf(0, 2000n);
    const child = childOf([parent], 1000n);
    const { 'tx-results': results } = pack(parent, child);
    expect(results[idOf(parent)]?.fees?.['effective-includes']).toEqual([idOf(parent)]);
    const again = pack(parent, child);
    expect(again.package_msg).toBe('success');
    expect(again['tx-results'][idOf(child)]?.fees).toEqual({ base: 0.00001 });
  });

  test('refuses a package that pays too little, and adds none of it', () => {
    const parent = spendOf(0, 0n);
    const child = childOf([parent], 1n);
    expect(pack(parent, child)).toMatchObject({
      package_msg: 'transaction failed',
      'tx-results': {
        [idOf(parent)]: { error: expect.stringMatching(/^min relay fee not met, 0 < \d+$/) },
        [idOf(child)]: { error: expect.stringMatching(/^min relay fee not met, 1 < \d+$/) },
      },
    });
    expect(rpc.call('getrawmempool')).toEqual([]);
  });

  test('replaces what conflicts with the parent, if both together pay more', () => {
    const before = spendOf(0, 3000n);
    rpc.call('sendrawtransaction', [hexOf(before)]);
    const parent = spendOf(0, 0n);
    const poor = pack(parent, childOf([parent], 2000n));
    expect(poor.package_msg).toMatch(/^package RBF failed: insufficient anti-DoS fees, rejecting replacement /);
    const child = childOf([parent], 9000n);
    expect(pack(parent, child)).toMatchObject({ package_msg: 'success', 'replaced-transactions': [idOf(before)] });
    expect(pooled(rpc)).toEqual([idOf(parent), idOf(child)].sort());
  });

  test('refuses a package of another shape as a whole', () => {
    const [parent, other] = [spendOf(0, 500n), spendOf(1, 500n)];
    const child = childOf([parent], 500n);
    for (const txs of [
      [child, parent],
      [parent, other],
      [parent, child, childOf([child], 500n)],
    ])
      expect(() => pack(...txs)).toThrow('package topology disallowed.');
    expect(() => rpc.call('submitpackage', [[]])).toThrow('Array must contain between 1 and 25 transactions.');
    expect(() => rpc.call('submitpackage', [['00']])).toThrow(
      'TX decode failed: 00 Make sure the tx has at least one input.',
    );
  });

  test('limits the fee rate of each transaction', () => {
    const tx = spendOf(0, 1_000_000n);
    const limited = rpc.call('submitpackage', [[hexOf(tx)], '0.00001']);
    expect(limited['tx-results'][idOf(tx)]).toEqual({ txid: idOf(tx), error: 'max feerate exceeded' });
    expect(rpc.call('submitpackage', [[hexOf(tx)], 0]).package_msg).toBe('success');
  });
});

/** What the package would replace, and how a node without clusters calls a part of it; its ids decide which it visits first. */
const SHAPES: readonly (readonly [string, (rival: Transaction) => readonly Transaction[], RegExp])[] = [
  ['a parent and a child', (rival) => [childOf([rival], 700n)], /^success$/],
  [
    'a chain of three',
    (rival) => {
      const child = childOf([rival], 700n);
      return [child, childOf([child], 700n)];
    },
    /^package RBF failed: \w{64} has (2 descendants, max 1 allowed|2 ancestors, max 1 allowed|both ancestor and descendant, exceeding cluster limit of 2)$/,
  ],
  [
    'a child of two parents',
    (rival) => {
      const other = spendOf(1, 700n);
      return [other, childOf([rival, other], 700n)];
    },
    /^package RBF failed: \w{64} (has 2 ancestors, max 1 allowed|is not the only parent of child \w{64})$/,
  ],
];

describe.each(['core-29', 'core-30', 'core-31'] as const)('submitpackage of %s replaces', (dialect) => {
  test.each(SHAPES)('%s, or says which of them it cannot compare', (_, relativesOf, message) => {
    const rpc = open(dialect);
    const rival = spendOf(0, 3000n);
    for (const tx of [rival, ...relativesOf(rival)]) rpc.call('sendrawtransaction', [hexOf(tx)]);
    const parent = spendOf(0, 500n);
    const answer = rpc.call('submitpackage', [[parent, childOf([parent], 1_000_000n)].map(hexOf), 0]);
    expect(answer.package_msg).toMatch(dialect === 'core-31' ? /^success$/ : message);
  });
});

test.each(['core-29', 'core-30', 'core-31'] as const)(
  'submitpackage of %s lets a child pay what a full mempool asks of its parent',
  (dialect) => {
    const rpc = open(dialect, { maxmempool: 0 });
    expect(() => rpc.call('sendrawtransaction', [hexOf(spendOf(0, 100_000n))])).toThrow('mempool full');
    const parent = spendOf(1, 500n);
    const alone = rpc.call('submitpackage', [[hexOf(parent)]]);
    expect(alone['tx-results'][idOf(parent)]?.error).toMatch(/^mempool min fee not met, 500 < /);
    // Both get in, and no room is left for them.
    const both = rpc.call('submitpackage', [[parent, childOf([parent], 10_000_000n)].map(hexOf), 0]);
    expect(both['tx-results'][idOf(parent)]?.error).toBe('mempool full');
  },
);

describe('submitpackage of earlier releases', () => {
  test.each(['core-29', 'core-30'] as const)('of %s lets a child pay for no parent of version 2', (dialect) => {
    const rpc = open(dialect);
    const parent = spendOf(0, 0n);
    const answer = rpc.call('submitpackage', [[parent, childOf([parent], 1000n)].map(hexOf)]);
    expect(answer.package_msg).toBe('transaction failed');
    expect(answer['tx-results'][idOf(parent)]?.error).toMatch(/^min relay fee not met, 0 < /);
  });

  test('of 29 wants all unconfirmed parents of the child', () => {
    const [parent, pooled] = [spendOf(0, 500n), spendOf(1, 500n)];
    const child = childOf([parent, pooled], 500n);
    const packageMessage = (dialect: DialectName): string => {
      const rpc = open(dialect);
      rpc.call('sendrawtransaction', [hexOf(pooled)]);
      return rpc.call('submitpackage', [[parent, child].map(hexOf)]).package_msg;
    };
    expect(packageMessage('core-29')).toBe('package-not-child-with-unconfirmed-parents');
    expect(packageMessage('core-30')).toBe('success');
  });
});

describe('the clusters of the mempool', () => {
  const rpc = open('core-31');
  /** Two parents, of which the first pays little, and a child that pays for both. */
  const parents = [spendOf(0, 100n), spendOf(1, 400n)];
  const child = childOf(parents, 10_000n);
  const [single, last] = [spendOf(2, 900n), childOf([child], 50n)];

  test('are divided into chunks, and their transactions come in the order of mining', () => {
    for (const tx of [...parents, child, single, last]) rpc.call('sendrawtransaction', [hexOf(tx)]);
    const cluster = rpc.call('getmempoolcluster', [idOf(child)]);
    expect(cluster).toMatchObject({ txcount: 4, chunks: [{ chunkfee: 0.000105 }, { chunkfee: 0.0000005 }] });
    expect(cluster.chunks.map(({ txs }) => txs)).toEqual([
      [parents[1], parents[0], child].map((tx) => tx && idOf(tx)),
      [idOf(last)],
    ]);
    for (const tx of [...parents, last]) expect(rpc.call('getmempoolcluster', [idOf(tx)])).toEqual(cluster);
    expect(() => rpc.call('getmempoolcluster', ['00'.repeat(32)])).toThrow('Transaction not in mempool');
  });

  test('add up to the diagram of the fees', () => {
    const diagram = rpc.call('getmempoolfeeratediagram');
    expect(diagram.map(({ fee }) => fee)).toEqual([0, 0.000105, 0.000114, 0.0001145]);
    const { bytes } = rpc.call('getmempoolinfo');
    expect(Math.ceil((diagram.at(-1)?.weight ?? 0) / 4)).toBe(bytes);
  });
});
