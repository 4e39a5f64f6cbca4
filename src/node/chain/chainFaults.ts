import { blockHash, blockKey } from './blockHeader.ts';
import { type Chain, findActiveBlock } from './chainState.ts';

/** Yields how the records of a chain disagree, as the end of a sentence. */
export function* chainFaults(chain: Chain): Generator<string> {
  const { active, blocks, bodies, counts, first, leafMarks, undo } = chain;
  let parent = first.key;
  for (let height = first.height + 1; height <= counts.height; height += 1) {
    const block = findActiveBlock(chain, height);
    if (block?.previous !== parent || block.height !== height) {
      yield `lacks the block at height ${height}`;
      return;
    }
    parent = block.key;
  }
  if ([...active.keys()].length !== counts.height - first.height) yield 'has blocks above its tip';
  for (const [key, { header }] of blocks.entries()) {
    if (blockKey(blockHash(header)) !== key) yield 'has a block with another hash';
  }
  for (const table of [leafMarks, bodies, undo]) {
    for (const key of table.keys()) if (!blocks.has(key)) yield 'lacks a block of which it has other records';
  }
}
