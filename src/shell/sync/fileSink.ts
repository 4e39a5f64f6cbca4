import { RPC_DESERIALIZATION_ERROR } from '../../answers/method/errorCodes.ts';
import { parseHex } from '../../core/bytes/hex.ts';
import { unlessRefused } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';
import { decodeTransaction } from '../../core/tx/codec.ts';
import { formatTxid, txid } from '../../core/tx/txid.ts';
import { parseHeaderHashes } from '../../node/chain/block.ts';
import { type Sink, type Source, SyncFault } from './sourceAndSink.ts';

interface FileSinkParts {
  readonly name: string;
  readonly network: Network;
  /** Writes only blocks above this height. */
  readonly since: number;
  /** Resolves when more may be written. */
  readonly write: (line: string) => Promise<void>;
}

/** In case a branch leaves the chain below `since`. */
const REMEMBERED = 1000;

/**
 * Creates a sink that writes the format of `readTextFile`. Its chain is the source's up to `since`, then the blocks fed
 * to it. A branch that forks below `since` is written whole, since the file's reader has none of it.
 */
export async function fileSink(source: Source, { name, network, since, write }: FileSinkParts): Promise<Sink> {
  const genesis = network.genesis?.hash;
  const base = Math.max(0, since - REMEMBERED);
  const first = Array.from({ length: since - base + 1 }, (_, i) => base + i);
  /** From height `base` on; `heights` is the inverse. */
  const written = (since === 0 ? [genesis] : await source.hashesAt(first)).filter((hash) => hash !== undefined);
  const [start] = written;
  if (start === undefined || written.length < first.length) {
    throw new SyncFault(`--since ${since}: ${source.name} has no block at that height`);
  }
  const heights = new Map(written.map((hash, i) => [hash, base + i]));
  const sent = new Set<string>();
  const cut = (height: number): void => {
    for (const hash of written.splice(height - base)) heights.delete(hash);
  };
  return {
    name,
    tip: async () => ({ height: base + written.length - 1, hash: written[written.length - 1] ?? start }),
    hashesAt: async (requested) => {
      const isEarlier = (height: number): boolean => height > 0 && height < base;
      const earlier = [...(await source.hashesAt(requested.filter(isEarlier)))];
      return requested.map((height) => {
        if (isEarlier(height)) return earlier.shift();
        return height === 0 ? genesis : written[height - base];
      });
    },
    submitBlock: async (hex) => {
      const header = parseHeaderHashes(hex);
      const parent = header && heights.get(header.previous);
      if (!header) return undefined;
      if (parent === undefined) return 'prev-blk-not-found';
      await write(`block ${hex}\n`);
      cut(parent + 1);
      heights.set(header.hash, parent + 1);
      written.push(header.hash);
      return null;
    },
    // Not written: the file's reader follows the longer branch.
    invalidate: async (hash) => {
      const height = heights.get(hash);
      if (height !== undefined) cut(Math.max(height, base + 1));
    },
    reconsider: async () => undefined,
    mempool: async () => [...sent],
    drop: async (txid) => {
      await write(`drop ${txid}\n`);
      return sent.delete(txid);
    },
    send: async (hex) => {
      const tx = unlessRefused(() => decodeTransaction(parseHex(hex), { mweb: network.mweb }));
      if (!tx) return { kind: 'refused', code: RPC_DESERIALIZATION_ERROR, reason: 'unreadable' };
      await write(`tx ${hex}\n`);
      sent.add(formatTxid(txid(tx)));
      return { kind: 'taken' };
    },
  };
}
