import { headerOfHex } from './blockHeader.ts';
import { SyncFault } from './fault.ts';
import type { Sink } from './sides.ts';

/**
 * Feeds a block that may be known already, or have been invalidated before.
 *
 * - `from`: where it comes from, for errors
 *
 * @returns `unknown-parent` where the block before it was not fed
 * @throws SyncFault for what is no block, and for one that the sink refuses
 */
export async function feedBlock(sink: Sink, hex: string, from: string): Promise<'fed' | 'known' | 'unknown-parent'> {
  const header = headerOfHex(hex);
  const first = await sink.submitBlock(hex);
  if (!header || first === undefined) throw new SyncFault(`${from}: no block that can be read`);
  if (isTaken(first)) return 'fed';
  if (first === 'duplicate') return 'known';
  if (first === 'prev-blk-not-found') return 'unknown-parent';
  if (first === 'duplicate-invalid') {
    await sink.reconsider(header.hash);
    return 'known';
  }
  if (first === 'bad-prevblk') await sink.reconsider(header.previous);
  const second = first === 'bad-prevblk' ? await sink.submitBlock(hex) : first;
  if (isTaken(second)) return 'fed';
  throw new SyncFault(`${from}: block ${header.hash} is refused: ${second}`);
}

/** Also what is not in the active chain yet. */
const isTaken = (answer: string | null | undefined): boolean => answer === null || answer === 'inconclusive';
