import { formatReversedHex } from '../../core/bytes/hex.ts';
import { blockKey, encodeBlockHeader } from '../../node/chain/blockHeader.ts';
import { activeBlock, findActiveBlock, genesisBlock } from '../../node/chain/chainState.ts';
import type { ChainHeader } from '../../node/chain/headerChain.ts';
import { hasBody } from '../../node/chain/partialChain.ts';
import type { Node } from '../../node/state/node.ts';
import { scanHeight } from '../../node/wallet/records/chainSync.ts';
import { fetchHeaders, headersAfter } from './headerSource.ts';
import { chainFromHeader, change, findBirth, headersUpTo, walletScripts } from './ownChain.ts';
import { SyncFault } from './sourceAndSink.ts';
import { findStart, type StartBlock } from './startBlock.ts';
import { otherChain, type Watch } from './syncChain.ts';
import { fetchBlock, type PartialSync, scanFor } from './syncPartial.ts';

export interface Rescanned {
  readonly from: number;
  readonly fetched: number;
}

/**
 * Fetches the missing blocks that concern the wallets, from `start` or their birth on, and rescans. If the chain begins
 * later, first gets the headers in between.
 * @returns `undefined` without scripts, or if stopped
 */
export async function rescanBlocks(
  parts: PartialSync,
  start: StartBlock | undefined,
  { stop }: Pick<Watch, 'stop'>,
): Promise<Rescanned | undefined> {
  const { node } = parts;
  const birth = node.inCall(() => findBirth(node));
  if (birth === undefined) return undefined;
  // Imports without a time of birth do not tell how far back to go.
  const isKnown = birth > genesisBlock(node.network).time;
  const lowest = start ?? (isKnown ? ({ kind: 'time', time: birth } as const) : undefined);
  if (lowest) await lowerFirst(parts, lowest);
  const from = node.inCall(() => Math.max(scanHeight(node.chain, start ? 0 : birth), node.chain.first.height + 1));
  for (let fetched = 0; ; ) {
    const countBefore = scriptCount(node);
    const heights = await fetchMissing(parts, from, stop);
    if (heights === 'stopped') return undefined;
    fetched += heights.length;
    change(node, ({ loaded }) => [
      ...(heights.length > 0 ? [{ type: 'coins', from: Math.min(...heights) } as const] : []),
      ...[...loaded].map(
        (name) => ({ type: 'wallet', name, event: { type: 'rescan', from: start ? 0 : birth } }) as const,
      ),
    ]);
    // The blocks may have made wallets derive more scripts.
    if (scriptCount(node) === countBefore) return { from, fetched };
  }
}

const scriptCount = (node: Node): number => node.inCall(() => [...walletScripts(node)].length);

const BATCH = 10_000;

async function lowerFirst({ source, caller, node, now }: PartialSync, start: StartBlock): Promise<void> {
  const { hash, height } = await findStart(start, caller);
  const { first } = node.inCall(() => node.chain);
  if (height >= first.height) return;
  const [lowest] = await fetchHeaders(caller, [hash]);
  if (!lowest) throw new SyncFault(`${source.name} did not send the header of block ${height}`);
  const headers: Uint8Array[] = [lowest];
  let last: Uint8Array | undefined;
  for await (const window of headersAfter(caller, chainFromHeader(node.network, lowest, height), now)) {
    last ??= window.find((header) => header.height === first.height)?.hash;
    headers.push(...window.filter((header) => header.height < first.height).map(encodeBlockHeader));
    if (last) break;
  }
  const [ours, theirs] = [formatReversedHex(first.hash), last && formatReversedHex(last)];
  if (ours !== theirs) throw otherChain(source, { name: 'our chain' }, { height: first.height, ours, theirs });
  while (headers.length > 0) {
    const batch = headers.splice(-BATCH);
    change(node, () => [{ type: 'prepend', headers: batch }]);
  }
}

async function fetchMissing(
  parts: PartialSync,
  from: number,
  stop: AbortSignal,
): Promise<readonly number[] | 'stopped'> {
  const { node } = parts;
  const fetched: number[] = [];
  for await (const header of candidates(parts, from)) {
    if (stop.aborted) return 'stopped';
    const place = node.inCall(() => {
      const block = findActiveBlock(node.chain, header.height);
      return block && { block, isMissing: !hasBody(node.chain, block) };
    });
    // The source has changed its chain: the next sync follows.
    if (place?.block.key !== blockKey(header.hash)) break;
    if (!place.isMissing) continue;
    const { block, bytes } = await fetchBlock(parts, header);
    change(node, () => [{ type: 'block', block, bytes }]);
    fetched.push(header.height);
  }
  return fetched;
}

async function* candidates(parts: PartialSync, from: number): AsyncGenerator<ChainHeader> {
  const { caller, filters, node, now } = parts;
  const chain = node.inCall(() => headersUpTo(node, activeBlock(node.chain, from - 1)));
  if (!filters) {
    change(node, () => [{ type: 'filters', headers: [] }]);
    for await (const headers of headersAfter(caller, chain, now)) yield* headers;
    return;
  }
  for await (const { header, matches } of scanFor(parts, filters, chain)) if (matches) yield header;
}
