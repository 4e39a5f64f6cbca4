import {
  RPC_DESERIALIZATION_ERROR,
  RPC_VERIFY_ALREADY_IN_CHAIN,
  RPC_VERIFY_ERROR,
} from '../../answers/method/errorCodes.ts';
import type { Sent, Sink, Source } from './sourceAndSink.ts';

export interface MempoolTally {
  readonly taken: number;
  readonly refused: ReadonlyMap<string, number>;
  readonly dropped: number;
}

interface Feeding {
  readonly stop: AbortSignal;
  /** Txids that the sink cannot decode, and that are not fetched again; updated in place. */
  readonly unreadable: Set<string>;
}

/**
 * Feeds the transactions that the sink's mempool lacks, and drops those that have left the source's. Retries children
 * after their parents, since the source lists them in any order.
 */
export async function syncMempool(source: Source, sink: Sink, { stop, unreadable }: Feeding): Promise<MempoolTally> {
  const [theirs, ours] = await Promise.all([source.mempool(), sink.mempool()]);
  const [listed, pooled] = [new Set(theirs), new Set(ours)];
  for (const txid of [...unreadable]) if (!listed.has(txid)) unreadable.delete(txid);
  let waiting = theirs.filter((txid) => !pooled.has(txid) && !unreadable.has(txid));
  const reasons = new Map<string, string>();
  let taken = 0;
  while (waiting.length > 0 && !stop.aborted) {
    const notes: Notes = { orphans: [], unreadable, reasons };
    const more = await feedTransactions(source, sink, { txids: waiting, stop, notes });
    taken += more;
    if (more === 0) break;
    waiting = notes.orphans;
    for (const txid of waiting) reasons.delete(txid);
  }
  const gone = ours.filter((txid) => !listed.has(txid));
  const dropped = gone.length > 0 && (await areAtOneBlock(source, sink)) ? await dropAll(sink, gone, stop) : 0;
  return { taken, refused: countedBy([...reasons.values()]), dropped };
}

/** With different tips, a transaction may have left the source because it was mined. */
async function areAtOneBlock(source: Source, sink: Sink): Promise<boolean> {
  const [theirs, ours] = await Promise.all([source.tip(), sink.tip()]);
  return theirs.hash === ours.hash;
}

async function dropAll(sink: Sink, txids: readonly string[], stop: AbortSignal): Promise<number> {
  let dropped = 0;
  for (const txid of txids) {
    if (stop.aborted) break;
    // Drops its descendants, too.
    await sink.drop(txid);
    dropped += 1;
  }
  return dropped;
}

async function feedTransactions(
  source: Source,
  sink: Sink,
  { txids, stop, notes }: { readonly txids: readonly string[]; readonly stop: AbortSignal; readonly notes: Notes },
): Promise<number> {
  let taken = 0;
  for await (const { txid, hex } of fetched(source, txids)) {
    if (stop.aborted) break;
    const sent = await sink.send(hex);
    if (sent.kind === 'taken') taken += 1;
    else note(sent, txid, notes);
  }
  return taken;
}

async function* fetched(
  source: Source,
  txids: readonly string[],
): AsyncGenerator<{ readonly txid: string; readonly hex: string }> {
  let at = 0;
  for await (const piece of source.transactions(txids)) {
    for (const hex of piece) {
      const txid = txids[at] ?? '';
      at += 1;
      if (hex !== undefined) yield { txid, hex };
    }
  }
}

interface Notes {
  readonly orphans: string[];
  readonly unreadable: Set<string>;
  readonly reasons: Map<string, string>;
}

function note(
  { code, reason }: Sent & { kind: 'refused' },
  txid: string,
  { orphans, unreadable, reasons }: Notes,
): void {
  // Mined after the mempool was listed.
  if (code === RPC_VERIFY_ALREADY_IN_CHAIN) return;
  if (code === RPC_DESERIALIZATION_ERROR) unreadable.add(txid);
  if (code === RPC_VERIFY_ERROR) orphans.push(txid);
  reasons.set(txid, code === RPC_DESERIALIZATION_ERROR ? 'unreadable' : reason);
}

function countedBy(reasons: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}
