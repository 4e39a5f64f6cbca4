import { describe, expect, test } from 'vitest';
import { scanWithin } from '../../../../src/node/wallet/records/chainSync.ts';
import { blockAfter, blocksAfter, coinbaseOf, GENESIS, type MadeBlock, spend } from '../../../support/blocks.ts';
import { change, openWithWallet, rpcFault, submit } from '../../../support/feeding.ts';
import { createMemoryStore, createNodeRpc, type DialectName, type NodeRpc, txid } from '../../../support/library.ts';
import { quickScrypt } from '../../../support/quickScrypt.ts';
import { recordsIn } from '../../../support/walletRecords.ts';

const OWN = `0014${'aa'.repeat(20)}`;

/** Five blocks, each of which pays the script of the wallet. */
function payingBlocks(): readonly MadeBlock[] {
  const blocks = [blockAfter(GENESIS, { script: OWN })];
  for (let parent = blocks[0]; parent && blocks.length < 5; parent = blocks.at(-1)) {
    blocks.push(blockAfter(parent, { script: OWN }));
  }
  return blocks;
}

/** Opens a node of regtest with a clock that stands still. */
const open = (dialect: DialectName, store = createMemoryStore()): NodeRpc =>
  createNodeRpc({
    ...{ network: 'regtest', dialect, store, scrypt: quickScrypt },
    clock: () => 1_700_000_000,
    random: (size) => new Uint8Array(size).fill(7),
  });

/** Opens a node of 0.21 whose wallet watches a script of which it missed the payments in blocks 1 to 5. */
function openLate(store = createMemoryStore()): NodeRpc {
  const rpc = open('core-0.21', store);
  rpc.call('createwallet', ['w', true]);
  submit(rpc, payingBlocks());
  rpc.call('importaddress', [OWN, '', false]);
  return rpc;
}

const heights = (rpc: NodeRpc): readonly unknown[] =>
  recordsIn(rpc, 'w').map(({ state }) => (state.kind === 'confirmed' ? state.block.height : 0));

describe('rescanblockchain finds the payments', () => {
  test.each([
    ['of the whole chain', [], [1, 2, 3, 4, 5], { start_height: 0, stop_height: 5 }],
    ['from a height on', [4], [4, 5], { start_height: 4, stop_height: 5 }],
    ['up to a height', [null, 2], [1, 2], { start_height: 0, stop_height: 2 }],
    ['of one block', [3, 3], [3], { start_height: 3, stop_height: 3 }],
    ['up to a height given by name', { stop_height: 1 }, [1], { start_height: 0, stop_height: 1 }],
  ] as const)('%s', (_, params, found, answer) => {
    const store = createMemoryStore();
    const rpc = openLate(store);
    expect(heights(rpc)).toEqual([]);
    expect(rpc.call('rescanblockchain', params)).toEqual(answer);
    expect(heights(rpc)).toEqual(found);
    expect(heights(open('core-0.21', store))).toEqual(found);
  });
});

test('a rescan that stops at a block leaves out the mempool', () => {
  const rpc = openWithWallet('core-32', 'regtest');
  const [first, ...others] = blocksAfter(GENESIS, 101);
  if (!first) throw new Error('There is no first block');
  submit(rpc, [first, ...others]);
  change(rpc, { type: 'transaction', tx: spend([{ txid: txid(coinbaseOf(first)), vout: 0 }]) });
  const pooled = (stop?: number): number =>
    [...scanWithin(rpc.node.chain, { start: 1, ...(stop !== undefined && { stop }) }).mempool].length;
  expect([pooled(), pooled(101)]).toEqual([1, 0]);
});

describe('rescanblockchain checks', () => {
  const wrongType = {
    'core-0.21': [-1, 'JSON value is not an integer as expected'],
    'core-32': [-3, 'JSON value of type string is not of expected type number'],
  } as const;

  describe.each([['core-0.21'], ['core-32']] as const)('in %s', (dialect: keyof typeof wrongType & DialectName) => {
    const rpc = openWithWallet(dialect, 'regtest');
    submit(rpc, blocksAfter(GENESIS, 3));
    test.each([
      ['a negative start', [-1, 10], -8, 'Invalid start_height'],
      ['a start above the tip', [4], -8, 'Invalid start_height'],
      ['a negative stop', [1, -1], -8, 'Invalid stop_height'],
      ['a stop above the tip', [0, 4], -8, 'Invalid stop_height'],
      ['a stop below the start', [2, 1], -8, 'stop_height must be greater than start_height'],
      ['a fraction', [1.5], -1, 'JSON integer out of range'],
      ['a number of more than 32 bits', [99_999_999_999], -1, 'JSON integer out of range'],
    ])('%s', (_, params, code, message) => {
      expect(rpcFault(() => rpc.call('rescanblockchain' as string, params))).toMatchObject({ code, message });
    });

    test('the types', () => {
      const fault = rpcFault(() => rpc.call('rescanblockchain' as string, [0, 'x']));
      expect([fault.code, fault.message.includes(wrongType[dialect][1])]).toEqual([wrongType[dialect][0], true]);
    });
  });

  test('in 0.21 the start before the type of the stop, as each is read in turn', () => {
    const rpc = openWithWallet('core-0.21', 'regtest');
    expect(rpcFault(() => rpc.call('rescanblockchain' as string, [1, 'x']))).toMatchObject({
      code: -8,
      message: 'Invalid start_height',
    });
  });

  test('in Core 31, not in 0.21, first that the wallet is unlocked', () => {
    const [refused, taken] = (['core-32', 'core-0.21'] as const).map((dialect) => {
      const rpc = open(dialect);
      rpc.call('createwallet', ['w', false, true]);
      rpc.call('encryptwallet', ['secret']);
      return rpc;
    });
    expect(rpcFault(() => refused?.call('rescanblockchain', [-1]))).toMatchObject({ code: -13 });
    expect(taken?.call('rescanblockchain')).toEqual({ start_height: 0, stop_height: 0 });
  });
});
