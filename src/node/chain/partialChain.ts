import { BtcError } from '../../core/errors.ts';
import { orderKey } from '../store/orderKey.ts';
import { type BlockKey, blockHash } from './blockHeader.ts';
import { headerWork, placeHeader } from './chainCodec.ts';
import { activeBlock, type Chain } from './chainState.ts';
import type { ChainBlock } from './types.ts';

const ONLY = '';

/** Makes a block the first of an empty chain, leaving those before it unknown. @throws `block/unknown` */
export function startChain(chain: Chain, header: Uint8Array, height: number): void {
  if (!isEmpty(chain)) {
    throw new BtcError('block/unknown', {}, 'The chain has blocks already: start in a new directory');
  }
  const own = placeHeader(header, blockHash(header));
  const { key } = own;
  const first = { ...own, height, maxTime: own.time, order: 0, work: headerWork(own) };
  for (const leaf of chain.leaves.keys()) chain.leafMarks.delete(leaf);
  chain.starts.delete(chain.first.key);
  chain.first = { ...first, previous: undefined };
  chain.starts.set(key, first);
  chain.leaves.clear();
  chain.leaves.set(key, chain.first);
  markPartial(chain);
  chain.counts = { ...chain.counts, height };
}

/**
 * Puts headers before the first block of a chain; their transactions stay unknown.
 *
 * - `headers`: 80 bytes each, up to the parent of the first block, possibly from the genesis block on
 *
 * @throws `block/unknown` for headers that do not lead to the first block
 */
export function prependHeaders(chain: Chain, headers: readonly Uint8Array[], genesis: ChainBlock): void {
  const { first: old, blocks, active, starts, leaves, leafMarks } = chain;
  const added = placeBefore(old, headers, genesis);
  const [first, last] = [added[0], added.at(-1)];
  if (!first || !last) return;
  const later = [{ ...old, previous: last.key }, ...[...blocks.entries()].map(([, block]) => block)];
  for (const block of later) {
    const maxTime = Math.max(block.maxTime, last.maxTime);
    blocks.set(block.key, { ...block, maxTime, work: block.work + last.work });
  }
  for (const block of added.slice(1)) {
    blocks.set(block.key, block);
    active.set(orderKey(block.height), block.key);
  }
  active.set(orderKey(old.height), old.key);
  starts.delete(old.key);
  if (first.height > 0) starts.set(first.key, first);
  chain.first = { ...first, previous: undefined };
  for (const key of leaves.keys()) {
    const block = blocks.get(key);
    if (block) leaves.set(key, block);
    leafMarks.set(key, true);
  }
}

function placeBefore(old: ChainBlock, headers: readonly Uint8Array[], genesis: ChainBlock): readonly ChainBlock[] {
  const added: ChainBlock[] = [];
  const assertLinked = (previous: BlockKey, parent: ChainBlock | undefined): void => {
    if (parent && previous !== parent.key) {
      throw new BtcError('block/unknown', {}, 'The headers do not lead to the first block of the chain');
    }
  };
  for (const [i, header] of headers.entries()) {
    const own = placeHeader(header, blockHash(header));
    const height = old.height - headers.length + i;
    const parent = added.at(-1);
    assertLinked(own.previous, parent);
    const [maxTime, work] = [Math.max(parent?.maxTime ?? 0, own.time), (parent?.work ?? 0n) + headerWork(own)];
    added.push(height === 0 ? genesis : { ...own, height, maxTime, order: 0, work });
  }
  assertLinked(placeHeader(old.header, old.hash).previous, added.at(-1));
  return added;
}

/** Forgets the transactions of old blocks, which can then no longer be disconnected. */
export function pruneBlocks(chain: Chain, kept: number): void {
  for (const key of [...chain.bodies.keys()]) {
    const height = chain.blocks.get(key)?.height;
    if (height === undefined || height > chain.counts.height - kept) continue;
    chain.bodies.delete(key);
    chain.undo.delete(key);
    markPartial(chain);
  }
}

const isEmpty = ({ leaves, first }: Chain): boolean => leaves.size === 1 && leaves.has(first.key);

/** Tells whether the coins of a chain may be incomplete, since it lacks the transactions of some blocks. */
export const isPartial = ({ partial }: Chain): boolean => partial.get(ONLY) === true;

export function markPartial(chain: Chain): void {
  if (!isPartial(chain)) chain.partial.set(ONLY, true);
}

/** A genesis block's transaction never matters. */
export const hasBody = ({ bodies }: Chain, { key, height }: Pick<ChainBlock, 'key' | 'height'>): boolean =>
  height === 0 || bodies.has(key);

/**
 * Returns the last block between two heights whose transactions are unknown.
 *
 * - `from`: at least the height of the first block
 */
export function lastMissing(chain: Chain, from: number, to: number = chain.counts.height): ChainBlock | undefined {
  if (!isPartial(chain)) return undefined;
  for (let height = to; height >= from; height -= 1) {
    const block = activeBlock(chain, height);
    if (!hasBody(chain, block)) return block;
  }
  return undefined;
}
