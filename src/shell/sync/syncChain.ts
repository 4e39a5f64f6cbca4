import { parseHeaderHashes } from '../../node/chain/block.ts';
import { type Sink, type Source, type SourceTip, SyncFault, type Tip } from './sourceAndSink.ts';

export interface Watch {
  /** Once aborted, no block is fed after the current one. */
  readonly stop: AbortSignal;
  /** `of`: the height of the source's tip, if known; `size`: in bytes. */
  readonly onBlock: (fed: { readonly height?: number; readonly of?: number; readonly size: number }) => void;
}

/** `source-behind`: the source is still downloading the chain. */
export type Followed = 'same' | 'source-behind' | 'stopped';

/**
 * Makes a sink's chain equal to the source's, whatever happens to both in the meantime.
 *
 * The sink itself follows the branch with more work. If the source left a branch for one without more work, since its
 * operator called `invalidateblock`, the branch is invalidated in the sink, too, and reconsidered if the source returns
 * to it. A source in initial block download removes no blocks.
 */
export async function syncChain(source: Source, sink: Sink, watch: Watch): Promise<Followed> {
  const bottom = await commonBottom(source, sink);
  if (bottom === 'source-behind') return bottom;
  let last = '';
  let changes = 0;
  while (!watch.stop.aborted) {
    const [theirs, ours] = await Promise.all([source.tip(), sink.tip()]);
    if (theirs.hash === ours.hash) return 'same';
    const state = `${theirs.hash} ${ours.hash}`;
    if (state === last || changes === MAX_CHANGES) {
      throw new SyncFault(`block ${theirs.hash} of ${source.name} cannot be reached from ${ours.hash}`);
    }
    const outcome = await approach(source, sink, { theirs, ours, bottom, watch });
    if (outcome === 'stopped' || outcome === 'source-behind') return outcome;
    changes = outcome === 'changed' ? changes + 1 : 0;
    last = outcome === 'changed' ? '' : state;
  }
  return 'stopped';
}

interface Sides {
  readonly theirs: SourceTip;
  readonly ours: Tip;
  /** The height of a block that both have. */
  readonly bottom: number;
  readonly watch: Watch;
}

/** Feeds the blocks that the sink lacks. If its tip stays the same, invalidates its own branch. */
async function approach(
  source: Source,
  sink: Sink,
  { theirs, ours, bottom, watch }: Sides,
): Promise<'fed' | 'changed' | Exclude<Followed, 'same'>> {
  const fork = await forkHeight(source, sink, { bottom, top: Math.min(theirs.height, ours.height) });
  const outcome = await feedBranch(source, sink, { fork, theirs, watch });
  if (outcome !== 'fed' || (await sink.tip()).hash !== ours.hash) return outcome;
  if (theirs.isCatchingUp) return 'source-behind';
  const [own] = await sink.hashesAt([fork + 1]);
  if (own !== undefined) await sink.invalidate(own);
  return 'fed';
}

/** Successive changes of the source's chain. */
export const MAX_CHANGES = 100;

/** Returns the height of the sink's first block, which the source must have. */
async function commonBottom(source: Source, sink: Sink): Promise<number | 'source-behind'> {
  const [[theirs], [ours]] = await Promise.all([source.hashesAt([0]), sink.hashesAt([0])]);
  if (theirs === ours) return 0;
  if (ours !== undefined) {
    throw otherChain(source, sink, { height: 0, ours, theirs });
  }
  const first = await firstHeight(sink);
  const [[own], [same]] = await Promise.all([sink.hashesAt([first]), source.hashesAt([first])]);
  if (own !== undefined && own === same) return first;
  if (same === undefined && (await source.tip()).isCatchingUp) return 'source-behind';
  throw otherChain(source, sink, { height: first, ours: own, theirs: same });
}

/** Finds the first height of a chain without genesis block. */
async function firstHeight(sink: Sink): Promise<number> {
  let [low, high] = [1, (await sink.tip()).height];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [hash] = await sink.hashesAt([middle]);
    if (hash === undefined) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function otherChain(
  source: Pick<Source, 'name'>,
  sink: Pick<Sink, 'name'>,
  { height, ours, theirs }: { height: number; ours: string | undefined; theirs: string | undefined },
): SyncFault {
  const [own, other] = [ours ?? 'unknown', theirs ?? 'unknown'];
  const block = height === 0 ? 'genesis block' : `block ${height}`;
  return new SyncFault(`${source.name} is on another chain: its ${block} is ${other}, that of ${sink.name} is ${own}`);
}

/** Heights in one request. */
const PROBES = 16;

/**
 * Finds the last height with the same block, between `bottom`, where both agree, and `top`. Probes at doubling
 * distances from the top, then narrows the interval.
 */
export async function forkHeight(
  a: Pick<Source, 'hashesAt'>,
  b: Pick<Sink, 'hashesAt'>,
  { bottom, top }: { readonly bottom: number; readonly top: number },
): Promise<number> {
  let [same, differs] = [bottom, top + 1];
  let heights: readonly number[] = backwards(top).filter((height) => height > bottom);
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

function backwards(top: number): readonly number[] {
  const heights: number[] = [];
  for (let distance = 0; top - distance > 0; distance = 2 * distance + 1) heights.push(top - distance);
  return heights;
}

function between(low: number, high: number): readonly number[] {
  const step = Math.max(1, Math.ceil((high - low) / (PROBES + 1)));
  const heights: number[] = [];
  for (let height = low + step; height < high; height += step) heights.push(height);
  return heights;
}

/** Hashes in one request. */
const WINDOW = 1000;

interface Branch {
  readonly fork: number;
  readonly theirs: Tip;
}

/** Returns `changed` if the source's chain has changed in the meantime. */
async function feedBranch(
  source: Source,
  sink: Sink,
  { fork, theirs, watch }: Branch & Pick<Sides, 'watch'>,
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

/** Yields fewer blocks if the source's chain has become shorter. */
async function* branchBlocks(source: Source, { fork, theirs }: Branch): AsyncGenerator<string> {
  for (let next = fork + 1; next <= theirs.height; next += WINDOW) {
    const count = Math.min(WINDOW, theirs.height - next + 1);
    const listed = await source.hashesAt(Array.from({ length: count }, (_, i) => next + i));
    const hashes = listed.filter((hash) => hash !== undefined);
    for await (const piece of source.blocks(hashes)) yield* piece;
    if (hashes.length < count) return;
  }
}

/** Reconsiders the block, or its parent, if the sink has it marked as invalid. Errors name `from`. */
export async function feedBlock(sink: Sink, hex: string, from: string): Promise<'fed' | 'known' | 'unknown-parent'> {
  const header = parseHeaderHashes(hex);
  const first = await sink.submitBlock(hex);
  if (!header || first === undefined) throw new SyncFault(`${from}: the block cannot be decoded`);
  if (isAccepted(first)) return 'fed';
  if (first === 'duplicate') return 'known';
  if (first === 'prev-blk-not-found') return 'unknown-parent';
  if (first === 'duplicate-invalid') {
    await sink.reconsider(header.hash);
    return 'known';
  }
  if (first === 'bad-prevblk') await sink.reconsider(header.previous);
  const second = first === 'bad-prevblk' ? await sink.submitBlock(hex) : first;
  if (isAccepted(second)) return 'fed';
  throw new SyncFault(`${from}: block ${header.hash} is refused: ${second}`);
}

/** `inconclusive`: on a branch that is not the active chain. */
const isAccepted = (answer: string | null | undefined): boolean => answer === null || answer === 'inconclusive';
