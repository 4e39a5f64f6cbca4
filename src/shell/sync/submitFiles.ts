import { RPC_DESERIALIZATION_ERROR, RPC_VERIFY_ALREADY_IN_CHAIN } from '../../answers/method/errorCodes.ts';
import { parseHeaderHashes } from '../../node/chain/block.ts';
import { type Sink, SyncFault } from './sourceAndSink.ts';
import { feedBlock, type Watch } from './syncChain.ts';
import type { Entry } from './textFile.ts';

interface FilesTally {
  readonly taken: number;
  readonly refused: ReadonlyMap<string, number>;
  readonly dropped: number;
}

/** @throws SyncFault for an entry that cannot be decoded, or a block that does not connect */
export async function feedEntries(entries: AsyncIterable<Entry>, sink: Sink, watch: Watch): Promise<FilesTally> {
  const tally = { taken: 0, dropped: 0, refused: new Map<string, number>() };
  for await (const entry of entries) {
    if (watch.stop.aborted) break;
    await feedEntry(entry, sink, { watch, tally });
  }
  return tally;
}

const NO_BLOCK = '0'.repeat(64);

interface Feeding {
  readonly watch: Watch;
  readonly tally: { taken: number; dropped: number; readonly refused: Map<string, number> };
}

async function feedEntry(entry: Entry, sink: Sink, { watch, tally }: Feeding): Promise<void> {
  const { kind, hex, at } = entry;
  if (kind === 'block') return await feedBlockAt(entry, sink, watch);
  if (kind === 'drop') {
    if (await sink.drop(hex)) tally.dropped += 1;
    return;
  }
  const sent = await sink.send(hex);
  if (sent.kind === 'taken') tally.taken += 1;
  else if (sent.code === RPC_DESERIALIZATION_ERROR) throw new SyncFault(`${at}: the transaction cannot be decoded`);
  else if (sent.code !== RPC_VERIFY_ALREADY_IN_CHAIN) {
    tally.refused.set(sent.reason, (tally.refused.get(sent.reason) ?? 0) + 1);
  }
}

async function feedBlockAt({ hex, at }: Entry, sink: Sink, watch: Watch): Promise<void> {
  const outcome = await feedBlock(sink, hex, at);
  if (outcome === 'fed') watch.onBlock({ size: hex.length / 2 });
  if (outcome !== 'unknown-parent') return;
  const { hash, previous } = parseHeaderHashes(hex) ?? {};
  if (previous === NO_BLOCK)
    throw new SyncFault(`${at}: block ${hash} is the genesis block of another chain: check --network`);
  throw new SyncFault(`${at}: block ${hash} does not connect: its parent ${previous} is missing`);
}
