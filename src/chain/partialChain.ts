import { BtcError } from '../errors.ts';
import { blockHash } from './blockHeader.ts';
import { placeHeader } from './chainCodec.ts';
import { activeBlock, type Chain } from './chainState.ts';
import type { ChainBlock } from './types.ts';

/** Chains that lack blocks, or the transactions of blocks. */

/** The key of the only mark. */
const ONLY = '';

/**
 * Makes a block the first of a chain that has only its first block. The blocks before it stay unknown.
 *
 * - `header`: 80 bytes
 *
 * @throws BtcError `block/unknown` for a chain that has more blocks
 */
export function startChain(chain: Chain, header: Uint8Array, height: number): void {
  if (!isEmpty(chain)) {
    throw new BtcError('block/unknown', {}, 'The chain has blocks already: start in a new directory');
  }
  const own = placeHeader(header, blockHash(header));
  const { key } = own;
  const first = { ...own, height, maxTime: own.time, order: 0 };
  for (const leaf of chain.leaves.keys()) chain.leafMarks.delete(leaf);
  chain.starts.delete(chain.first.key);
  chain.first = { ...first, previous: undefined };
  chain.starts.set(key, first);
  chain.leaves.clear();
  chain.leaves.set(key, chain.first);
  markPartial(chain);
  chain.counts = { ...chain.counts, height };
}

/** Tells whether a chain has only its first block, and no branches. */
const isEmpty = ({ leaves, first }: Chain): boolean => leaves.size === 1 && leaves.has(first.key);

/** Tells whether the coins of a chain are incomplete, since it lacks the transactions of some blocks. */
export const isPartial = ({ partial }: Chain): boolean => partial.get(ONLY) === true;

/** Marks a chain as one that lacks the transactions of some blocks. */
export function markPartial(chain: Chain): void {
  if (!isPartial(chain)) chain.partial.set(ONLY, true);
}

/** Tells whether the transactions of a block are known; those of a genesis block never matter. */
const hasBody = ({ bodies }: Chain, { key, height }: Pick<ChainBlock, 'key' | 'height'>): boolean =>
  height === 0 || bodies.has(key);

/**
 * Returns the last block of the active chain, from a height on, whose transactions are unknown.
 *
 * - `from`: at least the height of the first block
 */
export function lastMissing(chain: Chain, from: number): ChainBlock | undefined {
  if (!isPartial(chain)) return undefined;
  for (let { height } = chain.counts; height >= from; height -= 1) {
    const block = activeBlock(chain, height);
    if (!hasBody(chain, block)) return block;
  }
  return undefined;
}
