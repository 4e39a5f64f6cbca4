import { headerOfHex } from './blockHeader.ts';
import type { Sink } from './sourceAndSink.ts';
import { SyncFault } from './syncFault.ts';

/**
 * Feeds a block to a sink. Reconsiders the block, or its parent, if the sink has it marked as invalid.
 *
 * - `from`: origin of the block, for errors
 *
 * @returns `unknown-parent` if the sink lacks the block's parent
 * @throws SyncFault for a block that cannot be decoded, and for one that the sink refuses
 */
export async function feedBlock(sink: Sink, hex: string, from: string): Promise<'fed' | 'known' | 'unknown-parent'> {
  const header = headerOfHex(hex);
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

/** Tells whether a block was accepted; `inconclusive` means on a branch that is not the active chain. */
const isAccepted = (answer: string | null | undefined): boolean => answer === null || answer === 'inconclusive';
