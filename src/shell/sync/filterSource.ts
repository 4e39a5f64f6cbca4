import { setImmediate as nextTurn } from 'node:timers/promises';
import { bytesKey, equalBytes } from '../../core/bytes/compare.ts';
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
import { contentFault, witnessFault } from '../../node/chain/blockRules.ts';
import { genesisTransaction } from '../../node/chain/genesis.ts';
import type { ChainHeader, HeaderChain } from '../../node/chain/headerChain.ts';
import { type HeadersEnd, headersAfter } from './headerSource.ts';
import { type Call, type Caller, callOne, createPieces, garbage, hashOf, type Reply, resultOf } from './nodeClient.ts';
import { SyncFault } from './sourceAndSink.ts';

/** A block of the source's chain after its header and filter were checked. */
export interface ScannedBlock {
  readonly height: number;
  /** In display byte order. */
  readonly hash: string;
  readonly header: ChainHeader;
  /** Header of the block's filter, in wire order, for a later scan to continue from. */
  readonly filterHeader: Uint8Array;
  /** True if the filter contains one of the scripts; if not, the block neither pays to them nor spends them. */
  readonly matches: boolean;
}

/** Start of a scan, and the scripts to look for. */
export interface FilterScan {
  /** The headers up to the block after which the scan starts. */
  readonly chain: HeaderChain;
  /**
   * Returns the header of a block's filter in wire order, if an earlier sync has kept it; the node's must be the same. If
   * there is none for the block after which the scan starts, the scan trusts the node's, unless the block is the genesis
   * block or an earlier scan of the source saw one.
   */
  readonly kept?: ((block: Pick<ChainHeader, 'hash' | 'height'>) => Uint8Array | undefined) | undefined;
  /** Lists the scriptPubKeys to look for. Called again after each match, since the block may make the wallet add some. */
  readonly scripts: () => Iterable<Uint8Array>;
  /** Reads the clock, as UNIX time. */
  readonly now: () => number;
}

/** Reads block filters of a node. Every function may throw `SyncFault`. */
export interface FilterSource {
  /** Returns the reason why the node cannot serve filters, with advice; `undefined` if it can. */
  readonly absence: () => Promise<string | undefined>;
  /** Yields the blocks after the start of a scan, in order, up to the node's tip. */
  readonly scan: (scan: FilterScan) => AsyncGenerator<ScannedBlock, HeadersEnd>;
}

const RPC_METHOD_NOT_FOUND = -32601;

/**
 * Creates a source that asks a node for headers and BIP158 filters, and checks both: headers by their proof of work and
 * the rules of their network, and filters by the chain of their own headers. The node may still send filters that leave
 * scripts out, if it does so from the first scan on. All scans of a source see the same filters, and with kept headers
 * those of earlier syncs.
 */
export function filterSource(caller: Caller): FilterSource {
  const seen = createSeenHeaders();
  return {
    absence: async () => {
      const best: Call = { method: 'getbestblockhash', params: [] };
      const hash = hashOf(caller, best, resultOf(caller, best, await callOne(caller, best)));
      const reply = await callOne(caller, filterCall(hash));
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

/** The headers of the filters that scans have come by. */
interface SeenHeaders {
  readonly of: (block: Pick<ChainHeader, 'hash'>) => Uint8Array | undefined;
  readonly add: (block: Pick<ChainHeader, 'hash'>, filterHeader: Uint8Array) => void;
}

/** Headers of filters to keep. */
const KEPT = 10_000;

function createSeenHeaders(): SeenHeaders {
  const seen = new Map<string, Uint8Array>();
  return {
    of: ({ hash }) => seen.get(bytesKey(hash)),
    add: ({ hash }, header) => {
      seen.set(bytesKey(hash), header);
      const [oldest] = seen.size > KEPT ? seen.keys() : [];
      if (oldest !== undefined) seen.delete(oldest);
    },
  };
}

/** Computes the header of the filter of a genesis block; `undefined` for another block, or a caller's own network. */
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
  let previous = seen.of(chain.tip) ?? genesisFilterHeader(chain) ?? (await filterHeaderOf(caller, chain.tip));
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

/** Refuses a filter, or the header of one, that differs from what an earlier scan got. @throws SyncFault */
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
  /** Header of the filter of the block before them. */
  readonly previous: Uint8Array;
  readonly inPieces: ReturnType<typeof createPieces>;
}

/** Fetches the filters of blocks, checks them, and matches them with the scripts. */
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

/** A filter as the node sends it, and its header, in wire order. */
interface SentFilter {
  readonly bytes: Uint8Array;
  readonly header: Uint8Array;
}

function sentFilter(caller: Caller, reply: Reply | undefined): SentFilter {
  const call = filterCall('');
  if (reply?.kind === 'error' && /being indexed/.test(reply.message)) {
    throw new SyncFault(`${caller.name} is still building its block filters`, { isPassing: true });
  }
  const result = reply && resultOf(caller, call, reply);
  if (typeof result !== 'object' || result === null || !('filter' in result && 'header' in result)) {
    throw garbage(caller, call.method);
  }
  const { filter, header } = result;
  if (typeof filter !== 'string' || !isHex(filter)) throw garbage(caller, call.method);
  return { bytes: parseHex(filter), header: parseHex(hashOf(caller, call, header)).reverse() };
}

/** Fetches the header of a block's filter. */
async function filterHeaderOf(caller: Caller, { hash }: Pick<ChainHeader, 'hash'>): Promise<Uint8Array> {
  return sentFilter(caller, await callOne(caller, filterCall(formatReversedHex(hash)))).header;
}

interface FilterAt {
  readonly block: ChainHeader;
  readonly reply: Reply | undefined;
  /** Header of the previous block's filter. */
  readonly previous: Uint8Array;
}

/** Checks that a filter is well-formed and that its header continues the chain of filter headers. */
function checkedFilter(caller: Caller, { block, reply, previous }: FilterAt) {
  const { bytes, header } = sentFilter(caller, reply);
  const filter = unlessRefused(() => decodeBlockFilter(bytes));
  if (filter && equalBytes(filterHeader(bytes, previous), header)) return { filter, header };
  const fault = filter ? 'does not match its header' : 'is damaged';
  throw new SyncFault(`${caller.name} sent a block filter for height ${block.height} that ${fault}`);
}

/**
 * Decodes a block and binds it to a checked header: by its hash, merkle root and witness commitment.
 *
 * - `from`: origin of the block, for errors
 *
 * @throws SyncFault for any other block
 */
export function blockOfHeader(
  hex: string,
  { hash, height }: Pick<ChainHeader, 'hash' | 'height'>,
  { network, from }: { readonly network: Network; readonly from: string },
): Block {
  const block = isHex(hex) ? unlessRefused(() => decodeBlock(parseHex(hex), { mweb: network.mweb })) : undefined;
  if (!block || !equalBytes(block.hash, hash)) {
    throw new SyncFault(`${from} sent a block other than ${formatReversedHex(hash)} at height ${height}`);
  }
  const fault = contentFault(block, network) ?? witnessFault(block);
  if (fault) throw new SyncFault(`${from} sent a block at height ${height} that is refused: ${fault}`);
  return block;
}
