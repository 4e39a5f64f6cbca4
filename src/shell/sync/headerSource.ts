import { scryptSync } from 'node:crypto';
import { formatReversedHex, isHex, parseHex } from '../../core/bytes/hex.ts';
import { headerRules } from '../../core/network/networks.ts';
import { HEADER_SIZE } from '../../node/chain/block.ts';
import type { Ancestor } from '../../node/chain/difficulty.ts';
import {
  type ChainHeader,
  checkHeaders,
  type HeaderChain,
  type HeaderCheckOptions,
} from '../../node/chain/headerChain.ts';
import { type Call, type Caller, callAll, expectResult, garbage, hashesAt, type Reply } from './nodeClient.ts';
import { SyncFault } from './sourceAndSink.ts';

/** `changed`: the node has left the chain that it sent before. */
export type HeadersEnd = 'at-tip' | 'changed';

/** In one request. */
const WINDOW = 1000;

/** Yields headers after the tip of `chain`, in pieces, checked by proof of work and the network's rules. */
export async function* headersAfter(
  caller: Caller,
  chain: HeaderChain,
  now: () => number,
): AsyncGenerator<readonly ChainHeader[], HeadersEnd> {
  const recent = createRecent(chain);
  for (let { tip } = chain; ; ) {
    const headers = await nextHeaders(caller, { ...chain, tip, headerAt: recent.at }, now());
    if (headers === 'changed') return headers;
    const last = headers.at(-1);
    if (!last) return 'at-tip';
    recent.add(headers);
    tip = last;
    yield headers;
  }
}

/** More than the rules look back. */
const KEPT = 5000;

/** The caller may not have stored the last headers yet. */
function createRecent({ headerAt }: HeaderChain) {
  const kept = new Map<number, Ancestor>();
  return {
    at: (height: number): Ancestor | undefined => kept.get(height) ?? headerAt(height),
    add: (headers: readonly ChainHeader[]): void => {
      for (const { height, time, bits } of headers) {
        kept.set(height, { time, bits });
        kept.delete(height - KEPT);
      }
    },
  };
}

async function nextHeaders(
  caller: Caller,
  chain: HeaderChain,
  now: number,
): Promise<readonly ChainHeader[] | 'changed'> {
  const { tip } = chain;
  const heights = Array.from({ length: WINDOW + 1 }, (_, i) => tip.height + i);
  const [own, ...following] = await hashesAt(caller, heights);
  if (own !== formatReversedHex(tip.hash)) return 'changed';
  const hashes = following.filter((hash) => hash !== undefined);
  if (hashes.length === 0) return [];
  const headers = await fetchHeaders(caller, hashes);
  const { accepted, fault } = checkHeaders(chain, headers, checkOptions(chain, now));
  if (!fault) return accepted;
  const height = tip.height + 1 + fault.index;
  // The chain may have changed while the node listed its hashes.
  const isUnlinked = fault.reason === 'prev-blk-not-found';
  const again = isUnlinked ? await hashesAt(caller, [height - 1, height]) : [];
  const before = [hashes[fault.index - 1] ?? own, hashes[fault.index]];
  if (isUnlinked && again.some((hash, i) => hash !== before[i])) return accepted.length > 0 ? accepted : 'changed';
  throw refusedHeader(caller, height, fault.reason);
}

const refusedHeader = ({ name }: Pick<Caller, 'name'>, height: number, reason: string): SyncFault =>
  new SyncFault(`${name} sent a header for height ${height} that is refused: ${reason}`);

const checkOptions = ({ network }: Pick<HeaderChain, 'network'>, now: number): HeaderCheckOptions => ({
  now,
  checkpoint: headerRules(network)?.knownBlock,
  scrypt: nativeScrypt,
});

/** For Litecoin, faster than in the core. */
const nativeScrypt = (header: Uint8Array): Uint8Array =>
  new Uint8Array(scryptSync(header, header, 32, { N: 1024, r: 1, p: 1 }));

export async function fetchHeaders(caller: Caller, hashes: readonly string[]): Promise<readonly Uint8Array[]> {
  const calls = hashes.map((hash): Call => ({ method: 'getblockheader', params: [hash, false] }));
  const replies = await callAll(caller, calls);
  return calls.map((call, i) => expectHeader(caller, call, replies[i]));
}

function expectHeader(caller: Caller, call: Call, reply: Reply | undefined): Uint8Array {
  const hex = expectResult(caller, call, reply);
  if (typeof hex !== 'string' || hex.length !== 2 * HEADER_SIZE || !isHex(hex)) throw garbage(caller, call.method);
  return parseHex(hex);
}
