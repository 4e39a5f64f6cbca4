import { parseHex } from '../../core/bytes/hex.ts';
import { headerRules, type Network, networks } from '../../core/network/networks.ts';
import { HEADER_SIZE, parseHeaderHashes } from '../../node/chain/block.ts';
import { blockHash, decodeBlockHeader } from '../../node/chain/blockHeader.ts';
import { MEDIAN_SPAN } from '../../node/chain/chainState.ts';
import { type Ancestor, retargetInterval } from '../../node/chain/difficulty.ts';
import { checkHeaders, type HeaderChain } from '../../node/chain/headerChain.ts';
import { checkOptions, fetchHeaders, refusedHeader } from './headerSource.ts';
import { type Caller, garbage, hashesAt } from './nodeClient.ts';
import { type Source, SyncFault } from './sourceAndSink.ts';

/** Checks headers by proof of work and the network's rules, for a node that does not. */
export interface HeaderCheck {
  /** Begins after the node's active block at `height`. */
  readonly after: (height: number) => Promise<NextCheck>;
}

/** Returns false if the block does not follow the one before. @throws SyncFault for an invalid header */
type NextCheck = (hex: string) => boolean;

interface CheckParts {
  readonly source: Source;
  /** Calls the node that takes the blocks. */
  readonly caller: Caller;
  /** The user's choice, used unless the node's genesis block is known. */
  readonly network: Network;
  /** UNIX time. */
  readonly now: () => number;
}

export function createHeaderCheck(parts: CheckParts): HeaderCheck {
  const { source, caller, now } = parts;
  let network: Network | undefined;
  return {
    after: async (height) => {
      network ??= await identifyNetwork(parts);
      const headers = await chainUpTo(caller, network, height);
      let { tip } = headers;
      const later = new Map<number, Ancestor>();
      const headerAt = (at: number): Ancestor | undefined => later.get(at) ?? headers.headerAt(at);
      return (hex) => {
        // The node refuses a block that cannot be decoded.
        if (!parseHeaderHashes(hex)) return true;
        const header = parseHex(hex.slice(0, 2 * HEADER_SIZE));
        const { accepted, fault } = checkHeaders({ ...headers, tip, headerAt }, [header], checkOptions(headers, now()));
        if (fault?.reason === 'prev-blk-not-found') return false;
        const [next] = accepted;
        if (!next) throw refusedHeader(source, tip.height + 1, fault?.reason);
        tip = next;
        later.set(next.height, next);
        return true;
      };
    },
  };
}

/** @throws SyncFault if only the user can tell the network, and the source differs */
async function identifyNetwork({ source, caller, network }: CheckParts): Promise<Network> {
  const [own] = await hashesAt(caller, [0]);
  const builtIn = Object.values(networks).find((each) => each.genesis?.hash === own);
  if (own !== undefined) return builtIn ?? network;
  const [theirs] = await source.hashesAt([0]);
  if (theirs === network.genesis?.hash) return network;
  throw new SyncFault(
    `${source.name} is not on ${network.name}, and ${caller.name} does not report its network: pass it with --network`,
  );
}

/** Includes the earlier headers that the rules look back to. */
async function chainUpTo(caller: Caller, network: Network, height: number): Promise<HeaderChain> {
  const heights = neededHeights(network, height);
  const hashes = await hashesAt(caller, heights);
  const places = heights.flatMap((at, i) => {
    const hash = hashes[i];
    return hash === undefined ? [] : [{ at, hash }];
  });
  const headers = await fetchHeaders(
    caller,
    places.map(({ hash }) => hash),
  );
  const kept = new Map<number, Ancestor>();
  for (const [i, { at }] of places.entries())
    kept.set(at, decodeBlockHeader(headers[i] ?? new Uint8Array(HEADER_SIZE)));
  const [last, place] = [headers.at(-1), places.at(-1)];
  if (!last || place?.at !== height) throw garbage(caller, 'getblockhash');
  const hash = height === 0 ? parseHex(place.hash).reverse() : blockHash(last);
  const tip = { ...decodeBlockHeader(last), hash, height, work: 0n };
  return { network, tip, headerAt: (at) => kept.get(at) };
}

/** Lists the heights that decide the next header and the next period's target. */
export function neededHeights(network: Network, height: number): readonly number[] {
  const params = headerRules(network);
  const heights = new Set(Array.from({ length: MEDIAN_SPAN }, (_, i) => height - i));
  if (params) {
    const first = height - (height % retargetInterval(params));
    // With minimum-difficulty blocks allowed, the last other block of the period counts.
    const until = params.allowsMinDifficulty ? height : first;
    for (let at = first - 1; at <= until; at += 1) heights.add(at);
  }
  return [...heights].filter((at) => at >= 0).sort((a, b) => a - b);
}
