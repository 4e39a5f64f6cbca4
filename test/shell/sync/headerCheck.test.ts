import { describe, expect, test } from 'vitest';
import { blockHash, decodeBlockHeader } from '../../../src/node/chain/blockHeader.ts';
import { type Ancestor, requiredBits, retargetInterval } from '../../../src/node/chain/difficulty.ts';
import { encodeCompact } from '../../../src/node/chain/proofOfWork.ts';
import { createHeaderCheck, neededHeights } from '../../../src/shell/sync/headerCheck.ts';
import { type Caller, localCaller } from '../../../src/shell/sync/nodeClient.ts';
import { nodeSink } from '../../../src/shell/sync/nodeSink.ts';
import { nodeSource } from '../../../src/shell/sync/nodeSource.ts';
import { syncChain } from '../../../src/shell/sync/syncChain.ts';
import { blockAfter, blockOf, GENESIS, type MadeBlock } from '../../support/blocks.ts';
import { minedAfter, minedChain } from '../../support/fakeFilters.ts';
import { createFakeNode, type FakeNode } from '../../support/fakeNode.ts';
import { mined, paramsOf, realHeaders } from '../../support/headers.ts';
import {
  createNodeRpc,
  formatHex,
  formatReversedHex,
  type NetworkName,
  type NodeRpc,
  networks,
  parseHex,
} from '../../support/library.ts';

const NOW = 1_800_000_000;

const open = (network: NetworkName = 'regtest'): NodeRpc =>
  createNodeRpc({ network, dialect: 'core-32', clock: () => NOW, random: (size) => new Uint8Array(size) });

/** Feeds another process from a node. `network`: the one that the user names */
async function feed(fake: FakeNode, rpc: NodeRpc, network: NetworkName = 'regtest'): Promise<string> {
  const source = nodeSource(localCaller(fake, 'the node'));
  const caller = localCaller(rpc, 'ours');
  const check = createHeaderCheck({ source, caller, network: networks[network], now: () => NOW });
  const watch = { stop: new AbortController().signal, onBlock: () => undefined, check };
  return await syncChain(source, nodeSink(caller), watch);
}

const CHAIN = minedChain(GENESIS, 30);
const TOP = CHAIN[29] ?? GENESIS;

function serving(...more: readonly MadeBlock[]): FakeNode {
  const fake = createFakeNode();
  for (const block of [...CHAIN, ...more]) fake.add(block);
  fake.moveTo(more.at(-1) ?? TOP);
  return fake;
}

/** Replaces the header of a block by one with work. */
function withHeader(parent: MadeBlock, change: Partial<ReturnType<typeof decodeBlockHeader>>): MadeBlock {
  const { hex, txs } = minedAfter(parent);
  const header = { ...decodeBlockHeader(parseHex(hex.slice(0, 160))), ...change };
  return blockOf(parent, txs, { header: formatHex(mined('regtest', header)) });
}

describe('a node in another process', () => {
  test('is fed any chain that follows the rules, whatever network the user names', async () => {
    const [fake, rpc] = [serving(), open()];
    expect(await feed(fake, rpc, 'main')).toBe('same');
    let branch = CHAIN[9] ?? GENESIS;
    for (let i = 0; i < 25; i += 1) branch = fake.add(minedAfter(branch, { salt: 'bb' }));
    for (const tip of [branch, TOP, branch]) {
      fake.moveTo(tip);
      expect(await feed(fake, rpc)).toBe('same');
      expect(rpc.call('getbestblockhash')).toBe(tip.hash);
    }
  });

  test('takes blocks without work itself, so that the check is what refuses them', async () => {
    const weak = blockAfter(TOP, { bits: 0x1d00_ffff });
    const source = nodeSource(localCaller(serving(weak), 'the node'));
    const rpc = open();
    const watch = { stop: new AbortController().signal, onBlock: () => undefined };
    expect(await syncChain(source, nodeSink(localCaller(rpc, 'ours')), watch)).toBe('same');
    expect(rpc.call('getbestblockhash')).toBe(weak.hash);
  });

  test.each([
    ['without work', blockAfter(TOP, { bits: 0x1d00_ffff }), 'high-hash'],
    ['without a target', blockAfter(TOP), 'high-hash'],
    ['with another target', withHeader(TOP, { bits: 0x207f_fffe }), 'bad-diffbits'],
    ['that is too old', withHeader(TOP, { time: 1_700_000_000 }), 'time-too-old'],
    ['that is too new', withHeader(TOP, { time: NOW + 8000 }), 'time-too-new'],
    ['of an old version', withHeader(TOP, { version: 1 }), 'bad-version(0x00000001)'],
  ])('gets no block %s', async (_, block, reason) => {
    const rpc = open();
    await expect(feed(serving(block), rpc)).rejects.toThrow(
      `the node sent a header for height 31 that is refused: ${reason}`,
    );
    expect(rpc.call('getblockcount')).toBe(30);
  });

  test('gets no block in the place of another', async () => {
    const [rpc, fake] = [open(), serving()];
    await feed(fake, rpc);
    const [next, other] = [minedAfter(TOP), minedAfter(CHAIN[3] ?? GENESIS, { salt: 'cc' })];
    fake.moveTo(fake.add(next));
    const lying: FakeNode = {
      ...fake,
      call: (method, params = []) =>
        method === 'getblockhash' && params[0] === 31 ? other.hash : fake.call(method, params),
    };
    fake.add(other);
    await expect(feed(lying, rpc)).rejects.toThrow(`block ${next.hash} of the node cannot be reached`);
    expect(rpc.call('getblockcount')).toBe(30);
    expect(() => rpc.call('getblockheader', [other.hash])).toThrow('Block not found');
  });
});

/** Calls a node that has headers only. */
function headersCaller(headers: readonly string[]): Caller {
  const hashes = headers.map((header) => formatReversedHex(blockHash(parseHex(header))));
  return {
    name: 'ours',
    callAll: async (calls) =>
      calls.map(({ method, params: [param] }) => {
        const result = method === 'getblockhash' ? hashes[Number(param)] : headers[hashes.indexOf(String(param))];
        return result === undefined ? { kind: 'error', code: -8, message: 'none' } : { kind: 'result', result };
      }),
  };
}

describe.each(['main', 'testnet3'] as const)('the real headers of %s', (name) => {
  const headers = realHeaders(name).map(formatHex);
  const { length } = headers;

  test.each([0, 1, length - 2])('are all taken after block %d', async (height) => {
    const source = nodeSource(headersCaller(headers));
    const caller = headersCaller(headers.slice(0, height + 1));
    const isNext = await createHeaderCheck({ source, caller, network: networks.regtest, now: () => NOW }).after(height);
    for (const header of headers.slice(height + 1)) expect(isNext(header)).toBe(true);
    expect(isNext(headers[1] ?? '')).toBe(false);
  });
});

const BITS = { easiest: 0, alternating: 1, hard: 2 } as const;

test.each(Object.keys(networks) as NetworkName[])(
  'the rules of %s ask for no other headers than are fetched',
  (name) => {
    const params = paramsOf(name);
    const interval = retargetInterval(params);
    const easiest = encodeCompact(params.powLimit);
    for (const height of [0, 1, 5, interval - 2, interval - 1, interval, interval + 7, 3 * interval - 1]) {
      const fetched = new Set(neededHeights(networks[name], height));
      for (const kind of Object.values(BITS)) {
        const ancestorAt = (at: number): Ancestor => {
          if (at <= height && !fetched.has(at)) throw new Error(`block ${at} is not fetched for block ${height}`);
          const isEasy = kind === BITS.easiest || (kind === BITS.alternating && at % 3 !== 0);
          return { time: 1_600_000_000 + 600 * at, bits: isEasy ? easiest : 0x1c00_ffff };
        };
        for (const last of [height, height + 1, height + interval, height + 2 * interval].flatMap((at) => [
          at,
          at - (at % interval) + interval - 1,
        ])) {
          const next = { height: last + 1, time: 1_600_000_100 + 600 * last };
          expect(requiredBits(params, next, ancestorAt)).toBeGreaterThan(0);
        }
      }
    }
  },
);
