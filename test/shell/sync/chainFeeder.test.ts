import { describe, expect, test } from 'vitest';
import { encodeBlockFilter, filterElements, filterHeader } from '../../../src/node/chain/blockFilter.ts';
import { blockHash } from '../../../src/node/chain/blockHeader.ts';
import { genesisTransaction } from '../../../src/node/chain/genesis.ts';
import { createNodeRpc, type NodeRpc } from '../../../src/node/createNodeRpc.ts';
import type { SharedStore } from '../../../src/node/store/recordStore.ts';
import { type FeederParts, openFeeder } from '../../../src/shell/sync/chainFeeder.ts';
import { type Caller, localCaller } from '../../../src/shell/sync/nodeClient.ts';
import { nodeSink } from '../../../src/shell/sync/nodeSink.ts';
import { nodeSource } from '../../../src/shell/sync/nodeSource.ts';
import type { Watch } from '../../../src/shell/sync/syncChain.ts';
import {
  type BlockChoice,
  blockAfter,
  blockOf,
  blocksAfter,
  coinbaseOf,
  GENESIS,
  type MadeBlock,
  spend,
} from '../../support/blocks.ts';
import { headerHex } from '../../support/fakeFilters.ts';
import { createFakeNode, type FakeNode } from '../../support/fakeNode.ts';
import { realHeaders } from '../../support/headers.ts';
import {
  createMemoryStore,
  formatHex,
  formatReversedHex,
  type NetworkName,
  networks,
  parseHex,
  type RecordStore,
  txid,
  withChecksum,
} from '../../support/library.ts';
import { createSharedRecords } from '../../support/sharedRecords.ts';
import { recordsIn } from '../../support/walletRecords.ts';

/** Anyone can spend it. */
const OWN = '5161';
const OTHER = `0014${'bb'.repeat(20)}`;
const NOW = 1_700_400_000;
/** The hash of Bitcoin's genesis block. */
const GENESIS_HASH = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
const timeOf = (block: MadeBlock): number => new DataView(parseHex(headerHex(block)).buffer).getUint32(68, true);

/** A chain of 300 blocks: number 200 pays to `OWN`, 220 spends that, and 100 and 250 pay to `OTHER`. */
const CHAIN = ((): readonly MadeBlock[] => {
  const blocks = [...blocksAfter(GENESIS, 99)];
  const add = (given: BlockChoice): void => {
    blocks.push(blockAfter(blocks.at(-1) ?? GENESIS, given));
  };
  add({ script: OTHER });
  while (blocks.length < 199) add({});
  const paying = spend([{ txid: txid(coinbaseOf(blocks[0] ?? GENESIS)), vout: 0 }], OWN);
  add({ txs: [paying] });
  while (blocks.length < 219) add({});
  add({ txs: [spend([{ txid: txid(paying), vout: 0 }])] });
  while (blocks.length < 249) add({});
  add({ script: OTHER });
  while (blocks.length < 300) add({});
  return blocks;
})();
const at = (height: number): MadeBlock => CHAIN[height - 1] ?? GENESIS;
const BIRTH = timeOf(at(180));
/** The height after which a chain begins for that birth: 24 blocks before it, by a median of 11. */
const STARTED = 180 - 24 - 1 - 11;

function open(store: RecordStore = createMemoryStore(), network: NetworkName = 'regtest'): NodeRpc {
  const random = (size: number): Uint8Array => new Uint8Array(size).fill(1);
  return createNodeRpc({ network, dialect: 'core-32', store, clock: () => NOW, random });
}

const importInto = (rpc: NodeRpc, script: string, timestamp: number, name = 'w'): unknown =>
  rpc.call('importdescriptors', [[{ desc: withChecksum(`raw(${script})`), timestamp }]], name);

function watching(store?: RecordStore, timestamp = BIRTH): NodeRpc {
  const rpc = open(store);
  rpc.call('createwallet', ['w', true]);
  importInto(rpc, OWN, timestamp);
  return rpc;
}

function serving(hasFilters = true): FakeNode {
  const fake = createFakeNode({ hasFilters });
  for (const block of CHAIN) fake.add(block);
  fake.moveTo(at(300));
  return fake;
}

interface Fed {
  readonly said: readonly string[];
  readonly outcome: string;
  readonly heights: readonly number[];
}

/** Syncs once. */
async function feed(
  rpc: NodeRpc,
  caller: Caller,
  more: Partial<FeederParts> = {},
  watch: Partial<Watch> = {},
): Promise<Fed> {
  const said: string[] = [];
  const heights: number[] = [];
  const { signal: stop } = new AbortController();
  const run = await openFeeder({
    ...{ caller, source: nodeSource(caller), sink: nodeSink(localCaller(rpc, 'ours')), node: rpc.node },
    ...{ start: undefined, rescans: false, prune: undefined, takesAll: false, now: () => NOW },
    say: (text) => said.push(text),
    ...more,
  });
  const outcome = await run({
    stop: watch.stop ?? stop,
    onBlock: (fed) => {
      heights.push(fed.height ?? 0);
      watch.onBlock?.(fed);
    },
  });
  return { said, outcome, heights };
}

const callerOf = (fake: FakeNode): Caller => localCaller(fake, 'the node');
const tipOf = (rpc: NodeRpc): unknown => rpc.call('getbestblockhash');
const places = (rpc: NodeRpc, name = 'w'): readonly (number | string)[] | undefined =>
  recordsIn(rpc, name).map(({ state }) => (state.kind === 'confirmed' ? state.block.height : state.kind));

describe('a new chain', () => {
  test('begins before the birth of the wallets, and gets only the blocks that concern them', async () => {
    const [store, fake] = [createMemoryStore(), serving()];
    const rpc = watching(store);
    const { said, outcome, heights } = await feed(rpc, callerOf(fake));
    expect({ outcome, said }).toEqual({
      outcome: 'same',
      said: [`starting after block ${STARTED}: the keys of the wallets are younger (see --start)`],
    });
    expect(heights).toEqual(Array.from({ length: 300 - STARTED }, (_, i) => STARTED + 1 + i));
    expect(fake.calls.get('getblock')).toBe(2);
    for (const node of [rpc, open(store)]) {
      expect(tipOf(node)).toBe(at(300).hash);
      expect(places(node)).toEqual([200, 220]);
    }
    fake.calls.clear();
    expect(await feed(rpc, callerOf(fake))).toMatchObject({ outcome: 'same', heights: [], said: [] });
    expect(fake.calls.get('getblock')).toBeUndefined();
  });

  test('gets all blocks from a node without block filters, and from one whose filters are not wanted', async () => {
    const birth = watching();
    const absent = await feed(birth, callerOf(serving(false)));
    expect(absent.said[1]).toBe(
      `the node has no block filters: start it with -blockfilterindex=1; fetching all blocks after block ${STARTED}`,
    );
    const fake = serving();
    const rpc = watching();
    await feed(rpc, callerOf(fake), { takesAll: true });
    expect(fake.calls.get('getblock')).toBe(300 - STARTED);
    for (const node of [birth, rpc]) expect(places(node)).toEqual([200, 220]);
  });

  test('begins where the user says: at a height, a hash or a time', async () => {
    for (const [start, height] of [
      [{ kind: 'height', height: 90 }, 90],
      [{ kind: 'hash', hash: at(150).hash }, 150],
      [{ kind: 'time', time: timeOf(at(100)) }, 100 - 24 - 1 - 11],
      [{ kind: 'time', time: 1 }, 0],
      [{ kind: 'height', height: 0 }, 0],
    ] as const) {
      const rpc = watching();
      await feed(rpc, callerOf(serving()), { start });
      expect(rpc.node.chain.first.height).toBe(height);
      expect(places(rpc)).toEqual([200, 220]);
      if (height === 0) continue;
      await expect(feed(rpc, callerOf(serving()), { start: { kind: 'height', height: 120 } })).rejects.toThrow(
        `the chain of the wallets begins at block ${height} already`,
      );
    }
  });

  test('without wallets, and an old one without gaps, get all blocks', async () => {
    const fake = serving();
    const rpc = open();
    await feed(rpc, callerOf(fake));
    rpc.call('createwallet', ['w', true]);
    expect(importInto(rpc, OWN, 0)).toEqual([{ success: true }]);
    fake.moveTo(fake.add(blockAfter(at(300), { script: OTHER })));
    await feed(rpc, callerOf(fake));
    expect(fake.calls.get('getblock')).toBe(301);
  });
});

describe('a node that lies', () => {
  /** Replaces the results of some calls. */
  const lying = (fake: FakeNode, change: (method: string, param: unknown, result: unknown) => unknown): Caller => ({
    name: 'the node',
    callAll: async (calls) => {
      const replies = await callerOf(fake).callAll(calls);
      if (replies === 'too-large') return replies;
      return replies.map((reply, i) => {
        const { method = '', params = [] } = calls[i] ?? {};
        return reply.kind === 'result' ? { ...reply, result: change(method, params[0], reply.result) } : reply;
      });
    },
  });
  const rows = [
    [
      'with a filter that leaves scripts out',
      'the node sent a block filter for height 200 that does not match its header',
      (method: string, param: unknown, result: unknown) =>
        method === 'getblockfilter' && param === at(200).hash ? { ...(result as object), filter: '00' } : result,
    ],
    [
      'with a header without work',
      'the node sent a header for height 200 that is refused: high-hash',
      (method: string, param: unknown, result: unknown) =>
        method === 'getblockheader' && param === at(200).hash && typeof result === 'string'
          ? `${result.slice(0, 144)}ffff0020${result.slice(152)}`
          : result,
    ],
    [
      'with a block of other transactions',
      'the node sent a block at height 200 that is refused: bad-txnmrklroot',
      (method: string, param: unknown, result: unknown) =>
        method === 'getblock' && param === at(200).hash ? at(200).hex.slice(0, 160) + at(201).hex.slice(160) : result,
    ],
  ] as const;
  test.each(rows)('%s is found out; the blocks before are kept', async (_, message, change) => {
    const fake = serving();
    const rpc = watching();
    await expect(feed(rpc, lying(fake, change))).rejects.toThrow(message);
    expect(rpc.call('getblockcount')).toBe(message.includes('header for') ? STARTED : 199);
    await feed(rpc, callerOf(fake));
    expect(places(rpc)).toEqual([200, 220]);
  });

  test.each([true, false])(
    'with a block that breaks a rule of the chain is found out; filters: %s',
    async (hasFilters) => {
      const fake = serving(hasFilters);
      const rpc = watching();
      await feed(rpc, callerOf(fake));
      const spending = spend([{ txid: txid(coinbaseOf(at(200))), vout: 0 }], OWN, 10n ** 10n);
      const early = { ...spending, locktime: 302, inputs: spending.inputs.map((input) => ({ ...input, sequence: 0 })) };
      for (const [tx, reason] of [
        [spending, 'bad-txns-in-belowout'],
        [early, 'bad-txns-nonfinal'],
      ] as const) {
        const bad = fake.add(blockAfter(at(300), { txs: [tx] }));
        fake.moveTo(bad);
        for (let i = 0; i < 2; i += 1) {
          await expect(feed(rpc, callerOf(fake))).rejects.toThrow(
            `the node sent block ${bad.hash}, which is refused: ${reason}`,
          );
        }
        expect(rpc.call('getblockcount')).toBe(300);
      }
      const good = fake.add(blockAfter(at(300), { script: OWN }));
      fake.moveTo(good);
      await feed(rpc, callerOf(fake));
      expect([tipOf(rpc), places(rpc)]).toEqual([good.hash, [200, 220, 301]]);
    },
  );

  test('or is of another chain, gets nowhere', async () => {
    const rpc = watching();
    await feed(rpc, callerOf(serving()));
    const other = createFakeNode({ hasFilters: true });
    let tip = GENESIS;
    for (const block of blocksAfter(GENESIS, 310, 'cc')) tip = other.add(block);
    other.moveTo(tip);
    await expect(feed(rpc, callerOf(other))).rejects.toThrow(`the node is on another chain: its block ${STARTED} is`);
  });

  test('is refused from the genesis block on, too, when all blocks are fetched', async () => {
    const fake = createFakeNode();
    const good = blocksAfter(GENESIS, 3);
    for (const block of good) fake.add(block);
    const rpc = open();
    fake.moveTo(good[2] ?? GENESIS);
    expect((await feed(rpc, callerOf(fake))).outcome).toBe('same');
    const weak = `${headerHex(blockAfter(good[2] ?? GENESIS)).slice(0, 144)}ffff001d00000000`;
    fake.moveTo(fake.add(blockOf(good[2] ?? GENESIS, blockAfter(good[2] ?? GENESIS).txs, { header: weak })));
    await expect(feed(rpc, callerOf(fake))).rejects.toThrow(
      'the node sent a header for height 4 that is refused: high-hash',
    );
    expect(rpc.call('getblockcount')).toBe(3);
  });

  test('or has a short chain, is warned of', async () => {
    const headers = realHeaders('main');
    const hashes = headers.map((header) => formatReversedHex(blockHash(header)));
    let previous: Uint8Array = new Uint8Array(32);
    const coinbase = genesisTransaction(networks.main);
    const filters = headers.map((header, height) => {
      const elements = height === 0 && coinbase ? filterElements({ txs: [coinbase] }, []) : [];
      const filter = encodeBlockFilter(elements, blockHash(header));
      previous = filterHeader(filter, previous);
      return { filter: formatHex(filter), header: formatReversedHex(previous) };
    });
    const indexOf = (hash: unknown): number => hashes.indexOf(String(hash));
    const methods: Readonly<Record<string, (param: unknown, second: unknown) => unknown>> = {
      getblockchaininfo: () => ({ blocks: hashes.length - 1, bestblockhash: hashes.at(-1) }),
      getbestblockhash: () => hashes.at(-1),
      getblockhash: (height) => hashes[Number(height)],
      getblockfilter: (hash) => filters[indexOf(hash)],
      getblockheader: (hash, isVerbose) =>
        isVerbose === false
          ? formatHex(headers[indexOf(hash)] ?? new Uint8Array(0))
          : {
              height: indexOf(hash),
              mediantime: 1_231_000_000,
              chainwork: indexOf(hash).toString(16).padStart(64, '0'),
            },
    };
    const caller: Caller = {
      name: 'the node',
      callAll: async (calls) =>
        calls.map(({ method, params: [first, second] }) => {
          const result = methods[method]?.(first, second);
          return result === undefined ? { kind: 'error', code: -8, message: 'none' } : { kind: 'result', result };
        }),
    };
    for (const height of [0, 5]) {
      const rpc = open(createMemoryStore(), 'main');
      rpc.call('createwallet', ['w', true]);
      importInto(rpc, OWN, 0);
      const { said } = await feed(rpc, caller, { start: { kind: 'height', height } });
      expect(said).toEqual([
        'warning: the chain of the node has less work than that of main had long ago: it is incomplete, or another chain',
      ]);
    }
  });
});

/** Calls a node whose filters from a height on contain nothing, though their headers make a chain. */
function lyingFrom(fake: FakeNode, height: number): Caller {
  const empty = { filter: '00', bytes: Uint8Array.of(0) };
  const headerOf = (block: number): Uint8Array =>
    block <= height ? new Uint8Array(32).fill(0x66) : filterHeader(empty.bytes, headerOf(block - 1));
  const heightOf = (hash: unknown): number => fake.chain().find((block) => block.hash === hash)?.height ?? 0;
  return localCaller(
    {
      ...fake,
      call: (method, params = []) =>
        method === 'getblockfilter' && heightOf(params[0]) >= height
          ? { filter: empty.filter, header: formatReversedHex(headerOf(heightOf(params[0]))) }
          : fake.call(method, params),
    },
    'the node',
  );
}

describe('a node with a false chain of filters', () => {
  const contradiction = (height: number): string =>
    `the node sent a block filter for height ${height} that contradicts an earlier one, so one of them is false: sync with another node, or with --all-blocks --rescan, which needs no filters`;

  test('is believed from the start of a chain on, but not by a process that has seen others', async () => {
    const [store, fake] = [createMemoryStore(), serving()];
    const fooled = watching();
    expect((await feed(fooled, lyingFrom(fake, STARTED))).outcome).toBe('same');
    expect(places(fooled)).toEqual([]);
    fake.moveTo(at(190));
    await feed(watching(store), callerOf(fake));
    fake.moveTo(at(300));
    await expect(feed(open(store), lyingFrom(fake, STARTED))).rejects.toThrow(contradiction(190));
    await expect(feed(open(store), lyingFrom(fake, 190))).rejects.toThrow(contradiction(190));
    // From there on, no header of a filter can be made up.
    await expect(feed(open(store), lyingFrom(fake, 191))).rejects.toThrow(
      'the node sent a block filter for height 191 that does not match its header',
    );
    const rpc = open(store);
    expect((await feed(rpc, callerOf(fake))).outcome).toBe('same');
    expect(places(rpc)).toEqual([200, 220]);
  });

  test('is refused after reorganizations of fewer than 100 blocks, and by rescans', async () => {
    const [store, fake] = [createMemoryStore(), serving()];
    await feed(watching(store), callerOf(fake));
    let last = at(202);
    for (let i = 0; i < 110; i += 1) last = fake.add(blockAfter(last, { salt: 'ee' }));
    fake.moveTo(last);
    await expect(feed(open(store), lyingFrom(fake, STARTED))).rejects.toThrow(contradiction(202));
    fake.moveTo(at(300));
    await expect(feed(open(store), lyingFrom(fake, STARTED), { rescans: true })).rejects.toThrow(contradiction(201));
  });

  test('that came first makes others refused, until all blocks are fetched', async () => {
    const [store, fake] = [createMemoryStore(), serving()];
    fake.moveTo(at(210));
    await feed(watching(store), lyingFrom(fake, STARTED));
    fake.moveTo(at(299));
    await expect(feed(open(store), callerOf(fake))).rejects.toThrow(contradiction(210));
    await feed(open(store), callerOf(fake), { takesAll: true, rescans: true });
    fake.moveTo(at(300));
    const rpc = open(store);
    expect((await feed(rpc, callerOf(fake), { rescans: true })).outcome).toBe('same');
    expect(places(rpc)).toEqual([200, 220]);
  });
});

test('a start after the last known block of the best chain must descend from that', async () => {
  const headers = realHeaders('main').map(formatHex);
  const answer = (method: string, [param, isVerbose]: readonly unknown[]): unknown => {
    if (method === 'getblockhash') return param === 0 ? GENESIS_HASH : formatHex(new Uint8Array(32).fill(7));
    if (isVerbose === false) return headers[1];
    return { height: 940_000, mediantime: 1_770_000_000, chainwork: 'ff'.repeat(32) };
  };
  const caller: Caller = {
    name: 'the node',
    callAll: async (calls) => calls.map(({ method, params }) => ({ kind: 'result', result: answer(method, params) })),
  };
  const rpc = open(createMemoryStore(), 'main');
  await expect(feed(rpc, caller, { start: { kind: 'height', height: 940_000 } })).rejects.toThrow(
    'the node gave an unexpected answer to getblockheader',
  );
  expect(rpc.node.chain.first.height).toBe(0);
});

describe('a sync', () => {
  test('may be stopped at any block, and resumes', async () => {
    const [store, fake] = [createMemoryStore(), serving()];
    watching(store);
    for (const height of [170, 199, 200, 201, 260]) {
      const stopping = new AbortController();
      const onBlock: Watch['onBlock'] = (fed) => {
        if (fed.height === height) stopping.abort();
      };
      const rpc = open(store);
      const { outcome } = await feed(rpc, callerOf(fake), {}, { stop: stopping.signal, onBlock });
      expect(outcome).toBe('stopped');
      expect(rpc.call('getblockcount')).toBe(height);
    }
    const rpc = open(store);
    await feed(rpc, callerOf(fake));
    expect(places(rpc)).toEqual([200, 220]);
    expect(fake.calls.get('getblock')).toBe(2);
  });

  test('follows reorganizations, also while it runs', async () => {
    const fake = serving();
    const rpc = watching();
    const branch: MadeBlock[] = [];
    let last = at(190);
    for (let i = 0; i < 120; i += 1) {
      last = fake.add(blockAfter(last, { salt: 'dd', script: i === 5 ? OWN : '51' }));
      branch.push(last);
    }
    const onBlock: Watch['onBlock'] = ({ height }) => {
      if (height === 250) fake.moveTo(last);
    };
    expect((await feed(rpc, callerOf(fake), {}, { onBlock })).outcome).toBe('same');
    expect(tipOf(rpc)).toBe(last.hash);
    expect(places(rpc)).toContain(196);
    expect(places(rpc)).not.toContain(200);
    // Its operator calls invalidateblock, and reconsiderblock.
    for (const tip of [at(300), last, at(205), at(300)]) {
      fake.moveTo(tip);
      expect((await feed(rpc, callerOf(fake))).outcome).toBe('same');
      expect(tipOf(rpc)).toBe(tip.hash);
    }
    expect(places(rpc)?.filter(Number.isInteger)).toEqual([200, 220]);
  });

  test('of a node in initial block download adds its blocks but removes none', async () => {
    const fake = serving();
    const rpc = watching();
    await feed(rpc, callerOf(fake));
    for (const height of [250, 100]) {
      fake.moveTo(at(height), true);
      expect((await feed(rpc, callerOf(fake))).outcome).toBe('source-behind');
      expect(tipOf(rpc)).toBe(at(300).hash);
    }
  });

  test('brings wallets along that are not loaded', async () => {
    const [store, fake] = [createMemoryStore(), serving()];
    const rpc = watching(store);
    rpc.call('createwallet', ['other', true]);
    importInto(rpc, OTHER, BIRTH, 'other');
    rpc.call('unloadwallet', ['w']);
    await feed(rpc, callerOf(fake), { prune: 288 });
    const again = open(store);
    again.call('loadwallet', ['w']);
    expect([places(again), places(again, 'other')]).toEqual([[200, 220], [250]]);
  });
});

/** Refuses what is read or written outside a call, and calls within calls, as a database may. */
function strict(store: SharedStore): SharedStore {
  let isOpen = false;
  const inside = <A extends readonly unknown[], T>(work: (...given: A) => T): ((...given: A) => T) => {
    return (...given) => {
      if (!isOpen) throw new Error('outside a call');
      return work(...given);
    };
  };
  return {
    ...store,
    get: inside(store.get),
    list: inside(store.list),
    write: inside(store.write),
    begin: () => {
      if (isOpen) throw new Error('a call within a call');
      isOpen = true;
      return store.begin();
    },
    end: () => {
      isOpen = false;
      store.end();
    },
  };
}

test('a store that several processes use is read and changed within calls only', async () => {
  const [records, fake] = [createSharedRecords(), serving()];
  const rpc = watching(strict(records.open()));
  const other = open(strict(records.open()));
  await feed(rpc, callerOf(fake), { prune: 288 });
  other.call('createwallet', ['other', true]);
  importInto(other, OTHER, timeOf(at(60)), 'other');
  await feed(rpc, callerOf(fake), { rescans: true, prune: 288 });
  for (const node of [rpc, other]) {
    expect(node.call('getblockhash', [100])).toBe(at(100).hash);
    expect([places(node), places(node, 'other')]).toEqual([
      [200, 220],
      [100, 250],
    ]);
  }
});

describe('a rescan', () => {
  test('fetches just what an import needs', async () => {
    const [store, fake] = [createMemoryStore(), serving()];
    const rpc = watching(store);
    await feed(rpc, callerOf(fake));
    expect(importInto(rpc, OTHER, BIRTH)).toMatchObject([{ success: false, error: { code: -1 } }]);
    fake.calls.clear();
    const { said } = await feed(rpc, callerOf(fake), { rescans: true });
    expect(said).toEqual(['rescanned from block 168 on, and fetched 1 block for it']);
    expect(fake.calls.get('getblock')).toBe(1);
    for (const node of [rpc, open(store)]) expect(places(node)).toEqual([200, 220, 250]);
  });

  test.each([true, false])('begins the chain earlier if the wallets are older; filters: %s', async (hasFilters) => {
    const [store, fake] = [createMemoryStore(), serving(hasFilters)];
    const rpc = watching(store);
    await feed(rpc, callerOf(fake));
    importInto(rpc, OTHER, timeOf(at(60)));
    expect((await feed(rpc, callerOf(fake), { rescans: true })).said.at(-1)).toMatch(/^rescanned from block 48 on/);
    for (const node of [rpc, open(store)]) {
      expect(node.node.chain.first.height).toBe(60 - 24 - 1 - 11);
      expect([...(places(node) ?? [])].sort()).toEqual([100, 200, 220, 250]);
      expect(node.call('getblockhash', [100])).toBe(at(100).hash);
    }
    const { chain } = rpc.node;
    const works = [...chain.leaves.values()].map(({ work }) => work);
    expect(works).toEqual([chain.first.work * BigInt(301 - chain.first.height)]);
    await feed(rpc, callerOf(fake), { rescans: true, start: { kind: 'height', height: 0 } });
    for (const node of [rpc, open(store)]) {
      expect(node.call('getblockhash', [0])).toBe(GENESIS.hash);
      expect(node.call('getblockhash', [1])).toBe(at(1).hash);
    }
  });
});

describe('pruning', () => {
  test('keeps the last blocks, and imports answer as those of a pruned node', async () => {
    const [store, fake] = [createMemoryStore(), serving(false)];
    const rpc = watching(store, 0);
    let tip = at(300);
    for (const block of blocksAfter(tip, 100)) tip = fake.add(block);
    fake.moveTo(tip);
    await feed(rpc, callerOf(fake), { prune: 300 });
    expect([...rpc.node.chain.bodies.keys()].length).toBe(300);
    expect(importInto(rpc, OTHER, timeOf(at(50)))).toMatchObject([{ success: false, error: { code: -1 } }]);
    fake.calls.clear();
    await feed(rpc, callerOf(fake), { rescans: true, prune: 300 });
    expect(fake.calls.get('getblock')).toBe(100);
    for (const node of [rpc, open(store)]) {
      expect([...(places(node) ?? [])].sort()).toEqual([100, 200, 220, 250]);
      expect([...node.node.chain.bodies.keys()].length).toBe(300);
    }
    // A reorganization finds the blocks that it needs.
    let last = at(250);
    for (const block of blocksAfter(last, 160, 'ee')) last = fake.add(block);
    fake.moveTo(last);
    await feed(rpc, callerOf(fake), { prune: 300 });
    expect(tipOf(rpc)).toBe(last.hash);
  });
});
