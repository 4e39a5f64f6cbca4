import { equalBytes } from '../../core/bytes/compare.ts';
import { formatReversedHex } from '../../core/bytes/hex.ts';
import { headerRules } from '../../core/network/networks.ts';
import { LOCKTIME_THRESHOLD } from '../../core/tx/absoluteLock.ts';
import { blockHash } from '../../node/chain/blockHeader.ts';
import { genesisBlock, MEDIAN_SPAN } from '../../node/chain/chainState.ts';
import type { Node } from '../../node/state/node.ts';
import { UsageError } from '../terminal/usageError.ts';
import { fetchHeaders, headersAfter } from './headerSource.ts';
import {
  type Call,
  type Caller,
  callResult,
  expectHash,
  expectHeight,
  fetchBestHash,
  garbage,
  hashesAt,
} from './nodeClient.ts';
import { chainFromHeader } from './ownChain.ts';
import { SyncFault } from './sourceAndSink.ts';
import { otherChain } from './syncChain.ts';

/** Hash in display order, UNIX time. */
export type StartBlock =
  | { readonly kind: 'height'; readonly height: number }
  | { readonly kind: 'hash'; readonly hash: string }
  | { readonly kind: 'time'; readonly time: number };

const HASH = /^[0-9a-f]{64}$/;
const NUMBER = /^(?:0|[1-9][0-9]{0,9})$/;
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:]{5,8}Z)?$/;

export function parseStart(text: string): StartBlock {
  if (HASH.test(text)) return { kind: 'hash', hash: text };
  if (NUMBER.test(text)) {
    const number = Number(text);
    return number < LOCKTIME_THRESHOLD ? { kind: 'height', height: number } : { kind: 'time', time: number };
  }
  const time = DATE.test(text) ? Date.parse(text) / 1000 : Number.NaN;
  if (Number.isFinite(time)) return { kind: 'time', time };
  throw new UsageError('--start needs a height, a block hash, a UNIX time, or a date such as 2026-01-31');
}

interface StartParts {
  readonly caller: Caller;
  readonly node: Node;
  /** UNIX time. */
  readonly now: () => number;
}

/** Begins a chain at a block of a node, unless it already does. Returns the block's height. */
export async function startAt(start: StartBlock, parts: StartParts): Promise<number> {
  const { caller, node } = parts;
  await assertSameGenesis(caller, node);
  const place = await findStart(start, caller);
  const { hash, height } = place;
  // The user vouches for a hash.
  if (start.kind !== 'hash') await assertDescends(place, parts);
  const [header] = await fetchHeaders(caller, [hash]);
  if (!header || formatReversedHex(blockHash(header)) !== hash) throw garbage(caller, 'getblockheader');
  node.inCall(() => {
    const { first, counts } = node.chain;
    if (equalBytes(first.hash, blockHash(header))) return;
    if (first.height > 0 || counts.blocks > 1) {
      throw new SyncFault(
        `--start: the chain of the wallets begins at block ${first.height} already; use a new directory or database for another`,
      );
    }
    node.change({ type: 'start', header, height });
  });
  return height;
}

async function assertSameGenesis(caller: Caller, { network }: Node): Promise<void> {
  const ours = formatReversedHex(genesisBlock(network).hash);
  const [theirs] = await hashesAt(caller, [0]);
  if (ours !== theirs) throw otherChain(caller, { name: 'our chain' }, { height: 0, ours, theirs });
}

/**
 * Checks the headers from a known block up to the start, so that no node can invent a chain to start from. An earlier
 * start is safe, since the chain after it must lead to the known block.
 */
async function assertDescends({ height, hash }: Place, { caller, node, now }: StartParts): Promise<void> {
  const knownBlock = headerRules(node.network)?.knownBlock;
  if (!knownBlock || height <= knownBlock.height) return;
  const [header] = await fetchHeaders(caller, [knownBlock.hash]);
  if (!header || formatReversedHex(blockHash(header)) !== knownBlock.hash) throw garbage(caller, 'getblockheader');
  for await (const headers of headersAfter(caller, chainFromHeader(node.network, header, knownBlock.height), now)) {
    if (headers.some((each) => each.height === height && formatReversedHex(each.hash) === hash)) return;
  }
  throw new SyncFault(`--start: block ${height} of ${caller.name} does not descend from block ${knownBlock.hash}`);
}

interface Place {
  readonly height: number;
  readonly hash: string;
  readonly medianTime: number;
  /** Of the chain up to here. */
  readonly work: bigint;
}

export async function findStart(start: StartBlock, caller: Caller): Promise<Place> {
  if (start.kind === 'hash') return await fetchPlace(caller, start.hash);
  const height = start.kind === 'height' ? start.height : await heightBefore(start.time - MARGIN, caller);
  const [hash] = await hashesAt(caller, [height]);
  if (hash === undefined) throw new SyncFault(`--start: ${caller.name} has no block at height ${height}`);
  return await fetchPlace(caller, hash);
}

export async function fetchPlace(caller: Caller, hash: string): Promise<Place> {
  const call: Call = { method: 'getblockheader', params: [hash] };
  const result = await callResult(caller, call);
  if (typeof result !== 'object' || result === null) throw garbage(caller, call.method);
  const { height, mediantime, chainwork } = result as Readonly<Record<string, unknown>>;
  const work = expectHash(caller, call, chainwork);
  return {
    hash,
    height: expectHeight(caller, call, height),
    medianTime: expectHeight(caller, call, mediantime),
    work: BigInt(`0x${work}`),
  };
}

/** Twice the most seconds by which a block's time may differ from the clock: rescans have the same margin. */
const MARGIN = 2 * 7200;

/** Returns 0 if the whole chain is later. */
async function heightBefore(time: number, caller: Caller): Promise<number> {
  const tip = await fetchPlace(caller, await fetchBestHash(caller));
  let [low, high] = [0, tip.height + 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const [hash] = await hashesAt(caller, [middle]);
    const isBefore = hash !== undefined && (await fetchPlace(caller, hash)).medianTime < time;
    if (isBefore) low = middle;
    else high = middle;
  }
  // None of so many blocks before is later than the median.
  return Math.max(0, low - MEDIAN_SPAN);
}
