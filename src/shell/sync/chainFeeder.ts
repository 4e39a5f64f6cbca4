import { formatReversedHex } from '../../core/bytes/hex.ts';
import { headerRules } from '../../core/network/networks.ts';
import { activeTip, genesisBlock } from '../../node/chain/chainState.ts';
import { isPartial } from '../../node/chain/partialChain.ts';
import type { Node } from '../../node/state/node.ts';
import { filterSource } from './filterSource.ts';
import type { Caller } from './nodeClient.ts';
import { catchUpUnloaded, findBirth } from './ownChain.ts';
import { rescanBlocks } from './rescanBlocks.ts';
import type { Sink, Source } from './sourceAndSink.ts';
import { fetchPlace, type StartBlock, startAt } from './startBlock.ts';
import { type Followed, syncChain, type Watch } from './syncChain.ts';
import { type PartialSync, syncPartial } from './syncPartial.ts';
import { counted } from './syncProgress.ts';

export type FeedChain = (watch: Watch) => Promise<Followed>;

export interface FeederParts {
  readonly source: Source;
  /** Calls the source's node. */
  readonly caller: Caller;
  readonly sink: Sink;
  /** Our own node, if it is in this process. */
  readonly node: Node | undefined;
  /** By default, one before the birth of the wallets. */
  readonly start: StartBlock | undefined;
  /** Rescans once, from `start` or the wallets' birth on. */
  readonly rescans: boolean;
  /** Blocks to keep; by default, all. */
  readonly prune: number | undefined;
  /** Ignores block filters. */
  readonly takesAll: boolean;
  /** UNIX time. */
  readonly now: () => number;
  readonly say: (text: string) => void;
}

/**
 * Begins a new chain where the wallets need it. Feeds it by block filters if the source has them and the chain lacks
 * blocks or is new, else with all blocks.
 */
export async function openFeeder(parts: FeederParts): Promise<FeedChain> {
  const { source, sink, node } = parts;
  if (!node) return (watch) => syncChain(source, sink, watch);
  const { feed, partial } = await openOwnFeeder(parts, node);
  let isFirst = true;
  return async (watch) => {
    const outcome = await feed(pruning(watch, parts, node));
    if (outcome === 'same' && isFirst) {
      isFirst = false;
      await warnOfLittleWork(parts, node);
      if (parts.rescans) await rescan(parts, partial, watch);
    }
    tidy(parts, node);
    return outcome;
  };
}

interface OwnFeeder {
  readonly feed: FeedChain;
  readonly partial: PartialSync;
}

async function openOwnFeeder(parts: FeederParts, node: Node): Promise<OwnFeeder> {
  const { source, caller, takesAll, now, say } = parts;
  const { isNew, birth } = node.inCall(() => ({ isNew: isNewChain(node), birth: findBirth(node) }));
  await begin(parts, node, isNew ? birth : undefined);
  const { lacksBlocks, first } = node.inCall(() => ({ lacksBlocks: isPartial(node.chain), first: node.chain.first }));
  const all: PartialSync = { source, caller, filters: undefined, node, now };
  const feedAll: OwnFeeder = { feed: (watch) => syncPartial(all, watch), partial: all };
  if (!lacksBlocks && !(isNew && birth !== undefined)) return feedAll;
  const filters = takesAll ? undefined : filterSource(caller);
  const absence = await filters?.absence();
  if (absence !== undefined) say(`${absence}; fetching all blocks after block ${first.height}`);
  const partial = absence === undefined ? { ...all, filters } : all;
  if (!lacksBlocks && !partial.filters) return feedAll;
  return { feed: (watch) => syncPartial(partial, watch), partial };
}

const PRUNED_AT_ONCE = 1000;

function pruning(watch: Watch, parts: FeederParts, node: Node): Watch {
  let fed = 0;
  return {
    ...watch,
    onBlock: (block) => {
      watch.onBlock(block);
      fed += 1;
      if (parts.prune !== undefined && fed % PRUNED_AT_ONCE === 0) tidy(parts, node);
    },
  };
}

/** Prunes, and catches up unloaded wallets while the blocks that they need are there. */
function tidy({ prune }: FeederParts, node: Node): void {
  node.inCall(() => {
    if (prune !== undefined || isPartial(node.chain)) catchUpUnloaded(node);
    if (prune === undefined) return;
    node.change({ type: 'prune', kept: prune });
  });
}

async function rescan({ start, say }: FeederParts, partial: PartialSync, watch: Watch): Promise<void> {
  const done = await rescanBlocks(partial, start, watch);
  if (done) say(`rescanned from block ${done.from} on, and fetched ${counted(done.fetched, 'block')} for it`);
}

const isNewChain = ({ chain: { first, counts } }: Node): boolean => first.height === 0 && counts.blocks === 1;

async function begin(
  { start, rescans, caller, now, say }: FeederParts,
  node: Node,
  birth: number | undefined,
): Promise<void> {
  // A rescan begins an existing chain earlier.
  if (start && rescans && !node.inCall(() => isNewChain(node))) return;
  if (start) {
    await startAt(start, { caller, node, now });
    return;
  }
  if (birth === undefined || birth <= genesisBlock(node.network).time) return;
  const height = await startAt({ kind: 'time', time: birth }, { caller, node, now });
  if (height > 0) say(`starting after block ${height}: the keys of the wallets are younger (see --start)`);
}

/** @see Bitcoin Core `nMinimumChainWork` */
async function warnOfLittleWork({ source, caller, say }: FeederParts, node: Node): Promise<void> {
  const minimum = headerRules(node.network)?.minimumWork ?? 0n;
  const { first, tip } = node.inCall(() => ({ first: node.chain.first, tip: activeTip(node.chain) }));
  if (tip.work >= minimum) return;
  // Only the source's node has the work before our first block.
  const before = first.height === 0 ? 0n : (await fetchPlace(caller, formatReversedHex(first.hash))).work - first.work;
  if (before + tip.work >= minimum) return;
  say(
    `warning: the chain of ${source.name} has less work than that of ${node.network.name} had long ago: it is incomplete, or another chain`,
  );
}
