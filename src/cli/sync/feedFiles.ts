import { headerOfHex } from './blockHeader.ts';
import { SyncFault } from './fault.ts';
import { feedBlock } from './feedBlock.ts';
import { RPC_DESERIALIZATION_ERROR, RPC_VERIFY_ALREADY_IN_CHAIN } from './nodeSink.ts';
import type { Sink } from './sides.ts';
import type { Watch } from './syncChain.ts';
import type { Entry } from './textFile.ts';

/** What has become of a file's transactions. */
interface FilesTally {
  readonly taken: number;
  /** How many were not taken, by the sink's reason. */
  readonly refused: ReadonlyMap<string, number>;
  readonly dropped: number;
}

/**
 * Feeds blocks and transactions out of files, as they come; a transaction that the sink refuses is counted.
 * @throws SyncFault for what cannot be read, and a block that does not connect, saying where it stands
 */
export async function feedEntries(entries: AsyncIterable<Entry>, sink: Sink, watch: Watch): Promise<FilesTally> {
  const tally = { taken: 0, dropped: 0, refused: new Map<string, number>() };
  for await (const entry of entries) {
    if (watch.stop.aborted) break;
    await feedEntry(entry, sink, { watch, tally });
  }
  return tally;
}

/** What stands for the block before the first. */
const NO_BLOCK = '0'.repeat(64);

interface Feeding {
  readonly watch: Watch;
  readonly tally: { taken: number; dropped: number; readonly refused: Map<string, number> };
}

async function feedEntry({ kind, hex, at }: Entry, sink: Sink, { watch, tally }: Feeding): Promise<void> {
  if (kind === 'block') return await feedBlockAt(sink, hex, at, watch);
  if (kind === 'drop') {
    if (await sink.drop(hex)) tally.dropped += 1;
    return;
  }
  const sent = await sink.send(hex);
  if (sent.kind === 'taken') tally.taken += 1;
  else if (sent.code === RPC_DESERIALIZATION_ERROR) throw new SyncFault(`${at}: no transaction that can be read`);
  else if (sent.code !== RPC_VERIFY_ALREADY_IN_CHAIN) {
    tally.refused.set(sent.reason, (tally.refused.get(sent.reason) ?? 0) + 1);
  }
}

async function feedBlockAt(sink: Sink, hex: string, at: string, watch: Watch): Promise<void> {
  const outcome = await feedBlock(sink, hex, at);
  if (outcome === 'fed') watch.onBlock({ size: hex.length / 2 });
  if (outcome !== 'unknown-parent') return;
  const { hash, previous } = headerOfHex(hex) ?? {};
  if (previous === NO_BLOCK)
    throw new SyncFault(`${at}: block ${hash} is the first of another chain: which --network?`);
  throw new SyncFault(`${at}: block ${hash} does not connect: the block before it, ${previous}, was not fed`);
}
