import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { encodeBlockFilter, filterElements, filterHeader } from '../../../src/node/chain/blockFilter.ts';
import { blockHash, decodeBlockHeader } from '../../../src/node/chain/blockHeader.ts';
import { genesisTransaction } from '../../../src/node/chain/genesis.ts';
import {
  type FilterScan,
  filterSource,
  parseSentBlock,
  type ScannedBlock,
} from '../../../src/shell/sync/filterSource.ts';
import type { Call, Caller, Reply } from '../../../src/shell/sync/nodeClient.ts';
import { SyncFault } from '../../../src/shell/sync/sourceAndSink.ts';
import { builtInGenesis, chainAtGenesis, mined } from '../../support/headers.ts';
import { formatHex, formatReversedHex, networks, parseHex } from '../../support/library.ts';

/** A block by its header, with the scripts 2 * height and 2 * height + 1 in its filter. Hashes are as displayed. */
interface FakeBlock {
  readonly header: Uint8Array;
  readonly hash: string;
  readonly filter: { readonly filter: string; readonly header: string };
}

const script = (number: number): Uint8Array => Uint8Array.of(0x00, 0x03, number >> 8, number & 0xff, 0);

function fakeBlock(header: Uint8Array, height: number, parent?: FakeBlock): FakeBlock {
  const coinbase = height === 0 ? genesisTransaction(networks.regtest) : undefined;
  const scripts = coinbase ? filterElements({ txs: [coinbase] }, []) : [script(2 * height), script(2 * height + 1)];
  const filter = encodeBlockFilter(scripts, blockHash(header));
  const linked = filterHeader(filter, parent ? parseHex(parent.filter.header).reverse() : new Uint8Array(32));
  return {
    header,
    hash: formatReversedHex(blockHash(header)),
    filter: { filter: formatHex(filter), header: formatReversedHex(linked) },
  };
}

/** Continues a chain of regtest by blocks with work. */
function extended(chain: readonly FakeBlock[], count: number, salt = 0): readonly FakeBlock[] {
  const blocks = [...chain];
  const { bits, time } = builtInGenesis('regtest');
  const merkleRoot = new Uint8Array(32).fill(salt);
  while (blocks.length < chain.length + count) {
    const height = blocks.length;
    const parent = blocks[height - 1];
    const previous = blockHash(parent?.header ?? new Uint8Array(0));
    const header = mined('regtest', { version: 4, previous, merkleRoot, time: time + 60 * height, bits, nonce: 0 });
    blocks.push(fakeBlock(header, height, parent));
  }
  return blocks;
}

const GENESIS = fakeBlock(builtInGenesis('regtest').bytes, 0);
const CHAIN = extended([GENESIS], 2300);
const [FORK, OTHER] = [15, extended(CHAIN.slice(0, 15), 1500, 1)];
const BY_HASH: ReadonlyMap<unknown, FakeBlock> = new Map([...CHAIN, ...OTHER].map((block) => [block.hash, block]));

/** Answers for a node; `undefined` leaves a call to the usual answer. */
type Override = (call: Call) => Reply | undefined;

/** Creates a node that has all blocks; `chain` is its active chain. */
function fakeCaller(chain: () => readonly FakeBlock[], override: Override = () => undefined) {
  const calls: string[] = [];
  const answer = ({ method, params: [param] }: Call): Reply => {
    const block = method === 'getblockhash' ? chain()[Number(param)] : BY_HASH.get(param);
    if (method === 'getbestblockhash') return { kind: 'result', result: chain().at(-1)?.hash };
    if (!block) return { kind: 'error', code: -8, message: 'not found' };
    if (method === 'getblockhash') return { kind: 'result', result: block.hash };
    return { kind: 'result', result: method === 'getblockfilter' ? block.filter : formatHex(block.header) };
  };
  const caller: Caller = {
    name: 'the node',
    callAll: async (batch) => {
      calls.push(...batch.map(({ method }) => method));
      return batch.map((call) => override(call) ?? answer(call));
    },
  };
  return { caller, calls };
}

/** Returns a header with another nonce, and without work. */
function weakened(header: Uint8Array): string {
  const weak = Uint8Array.from(header);
  while ((blockHash(weak)[31] ?? 0) < 0x80) weak[76] = (weak[76] ?? 0) + 1;
  return formatHex(weak);
}

const START: FilterScan = { chain: chainAtGenesis('regtest'), scripts: () => [], now: () => 1_800_000_000 };

/** Runs a scan to its end. */
async function scanAll(caller: Caller, scan: Partial<FilterScan> = {}, onBlock?: (block: ScannedBlock) => void) {
  const blocks: ScannedBlock[] = [];
  const scanning = filterSource(caller).scan({ ...START, ...scan });
  for (;;) {
    const { done, value } = await scanning.next();
    if (done)
      return { blocks, end: value, matches: blocks.filter((block) => block.matches).map(({ height }) => height) };
    blocks.push(value);
    onBlock?.(value);
  }
}

async function faultOf(run: Promise<unknown>): Promise<SyncFault> {
  const error = await run.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!(error instanceof SyncFault)) throw new Error('no fault');
  return error;
}

describe('a scan with block filters', () => {
  test('yields every block of the chain, and matches exactly those with a script', async () => {
    const { caller, calls } = fakeCaller(() => CHAIN);
    const wanted = [3, 17, 998, 1000, 1001, 1002, 2299, 2300];
    const { blocks, matches, end } = await scanAll(caller, {
      scripts: () => wanted.map((height) => script(2 * height + 1)),
    });
    expect(end).toBe('at-tip');
    expect(matches).toEqual(wanted);
    expect(blocks.map(({ hash }) => hash)).toEqual(CHAIN.slice(1).map(({ hash }) => hash));
    expect(blocks.map(({ header }) => header.nonce)).toEqual(
      CHAIN.slice(1).map(({ header }) => decodeBlockHeader(header).nonce),
    );
    expect(calls).not.toContain('getblock');
  });

  test('looks for scripts that a match adds, from the next block on', async () => {
    const { caller } = fakeCaller(() => CHAIN.slice(0, 41));
    const scripts = [script(10)];
    const { matches } = await scanAll(caller, { scripts: () => scripts }, ({ height, matches: isMatch }) => {
      if (isMatch) scripts.push(script(2 * (height + 1)), script(2 * (height + 9)));
    });
    expect(matches).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13].concat(Array.from({ length: 27 }, (_, i) => 14 + i)));
  });

  test('continues from any block, with or without the header of its filter', async () => {
    const { caller } = fakeCaller(() => CHAIN.slice(0, 101));
    const { blocks } = await scanAll(caller);
    const [tip, known] = [blocks[49], blocks[49]?.filterHeader];
    if (!tip) throw new Error('not scanned');
    const headerAt = (height: number) => blocks[height - 1]?.header;
    const chain = { ...START.chain, tip: tip.header, headerAt };
    for (const given of [known, undefined]) {
      const { blocks: rest } = await scanAll(caller, {
        chain,
        kept: (block) => (block.height === 50 ? given : undefined),
      });
      expect(rest).toEqual(blocks.slice(50));
    }
    for (const height of [50, 51, 77]) {
      const kept: FilterScan['kept'] = (block) => (block.height === height ? new Uint8Array(32) : undefined);
      expect((await faultOf(scanAll(caller, { chain, kept }))).message).toBe(
        `the node sent a block filter for height ${height} that contradicts an earlier one, so one of them is false: sync with another node, or with --all-blocks --rescan, which needs no filters`,
      );
    }
  });

  test('ends if the chain of the node changes, before the scan or during it', async () => {
    let chain = CHAIN;
    const { caller } = fakeCaller(() => chain);
    const { blocks, end } = await scanAll(caller, {}, ({ height }) => {
      if (height === 500) chain = OTHER;
    });
    expect(end).toBe('changed');
    expect(blocks).toHaveLength(1000);
    const last = blocks.at(-1);
    if (!last) throw new Error('not scanned');
    const stale = { ...START.chain, tip: last.header, headerAt: (height: number) => blocks[height - 1]?.header };
    expect(await scanAll(caller, { chain: stale, kept: () => last.filterHeader })).toMatchObject({
      blocks: [],
      end: 'changed',
    });
  });

  test('keeps the headers before a change that happens while the node lists hashes', async () => {
    let isListed = false;
    const chain = (): readonly FakeBlock[] => (isListed ? OTHER : CHAIN).slice(0, 31);
    const { caller } = fakeCaller(chain, ({ method, params: [height] }) => {
      if (method === 'getblockhash' && height === FORK + 3) isListed = true;
      return undefined;
    });
    const { blocks, end } = await scanAll(caller);
    expect(end).toBe('changed');
    expect(blocks.map(({ hash }) => hash)).toEqual(CHAIN.slice(1, FORK + 3).map(({ hash }) => hash));
  });

  test.each<[string, (hash: string) => Override, string]>([
    [
      'a header without work',
      (hash) =>
        ({ method, params: [param] }) =>
          method === 'getblockheader' && param === hash
            ? { kind: 'result', result: weakened(CHAIN[7]?.header ?? GENESIS.header) }
            : undefined,
      'the node sent a header for height 7 that is refused: high-hash',
    ],
    [
      'the header of another block',
      (hash) =>
        ({ method, params: [param] }) =>
          method === 'getblockheader' && param === hash
            ? { kind: 'result', result: formatHex(CHAIN[9]?.header ?? GENESIS.header) }
            : undefined,
      'the node sent a header for height 7 that is refused: prev-blk-not-found',
    ],
    [
      'no header',
      (hash) =>
        ({ method, params: [param] }) =>
          method === 'getblockheader' && param === hash ? { kind: 'result', result: '00' } : undefined,
      'the node gave an unexpected answer to getblockheader',
    ],
    [
      'a damaged filter',
      (hash) =>
        ({ method, params: [param] }) =>
          method === 'getblockfilter' && param === hash
            ? { kind: 'result', result: { filter: '02ff', header: '11'.repeat(32) } }
            : undefined,
      'the node sent a block filter for height 7 that is damaged',
    ],
    [
      'a filter that leaves a script out',
      (hash) =>
        ({ method, params: [param] }) =>
          method === 'getblockfilter' && param === hash
            ? { kind: 'result', result: { filter: '00', header: '11'.repeat(32) } }
            : undefined,
      'the node sent a block filter for height 7 that does not match its header',
    ],
    [
      'no filter',
      (hash) =>
        ({ method, params: [param] }) =>
          method === 'getblockfilter' && param === hash ? { kind: 'result', result: 'none' } : undefined,
      'the node gave an unexpected answer to getblockfilter',
    ],
    [
      'the promise of a filter',
      (hash) =>
        ({ method, params: [param] }) =>
          method === 'getblockfilter' && param === hash
            ? {
                kind: 'error',
                code: -1,
                message: 'Filter not found. Block filters are still in the process of being indexed.',
              }
            : undefined,
      'the node is still building its block filters',
    ],
  ])('refuses %s', async (_, override, message) => {
    const { caller } = fakeCaller(() => CHAIN.slice(0, 21), override(CHAIN[7]?.hash ?? ''));
    const fault = await faultOf(scanAll(caller));
    expect(fault.message).toBe(message);
    expect(fault.isPassing).toBe(/still/.test(message));
  });
});

describe('the first filter of a scan', () => {
  const lying = (blocks: readonly FakeBlock[], shown: FakeBlock): Override => {
    let last: FakeBlock | undefined = shown;
    const filters = new Map<unknown, FakeBlock['filter']>();
    for (const block of blocks) {
      filters.set(block.hash, last === shown ? shown.filter : fakeBlock(block.header, 7777, last).filter);
      last = { ...block, filter: filters.get(block.hash) ?? shown.filter };
    }
    return ({ method, params: [hash] }) => {
      const found = method === 'getblockfilter' ? filters.get(hash) : undefined;
      return found && { kind: 'result', result: found };
    };
  };

  test('must continue that of the genesis block, which is known', async () => {
    const blocks = CHAIN.slice(0, 21);
    const { caller } = fakeCaller(() => blocks, lying(blocks, fakeBlock(GENESIS.header, 1)));
    expect((await faultOf(scanAll(caller))).message).toBe(
      'the node sent a block filter for height 1 that does not match its header',
    );
  });

  test('must continue those of earlier scans', async () => {
    let override: Override = () => undefined;
    const { caller } = fakeCaller(
      () => CHAIN.slice(0, 41),
      (call) => override(call),
    );
    const source = filterSource(caller);
    const run = async (chain: FilterScan['chain']): Promise<readonly ScannedBlock[]> => {
      const blocks: ScannedBlock[] = [];
      const scanning = source.scan({ ...START, chain });
      for (let next = await scanning.next(); !next.done; next = await scanning.next()) blocks.push(next.value);
      return blocks;
    };
    const blocks = await run(START.chain);
    const headerAt = (height: number) => blocks[height - 1]?.header;
    const chainTo = (height: number) => ({ ...START.chain, tip: headerAt(height) ?? START.chain.tip, headerAt });
    expect(await run(chainTo(20))).toEqual(blocks.slice(20));
    override = lying(CHAIN.slice(20, 41), fakeBlock(CHAIN[20]?.header ?? GENESIS.header, 1));
    expect((await faultOf(run(chainTo(20)))).message).toBe(
      'the node sent a block filter for height 21 that does not match its header',
    );
  });
});

describe('a node without filters', () => {
  const absenceWith = (code: number, message: string): Promise<string | undefined> =>
    filterSource(
      fakeCaller(
        () => [GENESIS],
        ({ method }) => (method === 'getblockfilter' ? { kind: 'error', code, message } : undefined),
      ).caller,
    ).absence();

  test('is recognized by its error', async () => {
    expect(await absenceWith(-1, 'Index is not enabled for filtertype basic')).toBe(
      'the node has no block filters: start it with -blockfilterindex=1',
    );
    expect(await absenceWith(-32601, 'Method not found')).toBe(
      'the node does not support getblockfilter: block filters need Bitcoin Core 0.19 or later',
    );
    expect(await absenceWith(-1, 'Filter not found. Block filters are still in the process of being indexed.')).toBe(
      undefined,
    );
    expect(await filterSource(fakeCaller(() => [GENESIS]).caller).absence()).toBeUndefined();
  });
});

describe('a fetched block', () => {
  const rows = JSON.parse(readFileSync(new URL('../../../vectors/bip158.json', import.meta.url), 'utf8')) as {
    readonly height: number;
    readonly block: string;
  }[];
  const { block: hex = '' } = rows.find(({ height }) => height === 1263442) ?? {};
  const at = { hash: blockHash(parseHex(hex.slice(0, 160))), height: 1263442 };
  const from = { network: networks.testnet3, from: 'the node' };
  const refusalOf = (changed: string): string => {
    try {
      parseSentBlock(changed, at, from);
    } catch (error) {
      if (error instanceof SyncFault) return error.message;
    }
    throw new Error('not refused');
  };

  test('is bound to its header', () => {
    expect(parseSentBlock(hex, at, from).txs).toHaveLength(2);
    const other =
      'the node sent a block other than 000000006f27ddfe1dd680044a34548f41bed47eba9e6f0b310da21423bc5f33 at height 1263442';
    expect(refusalOf('')).toBe(other);
    expect(refusalOf('xx')).toBe(other);
    expect(refusalOf(hex.slice(0, -2))).toBe(other);
    expect(refusalOf(rows[0]?.block ?? '')).toBe(other);
  });

  test('is refused if a transaction or a witness was changed', () => {
    const refused = 'the node sent a block at height 1263442 that is refused: ';
    expect(refusalOf(hex.replace('4423a804', '4423a805'))).toBe(`${refused}bad-txnmrklroot`);
    expect(refusalOf(hex.replace('02207d7ca9', '02207d7caa'))).toBe(`${refused}bad-witness-merkle-match`);
    expect(refusalOf(hex.replace('0347304402207d7ca9', '0347304402207d7caa'))).toBe(
      `${refused}bad-witness-merkle-match`,
    );
  });
});
