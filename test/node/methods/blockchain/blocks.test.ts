import { describe, expect, test } from 'vitest';
import {
  blockAfter,
  blockOf,
  blocksAfter,
  coinbaseOf,
  committing,
  genesisOf,
  type MadeBlock,
  spend,
} from '../../../support/blocks.ts';
import { ANYONE, openWithWallet, rpcFault } from '../../../support/feeding.ts';
import {
  encodeTransaction,
  formatHex,
  formatTxid,
  type NodeRpc,
  parseTxid,
  type Transaction,
  txid,
} from '../../../support/library.ts';

/** How blocks and transactions are submitted; all cases seen on Litecoin Core. */

const NO_COIN = { txid: parseTxid('11'.repeat(32)), vout: 0 };

describe.each([
  ['litecoin-0.21', 'litecoin-regtest'],
  ['core-32', 'regtest'],
] as const)('submitblock of %s', (dialect, network) => {
  const genesis = genesisOf(network);

  test('calls a block of a side branch inconclusive, and switches to the branch once it has the most work', () => {
    const rpc = openWithWallet(dialect, network);
    const [first, beside] = [blockAfter(genesis), blockAfter(genesis, { salt: '02' })];
    expect(rpc.call('submitblock', [first.hex])).toBeNull();
    expect(rpc.call('submitblock', [beside.hex])).toBe('inconclusive');
    expect(rpc.call('getbestblockhash')).toBe(first.hash);
    const next = blockAfter(beside);
    expect(rpc.call('submitblock', [next.hex])).toBeNull();
    expect(rpc.call('getbestblockhash')).toBe(next.hash);
  });

  test('calls a block after an unverified bad block inconclusive', () => {
    const rpc = openWithWallet(dialect, network);
    const good = blockAfter(genesis);
    const bad = blockAfter(genesis, { salt: '02', txs: [spend([NO_COIN])] });
    rpc.call('submitblock', [good.hex]);
    expect(rpc.call('submitblock', [bad.hex])).toBe('inconclusive');
    expect(rpc.call('submitblock', [blockAfter(bad).hex])).toBe('inconclusive');
    expect(rpc.call('getbestblockhash')).toBe(good.hash);
  });

  test('remembers that a block was bad', () => {
    const rpc = openWithWallet(dialect, network);
    const bad = blockAfter(genesis, { txs: [spend([NO_COIN])] });
    expect(rpc.call('submitblock', [bad.hex])).toBe('bad-txns-inputs-missingorspent');
    expect(rpc.call('submitblock', [bad.hex])).toBe('duplicate-invalid');
    expect(rpc.call('submitblock', [blockAfter(bad).hex])).toBe('bad-prevblk');
    expect(rpc.call('getblockcount')).toBe(0);
    expect(rpc.call('submitblock', [blockAfter(genesis, { salt: '03' }).hex])).toBeNull();
  });

  test('does not blame a block for a bad copy with the same header', () => {
    const rpc = openWithWallet(dialect, network);
    const good = blockAfter(genesis, { txs: [spend([NO_COIN]), spend([NO_COIN], '52')] });
    const [first = coinbaseOf(good), ...rest] = good.txs;
    const [, last = first] = rest;
    const header = good.hex.slice(0, 160);
    const says = (txs: readonly Transaction[], more: Parameters<typeof blockOf>[2] = {}): unknown => {
      const { hex } = blockOf(genesis, txs, more);
      try {
        return rpc.call('submitblock', [hex]);
      } catch (error) {
        return (error as Error).message;
      }
    };
    const isModern = dialect === 'core-32';
    const noCoinbase = 'Block does not start with a coinbase';
    expect(says([first, ...rest, last], { header })).toBe('bad-txns-duplicate');
    expect(says([first], { header })).toBe('bad-txnmrklroot');
    expect(says([])).toBe(isModern ? 'bad-blk-length' : noCoinbase);
    expect(says(rest)).toBe(isModern ? 'bad-cb-missing' : noCoinbase);
    expect(says([first, coinbaseOf(blockAfter(genesis, { salt: '02' }))])).toBe('bad-cb-multiple');
    expect(says([first, first], { header })).toBe('bad-txnmrklroot');
    // The content is checked before the parent, which is unknown.
    expect(says([first, first], { previous: '11'.repeat(32) })).toBe('bad-txns-duplicate');
    // The bad copies above do not mark the block itself as invalid.
    expect(rpc.call('submitblock', [good.hex])).toBe('bad-txns-inputs-missingorspent');
    expect(says([first], { header })).toBe(isModern ? 'bad-txnmrklroot' : 'duplicate-invalid');
    expect(rpc.call('submitblock', [blockAfter(genesis).hex])).toBeNull();
  });

  test('refuses transactions that are never valid', () => {
    const rpc = openWithWallet(dialect, network);
    const says = (tx: Transaction): unknown => rpc.call('submitblock', [blockAfter(genesis, { txs: [tx] }).hex]);
    expect(says({ ...spend([NO_COIN]), outputs: [] })).toBe('bad-txns-vout-empty');
    expect(says(spend([NO_COIN, NO_COIN]))).toBe('bad-txns-inputs-duplicate');
    expect(says(spend([NO_COIN], '51', 2n ** 62n))).toBe('bad-txns-vout-toolarge');
    expect(rpc.call('getblockcount')).toBe(0);
  });

  test('checks the witnesses against the commitment in the coinbase', () => {
    const rpc = openWithWallet(dialect, network);
    const says = (txs: readonly Transaction[]): unknown => rpc.call('submitblock', [blockOf(genesis, txs).hex]);
    const first = coinbaseOf(blockAfter(genesis));
    const withSalt = (witness: readonly Uint8Array[], from = first): Transaction => ({
      ...from,
      inputs: from.inputs.map((input) => ({ ...input, witness })),
    });
    const salt = new Uint8Array(32).fill(5);
    expect(says([withSalt([salt])])).toBe('unexpected-witness');
    const signed = { ...spend([NO_COIN]), inputs: withSalt([Uint8Array.of(1)], spend([NO_COIN])).inputs };
    expect(says([first, signed])).toBe('unexpected-witness');
    const committed = (under: Uint8Array): Transaction => withSalt([], committing(first, [signed], under));
    for (const wrong of [[salt.slice(1)], [salt, salt]]) {
      expect(says([withSalt(wrong, committed(salt)), signed])).toBe('bad-witness-nonce-size');
    }
    expect(says([withSalt([salt], committed(salt)), spend([NO_COIN])])).toBe('bad-witness-merkle-match');
    expect(says([committed(salt), signed])).toBe('bad-witness-merkle-match');
    // The coin is missing, too, but that is checked last. A witness reserved value of zeros may be omitted.
    for (const right of [withSalt([salt], committed(salt)), committed(new Uint8Array(32))]) {
      expect(says([right, signed])).toBe('bad-txns-inputs-missingorspent');
    }
  });

  test('ignores data after a block', () => {
    const rpc = openWithWallet(dialect, network);
    const { hex, hash } = blockAfter(genesis);
    expect(rpc.call('submitblock', [`${hex}00ff`])).toBeNull();
    expect(rpc.call('getbestblockhash')).toBe(hash);
  });

  test('invalidateblock leaves, of chains of equal length, the one submitted first', () => {
    const rpc = openWithWallet(dialect, network);
    const [first, second] = [blockAfter(genesis), blockAfter(genesis, { salt: '02' })];
    const onSecond = blockAfter(second);
    for (const { hex } of [first, second, onSecond]) rpc.call('submitblock', [hex]);
    rpc.call('invalidateblock', [onSecond.hash]);
    expect(rpc.call('getbestblockhash')).toBe(first.hash);
  });
});

test.each([
  ['sendrawtransaction', [null], 'Expected type string, got null'],
  ['sendrawtransaction', { maxfeerate: 0 }, 'Expected type string, got null'],
  ['setmocktime', ['1'], 'Expected type number, got string'],
])('%s of 0.21 checks the types of its arguments before all else', (method, params, message) => {
  expect(rpcFault(() => openWithWallet().call(method, params))).toMatchObject({ code: -3, message });
});

test.each([
  ['litecoin-0.21', 'litecoin-regtest', '-1', 'Mocktime can not be negative: -1.'],
  ['litecoin-0.21', 'litecoin-regtest', '9223372037', undefined],
  ['litecoin-0.21', 'litecoin-regtest', '-9223372036854775808', 'Mocktime can not be negative: -9223372036854775808.'],
  ['core-32', 'regtest', '-1', 'Mocktime must be in the range [0, 4294967295], not -1.'],
  ['core-32', 'regtest', '4294967295', undefined],
  ['core-32', 'regtest', '4294967296', 'Mocktime must be in the range [0, 4294967295], not 4294967296.'],
] as const)('setmocktime checks its range, as %s on %s: %s', (dialect, network, text, message) => {
  const params = { type: 'array', items: [{ type: 'number', text }] } as const;
  const set = () => openWithWallet(dialect, network).callJson('setmocktime', params);
  if (message === undefined) expect(set()).toBeNull();
  else expect(rpcFault(set)).toMatchObject({ code: -8, message });
});

test('submitblock ignores its second argument, whose type Core 31 checks', () => {
  const submit = (dialect: 'core-32' | 'litecoin-0.21', dummy: unknown): unknown =>
    rpcFault(() =>
      openWithWallet(dialect, dialect === 'core-32' ? 'regtest' : 'litecoin-regtest').call('submitblock' as string, [
        '00',
        dummy,
      ]),
    );
  for (const dummy of ['x', null]) expect(submit('core-32', dummy)).toMatchObject({ code: -22 });
  expect(submit('core-32', 5)).toMatchObject({ code: -3, message: expect.stringContaining('Position 2 (dummy)') });
  expect(submit('litecoin-0.21', 5)).toMatchObject({ code: -22 });
});

test('getrawmempool of an empty mempool', () => {
  for (const [dialect, network] of [
    ['core-32', 'regtest'],
    ['litecoin-0.21', 'litecoin-regtest'],
  ] as const) {
    const rpc = openWithWallet(dialect, network);
    const shown = (...params: readonly unknown[]): unknown => rpc.call('getrawmempool' as string, params);
    const fault = (...params: readonly unknown[]): unknown => rpcFault(() => shown(...params));
    expect([shown(), shown(false, false), shown(true), shown(true, false)]).toEqual([[], [], {}, {}]);
    const message = 'Verbose results cannot contain mempool sequence values.';
    expect(fault(true, true)).toMatchObject({ code: -8, message });
    expect(shown(false, true)).toEqual({ txids: [], mempool_sequence: 1 });
  }
});

describe('sendrawtransaction', () => {
  const genesis = genesisOf('litecoin-regtest');
  const first = blockAfter(genesis);
  const coinbase = coinbaseOf(first);
  const mature = 101;

  function nodeWithBlocks(count: number): NodeRpc {
    const rpc = openWithWallet();
    for (const { hex } of [first, ...blocksAfter(first, count - 1)]) rpc.call('submitblock', [hex]);
    return rpc;
  }

  const spendOf = (given: Partial<Transaction> & { readonly sequence?: number; readonly vout?: number }): string => {
    const { sequence = 0xffff_ffff, vout = 0, ...more } = given;
    const input = { outpoint: { txid: txid(coinbase), vout }, scriptSig: new Uint8Array(0), sequence, witness: [] };
    const outputs = [{ value: 1000n, scriptPubKey: ANYONE }];
    return formatHex(encodeTransaction({ version: 2, inputs: [input], outputs, locktime: 0, ...more }));
  };

  test.each([
    ['an absolute locktime, even of missing coins', spendOf({ locktime: 500, sequence: 0, vout: 9 }), -26, 'non-final'],
    ['missing coins', spendOf({ sequence: 200, vout: 9 }), -25, 'bad-txns-inputs-missingorspent'],
    ['a relative locktime', spendOf({ sequence: 200 }), -26, 'non-BIP68-final'],
    ['a transaction without outputs', spendOf({ outputs: [] }), -26, 'bad-txns-vout-empty'],
    [
      'a transaction that pays more than it spends',
      spendOf({ outputs: [{ value: 6_123_450_000n, scriptPubKey: ANYONE }] }),
      -26,
      'bad-txns-in-belowout, value in (50.00) < value out (61.2345)',
    ],
    [
      'an output beyond MAX_MONEY',
      spendOf({ outputs: [{ value: 8_400_000_000_000_001n, scriptPubKey: ANYONE }] }),
      -26,
      'bad-txns-vout-toolarge',
    ],
    ['a coinbase', formatHex(encodeTransaction(coinbase)), -27, 'Transaction already in block chain'],
    ['another coinbase', formatHex(encodeTransaction({ ...coinbase, locktime: 1 })), -26, 'coinbase'],
  ])('refuses %s', (_, spending, code, message) => {
    expect(rpcFault(() => nodeWithBlocks(mature).call('sendrawtransaction', [spending]))).toMatchObject({
      code,
      message,
    });
  });

  test.each([
    ['x', 'Invalid amount'],
    [-1, 'Amount out of range'],
    [[], 'Amount is not a number or string'],
  ])('refuses %j as maxfeerate, once the transaction is decoded', (rate, message) => {
    const send = (hex: string) => rpcFault(() => openWithWallet().call('sendrawtransaction' as string, [hex, rate]));
    expect(send(spendOf({ outputs: [] }))).toMatchObject({ code: -3, message });
    expect(send('00')).toMatchObject({ code: -22 });
  });

  test('of Core 31 checks maxburnamount before all else, and refuses a maxfeerate of 1 BTC/kvB', () => {
    const rpc = openWithWallet('core-32', 'regtest');
    const send = (...args: readonly unknown[]) => rpcFault(() => rpc.call('sendrawtransaction' as string, args));
    expect(send('00', 'x', 'y')).toMatchObject({ code: -3, message: 'Invalid amount' });
    expect(send('00', 1, 0)).toMatchObject({ code: -22 });
    expect(send(spendOf({}), '1.00000000', null)).toMatchObject({
      code: -8,
      message: 'Fee rates larger than or equal to 1BTC/kvB are not accepted',
    });
    expect(send(spendOf({}), 0.99999999, 0)).toMatchObject({ code: -25 });
  });

  test('refuses a transaction that spends a coin and also an output of its other spender', () => {
    const rpc = nodeWithBlocks(mature);
    const rival = rpc.call('sendrawtransaction', [spendOf({}), 0]) as string;
    const both = spend([txid(coinbase), parseTxid(rival)].map((id) => ({ txid: id, vout: 0 })));
    expect(rpcFault(() => rpc.call('sendrawtransaction', [formatHex(encodeTransaction(both)), 0]))).toMatchObject({
      code: -26,
      message: `bad-txns-spends-conflicting-tx, ${formatTxid(txid(both))} spends conflicting transaction ${rival}`,
    });
    expect(rpc.call('getrawmempool')).toEqual([rival]);
    expect(Object.keys(rpc.call('getrawmempool', [true]))).toEqual([rival]);
  });

  test('refuses to spend an immature coinbase', () => {
    const message = 'bad-txns-premature-spend-of-coinbase, tried to spend coinbase at depth 99';
    expect(rpcFault(() => nodeWithBlocks(mature - 2).call('sendrawtransaction', [spendOf({}), 0]))).toMatchObject({
      code: -26,
      message,
    });
    expect(nodeWithBlocks(mature - 1).call('sendrawtransaction', [spendOf({}), 0])).toMatch(/^[0-9a-f]{64}$/);
  });

  test('a transaction with a relative locktime on a mempool coin leaves the mempool if the chain gets shorter', () => {
    const rpc = nodeWithBlocks(mature + 2);
    const first = rpc.call('sendrawtransaction', [
      spendOf({ outputs: [{ value: 900n, scriptPubKey: ANYONE }] }),
      0,
    ]) as string;
    const input = { outpoint: { txid: parseTxid(first), vout: 0 }, scriptSig: new Uint8Array(0), witness: [] };
    const child = (sequence: number): Transaction => ({
      version: 2,
      inputs: [{ ...input, sequence }],
      outputs: [{ value: 800n, scriptPubKey: ANYONE }],
      locktime: 0,
    });
    const send = (tx: Transaction): unknown => rpc.call('sendrawtransaction', [formatHex(encodeTransaction(tx)), 0]);
    for (const [sequence, stays] of [
      [0xffff_fffd, true],
      [0, false],
    ] as const) {
      const id = send(child(sequence));
      rpc.call('invalidateblock', [rpc.call('getbestblockhash')]);
      expect(rpc.node.chain.mempool.size).toBe(stays ? 2 : 1);
      // It can be sent again at once.
      expect(send(child(sequence))).toBe(id);
    }
  });
});

describe.each([
  ['litecoin-0.21', 'litecoin-regtest'],
  ['core-32', 'regtest'],
] as const)('sendrawtransaction of %s', (dialect, network) => {
  const genesis = genesisOf(network);
  const keyHash = Uint8Array.of(0, 20, ...new Uint8Array(20).fill(1));
  const nothing = Uint8Array.of(0);

  /** Makes a node and a transaction that spends its first coinbases, which pay these scripts. */
  function spendAll(scripts: readonly Uint8Array[]): { readonly rpc: NodeRpc; readonly tx: Transaction } {
    const rpc = openWithWallet(dialect, network);
    const blocks: MadeBlock[] = [];
    while (blocks.length < 100 + scripts.length) {
      const script = formatHex(scripts[blocks.length] ?? ANYONE);
      blocks.push(blockAfter(blocks.at(-1) ?? genesis, { script }));
    }
    for (const { hex } of blocks) rpc.call('submitblock', [hex]);
    const coins = blocks.slice(0, scripts.length).map((block) => ({ txid: txid(coinbaseOf(block)), vout: 0 }));
    return { rpc, tx: spend(coins) };
  }

  test.each([
    ['non-mandatory-script-verify-flag', 'Witness program hash mismatch', [ANYONE, keyHash]],
    [
      'mandatory-script-verify-flag-failed',
      'Script evaluated without error but finished with a false/empty top stack element',
      [ANYONE, nothing, keyHash],
    ],
  ])('refuses a spend that fails its scripts: %s (%s)', (reason, text, scripts) => {
    const { rpc, tx } = spendAll(scripts);
    const id = formatTxid(txid(tx));
    const at = tx.inputs[1]?.outpoint;
    const spending = at && `${formatTxid(at.txid)}:${at.vout}`;
    const message =
      dialect === 'core-32'
        ? `mempool-script-verify-flag-failed (${text}), input 1 of ${id} (wtxid ${id}), spending ${spending}`
        : `${reason} (${text})`;
    const send = () => rpc.call('sendrawtransaction', [formatHex(encodeTransaction(tx)), 0]);
    expect(rpcFault(send)).toMatchObject({ code: -26, message });
    expect(rpc.call('getrawmempool')).toEqual([]);
  });
});

describe.each([
  ['core-0.21', 'regtest'],
  ['litecoin-0.21', 'litecoin-regtest'],
  ['core-29', 'regtest'],
  ['core-30', 'regtest'],
  ['core-31', 'regtest'],
  ['core-32', 'regtest'],
  ['documented', 'regtest'],
] as const)('invalidateblock of the genesis block in %s', (dialect, network) => {
  const genesis = genesisOf(network);

  test('leaves it valid', () => {
    const rpc = openWithWallet(dialect, network);
    expect(rpc.call('invalidateblock', [genesis.hash])).toBeNull();
    expect(rpc.call('submitblock', [blockAfter(genesis).hex])).toBeNull();
    expect(rpc.call('getblockcount')).toBe(1);
  });

  test('changes nothing above it, but in 0.21', () => {
    const rpc = openWithWallet(dialect, network);
    const [first, second] = blocksAfter(genesis, 2);
    for (const block of [first, second]) rpc.call('submitblock', [block?.hex ?? '']);
    expect(rpc.call('invalidateblock', [genesis.hash])).toBeNull();
    // As litecoind 0.21.2.1 answers.
    const disconnects = dialect.endsWith('0.21');
    expect(rpc.call('getbestblockhash')).toBe(disconnects ? genesis.hash : second?.hash);
    expect(rpc.call('getchaintips')).toMatchObject(
      disconnects
        ? [
            { height: 2, branchlen: 2, status: 'invalid' },
            { height: 0, branchlen: 0, status: 'active' },
          ]
        : [{ height: 2, branchlen: 0, status: 'active' }],
    );
    expect(rpc.call('invalidateblock', [genesis.hash])).toBeNull();
    rpc.call('reconsiderblock', [first?.hash ?? '']);
    expect(rpc.call('getbestblockhash')).toBe(second?.hash);
  });
});
