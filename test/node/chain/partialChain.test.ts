import { describe, expect, test } from 'vitest';
import { outputKey, txKey } from '../../../src/core/tx/txid.ts';
import { decodeBlock } from '../../../src/node/chain/block.ts';
import { blockKey } from '../../../src/node/chain/blockHeader.ts';
import { createNodeRpc, type NodeRpc } from '../../../src/node/createNodeRpc.ts';
import { KINDS } from '../../../src/node/store/kinds.ts';
import { blockAfter, blocksAfter, coinbaseOf, GENESIS, type MadeBlock, spend } from '../../support/blocks.ts';
import { change, rpcFault } from '../../support/feeding.ts';
import { builtInGenesis } from '../../support/headers.ts';
import {
  createMemoryStore,
  type DialectName,
  formatHex,
  parseHex,
  type RecordStore,
  txid,
  withChecksum,
} from '../../support/library.ts';
import { recordsIn } from '../../support/walletRecords.ts';

const BLOCKS = blocksAfter(GENESIS, 40);
/** A script of the wallet. */
const OWN = `0014${'aa'.repeat(20)}`;
const DESCRIPTOR = withChecksum(`raw(${OWN})`);

function open(store: RecordStore = createMemoryStore(), dialect: DialectName = 'core-32'): NodeRpc {
  const random = (size: number): Uint8Array => new Uint8Array(size).fill(1);
  return createNodeRpc({ network: 'regtest', dialect, store, clock: () => 1_700_100_000, random });
}

const submit = (rpc: NodeRpc, blocks: readonly MadeBlock[]): unknown[] =>
  blocks.map(({ hex }) => rpc.call('submitblock', [hex]));

const headerOf = ({ hex }: MadeBlock): Uint8Array => parseHex(hex.slice(0, 160));
const at = (height: number): MadeBlock => BLOCKS[height - 1] ?? GENESIS;
const tip = (rpc: NodeRpc): unknown => rpc.call('getbestblockhash');

const start = (rpc: NodeRpc, block: MadeBlock): void =>
  change(rpc, { type: 'start', header: headerOf(block), height: block.height });
const feedHeaders = (rpc: NodeRpc, blocks: readonly MadeBlock[]): void =>
  change(rpc, { type: 'headers', headers: blocks.map(headerOf) });
const feedBlock = (rpc: NodeRpc, { hex }: MadeBlock): void => {
  const bytes = parseHex(hex);
  change(rpc, { type: 'block', block: decodeBlock(bytes), bytes });
};

function watching(store?: RecordStore): NodeRpc {
  const rpc = open(store);
  rpc.call('createwallet', ['w', true]);
  rpc.call('importdescriptors', [[{ desc: DESCRIPTOR, timestamp: 1 }]]);
  return rpc;
}

/** Lists where the wallet's transactions are: the heights of their blocks, or the kinds of their states. */
const places = (rpc: NodeRpc): readonly (number | string)[] | undefined =>
  recordsIn(rpc, 'w').map(({ state }) => (state.kind === 'confirmed' ? state.block.height : state.kind));

describe('a chain that starts above the genesis block', () => {
  test('knows no block below, and goes on as any other, also when opened anew', () => {
    const store = createMemoryStore();
    const rpc = watching(store);
    start(rpc, at(20));
    expect(rpc.call('getblockcount')).toBe(20);
    expect(() => rpc.call('getblockhash', [19])).toThrow('Block height out of range');
    expect(submit(rpc, BLOCKS.slice(20, 25))).toEqual([null, null, null, null, null]);
    expect(submit(rpc, [at(20)])).toEqual(['duplicate']);
    expect(submit(rpc, [at(19)])).toEqual(['prev-blk-not-found']);
    expect(() => rpc.call('invalidateblock', [at(20).hash])).toThrow('Block not available (pruned data)');
    const again = open(store);
    expect([20, 22, 25].map((height) => again.call('getblockhash', [height]))).toEqual(
      [20, 22, 25].map((height) => at(height).hash),
    );
    expect(again.call('getwalletinfo')).toMatchObject({ lastprocessedblock: { height: 25, hash: at(25).hash } });
    expect(submit(again, [at(26)])).toEqual([null]);
  });

  test('may spend coins that it does not know, but none twice', () => {
    const rpc = open();
    start(rpc, at(20));
    const unknown = { txid: txid(coinbaseOf(at(3))), vout: 0 };
    expect(submit(rpc, [blockAfter(at(20), { txs: [spend([unknown])] })])).toEqual([null]);
    const other = open();
    start(other, at(20));
    const twice = blockAfter(at(20), { txs: [spend([unknown]), spend([unknown], '52')] });
    expect(submit(other, [twice])).toEqual(['bad-txns-inputs-missingorspent']);
    expect(tip(other)).toBe(at(20).hash);
  });

  test('cannot be started twice, or after its first block', () => {
    const rpc = open();
    submit(rpc, [at(1)]);
    expect(() => start(rpc, at(20))).toThrow('The chain has blocks already');
  });

  test('can be started elsewhere while it has only its first block', () => {
    const store = createMemoryStore();
    const rpc = open(store);
    start(rpc, at(20));
    start(rpc, at(10));
    expect(open(store).call('getblockcount')).toBe(10);
    expect(submit(open(store), [at(11)])).toEqual([null]);
  });
});

describe('earlier headers', () => {
  test('lower the first block, down to the genesis block, and are part of the chain from then on', () => {
    const store = createMemoryStore();
    const rpc = open(store);
    start(rpc, at(20));
    submit(rpc, BLOCKS.slice(20, 25));
    const work = (): bigint | undefined => rpc.node.chain.leaves.get(blockKey(parseHex(at(25).hash).reverse()))?.work;
    const before = work() ?? 0n;
    change(rpc, { type: 'prepend', headers: BLOCKS.slice(9, 19).map(headerOf) });
    expect(work()).toBe(before + 20n);
    for (const node of [rpc, open(store)]) {
      expect(() => node.call('getblockhash', [9])).toThrow('Block height out of range');
      expect([10, 15, 20, 25].map((height) => node.call('getblockhash', [height]))).toEqual(
        [10, 15, 20, 25].map((height) => at(height).hash),
      );
    }
    const genesis = builtInGenesis('regtest').bytes;
    change(rpc, { type: 'prepend', headers: [genesis, ...BLOCKS.slice(0, 9).map(headerOf)] });
    for (const node of [rpc, open(store)]) expect(node.call('getblockhash', [0])).toBe(GENESIS.hash);
    const branch = blocksAfter(at(12), 14, 'dd');
    feedHeaders(rpc, branch);
    expect(tip(rpc)).toBe(branch[13]?.hash);
  });

  test('are refused if they do not lead to the first block', () => {
    const rpc = open();
    start(rpc, at(20));
    for (const headers of [BLOCKS.slice(9, 18), [at(17), at(19)]]) {
      expect(() => change(rpc, { type: 'prepend', headers: headers.map(headerOf) })).toThrow(
        'The headers do not lead to the first block of the chain',
      );
    }
    expect(rpc.node.chain.first.height).toBe(20);
  });
});

describe('blocks of which only the header is known', () => {
  test('are part of the chain, with blocks whose transactions are known between them', () => {
    const store = createMemoryStore();
    const rpc = watching(store);
    const paying = blockAfter(at(30), { script: OWN });
    const after = blocksAfter(paying, 5);
    start(rpc, at(10));
    const before = [...store.list(KINDS.transaction)];
    feedHeaders(rpc, BLOCKS.slice(10, 30));
    expect([...store.list(KINDS.transaction)]).toEqual(before);
    feedBlock(rpc, paying);
    feedHeaders(rpc, after);
    for (const node of [rpc, open(store)]) {
      expect(tip(node)).toBe(after[4]?.hash);
      expect(places(node)).toEqual([31]);
    }
  });

  test('are reorganized like others', () => {
    const rpc = watching();
    start(rpc, at(10));
    feedHeaders(rpc, BLOCKS.slice(10, 15));
    const paying = blockAfter(at(15), { script: OWN });
    feedBlock(rpc, paying);
    feedHeaders(rpc, blocksAfter(paying, 2));
    expect(places(rpc)).toEqual([16]);
    const branch = blocksAfter(at(12), 10, 'bb');
    feedHeaders(rpc, branch.slice(0, 4));
    expect(places(rpc)).toEqual([16]);
    feedHeaders(rpc, branch.slice(4));
    expect(tip(rpc)).toBe(branch[9]?.hash);
    expect(places(rpc)).toEqual(['abandoned']);
    change(rpc, { type: 'invalidate', hash: parseHex(branch[0]?.hash ?? '').reverse() });
    expect(places(rpc)).toEqual([16]);
  });

  test('can get their transactions later', () => {
    const store = createMemoryStore();
    const rpc = watching(store);
    const paying = blockAfter(at(12), { script: OWN });
    const spending = blockAfter(paying, { txs: [spend([{ txid: txid(coinbaseOf(paying)), vout: 0 }])] });
    const chain = [...BLOCKS.slice(10, 12), paying, spending, ...blocksAfter(spending, 3)];
    start(rpc, at(10));
    feedHeaders(rpc, chain);
    for (const block of [paying, spending]) feedBlock(rpc, block);
    change(rpc, { type: 'coins', from: paying.height });
    change(rpc, { type: 'wallet', name: 'w', event: { type: 'rescan', from: 0 } });
    for (const node of [rpc, open(store)]) {
      expect(places(node)).toEqual([13, 14]);
    }
    change(rpc, { type: 'invalidate', hash: parseHex(spending.hash).reverse() });
    expect(rpc.node.chain.coins.has(outputKey(txKey(txid(coinbaseOf(paying))), 0))).toBe(true);
  });
});

describe('what a node without all blocks refuses', () => {
  const time = (height: number): number => new DataView(headerOf(at(height)).buffer).getUint32(68, true);

  test('is to complete an import of Core 31, whose descriptor it keeps', () => {
    const rpc = open();
    rpc.call('createwallet', ['w', true]);
    start(rpc, at(10));
    feedHeaders(rpc, BLOCKS.slice(10, 20));
    submit(rpc, BLOCKS.slice(20));
    const late = time(40) - 3600;
    const birth = time(15);
    const requests = [
      { desc: DESCRIPTOR, timestamp: birth },
      { desc: withChecksum(`raw(${formatHex(Uint8Array.of(0x51))})`), timestamp: late },
    ];
    expect(rpc.call('importdescriptors', [requests])).toEqual([
      {
        success: false,
        error: {
          code: -1,
          message: `Rescan failed for descriptor with timestamp ${birth}. There was an error reading a block from time ${time(20)}, which is after or within 7200 seconds of key creation, and could contain transactions pertaining to the desc. As a result, transactions and coins using this desc may not appear in the wallet. This error could be caused by pruning or data corruption (see bitcoind log for details) and could be dealt with by downloading and rescanning the relevant blocks (see -reindex option and rescanblockchain RPC).`,
        },
      },
      { success: true },
    ]);
    expect(rpc.call('listdescriptors')).toMatchObject({ descriptors: { length: 2 } });
    expect(places(rpc)).toHaveLength(20);
  });

  test('is to load a wallet that missed blocks', () => {
    const rpc = watching();
    start(rpc, at(10));
    rpc.call('unloadwallet', ['w']);
    feedHeaders(rpc, BLOCKS.slice(10, 20));
    expect(() => rpc.call('loadwallet', ['w'])).toThrow(
      'Wallet loading failed. Prune: last wallet synchronisation goes beyond pruned data. You need to -reindex (download the whole blockchain again in case of a pruned node)',
    );
    expect(rpc.call('listwallets')).toEqual([]);
    for (const block of BLOCKS.slice(10, 20)) feedBlock(rpc, block);
    expect(rpc.call('loadwallet', ['w'])).toMatchObject({ name: 'w' });
  });

  test('is to rescan them, but not the blocks after them', () => {
    const rpc = watching();
    start(rpc, at(10));
    feedHeaders(rpc, BLOCKS.slice(10, 20));
    submit(rpc, BLOCKS.slice(20));
    const pruned = "Can't rescan beyond pruned data. Use RPC call getblockchaininfo to determine your pruned height.";
    for (const heights of [[], [9, 9], [10], [20], [15, 15]] as const) {
      expect(rpcFault(() => rpc.call('rescanblockchain', heights))).toMatchObject({ code: -1, message: pruned });
    }
    expect(rpc.call('rescanblockchain', [21])).toEqual({ start_height: 21, stop_height: 40 });
  });

  test('is to import keys and addresses into a wallet of 0.21 with a rescan', () => {
    const rpc = open(createMemoryStore(), 'core-0.21');
    rpc.call('createwallet', ['w', true]);
    start(rpc, at(10));
    feedHeaders(rpc, BLOCKS.slice(10, 20));
    expect(() => rpc.call('importaddress', [OWN])).toThrow('Rescan is disabled when blocks are pruned');
    expect(rpc.call('importaddress', [OWN, '', false])).toBeNull();
    const [answer] = rpc.call('importmulti', [
      [{ scriptPubKey: OWN, timestamp: time(12), watchonly: true }],
    ]) as unknown as readonly { readonly error?: { readonly message: string } }[];
    expect(answer?.error?.message).toMatch(
      new RegExp(
        `^Rescan failed for key with creation timestamp ${time(12)}\\. There was an error reading a block from time ${time(20)}, .* \\(see -reindex and -rescan options\\)\\.$`,
      ),
    );
  });
});
