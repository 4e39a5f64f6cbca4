import { describe, expect, test } from 'vitest';
import {
  blockAfter,
  blocksAfter,
  coinbaseOf,
  genesisOf,
  type MadeBlock,
  quickNetwork,
  spend,
} from '../../support/blocks.ts';
import { change, rpcFault, submit } from '../../support/feeding.ts';
import {
  createNodeRpc,
  type DialectName,
  encodeTransaction,
  formatHex,
  formatTxid,
  type NodeRpc,
  type NodeRpcOptions,
  type Outpoint,
  parseTxid,
  type Transaction,
  txid,
} from '../../support/library.ts';

/** Anyone can spend it; it is long enough for a transaction with a size that policy allows. */
const ANYONE_PADDED = `51${'61'.repeat(20)}`;
const STANDARD = `0014${'ab'.repeat(20)}`;
const hexOf = (tx: Transaction): string => formatHex(encodeTransaction(tx));
const idOf = (tx: Transaction): string => formatTxid(txid(tx));

/** Opens a node with mature coins that anyone can spend. */
function open(
  dialect: DialectName,
  options: Partial<NodeRpcOptions> = {},
): { rpc: NodeRpc; coins: readonly MadeBlock[] } {
  const network = dialect === 'litecoin-0.21' ? 'litecoin-regtest' : 'regtest';
  const rpc = createNodeRpc({
    ...{ network: quickNetwork(network), dialect, clock: () => 1_700_100_000 },
    random: (size) => new Uint8Array(size),
    ...options,
  });
  const coins = blocksAfter(genesisOf(network), 110);
  submit(rpc, coins);
  return { rpc, coins };
}

/** Spends the coin of a block, and pays a fee. */
function spendCoin(block: MadeBlock | undefined, fee: bigint, script = STANDARD): Transaction {
  if (!block) throw new Error('A block is needed');
  const coinbase = coinbaseOf(block);
  const value = coinbase.outputs[0]?.value ?? 0n;
  return spend([{ txid: txid(coinbase), vout: 0 }], script, value - fee);
}

const sent = (rpc: NodeRpc, tx: Transaction): unknown => rpc.call('sendrawtransaction', [hexOf(tx)]);
const reasonOf = (rpc: NodeRpc, ...txs: readonly Transaction[]): unknown =>
  rpc.call('testmempoolaccept', [txs.map(hexOf)])[0]?.['reject-reason'];

describe.each(['litecoin-0.21', 'core-32', 'core-0.21', 'documented'] as const)('the mempool of %s', (dialect) => {
  test('takes standard transactions only, unless acceptnonstdtxn says otherwise', () => {
    const { rpc, coins } = open(dialect);
    const strange = spendCoin(coins[0], 10_000n, `51${'61'.repeat(40)}`);
    expect(rpcFault(() => sent(rpc, strange))).toMatchObject({ code: -26, message: 'scriptpubkey' });
    expect(reasonOf(rpc, strange)).toBe('scriptpubkey');
    const lenient = open(dialect, { acceptnonstdtxn: true }).rpc;
    expect(lenient.call('testmempoolaccept', [[hexOf(strange)]])).toMatchObject([{ allowed: true }]);
    expect(sent(lenient, strange)).toBe(idOf(strange));
  });

  test('refuses fees that are too low or higher than the caller allows', () => {
    const { rpc, coins } = open(dialect, { acceptnonstdtxn: true });
    const cheap = spendCoin(coins[0], 1n);
    expect(reasonOf(rpc, cheap)).toBe('min relay fee not met');
    const dear = spendCoin(coins[0], 5_000_000n);
    expect(reasonOf(rpc, dear)).toBe('max-fee-exceeded');
    const message = 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)';
    const limited = rpcFault(() => rpc.call('sendrawtransaction', [hexOf(dear), 0.1]));
    expect(limited).toMatchObject({ code: -25, message });
    expect(rpc.call('sendrawtransaction', [hexOf(dear), 0])).toBe(idOf(dear));
  });

  test('knows a chain from its genesis block, so that it tells what is missing', () => {
    const { rpc } = open(dialect);
    const orphan = spend([{ txid: parseTxid('11'.repeat(32)), vout: 0 }], STANDARD, 50_000n);
    expect(reasonOf(rpc, orphan)).toBe('missing-inputs');
    expect(rpcFault(() => sent(rpc, orphan))).toMatchObject({ code: -25 });
  });
});

test("Litecoin's node replaces no transaction, unless mempoolreplacement says otherwise", () => {
  const replacing = (options: Partial<NodeRpcOptions>): unknown => {
    const { rpc, coins } = open('litecoin-0.21', { acceptnonstdtxn: true, ...options });
    const [first, second] = [10_000n, 40_000n].map((fee) => spendCoin(coins[0], fee));
    if (!first || !second) throw new Error('no transactions');
    const signalling = { ...first, inputs: first.inputs.map((input) => ({ ...input, sequence: 1 })) };
    sent(rpc, signalling);
    return reasonOf(rpc, second) ?? sent(rpc, second);
  };
  expect(replacing({})).toBe('txn-mempool-conflict');
  expect(replacing({ mempoolreplacement: true })).toMatch(/^[0-9a-f]{64}$/);
  expect(replacing({ skipsMempoolPolicy: true })).toMatch(/^[0-9a-f]{64}$/);
});

describe('a chain that lacks blocks', () => {
  test('takes a transaction whose coins it cannot know, and says that it cannot test it', () => {
    const [first, ...more] = blocksAfter(genesisOf('regtest'), 3);
    if (!first) throw new Error('no block');
    const rpc = createNodeRpc({
      ...{ network: 'regtest', dialect: 'core-32', clock: () => 1_700_100_000 },
      random: (size) => new Uint8Array(size),
    });
    const header = Uint8Array.from(Buffer.from(first.hex.slice(0, 160), 'hex'));
    change(rpc, { type: 'start', header, height: 1 });
    submit(rpc, more);
    const foreign = spend([{ txid: parseTxid('11'.repeat(32)), vout: 0 }], STANDARD, 50_000n);
    expect(rpcFault(() => reasonOf(rpc, foreign))).toMatchObject({ code: -1 });
    expect(sent(rpc, foreign)).toBe(idOf(foreign));
    expect(rpc.call('getmempoolentry', [idOf(foreign)]).fees.base).toBe(0);
  });
});

test('a package of core-30 that exceeds a limit by itself says so', () => {
  const { rpc, coins } = open('core-30', { acceptnonstdtxn: true, limitancestorsize: 0 });
  const parent = spendCoin(coins[0], 10_000n, ANYONE_PADDED);
  const child = spend([{ txid: txid(parent), vout: 0 }], STANDARD, 4_999_980_000n);
  const [tested] = rpc.call('testmempoolaccept', [[hexOf(parent), hexOf(child)]]);
  expect(tested?.['package-error']).toMatch(
    /^package-mempool-limits, package size \d+ exceeds ancestor size limit \[limit: 0\]$/,
  );
});

describe('packages of core-32', () => {
  const { rpc, coins } = open('core-32', { acceptnonstdtxn: true });
  const parent = spendCoin(coins[0], 10_000n, ANYONE_PADDED);
  const child = spend([{ txid: txid(parent), vout: 0 }], STANDARD, 4_999_980_000n);

  test('are judged in order, each transaction on the outputs of those before', () => {
    expect(rpc.call('testmempoolaccept', [[hexOf(parent), hexOf(child)]])).toMatchObject([
      { allowed: true },
      { allowed: true },
    ]);
    expect(rpc.call('getrawmempool')).toEqual([]);
  });

  test.each([
    ['package-not-sorted', [child, parent]],
    ['package-contains-duplicates', [parent, parent]],
    ['conflict-in-package', [parent, spendCoin(coins[0], 20_000n)]],
  ])('are refused as a whole: %s', (reason, txs) => {
    const answer = rpc.call('testmempoolaccept', [txs.map(hexOf)]);
    expect(answer.map((one) => [one['package-error'], one.allowed])).toEqual(txs.map(() => [reason, undefined]));
  });

  test('refuse a transaction that spends a coin twice, not the package', () => {
    const twice = { ...child, inputs: [...child.inputs, ...child.inputs] };
    const [first, second] = rpc.call('testmempoolaccept', [[parent, twice].map(hexOf)]);
    expect(first).toEqual({ txid: idOf(parent), wtxid: idOf(parent) });
    expect(second).toEqual({
      ...{ txid: idOf(twice), wtxid: idOf(twice) },
      ...{
        allowed: false,
        'reject-reason': 'bad-txns-inputs-duplicate',
        'reject-details': 'bad-txns-inputs-duplicate',
      },
    });
  });

  test('of version 3 are families of two', () => {
    const [first, second, third] = [
      parent,
      child,
      spend([{ txid: txid(child), vout: 0 }], STANDARD, 4_999_970_000n),
    ].map((tx) => ({ ...tx, version: 3 }));
    if (!first || !second || !third) throw new Error('no transactions');
    const outpoint = { txid: txid(first), vout: 0 };
    const linked = { ...second, inputs: second.inputs.map((input) => ({ ...input, outpoint })) };
    expect(rpc.call('testmempoolaccept', [[hexOf(first), hexOf(linked)]])).toMatchObject([{ allowed: true }, {}]);
    const mixed = { ...linked, version: 2 };
    const [fault] = rpc.call('testmempoolaccept', [[hexOf(first), hexOf(mixed)]]);
    expect(fault?.['package-error']).toMatch(/^TRUC-violation, non-version=3 tx .* cannot spend from version=3 tx/);
  });
});

test('a block replaces the mempool, and what it mined is known', () => {
  const { rpc, coins } = open('core-32', { acceptnonstdtxn: true });
  const tx = spendCoin(coins[0], 10_000n);
  sent(rpc, tx);
  expect(reasonOf(rpc, tx)).toBe('txn-already-in-mempool');
  submit(rpc, [blockAfter(coins.at(-1) ?? genesisOf('regtest'), { txs: [tx] })]);
  expect(reasonOf(rpc, tx)).toBe('txn-already-known');
  expect(rpcFault(() => sent(rpc, tx))).toMatchObject({ code: -27 });
});

/** @see BIP125, rule 5 */
test.each(['core-29', 'core-30'] as const)(
  'in %s a replacement pushes out a hundred transactions, not one more',
  (dialect) => {
    const { rpc, coins } = open(dialect, { acceptnonstdtxn: true });
    const FEE = 1000n;
    const outpointOf = (block: MadeBlock | undefined): Outpoint => {
      if (!block) throw new Error('A block is needed');
      return { txid: txid(coinbaseOf(block)), vout: 0 };
    };
    /** Sends a chain of transactions, as long as the limits of a family allow. */
    const sendChain = (block: MadeBlock | undefined, length: number): void => {
      let outpoint = outpointOf(block);
      for (let i = 1n; i <= BigInt(length); i += 1n) {
        const tx = spend([outpoint], ANYONE_PADDED, 5_000_000_000n - i * FEE);
        sent(rpc, tx);
        outpoint = { txid: txid(tx), vout: 0 };
      }
    };
    for (const block of coins.slice(0, 4)) sendChain(block, 25);
    sendChain(coins[4], 1);
    const replacing = (count: number): unknown =>
      reasonOf(
        rpc,
        spend(coins.slice(0, count).map(outpointOf), ANYONE_PADDED, BigInt(count) * 5_000_000_000n - 1_000_000n),
      );
    expect(replacing(4)).toBeUndefined();
    expect(replacing(5)).toBe('too many potential replacements');
  },
);
