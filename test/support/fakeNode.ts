import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { decodeBlockHeader } from '../../src/node/chain/blockHeader.ts';
import { blocksAfter, GENESIS, type MadeBlock } from './blocks.ts';
import { createFilterIndex, headerHex } from './fakeFilters.ts';
import { encodeTransaction, formatHex, formatTxid, parseHex, RpcError, type Transaction, txid } from './library.ts';

/** A fake node whose chain and mempool a test controls. */
export interface FakeNode {
  /** Makes `tip` the tip of the active chain; its ancestors must be added blocks or the genesis block. */
  readonly moveTo: (tip: MadeBlock, isCatchingUp?: boolean) => void;
  /** Makes and adds `count` blocks after `parent`. */
  readonly extend: (parent: MadeBlock, count: number, salt?: string) => readonly MadeBlock[];
  readonly add: (block: MadeBlock) => MadeBlock;
  readonly tip: () => MadeBlock;
  /** The active chain, by height. */
  readonly chain: () => readonly MadeBlock[];
  /** Replaces the mempool, in this order. */
  readonly setMempool: (txs: readonly Transaction[]) => void;
  readonly call: (method: string, params?: readonly unknown[]) => string | number | boolean | object;
  /** Number of calls so far by method. */
  readonly calls: Map<string, number>;
}

/** Creates a node of regtest, with or without an index of block filters. */
export function createFakeNode({ hasFilters = false }: { readonly hasFilters?: boolean } = {}): FakeNode {
  const blocks = new Map<string, MadeBlock>([[GENESIS.hash, GENESIS]]);
  const filterOf = createFilterIndex(blocks);
  const mempool = new Map<string, string>();
  const calls = new Map<string, number>();
  let active: MadeBlock[] = [GENESIS];
  let catchesUp = false;
  const tip = (): MadeBlock => active[active.length - 1] ?? GENESIS;
  const add = (block: MadeBlock): MadeBlock => {
    blocks.set(block.hash, block);
    return block;
  };
  const methods: Readonly<Record<string, (param: unknown, second: unknown) => string | number | boolean | object>> = {
    getblockchaininfo: () => ({ blocks: tip().height, bestblockhash: tip().hash, initialblockdownload: catchesUp }),
    getblockhash: (height) => found(active[Number(height)]?.hash, -8, 'Block height out of range'),
    getbestblockhash: () => tip().hash,
    getblockheader: (hash, isVerbose) => {
      const block = blocks.get(String(hash));
      if (!block) throw new RpcError(-5, 'Block not found');
      return isVerbose === false ? headerHex(block) : placeOf(block);
    },
    getblockfilter: (hash) => {
      const block = blocks.get(String(hash));
      if (!hasFilters) throw new RpcError(-1, 'Index is not enabled for filtertype basic');
      if (!block) throw new RpcError(-5, 'Block not found');
      return filterOf(block);
    },
    getblock: (hash) => found(blocks.get(String(hash))?.hex, -5, 'Block not found'),
    getrawmempool: () => [...mempool.keys()],
    getrawtransaction: (id) => found(mempool.get(String(id)), -5, 'No such mempool transaction.'),
  };
  return {
    moveTo: (to, isCatchingUp = false) => {
      const chain: MadeBlock[] = [];
      for (let at: MadeBlock | undefined = to; at; at = blocks.get(at.previous)) chain.unshift(at);
      active = chain;
      catchesUp = isCatchingUp;
    },
    add,
    extend: (parent, count, salt) => blocksAfter(parent, count, salt).map(add),
    tip,
    chain: () => active,
    setMempool: (txs) => {
      mempool.clear();
      for (const tx of txs) mempool.set(formatTxid(txid(tx)), formatHex(encodeTransaction(tx)));
    },
    call: (method, params = []) => {
      calls.set(method, (calls.get(method) ?? 0) + 1);
      const run = methods[method];
      if (!run) throw new RpcError(-32601, 'Method not found');
      return run(params[0], params[1]);
    },
    calls,
  };
}

/** Shows a block as `getblockheader` does, as far as a sync reads it. */
function placeOf(block: MadeBlock): object {
  const { time } = decodeBlockHeader(parseHex(headerHex(block)));
  return { height: block.height, mediantime: time, chainwork: (2 * (block.height + 1)).toString(16).padStart(64, '0') };
}

function found(value: string | undefined, code: number, message: string): string {
  if (value === undefined) throw new RpcError(code, message);
  return value;
}

/** A running fake server. */
interface FakeServer {
  readonly port: number;
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves HTTP requests with `handle`, on a free port by default. */
export async function serveFake(
  handle: (request: IncomingMessage, body: string, response: ServerResponse) => void,
  atPort = 0,
): Promise<FakeServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => handle(request, Buffer.concat(chunks).toString('utf8'), response));
  });
  await new Promise<void>((resolve) => server.listen(atPort, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, url: `http://127.0.0.1:${port}`, close };
}

interface Request {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Answers a batch request in the format of Core 0.21. */
export function answerBatch(body: string, call: FakeNode['call']): string {
  const replies = (JSON.parse(body) as readonly Request[]).map(({ id, method, params }) => {
    try {
      return { result: call(method, params), error: null, id };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return { result: null, error: { code: error.code, message: error.message }, id };
    }
  });
  return `${JSON.stringify(replies)}\n`;
}
