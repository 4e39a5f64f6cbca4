import { describe, expect, test } from 'vitest';
import { toJsonValue } from '../../../../src/answers/json/jsonValue.ts';
import { readArguments } from '../../../../src/answers/method/readParams.ts';
import { getblocktemplate } from '../../../../src/node/methods/mining/getblocktemplate.ts';
import { templateWaits } from '../../../../src/node/methods/mining/templateRequest.ts';
import { blockAfter, blockOf, blocksAfter, GENESIS, spend, timeAt } from '../../../support/blocks.ts';
import { openNode, rpcFault, submit } from '../../../support/feeding.ts';
import { COINBASE_VALUE, coinOf, LAST, openMature, outputOf } from '../../../support/funded.ts';
import {
  type BlockTemplateJson,
  createMemoryStore,
  type DialectName,
  encodeTransaction,
  formatHex,
  formatTxid,
  type NodeRpc,
  networks,
  parseHex,
  type Transaction,
  txid,
} from '../../../support/library.ts';

// test/node/chain/acceptBlock.test.ts has the reasons for which proposals are refused.

const NOW = 1_701_000_000;
const SEGWIT = { rules: ['segwit'] };
const hexOf = (tx: Transaction): string => formatHex(encodeTransaction(tx));
const idOf = (tx: Transaction): string => formatTxid(txid(tx));
const send = (rpc: NodeRpc, tx: Transaction): unknown => rpc.call('sendrawtransaction', [hexOf(tx), 0]);
const ask = (rpc: NodeRpc, request: object = SEGWIT): BlockTemplateJson =>
  rpc.call('getblocktemplate' as string, [request]) as BlockTemplateJson;
const fault = (rpc: NodeRpc, ...params: readonly unknown[]) => {
  const { code, message } = rpcFault(() => rpc.call('getblocktemplate' as string, params));
  return { code, message };
};

/** OP_0 OP_IF OP_CHECKSIG OP_ENDIF OP_1: one signature, and none is needed. */
const CHECKING = '0063ac6851';
const [PARENT, OTHER] = [spend([coinOf(1)], CHECKING, 4_999_990_000n), spend([coinOf(2)], '51', 4_999_999_000n)];
const CHILD = spend([outputOf(PARENT), outputOf(OTHER)], '51', 9_999_900_000n);

describe('a template', () => {
  test('has these members, in this order', () => {
    const rpc = openMature('core-31');
    for (const tx of [PARENT, OTHER, CHILD]) send(rpc, tx);
    rpc.call('prioritisetransaction', [idOf(PARENT), 0, 5000]);
    const places = [PARENT, OTHER, CHILD];
    const shown = ask(rpc);
    expect(Object.entries(shown)).toEqual(
      Object.entries({
        capabilities: ['proposal'],
        version: 0x2000_0000,
        rules: ['csv', '!segwit', 'taproot'],
        vbavailable: {},
        vbrequired: 0,
        previousblockhash: LAST.hash,
        transactions: shown.transactions.map((_, i) => expect.objectContaining({ txid: idOf(places[i] ?? CHILD) })),
        coinbaseaux: {},
        coinbasevalue: Number(COINBASE_VALUE) + 10_000 + 1000 + 89_000,
        // The first block, 101 more, three transactions, and one change of a fee.
        longpollid: `${LAST.hash}106`,
        target: `7fffff${'00'.repeat(29)}`,
        mintime: timeAt(96) + 1,
        mutable: ['time', 'transactions', 'prevblock'],
        noncerange: '00000000ffffffff',
        sigoplimit: 80_000,
        sizelimit: 4_000_000,
        weightlimit: 4_000_000,
        curtime: NOW,
        bits: '207fffff',
        height: 102,
        default_witness_commitment: expect.stringMatching(/^6a24aa21a9ed[0-9a-f]{64}$/),
      }),
    );
    expect(shown.transactions.at(-1)).toEqual({
      data: hexOf(CHILD),
      txid: idOf(CHILD),
      hash: idOf(CHILD),
      depends: CHILD.inputs.map(({ outpoint }) => places.findIndex((tx) => idOf(tx) === formatTxid(outpoint.txid)) + 1),
      fee: 89_000,
      sigops: 0,
      weight: 4 * 102,
    });
    // What was added to the fee is not paid.
    expect(shown.transactions[0]).toMatchObject({ fee: 10_000, sigops: 4, depends: [] });
  });

  test('makes a valid block', () => {
    for (const dialect of ['core-29', 'core-30', 'core-31', 'core-32'] as const) {
      const rpc = openMature(dialect);
      send(rpc, OTHER);
      const shown = ask(rpc);
      const [coinbase = spend([])] = blockAfter(LAST).txs;
      const commitment = { value: 0n, scriptPubKey: parseHex(shown.default_witness_commitment ?? '') };
      const paid = coinbase.outputs.map((output) => ({ ...output, value: BigInt(shown.coinbasevalue) }));
      const block = blockOf(LAST, [{ ...coinbase, outputs: [...paid, commitment] }, OTHER], {
        time: shown.curtime,
        version: shown.version,
      });
      expect(submit(rpc, [block])).toEqual([null]);
    }
  });

  test('is kept until a block comes, or for five seconds whatever else comes', () => {
    let now = NOW;
    const rpc = openMature('core-31', { clock: () => now });
    const seen = (): readonly [number, number, string] => {
      const { transactions, curtime, longpollid } = ask(rpc);
      return [transactions.length, curtime - NOW, longpollid.slice(64)];
    };
    expect(seen()).toEqual([0, 0, '102']);
    send(rpc, OTHER);
    now = NOW + 5;
    expect(seen()).toEqual([0, 5, '102']);
    now = NOW + 6;
    expect(seen()).toEqual([1, 6, '103']);
    send(rpc, PARENT);
    expect(submit(rpc, [blockAfter(LAST)])).toEqual([null]);
    expect(seen()).toEqual([2, 6, '105']);
  });

  test.each([
    ['core-29', ['csv', '!segwit', 'testdummy', 'taproot']],
    ['core-30', ['csv', '!segwit', 'taproot', 'testdummy']],
    ['core-32', ['csv', '!segwit', 'taproot', 'testdummy']],
  ] as const)('of %s names the soft forks on which blocks vote, and those that hold', (dialect, rules) => {
    const rpc = openNode(createMemoryStore(), dialect, { clock: () => NOW });
    const asked = (height: number): BlockTemplateJson => {
      rpc.call('generatetodescriptor', [height - Number(rpc.call('getblockcount')), 'raw(51)']);
      return ask(rpc);
    };
    const without = rules.filter((rule) => rule !== 'testdummy');
    expect(asked(142)).toMatchObject({ height: 143, version: 0x2000_0000, vbavailable: {}, rules: without });
    for (const height of [143, 430]) {
      const voting = { version: 0x3000_0000, vbavailable: { testdummy: 28 }, rules: without };
      expect(asked(height)).toMatchObject(voting);
    }
    expect(asked(431)).toMatchObject({ version: 0x2000_0000, vbavailable: {}, rules });
  });

  test('has the time that the median allows, and for the first block of a period the one before', () => {
    const { consensus, ...network } = networks.regtest;
    if (!consensus) throw new Error('no rules');
    const short = { ...network, consensus: { ...consensus, targetTimespan: 4 * consensus.targetSpacing } };
    const rpc = openNode(createMemoryStore(), 'core-31', { network: short, clock: () => timeAt(3) });
    const [first = GENESIS, second = GENESIS] = blocksAfter(GENESIS, 2);
    submit(rpc, [first, second, blockAfter(second, { time: timeAt(10) })]);
    expect(ask(rpc)).toMatchObject({ height: 4, mintime: timeAt(9), curtime: timeAt(9) });
    const old = openNode(createMemoryStore(), 'core-31', { clock: () => timeAt(3) });
    submit(old, [first, second, blockAfter(second, { time: timeAt(10) })]);
    expect(ask(old)).toMatchObject({ height: 4, mintime: timeAt(2) + 1, curtime: timeAt(3) });
  });

  test('takes the version of the options', () => {
    const rpc = openNode(createMemoryStore(), 'core-31', { blockversion: 5 });
    expect(ask(rpc).version).toBe(5);
    expect(fault(openNode(createMemoryStore(), 'core-31', { blockversion: 3 }), SEGWIT)).toEqual({
      code: -1,
      message: 'TestBlockValidity failed: bad-version(0x00000003), rejected nVersion=0x00000003 block',
    });
  });
});

describe('getblocktemplate', () => {
  const core = openNode(createMemoryStore(), 'core-31');

  test.each([
    [{ mode: 5 }, -8, 'Invalid mode'],
    [{ mode: 'x', rules: ['segwit'] }, -8, 'Invalid mode'],
    [{ mode: 'x', rules: [5] }, -3, 'JSON value of type number is not of expected type string'],
    [{}, -8, 'getblocktemplate must be called with the segwit rule set (call with {"rules": ["segwit"]})'],
    [
      { rules: 'segwit' },
      -8,
      'getblocktemplate must be called with the segwit rule set (call with {"rules": ["segwit"]})',
    ],
    [{ mode: 'proposal' }, -3, 'Missing data String key for proposal'],
    [{ mode: 'proposal', data: 'zz' }, -22, 'Block decode failed'],
    [{ mode: 'proposal', data: '00' }, -22, 'Block decode failed'],
    [{ longpollid: 'ab' }, -8, "longpollid must be of length 64 (not 2, for 'ab')"],
    [{ longpollid: 'z'.repeat(70) }, -8, `longpollid must be hexadecimal string (not '${'z'.repeat(64)}')`],
  ])('refuses %j', (request, code, message) => {
    expect(fault(core, request)).toEqual({ code, message });
  });

  test('needs a request since 29', () => {
    expect(fault(core)).toMatchObject({ code: -1, message: expect.stringMatching(/^getblocktemplate /) });
    expect(fault(core, null)).toMatchObject({
      code: -3,
      message: expect.stringContaining('Position 1 (template_request)'),
    });
    for (const params of [[], [null]]) {
      expect(fault(openNode(createMemoryStore(), 'core-0.21'), ...params)).toEqual({
        code: -9,
        message: 'Bitcoin Core is not connected!',
      });
    }
  });

  test('needs peers on the main chain, in 0.21 on every chain, except for proposals', () => {
    const open = (dialect: DialectName, network: 'main' | 'litecoin-regtest' | 'testnet4'): NodeRpc =>
      openNode(createMemoryStore(), dialect, { network, clock: () => 1_720_000_000 });
    expect(fault(open('core-31', 'main'), {})).toEqual({ code: -9, message: 'Bitcoin Core is not connected!' });
    expect(fault(open('litecoin-0.21', 'litecoin-regtest'), {})).toEqual({
      code: -9,
      message: 'Litecoin Core is not connected!',
    });
    expect(ask(open('core-31', 'testnet4'))).toMatchObject({ height: 1, bits: '1d00ffff' });
    const data = blockAfter(GENESIS).hex;
    expect(ask(openNode(createMemoryStore(), 'core-0.21'), { mode: 'proposal', data })).toBeNull();
  });

  test('judges a proposal whose header is bad in the order of the release', () => {
    const { hex } = blockAfter(LAST, { version: 1 });
    const data = `${hex.slice(0, 72)}${'00'.repeat(32)}${hex.slice(136)}`;
    for (const [dialect, reason] of [
      ['core-0.21', 'bad-version(0x00000001)'],
      ['core-29', 'bad-version(0x00000001)'],
      ['core-30', 'bad-txnmrklroot'],
    ] as const)
      expect(ask(openMature(dialect), { mode: 'proposal', data })).toBe(reason);
  });

  test('keeps nothing of a proposal', () => {
    const rpc = openMature('core-31');
    const made = blockAfter(LAST, { txs: [OTHER] });
    expect(ask(rpc, { mode: 'proposal', data: made.hex })).toBeNull();
    expect(() => rpc.call('getblockheader', [made.hash])).toThrow('Block not found');
    expect(rpc.call('getmininginfo')).not.toHaveProperty('currentblocktx');
    expect(submit(rpc, [made])).toEqual([null]);
  });
});

describe('a miner that waits', () => {
  const news = { tip: { hash: LAST.hash, height: 101 }, updates: 7 };
  const { context } = openNode(createMemoryStore(), 'core-31');
  const { dialect, network } = context;
  const waitFor = (request: object, more: object = {}) =>
    templateWaits.getblocktemplate(readArguments(getblocktemplate, [toJsonValue(request)], context), {
      before: news,
      dialect,
      network,
      ...more,
    });

  test('gets another last block at once, and news of the mempool after a minute and then every ten seconds', () => {
    const wait = waitFor({ longpollid: `${LAST.hash}7` });
    expect(wait?.timeout).toBe(0);
    expect(wait?.isOver({ tip: { hash: GENESIS.hash, height: 0 }, updates: 7 }, 1)).toBe(true);
    const looks = [0, 59_999, 60_000, 60_001, 69_999, 70_000].map((waited) =>
      wait?.isOver({ ...news, updates: waited < 60_001 ? 7 : 8 }, waited),
    );
    expect(looks).toEqual([false, false, false, false, false, true]);
  });

  test('has to name a last block, or waits from now on', () => {
    expect(waitFor({ longpollid: GENESIS.hash })?.isOver(news, 0)).toBe(true);
    for (const longpollid of [`${LAST.hash}x`, LAST.hash])
      expect(waitFor({ longpollid })?.isOver(news, 60_000)).toBe(true);
    for (const longpollid of [5, true, {}]) {
      const wait = waitFor({ longpollid });
      expect([wait?.isOver(news, 60_000), wait?.isOver({ ...news, updates: 8 }, 70_000)]).toEqual([false, true]);
    }
  });

  test('does not wait for a proposal, or for an error', () => {
    expect(waitFor({})).toBeUndefined();
    expect(waitFor({ longpollid: null })).toBeUndefined();
    expect(waitFor({ mode: 'proposal', longpollid: LAST.hash })).toBeUndefined();
    expect(() => waitFor({ longpollid: 'ab' })).toThrow('longpollid must be of length 64');
    expect(() => waitFor({ longpollid: LAST.hash }, { network: networks.main })).toThrow('is not connected');
  });
});
