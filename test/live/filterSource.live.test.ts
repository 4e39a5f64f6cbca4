import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeBlock } from '../../src/node/chain/block.ts';
import { encodeBlockFilter, filterElements } from '../../src/node/chain/blockFilter.ts';
import { type FilterScan, filterSource, parseSentBlock, type ScannedBlock } from '../../src/shell/sync/filterSource.ts';
import { httpCaller } from '../../src/shell/sync/httpClient.ts';
import { chainAtGenesis } from '../support/headers.ts';
import { formatAddress, formatHex, networks, parseAddress, parseHex, sha256 } from '../support/library.ts';
import { hasLitecoind, type Node, startNode } from './litecoind.ts';

const LOGIN = 'rt:rt';
const NETWORK = networks['litecoin-regtest'];
/** The height at which MWEB activates, which needs a peg-in. */
const MWEB_HEIGHT = 432;
const LAST = 460;

/** Returns an address of a key that does not exist. */
const strangerAddress = (number: number): string =>
  formatAddress(Uint8Array.of(0x00, 0x20, ...sha256(Uint8Array.of(number >> 8, number & 0xff))), NETWORK) ?? '';

function callerOf({ port }: Node) {
  return httpCaller({
    url: new URL(`http://127.0.0.1:${port}`),
    login: async () => LOGIN,
    timeout: 60_000,
    stop: new AbortController().signal,
    retries: true,
    wait: async (why) => {
      throw new Error(why);
    },
  });
}

async function call<T>({ port }: Node, method: string, params: readonly unknown[] = []): Promise<T> {
  const authorization = `Basic ${Buffer.from(LOGIN).toString('base64')}`;
  const body = JSON.stringify({ id: 0, method, params });
  const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: { authorization }, body });
  const { result, error } = (await reply.json()) as { result: T; error: { message: string } | null };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

const scanOf = (scripts: readonly Uint8Array[]): FilterScan => ({
  chain: chainAtGenesis('litecoin-regtest'),
  scripts: () => scripts,
  now: () => Math.floor(Date.now() / 1000),
});

async function scanAll(node: Node, scripts: readonly Uint8Array[]): Promise<readonly ScannedBlock[]> {
  const blocks: ScannedBlock[] = [];
  for await (const block of filterSource(callerOf(node)).scan(scanOf(scripts))) blocks.push(block);
  return blocks;
}

/** A block with the scripts that it spends. */
interface KnownBlock {
  readonly hex: string;
  readonly hash: string;
  readonly spent: readonly string[];
  readonly created: readonly string[];
}

/** Reads every block from the node, and finds what it spends by following all outputs. */
async function readBlocks(node: Node): Promise<readonly KnownBlock[]> {
  interface Shown {
    readonly tx: readonly {
      readonly txid: string;
      readonly vin: readonly { readonly txid?: string; readonly vout?: number }[];
      readonly vout: readonly { readonly n: number; readonly scriptPubKey: { readonly hex: string } }[];
    }[];
  }
  const scripts = new Map<string, string>();
  const blocks: KnownBlock[] = [];
  for (let height = 1; height <= LAST; height += 1) {
    const hash = await call<string>(node, 'getblockhash', [height]);
    const { tx } = await call<Shown>(node, 'getblock', [hash, 2]);
    for (const { txid, vout } of tx)
      for (const { n, scriptPubKey } of vout) scripts.set(`${txid} ${n}`, scriptPubKey.hex);
    const spent = tx.flatMap(({ vin }) => vin.map((input) => scripts.get(`${input.txid} ${input.vout}`)));
    const created = tx.flatMap(({ vout }) => vout.map(({ scriptPubKey }) => scriptPubKey.hex));
    const hex = await call<string>(node, 'getblock', [hash, 0]);
    blocks.push({ hex, hash, spent: spent.filter((script) => script !== undefined), created });
  }
  return blocks;
}

describe.skipIf(!hasLitecoind())('block filters of Litecoin Core', () => {
  let node: Node;
  let blocks: readonly KnownBlock[];
  const watched: string[] = [];

  beforeAll(async () => {
    const options = ['-rpcuser=rt', '-rpcpassword=rt', '-disablewallet=0', '-fallbackfee=0.001', '-blockfilterindex=1'];
    node = await startNode(options, { login: LOGIN });
    await call(node, 'createwallet', ['main']);
    const mine = await call<string>(node, 'getnewaddress');
    watched.push(await call(node, 'getnewaddress', ['', 'bech32']), await call(node, 'getnewaddress', ['', 'legacy']));
    watched.push(strangerAddress(0));
    const mineBlocks = (count: number, address = mine) => call(node, 'generatetoaddress', [count, address]);
    await mineBlocks(130);
    for (let height = 130; height < LAST; height += 1) {
      // In every fifth block, many payments to others, and at times one to a watched script among them.
      const others = Array.from({ length: 60 }, (_, i) => [strangerAddress(1 + 61 * height + i), 0.001]);
      const own = watched.filter((_, i) => height % (35 + 10 * i) === 0).map((address) => [address, 0.5]);
      if (height % 5 === 0) await call(node, 'sendmany', ['', Object.fromEntries([...others, ...own])]);
      if (height === MWEB_HEIGHT - 1)
        await call(node, 'sendtoaddress', [await call(node, 'getnewaddress', ['', 'mweb']), 5]);
      await mineBlocks(1, height === 200 ? watched[2] : mine);
    }
    // Spends what the two watched scripts of the node's wallet received.
    await call(node, 'sendtoaddress', [strangerAddress(9), 1]);
    blocks = await readBlocks(node);
  });
  afterAll(() => node?.stop());

  test('match exactly the blocks that pay to a script or spend it', async () => {
    const scripts = watched.map((address) => formatHex(parseAddress(address, NETWORK)));
    const wanted = blocks.filter(({ spent, created }) => scripts.some((own) => [...spent, ...created].includes(own)));
    const scanned = await scanAll(node, scripts.map(parseHex));
    expect(scanned.map(({ hash }) => hash)).toEqual(blocks.map(({ hash }) => hash));
    expect(scanned.filter(({ matches }) => matches).map(({ hash }) => hash)).toEqual(wanted.map(({ hash }) => hash));
    expect(wanted.length).toBeGreaterThan(15);
    expect(blocks.some(({ spent }) => spent.some((script) => scripts.includes(script)))).toBe(true);
    console.log(`${scanned.length} blocks scanned, ${wanted.length} match`);
  });

  test('are what we encode from the blocks, before and after MWEB', async () => {
    for (const { hex, hash, spent } of blocks) {
      const block = decodeBlock(parseHex(hex), { mweb: true });
      const filter = encodeBlockFilter(filterElements(block, spent.map(parseHex)), block.hash);
      const { filter: sent } = await call<{ filter: string }>(node, 'getblockfilter', [hash]);
      expect(formatHex(filter)).toBe(sent);
    }
  });

  test('lead to blocks that belong to their headers', async () => {
    const scanned = await scanAll(node, []);
    for (const [i, { header }] of scanned.entries()) {
      const { hex = '' } = blocks[i] ?? {};
      expect(parseSentBlock(hex, header, { network: NETWORK, from: 'the node' }).txs.length).toBeGreaterThan(0);
    }
  });

  test('are absent without their index', async () => {
    expect(await filterSource(callerOf(node)).absence()).toBeUndefined();
    const other = await startNode(['-rpcuser=rt', '-rpcpassword=rt'], { login: LOGIN });
    try {
      expect(await filterSource(callerOf(other)).absence()).toBe(
        `the node at http://127.0.0.1:${other.port} has no block filters: start it with -blockfilterindex=1`,
      );
    } finally {
      await other.stop();
    }
  });
});
