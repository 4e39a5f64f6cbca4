import { setImmediate as nextTurn } from 'node:timers/promises';
import { RPC_METHOD_NOT_FOUND } from '../../answers/method/errorCodes.ts';
import { equalBytes } from '../../core/bytes/compare.ts';
import { formatReversedHex, isHex, parseHex } from '../../core/bytes/hex.ts';
import { unlessRefused } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';
import { type Block, decodeBlock } from '../../node/chain/block.ts';
import {
  decodeBlockFilter,
  encodeBlockFilter,
  filterElements,
  filterHeader,
  matchesAny,
  prepareFilterScripts,
} from '../../node/chain/blockFilter.ts';
import { type BlockKey, blockKey } from '../../node/chain/blockHeader.ts';
import { contentFault, witnessFault } from '../../node/chain/blockRules.ts';
import { genesisTransaction } from '../../node/chain/genesis.ts';
import type { ChainHeader, HeaderChain } from '../../node/chain/headerChain.ts';
import { type HeadersEnd, headersAfter } from './headerSource.ts';
import {
  type Call,
  type Caller,
  callOne,
  createPieces,
  expectHash,
  expectResult,
  fetchBestHash,
  garbage,
  type Reply,
} from './nodeClient.ts';
import { SyncFault } from './sourceAndSink.ts';

/** A block with checked header and filter. */
export interface ScannedBlock {
  readonly height: number;
  /** In display byte order. */
  readonly hash: string;
  readonly header: ChainHeader;
  /** In wire order. */
  readonly filterHeader: Uint8Array;
  /** If false, the block neither pays to the scripts nor spends from them. */
  readonly matches: boolean;
}

export interface FilterScan {
  /** The scan starts after its tip. */
  readonly chain: HeaderChain;
  /**
   * Returns a filter header, in wire order, that an earlier sync kept; the node's must equal it. Without one for the
   * block before the scan, the scan trusts the node, unless that is the genesis block or this source saw its filter.
   */
  readonly kept?: ((block: Pick<ChainHeader, 'hash' | 'height'>) => Uint8Array | undefined) | undefined;
  /** Called again after each match, since the block may make the wallet add scripts. */
  readonly scripts: () => Iterable<Uint8Array>;
  /** UNIX time. */
  readonly now: () => number;
}

/** Every function may throw `SyncFault`. */
export interface FilterSource {
  /** Returns advice if the node cannot serve filters. */
  readonly absence: () => Promise<string | undefined>;
  /** Yields the blocks up to the node's tip. */
  readonly scan: (scan: FilterScan) => AsyncGenerator<ScannedBlock, HeadersEnd>;
}

/**
 * Checks headers by proof of work and the network's rules, and BIP158 filters by the chain of their headers. Does not
 * detect a node that leaves scripts out of filters from the first scan on.
 */
export function filterSource(caller: Caller): FilterSource {
  const seen = createSeenHeaders();
  return {
    absence: async () => {
      const reply = await callOne(caller, filterCall(await fetchBestHash(caller)));
      if (reply.kind !== 'error') return undefined;
      if (reply.code === RPC_METHOD_NOT_FOUND)
        return `${caller.name} does not support getblockfilter: block filters need Bitcoin Core 0.19 or later`;
      if (!/not enabled/.test(reply.message)) return undefined;
      return `${caller.name} has no block filters: start it with -blockfilterindex=1`;
    },
    scan: (scan) => scanned(caller, scan, seen),
  };
}

const filterCall = (hash: string): Call => ({ method: 'getblockfilter', params: [hash, 'basic'] });

interface SeenHeaders {
  readonly of: (block: Pick<ChainHeader, 'hash'>) => Uint8Array | undefined;
  readonly add: (block: Pick<ChainHeader, 'hash'>, filterHeader: Uint8Array) => void;
}

const KEPT = 10_000;

function createSeenHeaders(): SeenHeaders {
  const seen = new Map<BlockKey, Uint8Array>();
  return {
    of: ({ hash }) => seen.get(blockKey(hash)),
    add: ({ hash }, header) => {
      seen.set(blockKey(hash), header);
      const [oldest] = seen.size > KEPT ? seen.keys() : [];
      if (oldest !== undefined) seen.delete(oldest);
    },
  };
}

/** Returns `undefined` for any but a built-in genesis block. */
function genesisFilterHeader({ network, tip }: HeaderChain): Uint8Array | undefined {
  const coinbase = tip.height === 0 ? genesisTransaction(network) : undefined;
  if (!coinbase) return undefined;
  const filter = encodeBlockFilter(filterElements({ txs: [coinbase] }, []), tip.hash);
  return filterHeader(filter, new Uint8Array(32));
}

async function* scanned(caller: Caller, scan: FilterScan, seen: SeenHeaders): AsyncGenerator<ScannedBlock, HeadersEnd> {
  const inPieces = createPieces(caller);
  const { chain, now } = scan;
  const before = (block: ChainHeader): Uint8Array | undefined => seen.of(block) ?? scan.kept?.(block);
  let previous = seen.of(chain.tip) ?? genesisFilterHeader(chain) ?? (await fetchFilterHeader(caller, chain.tip));
  assertSame(caller, { height: chain.tip.height, filterHeader: previous }, before(chain.tip));
  seen.add(chain.tip, previous);
  const windows = headersAfter(caller, chain, now);
  for (let window = await windows.next(); ; window = await windows.next()) {
    if (window.done) return window.value;
    for await (const block of matched(caller, scan, { headers: window.value, previous, inPieces })) {
      previous = block.filterHeader;
      assertSame(caller, block, before(block.header));
      seen.add(block.header, previous);
      yield block;
    }
  }
}

function assertSame(
  caller: Caller,
  { height, filterHeader: now }: Pick<ScannedBlock, 'height' | 'filterHeader'>,
  before: Uint8Array | undefined,
): void {
  if (!before || equalBytes(now, before)) return;
  throw new SyncFault(
    `${caller.name} sent a block filter for height ${height} that contradicts an earlier one, so one of them is false: sync with another node, or with --all-blocks --rescan, which needs no filters`,
  );
}

interface Window {
  readonly headers: readonly ChainHeader[];
  /** The filter header of the block before them. */
  readonly previous: Uint8Array;
  readonly inPieces: ReturnType<typeof createPieces>;
}

async function* matched(
  caller: Caller,
  { scripts }: FilterScan,
  { headers, previous, inPieces }: Window,
): AsyncGenerator<ScannedBlock> {
  let prepared = prepareFilterScripts(scripts());
  let last = previous;
  let at = 0;
  for await (const replies of inPieces(headers.map(({ hash }) => filterCall(formatReversedHex(hash))))) {
    for (const [i, header] of headers.slice(at, at + replies.length).entries()) {
      const { filter, header: next } = checkedFilter(caller, { block: header, reply: replies[i], previous: last });
      const matches = matchesAny(filter, header.hash, prepared);
      last = next;
      const hash = formatReversedHex(header.hash);
      yield { height: header.height, hash, header, filterHeader: next, matches };
      if (matches) prepared = prepareFilterScripts(scripts());
      // For downloads and signals.
      await nextTurn();
    }
    at += replies.length;
  }
}

/** In wire order. */
interface SentFilter {
  readonly bytes: Uint8Array;
  readonly header: Uint8Array;
}

function sentFilter(caller: Caller, reply: Reply | undefined): SentFilter {
  const call = filterCall('');
  if (reply?.kind === 'error' && /being indexed/.test(reply.message)) {
    throw new SyncFault(`${caller.name} is still building its block filters`, { isPassing: true });
  }
  const result = expectResult(caller, call, reply);
  if (typeof result !== 'object' || result === null || !('filter' in result && 'header' in result)) {
    throw garbage(caller, call.method);
  }
  const { filter, header } = result;
  if (typeof filter !== 'string' || !isHex(filter)) throw garbage(caller, call.method);
  return { bytes: parseHex(filter), header: parseHex(expectHash(caller, call, header)).reverse() };
}

async function fetchFilterHeader(caller: Caller, { hash }: Pick<ChainHeader, 'hash'>): Promise<Uint8Array> {
  return sentFilter(caller, await callOne(caller, filterCall(formatReversedHex(hash)))).header;
}

interface FilterAt {
  readonly block: ChainHeader;
  readonly reply: Reply | undefined;
  readonly previous: Uint8Array;
}

function checkedFilter(caller: Caller, { block, reply, previous }: FilterAt) {
  const { bytes, header } = sentFilter(caller, reply);
  const filter = unlessRefused(() => decodeBlockFilter(bytes));
  if (filter && equalBytes(filterHeader(bytes, previous), header)) return { filter, header };
  const fault = filter ? 'does not match its header' : 'is damaged';
  throw new SyncFault(`${caller.name} sent a block filter for height ${block.height} that ${fault}`);
}

/** Checks hash, merkle root and witness commitment. */
export function parseSentBlock(
  hex: string,
  { hash, height }: Pick<ChainHeader, 'hash' | 'height'>,
  { network, from }: { readonly network: Network; readonly from: string },
): Block {
  const block = isHex(hex) ? unlessRefused(() => decodeBlock(parseHex(hex), { mweb: network.mweb })) : undefined;
  if (!block || !equalBytes(block.hash, hash)) {
    throw new SyncFault(`${from} sent a block other than ${formatReversedHex(hash)} at height ${height}`);
  }
  const fault = contentFault(block, network) ?? witnessFault(block);
  if (fault) throw new SyncFault(`${from} sent a block at height ${height} that is refused: ${fault.reason}`);
  return block;
}
