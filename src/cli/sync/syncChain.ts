import { SyncFault } from './fault.ts';
import { feedBlock } from './feedBlock.ts';
import type { Sink, Source, SourceTip, Tip } from './sides.ts';

/** Who is told of what happens, and who ends it. */
export interface Watch {
  /** Once it is aborted, the block at hand is the last one. */
  readonly stop: AbortSignal;
  /** A block was fed. `of`: the source's height, where it is known. */
  readonly onBlock: (fed: { readonly height?: number; readonly of?: number; readonly size: number }) => void;
}

/** How a chain was followed: to the source's tip; not, as it lacks blocks itself; or somebody has stopped it. */
type Followed = 'same' | 'source-behind' | 'stopped';

/**
 * Makes a sink's chain the source's, whatever happens to both in the meantime.
 *
 * Blocks from the last one that both have are fed; what is longer wins by itself, as with every node. A source that has
 * left a branch for one that is not longer, or for none, does so by its operator's will (`invalidateblock`) or by more
 * work; then the sink is told to leave it, too. That can be taken back, and is, should the source return. A source
 * that is still catching up takes no blocks away.
 *
 * @throws SyncFault
 */
export async function syncChain(source: Source, sink: Sink, watch: Watch): Promise<Followed> {
  await assertSameChain(source, sink);
  let last = '';
  let changes = 0;
  while (!watch.stop.aborted) {
    const [theirs, ours] = await Promise.all([source.tip(), sink.tip()]);
    if (theirs.hash === ours.hash) return 'same';
    const state = `${theirs.hash} ${ours.hash}`;
    if (state === last || changes === MAX_CHANGES) {
      throw new SyncFault(`block ${theirs.hash} of ${source.name} cannot be reached from ${ours.hash}`);
    }
    const outcome = await approach(source, sink, { theirs, ours, watch });
    if (outcome === 'stopped' || outcome === 'source-behind') return outcome;
    changes = outcome === 'changed' ? changes + 1 : 0;
    last = outcome === 'changed' ? '' : state;
  }
  return 'stopped';
}

/** Feeds what a source has more, or has the sink leave its own branch where that changed nothing. */
async function approach(
  source: Source,
  sink: Sink,
  { theirs, ours, watch }: { readonly theirs: SourceTip; readonly ours: Tip; readonly watch: Watch },
): Promise<'fed' | 'changed' | Exclude<Followed, 'same'>> {
  const fork = await forkHeight(source, sink, Math.min(theirs.height, ours.height));
  const outcome = await feedBranch(source, sink, { fork, theirs, watch });
  if (outcome !== 'fed' || (await sink.tip()).hash !== ours.hash) return outcome;
  if (theirs.isCatchingUp) return 'source-behind';
  const [own] = await sink.hashesAt([fork + 1]);
  if (own !== undefined) await sink.invalidate(own);
  return 'fed';
}

/** How often in a row a source may have another chain than a moment ago. */
const MAX_CHANGES = 100;

/** @throws SyncFault where the first blocks differ */
async function assertSameChain(source: Source, sink: Sink): Promise<void> {
  const [[theirs], [ours]] = await Promise.all([source.hashesAt([0]), sink.hashesAt([0])]);
  if (theirs === ours) return;
  throw new SyncFault(
    `${source.name} is of another chain: its first block is ${theirs ?? 'none'}, that of ${sink.name} is ${ours ?? 'none'}`,
  );
}

/** How many heights are asked for at once when a fork is searched for. */
const PROBES = 16;

/**
 * The height of the last block that both chains have, at most `top`. A hash stands for all blocks before it, so that
 * those in common come first: looked for ever farther back, then by narrowing down.
 */
export async function forkHeight(a: Pick<Source, 'hashesAt'>, b: Pick<Sink, 'hashesAt'>, top: number): Promise<number> {
  let [same, differs] = [0, top + 1];
  let heights = backwards(top);
  while (heights.length > 0) {
    const [ofA, ofB] = await Promise.all([a.hashesAt(heights), b.hashesAt(heights)]);
    for (const [i, height] of heights.entries()) {
      const isSame = ofA[i] !== undefined && ofA[i] === ofB[i];
      if (isSame) same = Math.max(same, height);
      else differs = Math.min(differs, height);
    }
    heights = between(same, differs);
  }
  return same;
}

/** From a height downwards, each twice as far as the one before. */
function backwards(top: number): readonly number[] {
  const heights: number[] = [];
  for (let distance = 0; top - distance > 0; distance = 2 * distance + 1) heights.push(top - distance);
  return heights;
}

/** Heights that are spread between two, without them. */
function between(low: number, high: number): readonly number[] {
  const step = Math.max(1, Math.ceil((high - low) / (PROBES + 1)));
  const heights: number[] = [];
  for (let height = low + step; height < high; height += step) heights.push(height);
  return heights;
}

/** For how many blocks hashes are asked for at once. */
const WINDOW = 1000;

interface Branch {
  readonly fork: number;
  readonly theirs: Tip;
}

/** Feeds the blocks after a fork. @returns `changed` where the source has another chain by now */
async function feedBranch(
  source: Source,
  sink: Sink,
  { fork, theirs, watch }: Branch & { readonly watch: Watch },
): Promise<'fed' | 'changed' | 'stopped'> {
  let height = fork;
  for await (const hex of branchBlocks(source, { fork, theirs })) {
    if (watch.stop.aborted) return 'stopped';
    if ((await feedBlock(sink, hex, source.name)) === 'unknown-parent') return 'changed';
    height += 1;
    watch.onBlock({ height, of: theirs.height, size: hex.length / 2 });
  }
  return height < theirs.height ? 'changed' : 'fed';
}

/** The blocks of a source after a fork, in hex; fewer where its chain has become shorter. */
async function* branchBlocks(source: Source, { fork, theirs }: Branch): AsyncGenerator<string> {
  for (let next = fork + 1; next <= theirs.height; next += WINDOW) {
    const count = Math.min(WINDOW, theirs.height - next + 1);
    const found = await source.hashesAt(Array.from({ length: count }, (_, i) => next + i));
    const hashes = found.filter((hash) => hash !== undefined);
    for await (const piece of source.blocks(hashes)) yield* piece;
    if (hashes.length < count) return;
  }
}
