import { describe, expect, test } from 'vitest';
import { unlessError } from '../../../support/askRpc.ts';
import { blocksAfter, GENESIS, spend } from '../../../support/blocks.ts';
import { openNode, submit } from '../../../support/feeding.ts';
import {
  createMemoryStore,
  type DialectName,
  encodeTransaction,
  formatHex,
  stringifyRpc,
  txid,
} from '../../../support/library.ts';

/** A node whose mempool has one transaction, which spends output 0 of the first coinbase. */
function openWorld(dialect: DialectName) {
  const rpc = openNode(createMemoryStore(), dialect);
  const blocks = blocksAfter(GENESIS, 101, 'aa');
  submit(rpc, blocks);
  const coinbase = blocks[0]?.txs[0];
  if (!coinbase) throw new Error('no coinbase');
  const tx = formatHex(encodeTransaction(spend([{ txid: txid(coinbase), vout: 0 }])));
  const spender = rpc.call('sendrawtransaction', [tx, 0]);
  const spent = formatHex(txid(coinbase).slice().reverse());
  const ask = (...params: readonly unknown[]): unknown =>
    unlessError(() => stringifyRpc(rpc.call('gettxspendingprevout', params as never)));
  return { ask, tx, spender, spent };
}

const OTHER = 'ab'.repeat(32);

describe.each(['core-29', 'core-30', 'core-31', 'core-32'] as const)('gettxspendingprevout of %s', (dialect) => {
  const { ask, spender, spent } = openWorld(dialect);

  test('finds the spender of each output, in the order of the request', () => {
    const outputs = [
      { txid: OTHER, vout: 1 },
      { txid: spent, vout: 0 },
      { txid: spent, vout: 1 },
    ];
    const [other, found, unspent] = outputs.map((output) => JSON.stringify(output));
    expect(ask(outputs)).toBe(`[${other},${found?.slice(0, -1)},"spendingtxid":"${spender}"},${unspent}]`);
  });

  test.each([
    [[], '-8 Invalid parameter, outputs are missing'],
    [[{}], '-3 Missing txid'],
    [[{ txid: OTHER }], '-3 Missing vout'],
    [[{ txid: OTHER, vout: -1 }], '-8 Invalid parameter, vout cannot be negative'],
    [[{ txid: OTHER, vout: 0, n: 0 }], '-3 Unexpected key n'],
    [[{ txid: 'ab', vout: 0 }], "-8 txid must be of length 64 (not 2, for 'ab')"],
    [[{ txid: OTHER, vout: 0.5 }], '-1 JSON integer out of range'],
  ])('refuses %j', (outputs, said) => {
    expect(ask(outputs)).toBe(said);
  });
});

test('release 31 repeats outputs as they were given; 30 in its own form', () => {
  const output = { vout: 3, txid: OTHER.toUpperCase() };
  expect(openWorld('core-31').ask([output])).toBe(`[{"vout":3,"txid":"${OTHER.toUpperCase()}"}]`);
  expect(openWorld('core-30').ask([output])).toBe(`[{"txid":"${OTHER}","vout":3}]`);
});

test('release 31 shows the spender, and refuses to look beyond the mempool', () => {
  const { ask, tx, spender, spent } = openWorld('core-31');
  const output = { txid: spent, vout: 0 };
  const shown = JSON.stringify([{ ...output, spendingtxid: spender, spendingtx: tx }]);
  expect(ask([output], { return_spending_tx: true })).toBe(shown);
  expect(ask([output], { mempool_only: false, return_spending_tx: true })).toBe(shown);
  const missing = [{ txid: OTHER.toUpperCase(), vout: 7 }];
  expect(ask(missing, { mempool_only: false })).toBe(
    `-1 No spending tx for the outpoint ${OTHER}:7 in mempool, and txospenderindex is unavailable.`,
  );
  expect(openWorld('core-32').ask(missing, { mempool_only: false })).toBe(
    '-1 Mempool lacks a relevant spend, and txospenderindex is unavailable.',
  );
  expect(ask([output], { only: true })).toBe('-3 Unexpected key only');
});

test('release 0.21 lacks it', () => {
  expect(openWorld('core-0.21').ask([{ txid: OTHER, vout: 0 }])).toBe('-32601 Method not found');
});
