import { scryptSync } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { equalBytes } from '../bytes/compare.ts';
import { formatReversedHex, isHex, parseHex } from '../bytes/hex.ts';
import { type Block, decodeBlock, HEADER_SIZE } from '../chain/block.ts';
import { decodeBlockFilter, filterHeader, matchesAny, prepareFilterScripts } from '../chain/blockFilter.ts';
import { contentFault, witnessFault } from '../chain/blockRules.ts';
import { consensusParamsOf } from '../chain/consensusParams.ts';
import type { Ancestor } from '../chain/difficulty.ts';
import { type ChainHeader, checkHeaders, type HeaderChain } from '../chain/headerChain.ts';
import { unlessRefused } from '../errors.ts';
import type { Network } from '../network/networks.ts';
import {
  type Call,
  type Caller,
  callAll,
  callOne,
  createPieces,
  garbage,
  hashesAt,
  hashOf,
  type Reply,
  resultOf,
} from './nodeClient.ts';
import { SyncFault } from './sourceAndSink.ts';

/** A block of the source's chain after its header and filter were checked. */
export interface ScannedBlock {
  readonly height: number;
  /** In display byte order. */
  readonly hash: string;
  readonly header: ChainHeader;
  /** Header of the block's filter, in wire order, for a later scan to continue from. */
  readonly filterHeader: Uint8Array;
  /** Whether the filter contains one of the scripts; if not, the block neither pays to them nor spends them. */
  readonly matches: boolean;
}

/** Where a scan starts, and what it looks for. */
export interface FilterScan {
  /** The headers up to the block after which the scan starts. */
  readonly chain: HeaderChain;
  /** Header of the filter of that block, in wire order. Without it, the node's is believed. */
  readonly filterHeader?: Uint8Array | undefined;
  /** Lists the scriptPubKeys to look for. Called again after each match, since the block may make the wallet add some. */
  readonly scripts: () => Iterable<Uint8Array>;
  /** Reads the clock, as UNIX time. */
  readonly now: () => number;
}

/** The end of a scan: at the node's tip, or because the node's chain no longer contains the last block of the scan. */
type ScanEnd = 'at-tip' | 'changed';

/** Reads block filters of a node. Every function may throw `SyncFault`. */
export interface FilterSource {
  /** Returns the reason why the node cannot serve filters, with advice; `undefined` if it can. */
  readonly absence: () => Promise<string | undefined>;
  /** Yields the blocks after the start of a scan, in order, up to the node's tip. */
  readonly scan: (scan: FilterScan) => AsyncGenerator<ScannedBlock, ScanEnd>;
}

const RPC_METHOD_NOT_FOUND = -32601;
/** How many headers are requested at once. */
const WINDOW = 1000;

/**
 * Creates a source that asks a node for headers and BIP158 filters, and checks both: headers by their proof of work and
 * the rules of their network, and filters by the chain of their own headers. The node may still send filters that leave
 * scripts out, if it does so from the start of the scan.
 */
export function filterSource(caller: Caller): FilterSource {
  return {
    absence: async () => {
      const best: Call = { method: 'getbestblockhash', params: [] };
      const hash = hashOf(caller, best, resultOf(caller, best, await callOne(caller, best)));
      const reply = await callOne(caller, filterCall(hash));
      if (reply.kind !== 'error') return undefined;
      if (reply.code === RPC_METHOD_NOT_FOUND) return `${caller.name} is too old for block filters`;
      if (!/not enabled/.test(reply.message)) return undefined;
      return `${caller.name} has no block filters: start it with -blockfilterindex=1`;
    },
    scan: (scan) => scanned(caller, scan),
  };
}

const filterCall = (hash: string): Call => ({ method: 'getblockfilter', params: [hash, 'basic'] });

async function* scanned(caller: Caller, scan: FilterScan): AsyncGenerator<ScannedBlock, ScanEnd> {
  const inPieces = createPieces(caller);
  const recent = createRecent(scan.chain);
  let { tip } = scan.chain;
  let previous = scan.filterHeader ?? (await filterHeaderOf(caller, formatReversedHex(tip.hash)));
  for (;;) {
    const headers = await headersAfter(caller, { ...scan.chain, tip, headerAt: recent.at }, scan.now());
    if (headers === 'changed') return headers;
    if (headers.length === 0) return 'at-tip';
    recent.add(headers);
    for await (const block of matched(caller, scan, { headers, previous, inPieces })) {
      tip = block.header;
      previous = block.filterHeader;
      yield block;
    }
  }
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

/** How many headers a scan keeps: more than the rules look back. */
const KEPT = 5000;

/** Keeps the last headers of a scan, since the caller may not have stored them yet. */
function createRecent({ headerAt }: HeaderChain) {
  const kept = new Map<number, Ancestor>();
  return {
    at: (height: number): Ancestor | undefined => kept.get(height) ?? headerAt(height),
    add: (headers: readonly ChainHeader[]): void => {
      for (const { height, time, bits } of headers) {
        kept.set(height, { time, bits });
        kept.delete(height - KEPT);
      }
    },
  };
}

/** Fetches and checks the next headers of the node's chain; none at its tip. */
async function headersAfter(
  caller: Caller,
  chain: HeaderChain,
  now: number,
): Promise<readonly ChainHeader[] | 'changed'> {
  const { tip, network } = chain;
  const heights = Array.from({ length: WINDOW + 1 }, (_, i) => tip.height + i);
  const [own, ...found] = await hashesAt(caller, heights);
  if (own !== formatReversedHex(tip.hash)) return 'changed';
  const hashes = found.filter((hash) => hash !== undefined);
  if (hashes.length === 0) return [];
  const calls = hashes.map((hash): Call => ({ method: 'getblockheader', params: [hash, false] }));
  const replies = await callAll(caller, calls);
  const headers = calls.map((call, i) => headerOf(caller, call, replies[i]));
  const checkpoint = consensusParamsOf(network)?.knownBlock;
  const { accepted, fault } = checkHeaders(chain, headers, { now, checkpoint, scrypt: scryptOf });
  if (!fault) return accepted;
  const height = tip.height + 1 + fault.index;
  // The chain may have changed while the node listed its hashes.
  const isUnlinked = fault.reason === 'prev-blk-not-found';
  const again = isUnlinked ? await hashesAt(caller, [height - 1, height]) : [];
  const before = [hashes[fault.index - 1] ?? own, hashes[fault.index]];
  if (isUnlinked && again.some((hash, i) => hash !== before[i])) return accepted.length > 0 ? accepted : 'changed';
  throw new SyncFault(`${caller.name} sent a header for height ${height} that is refused: ${fault.reason}`);
}

/** Computes the hash of Litecoin's proof of work, faster than the core can. */
const scryptOf = (header: Uint8Array): Uint8Array =>
  new Uint8Array(scryptSync(header, header, 32, { N: 1024, r: 1, p: 1 }));

function headerOf(caller: Caller, call: Call, reply: Reply | undefined): Uint8Array {
  const hex = reply && resultOf(caller, call, reply);
  if (typeof hex !== 'string' || hex.length !== 2 * HEADER_SIZE || !isHex(hex)) throw garbage(caller, call.method);
  return parseHex(hex);
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
async function filterHeaderOf(caller: Caller, hash: string): Promise<Uint8Array> {
  return sentFilter(caller, await callOne(caller, filterCall(hash))).header;
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
