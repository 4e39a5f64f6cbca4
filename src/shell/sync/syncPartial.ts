import { formatReversedHex, parseHex } from '../../core/bytes/hex.ts';
import { parentOf } from '../../node/chain/acceptBlock.ts';
import { type Block, HEADER_SIZE } from '../../node/chain/block.ts';
import { blockKey, encodeBlockHeader } from '../../node/chain/blockHeader.ts';
import { contextualFault } from '../../node/chain/blockRules.ts';
import { activeBlock, activeTip, findActiveBlock } from '../../node/chain/chainState.ts';
import { type FilterHeader, keptFilterHeaders } from '../../node/chain/filterHeaders.ts';
import type { ChainHeader, HeaderChain } from '../../node/chain/headerChain.ts';
import type { ChainBlock } from '../../node/chain/types.ts';
import type { NodeEvent } from '../../node/state/events.ts';
import type { Node } from '../../node/state/node.ts';
import { type FilterSource, parseSentBlock, type ScannedBlock } from './filterSource.ts';
import { headersAfter } from './headerSource.ts';
import type { Caller } from './nodeClient.ts';
import { change, headersUpTo, walletScripts } from './ownChain.ts';
import { type Source, type SourceTip, SyncFault } from './sourceAndSink.ts';
import { type Followed, forkHeight, MAX_CHANGES, otherChain, type Watch } from './syncChain.ts';

/** A sync into a chain that may lack blocks. */
export interface PartialSync {
  readonly source: Source;
  readonly caller: Caller;
  /** Without filters, all blocks are fetched. */
  readonly filters: FilterSource | undefined;
  /** In this process. */
  readonly node: Node;
  /** UNIX time. */
  readonly now: () => number;
}

/** Headers to save at once. */
const BATCH = 1000;

/**
 * Makes our chain equal to the source's, as `syncChain` does, and checks its headers. With filters, fetches only the
 * blocks that concern a wallet, loaded or not, and the headers of all others. After a `SyncFault`, what was fed before
 * is kept.
 */
export async function syncPartial(parts: PartialSync, watch: Watch): Promise<Followed> {
  for (let round = 0; round < MAX_CHANGES && !watch.stop.aborted; round += 1) {
    const outcome = await approach(parts, watch);
    if (outcome !== 'changed') return outcome;
  }
  if (watch.stop.aborted) return 'stopped';
  throw new SyncFault(`the chain of ${parts.source.name} changes faster than it can be followed`);
}

/** If our tip stays the same, invalidates our own branch. */
async function approach(parts: PartialSync, watch: Watch): Promise<Followed | 'changed'> {
  const { source, node } = parts;
  const theirs = await source.tip();
  const ours = node.inCall(() => activeTip(node.chain));
  if (theirs.hash === formatReversedHex(ours.hash)) return 'same';
  const fork = await forkWith(parts, theirs, ours);
  if (fork === 'source-behind') return fork;
  const feeding = { fork, theirs, watch };
  const { filters } = parts;
  const end = await (filters ? feedMatches(parts, filters, feeding) : feedAll(parts, feeding));
  if (end === 'stopped') return end;
  const hasMoved = node.inCall(() => activeTip(node.chain)).key !== ours.key;
  if (hasMoved || (await source.tip()).hash !== theirs.hash) return 'changed';
  if (theirs.isCatchingUp) return 'source-behind';
  change(node, ({ chain }) => {
    const own = findActiveBlock(chain, fork.height + 1);
    return own ? [{ type: 'invalidate', hash: own.hash }] : [];
  });
  return 'changed';
}

/** Finds the last block that both have. */
async function forkWith(
  { source, node }: PartialSync,
  theirs: SourceTip,
  tip: ChainBlock,
): Promise<ChainBlock | 'source-behind'> {
  const { first } = node.inCall(() => node.chain);
  const [hash] = await source.hashesAt([first.height]);
  if (hash === undefined && theirs.isCatchingUp) return 'source-behind';
  const ours = formatReversedHex(first.hash);
  if (hash !== ours) throw otherChain(source, { name: 'our chain' }, { height: first.height, ours, theirs: hash });
  const own = {
    hashesAt: async (heights: readonly number[]) =>
      node.inCall(() =>
        heights.map((height) => {
          const block = findActiveBlock(node.chain, height);
          return block && formatReversedHex(block.hash);
        }),
      ),
  };
  const height = await forkHeight(source, own, { bottom: first.height, top: Math.min(theirs.height, tip.height) });
  return node.inCall(() => activeBlock(node.chain, height));
}

interface Feeding {
  readonly fork: ChainBlock;
  readonly theirs: SourceTip;
  readonly watch: Watch;
}

async function feedMatches(
  parts: PartialSync,
  filters: FilterSource,
  { fork, theirs, watch }: Feeding,
): Promise<'fed' | 'stopped'> {
  const { node } = parts;
  const chain = node.inCall(() => headersUpTo(node, fork));
  let waiting: ScannedBlock[] = [];
  const flush = (): void => {
    const blocks = waiting;
    waiting = [];
    if (blocks.length > 0) feedHeaders(node, blocks);
  };
  try {
    for await (const block of scanFor(parts, filters, chain)) {
      if (watch.stop.aborted) return 'stopped';
      if (!block.matches) waiting.push(block);
      if (block.matches || waiting.length === BATCH) flush();
      const filterEvents = [{ type: 'filters', headers: [toFilterHeader(block)] }] as const;
      const size = block.matches ? feedBlock(parts, await fetchBlock(parts, block.header), filterEvents) : 0;
      watch.onBlock({ height: block.height, of: Math.max(theirs.height, block.height), size });
    }
    return 'fed';
  } finally {
    flush();
  }
}

/** Reconsiders blocks that were invalidated when the source left them. */
function feedHeaders(node: Node, blocks: readonly ScannedBlock[]): void {
  change(node, ({ chain }) => [
    { type: 'headers', headers: blocks.map(({ header }) => encodeBlockHeader(header)) },
    ...blocks
      .filter(({ header: { hash } }) => chain.invalid.get(blockKey(hash)))
      .map(({ header: { hash } }) => ({ type: 'reconsider', hash }) as const),
    { type: 'filters', headers: blocks.map(toFilterHeader) },
  ]);
}

/** The next sync checks the node's filters against these headers. */
const toFilterHeader = ({ height, header: { hash }, filterHeader }: ScannedBlock): FilterHeader => ({
  height,
  hash,
  filterHeader,
});

/** Scans for the scripts of all wallets. */
export function scanFor(
  { node, now }: PartialSync,
  filters: FilterSource,
  chain: HeaderChain,
): ReturnType<FilterSource['scan']> {
  const kept = node.inCall(() => keptFilterHeaders(node.chain));
  return filters.scan({
    chain,
    scripts: () => node.inCall(() => [...walletScripts(node)]),
    kept: ({ hash }) => kept.get(blockKey(hash)),
    now,
  });
}

interface FetchedBlock {
  readonly block: Block;
  readonly bytes: Uint8Array;
}

/** Checks the block against its header. */
export async function fetchBlock({ source, node }: PartialSync, header: ChainHeader): Promise<FetchedBlock> {
  const hash = formatReversedHex(header.hash);
  for await (const [hex = ''] of source.blocks([hash])) return checkedBlock({ source, node }, hex, header);
  throw new SyncFault(`${source.name} did not send block ${hash}`);
}

function checkedBlock(
  { source, node }: Pick<PartialSync, 'source' | 'node'>,
  hex: string,
  header: ChainHeader,
): FetchedBlock {
  const block = parseSentBlock(hex, header, { network: node.network, from: source.name });
  return { block, bytes: parseHex(hex) };
}

/**
 * Feeds a block that was checked against its header, then what belongs to it.
 * @returns its size in bytes
 * @throws SyncFault if it breaks a rule that depends on the chain
 */
function feedBlock(
  { source, node }: Pick<PartialSync, 'source' | 'node'>,
  { block, bytes }: FetchedBlock,
  more: readonly NodeEvent[] = [],
): number {
  const reason = node.inCall(() => {
    const { chain } = node;
    const key = blockKey(block.hash);
    const parent = parentOf(chain, bytes.slice(0, HEADER_SIZE));
    const fault = parent && contextualFault(chain, block, parent);
    if (fault) return fault.reason;
    const again = { type: 'reconsider', hash: block.hash } as const;
    node.change({ type: 'block', block, bytes }, ...(chain.invalid.get(key) ? [again] : []));
    if (chain.invalid.get(key)) return chain.refusals.get(key)?.reason ?? 'bad-prevblk';
    node.change(...more);
    return undefined;
  });
  if (reason === undefined) return bytes.length;
  throw new SyncFault(`${source.name} sent block ${formatReversedHex(block.hash)}, which is refused: ${reason}`);
}

async function feedAll(parts: PartialSync, { fork, theirs, watch }: Feeding): Promise<'fed' | 'stopped'> {
  const { caller, source, node, now } = parts;
  const chain = node.inCall(() => headersUpTo(node, fork));
  // With all blocks, earlier filters no longer matter.
  change(node, () => [{ type: 'filters', headers: [] }]);
  for await (const headers of headersAfter(caller, chain, now)) {
    const expected = headers.values();
    for await (const piece of source.blocks(headers.map(({ hash }) => formatReversedHex(hash)))) {
      for (const hex of piece) {
        const { value: header } = expected.next();
        if (watch.stop.aborted || !header) return 'stopped';
        const size = feedBlock(parts, checkedBlock(parts, hex, header));
        watch.onBlock({ height: header.height, of: Math.max(theirs.height, header.height), size });
      }
    }
  }
  return 'fed';
}
