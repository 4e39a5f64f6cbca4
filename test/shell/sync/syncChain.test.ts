import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localCaller } from '../../../src/shell/sync/nodeClient.ts';
import { nodeSink } from '../../../src/shell/sync/nodeSink.ts';
import { nodeSource } from '../../../src/shell/sync/nodeSource.ts';
import { forkHeight, syncChain } from '../../../src/shell/sync/syncChain.ts';
import { syncMempool } from '../../../src/shell/sync/syncMempool.ts';
import { blockAfter, blockOf, blocksAfter, coinbaseOf, GENESIS, type MadeBlock, spend } from '../../support/blocks.ts';
import { campaign } from '../../support/campaign.ts';
import { isFast } from '../../support/corpus.ts';
import { createFakeNode, type FakeNode } from '../../support/fakeNode.ts';
import { change } from '../../support/feeding.ts';
import {
  createNodeRpc,
  formatTxid,
  type NodeRpc,
  parseHex,
  parseTxid,
  type Transaction,
  type Txid,
  txid,
} from '../../support/library.ts';

const never = new AbortController().signal;
const NOW = 1_702_000_000;
/** Scripts that anyone can spend, of which wallets watch the first. */
const [WATCHED, OTHER] = ['5161', '51'];

function open(dialect: 'core-32' | 'core-0.21' = 'core-32'): NodeRpc {
  const random = (size: number): Uint8Array => new Uint8Array(size);
  return createNodeRpc({ skipsMempoolPolicy: true, network: 'regtest', dialect, clock: () => NOW, random });
}

/** Follows a fake node with our own. */
function follower(fake: FakeNode, ours: NodeRpc = open()) {
  const source = nodeSource(localCaller(fake, 'the fake'));
  const sink = nodeSink(localCaller(ours, 'ours'));
  let fed = 0;
  const watch = {
    stop: never,
    onBlock: () => {
      fed += 1;
    },
  };
  return {
    source,
    sink,
    ours,
    sync: () => syncChain(source, sink, watch),
    pool: (unreadable = new Set<string>()) => syncMempool(source, sink, { stop: never, unreadable }),
    fed: () => fed,
    hashes: () => {
      const count = Number(ours.call('getblockcount'));
      return Array.from({ length: count + 1 }, (_, height) => ours.call('getblockhash', [height]));
    },
  };
}

const hashesOf = (chain: readonly MadeBlock[]): readonly string[] => chain.map(({ hash }) => hash);
const last = (blocks: readonly MadeBlock[]): MadeBlock => blocks[blocks.length - 1] ?? GENESIS;

describe('the last block in common', () => {
  test.each([0, 1, 2, 99, 4095, 4999, 5000])('is found at height %i of 5000 with few requests', async (fork) => {
    let questions = 0;
    const view = (own: string) => ({
      hashesAt: async (heights: readonly number[]) => {
        questions += 1;
        expect(heights.length).toBeLessThanOrEqual(20);
        return heights.map((height) => (height <= fork ? `${height}` : `${own}${height}`));
      },
    });
    expect(await forkHeight(view('a'), view('b'), { bottom: 0, top: 5000 })).toBe(fork);
    expect(questions).toBeLessThanOrEqual(2 * 5);
  });
});

describe('a chain', () => {
  test('is fed from the last common block, each block once', async () => {
    const fake = createFakeNode();
    const { sync, fed, hashes, ours } = follower(fake);
    expect(await sync()).toBe('same');
    fake.moveTo(last(fake.extend(GENESIS, 2500)));
    expect(await sync()).toBe('same');
    expect(fed()).toBe(2500);
    expect(hashes()).toEqual(hashesOf(fake.chain()));
    fake.moveTo(last(fake.extend(fake.tip(), 3)));
    fake.calls.clear();
    const again = follower(fake, ours);
    expect(await again.sync()).toBe('same');
    expect(again.fed()).toBe(3);
    expect(fake.calls.get('getblock')).toBe(3);
  });

  test('that begins above the genesis block is fed from there', async () => {
    const fake = createFakeNode();
    fake.moveTo(last(fake.extend(GENESIS, 40)));
    for (const height of [1, 17, 40]) {
      const ours = open();
      const start = fake.chain()[height];
      change(ours, { type: 'start', header: parseHex(start?.hex.slice(0, 160) ?? ''), height });
      const { sync, fed } = follower(fake, ours);
      expect(await sync()).toBe('same');
      expect(fed()).toBe(40 - height);
      expect(ours.call('getbestblockhash')).toBe(fake.tip().hash);
      const other = createFakeNode();
      other.moveTo(last(other.extend(GENESIS, 45, 'cc')));
      await expect(follower(other, ours).sync()).rejects.toThrow(
        `the fake is on another chain: its block ${height} is`,
      );
      other.moveTo(GENESIS, true);
      expect(await follower(other, ours).sync()).toBe('source-behind');
    }
  });

  test('of a node that leaves a longer branch for a shorter one, or for none, is followed, and so is its return', async () => {
    const fake = createFakeNode();
    const { sync, hashes } = follower(fake);
    const long = fake.extend(GENESIS, 20, 'aa');
    const short = fake.extend(long[9] ?? GENESIS, 3, 'bb');
    for (const tip of [long[19], short[2], long[19], long[4], short[0], long[12], GENESIS, long[15]]) {
      fake.moveTo(tip ?? GENESIS);
      expect(await sync()).toBe('same');
      expect(hashes()).toEqual(hashesOf(fake.chain()));
    }
  });

  test('of a node in initial block download adds its blocks but removes none', async () => {
    const fake = createFakeNode();
    const { sync, hashes, fed } = follower(fake);
    const chain = fake.extend(GENESIS, 20);
    fake.moveTo(last(chain));
    await sync();
    for (const tip of [chain[9] ?? GENESIS, last(fake.extend(chain[9] ?? GENESIS, 3, 'bb'))]) {
      fake.moveTo(tip, true);
      expect(await sync()).toBe('source-behind');
      expect(hashes()).toEqual([GENESIS.hash, ...hashesOf(chain)]);
    }
    expect(fed()).toBe(23);
    fake.moveTo(last(fake.extend(fake.tip(), 10, 'bb')), true);
    expect(await sync()).toBe('same');
    expect(hashes()).toEqual(hashesOf(fake.chain()));
  });

  test('that changes while it is read is read again', async () => {
    const fake = createFakeNode();
    const { source, sink, hashes } = follower(fake);
    const first = fake.extend(GENESIS, 1500, 'aa');
    const second = fake.extend(first[1100] ?? GENESIS, 5, 'bb');
    fake.moveTo(last(first));
    let fed = 0;
    const onBlock = (): void => {
      fed += 1;
      if (fed === 900) fake.moveTo(last(second));
      if (fed === 1105) fake.moveTo(last(first));
    };
    expect(await syncChain(source, sink, { stop: never, onBlock })).toBe('same');
    expect(hashes()).toEqual(hashesOf(fake.chain()));
  });

  test('stops after the current block, and later continues from there', async () => {
    const fake = createFakeNode();
    const { source, sink, hashes, sync } = follower(fake);
    fake.moveTo(last(fake.extend(GENESIS, 50)));
    const asked = new AbortController();
    const onBlock = ({ height = 0 }): void => {
      if (height === 20) asked.abort();
    };
    expect(await syncChain(source, sink, { stop: asked.signal, onBlock })).toBe('stopped');
    expect(hashes()).toHaveLength(21);
    expect(await sync()).toBe('same');
    expect(hashes()).toHaveLength(51);
  });

  test('of another network is refused, naming both genesis blocks', async () => {
    const fake = createFakeNode();
    const other = createNodeRpc({ network: 'main', clock: () => 0, random: (size) => new Uint8Array(size) });
    await expect(follower(fake, other).sync()).rejects.toThrow(
      `the fake is on another chain: its genesis block is ${GENESIS.hash}, that of ours is 000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f`,
    );
  });

  test('with invalid, wrong, missing or refused blocks ends with an explanation', async () => {
    const rows: readonly (readonly [answer: string | Error, said: RegExp])[] = [
      ['', /^the fake sent a block other than/],
      [blockAfter(GENESIS, { salt: 'cc' }).hex, /^the fake sent a block other than/],
    ];
    for (const [answer, said] of rows) {
      const fake = createFakeNode();
      const [block = GENESIS] = fake.extend(GENESIS, 1);
      fake.moveTo(block);
      fake.add({ ...block, hex: String(answer) });
      await expect(follower(fake).sync()).rejects.toThrow(said);
    }
    const fake = createFakeNode();
    const spender = spend([{ txid: txid(spend([])) as Txid, vout: 0 }]);
    fake.moveTo(fake.add(blockAfter(GENESIS, { txs: [spender] })));
    await expect(follower(fake).sync()).rejects.toThrow(/is refused: bad-txns-inputs-missingorspent$/);
  });
});

describe('a node that is fed', () => {
  test.each([
    ['high-hash', { header: `${blockAfter(GENESIS).hex.slice(0, 144)}ffff001d00000000` }],
    ['bad-diffbits', { bits: 0x207f_fffe }],
    ['time-too-old', { time: 1_296_688_602 }],
    ['time-too-new', { time: NOW + 7201 }],
    ['bad-version(0x00000003)', { version: 3 }],
  ])('checks headers itself: %s', async (reason, header) => {
    const fake = createFakeNode();
    const [first = GENESIS] = fake.extend(GENESIS, 1);
    const { sync, hashes } = follower(fake);
    fake.moveTo(first);
    await sync();
    const parent = reason === 'high-hash' ? GENESIS : first;
    const bad = fake.add(blockOf(parent, blockAfter(parent).txs, header));
    fake.moveTo(bad);
    await expect(sync()).rejects.toThrow(`the fake: block ${bad.hash} is refused: ${reason}`);
    expect(hashes()).toEqual([GENESIS.hash, first.hash]);
  });
});

describe('a mempool', () => {
  test('is fed once, parents first, in whatever order it is listed; dropped transactions are dropped', async () => {
    const fake = createFakeNode();
    const chain = fake.extend(GENESIS, 110);
    fake.moveTo(last(chain));
    const { sync, pool, ours } = follower(fake);
    await sync();
    const coins = chain.slice(0, 5).map(({ txs }) => ({ txid: txid(txs[0] ?? spend([])), vout: 0 }));
    const [parent, other] = [spend(coins.slice(0, 1)), spend(coins.slice(1, 2))];
    const child = spend([{ txid: txid(parent), vout: 0 }]);
    const orphan = spend([{ txid: txid(spend([])), vout: 7 }]);
    const early = { ...spend(coins.slice(2, 3)), locktime: 500 };
    const nonFinal = { ...early, inputs: early.inputs.map((input) => ({ ...input, sequence: 0 })) };
    fake.setMempool([child, orphan, nonFinal, parent, other]);
    const first = await pool();
    expect({ ...first, refused: Object.fromEntries(first.refused) }).toEqual({
      taken: 3,
      refused: { 'bad-txns-inputs-missingorspent': 1, 'non-final': 1 },
      dropped: 0,
    });
    expect(ours.call('getrawmempool')).toEqual([parent, other, child].map((tx) => formatTxid(txid(tx))));
    fake.setMempool([other]);
    const [next = GENESIS] = fake.extend(fake.tip(), 1, '07');
    fake.moveTo(next);
    // It may be in the block that our node lacks so far.
    expect(await pool()).toMatchObject({ taken: 0, dropped: 0 });
    await sync();
    expect(await pool()).toMatchObject({ taken: 0, dropped: 2 });
    expect(ours.call('getrawmempool')).toEqual([formatTxid(txid(other))]);
    fake.moveTo(fake.add(blockAfter(fake.tip(), { txs: [parent, child] })));
    await sync();
    expect(await pool()).toMatchObject({ taken: 0, dropped: 0 });
  });

  test('with transactions that cannot be decoded fetches them once', async () => {
    const fake = createFakeNode();
    const { pool } = follower(fake);
    const unreadable = new Set<string>();
    const call: FakeNode['call'] = (method, params) =>
      method === 'getrawmempool'
        ? ['11'.repeat(32)]
        : method === 'getrawtransaction'
          ? '00'
          : fake.call(method, params);
    const source = nodeSource(localCaller({ call }, 'the fake'));
    const sink = follower(fake).sink;
    const first = await syncMempool(source, sink, { stop: never, unreadable });
    expect(first.refused).toEqual(new Map([['unreadable', 1]]));
    expect((await syncMempool(source, sink, { stop: never, unreadable })).refused).toEqual(new Map());
    await pool(unreadable);
    expect(unreadable).toEqual(new Set());
  });
});

interface Move {
  readonly from: number;
  readonly blocks: readonly { readonly pays: boolean; readonly spends: number | undefined }[];
  readonly back: number;
}

/** A move of a node: new blocks after a known block; then its chain ends there, or farther back. */
const move: fc.Arbitrary<Move> = fc.record({
  from: fc.nat(),
  blocks: fc.array(fc.record({ pays: fc.boolean(), spends: fc.option(fc.nat(), { nil: undefined }) }), {
    maxLength: 6,
  }),
  back: fc.integer({ min: 0, max: 3 }),
});

/** A chain whose last block splits a coin that is mature. */
const FUNDED = ((): readonly MadeBlock[] => {
  const blocks = blocksAfter(GENESIS, 100);
  const split = spend([{ txid: txid(coinbaseOf(last(blocks.slice(0, 1)))), vout: 0 }]);
  const outputs = Array.from({ length: 8 }, () => split.outputs).flat();
  return [...blocks, blockAfter(last(blocks), { txs: [{ ...split, outputs }] })];
})();

/** Creates the blocks of a move; those that spend take a coin of their own branch, which is not a coinbase. */
function play(fake: FakeNode, known: MadeBlock[], { from, blocks, back }: Move, salt: number): void {
  let at = known[from % known.length] ?? GENESIS;
  for (const { pays, spends } of blocks) {
    fake.moveTo(at);
    const spent = new Set(fake.chain().flatMap(({ txs }) => txs.flatMap(({ inputs }) => inputs.map(nameOf))));
    const coins = fake
      .chain()
      .flatMap(({ txs }) => txs.slice(1).flatMap((tx) => tx.outputs.map((_, vout) => ({ txid: txid(tx), vout }))))
      .filter((outpoint) => !spent.has(nameOf({ outpoint })));
    const coin = spends === undefined ? undefined : coins[spends % Math.max(coins.length, 1)];
    const txs = coin ? [spend([coin], pays ? OTHER : WATCHED)] : [];
    const script = pays ? WATCHED : OTHER;
    at = fake.add(blockAfter(at, { salt: salt.toString(16).padStart(4, '0'), script, txs }));
    known.push(at);
  }
  fake.moveTo(at);
  const chain = fake.chain();
  fake.moveTo(chain[Math.max(chain.length - 1 - back, 0)] ?? GENESIS);
}

const nameOf = ({ outpoint }: { outpoint: { txid: Uint8Array; vout: number } }): string =>
  `${outpoint.txid.join()}:${outpoint.vout}`;

interface Listed {
  readonly txid: string;
  readonly vout: number;
  readonly confirmations: number;
}

/** For blocks in abandoned branches: the outpoints they spend, and their transactions that are in no active block. */
function leftovers(fake: FakeNode, known: readonly MadeBlock[]) {
  const active = new Set(fake.chain().flatMap(({ txs }) => txs.map(idOf)));
  const abandoned = known.filter((block) => !fake.chain().includes(block)).flatMap(({ txs }) => txs);
  return {
    spent: new Set(abandoned.flatMap(({ inputs }) => inputs.map(nameOf))),
    txids: new Set(abandoned.map(idOf).filter((id) => !active.has(id))),
  };
}

const idOf = (tx: Transaction): string => formatTxid(txid(tx));

/**
 * Returns a wallet's view of mined transactions; the rest depends on history. So do coins spent by a transaction that was
 * mined in an abandoned branch, since it may wait to be mined again. And Core 0.21 counts confirmations of a conflict
 * with an abandoned block, which are positive if the chain has become shorter.
 */
function answersOf(ours: NodeRpc, { spent, txids }: ReturnType<typeof leftovers>, isModern: boolean): unknown {
  const isSure = (id: string): boolean => isModern || !txids.has(id);
  const inOrder = (list: readonly Listed[]): readonly Listed[] =>
    [...list].sort((a, b) => (`${a.txid}${a.vout}` < `${b.txid}${b.vout}` ? -1 : 1));
  const { transactions } = ours.call('listsinceblock', ['', 1, true]) as { transactions: readonly Listed[] };
  const mined = transactions.filter(({ txid: id, confirmations }) => confirmations > 0 && isSure(id));
  const timeless = mined.map((tx) => ({ ...tx, time: 0, timereceived: 0, walletconflicts: [] }));
  const coins = (ours.call('listunspent', [1]) as readonly Listed[]).filter(
    ({ txid: id, vout }) => isSure(id) && !spent.has(nameOf({ outpoint: { txid: parseTxid(id), vout } })),
  );
  return { coins: inOrder(coins), mined: inOrder(timeless) };
}

const DESCRIPTOR = `raw(${WATCHED})`;

function openWatching(dialect: 'core-32' | 'core-0.21'): NodeRpc {
  const ours = open(dialect);
  if (dialect === 'core-32') {
    const { descriptor } = ours.call('getdescriptorinfo', [DESCRIPTOR]) as { descriptor: string };
    ours.call('createwallet', ['w', true, true]);
    ours.call('importdescriptors', [[{ desc: descriptor, timestamp: 0 }]]);
  } else {
    ours.call('createwallet', ['w', true]);
    ours.call('importaddress', [WATCHED, '', false]);
  }
  return ours;
}

describe.skipIf(isFast)('a chain with random moves', () => {
  test.each(['core-32', 'core-0.21'] as const)(
    'is followed to the same blocks, and to the view of a wallet that saw only the last chain (%s)',
    async (dialect) => {
      await fc.assert(
        fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 12 }), async (moves) => {
          const fake = createFakeNode();
          for (const block of FUNDED) fake.add(block);
          const known: MadeBlock[] = [last(FUNDED)];
          const { sync, hashes, ours } = follower(fake, openWatching(dialect));
          for (const [salt, step] of moves.entries()) {
            play(fake, known, step, salt);
            expect(await sync()).toBe('same');
            expect(hashes()).toEqual(hashesOf(fake.chain()));
          }
          const straight = openWatching(dialect);
          for (const { hex } of fake.chain().slice(1)) expect(straight.call('submitblock', [hex])).toBe(null);
          const isModern = dialect === 'core-32';
          const abandoned = leftovers(fake, known);
          expect(answersOf(ours, abandoned, isModern)).toEqual(answersOf(straight, abandoned, isModern));
        }),
        campaign(150),
      );
    },
  );
});
