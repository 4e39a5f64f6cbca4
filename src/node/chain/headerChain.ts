import { equalBytes } from '../../core/bytes/compare.ts';
import { formatReversedHex } from '../../core/bytes/hex.ts';
import { scryptHash } from '../../core/crypto/scryptHash.ts';
import { type ConsensusParams, headerRules, type Network } from '../../core/network/networks.ts';
import { type BlockHeader, blockHash, decodeBlockHeader } from './blockHeader.ts';
import { MEDIAN_SPAN, medianOf } from './chainState.ts';
import {
  type Ancestor,
  type AncestorAt,
  isPermittedTransition,
  MAX_TIMEWARP,
  requiredBits,
  retargetInterval,
} from './difficulty.ts';
import { blockProof, hasProofOfWork } from './proofOfWork.ts';

export interface ChainHeader extends BlockHeader {
  /** In wire order. */
  readonly hash: Uint8Array;
  readonly height: number;
  /** Summed up from the first header that the caller has. */
  readonly work: bigint;
}

/** Checked headers, which need not begin at the genesis block. */
export interface HeaderChain {
  readonly network: Network;
  readonly tip: ChainHeader;
  /** Must return the tip. Rules that need a missing header are skipped; the last 2017 suffice. */
  readonly headerAt: AncestorAt;
}

export interface HeaderCheckOptions {
  /** UNIX time. */
  readonly now: number;
  /** The block that the chain must contain at its height. */
  readonly checkpoint?: ConsensusParams['knownBlock'];
  /** A faster `scryptHash`. */
  readonly scrypt?: ((header: Uint8Array) => Uint8Array) | undefined;
}

/** Core's reject reasons; the last is our own. */
export type HeaderFault =
  | 'high-hash'
  | 'prev-blk-not-found'
  | 'bad-diffbits'
  | 'time-too-old'
  | 'time-timewarp-attack'
  | 'time-too-new'
  | `bad-version(0x${string})`
  | 'checkpoint-mismatch';

/** The headers before the first bad one. */
export interface CheckedHeaders {
  readonly accepted: readonly ChainHeader[];
  readonly fault?: { readonly index: number; readonly reason: HeaderFault };
}

/**
 * Checks headers that continue a chain, 80 bytes each. Without the network's rules, checks only proof of work, links
 * and times.
 * @throws `bytes/*` for a header of another size
 * @see Bitcoin Core `CheckBlockHeader`, `ContextualCheckBlockHeader`
 */
export function checkHeaders(
  chain: HeaderChain,
  headers: readonly Uint8Array[],
  options: HeaderCheckOptions,
): CheckedHeaders {
  const params = headerRules(chain.network);
  const accepted: ChainHeader[] = [];
  const headerAt = (height: number): Ancestor | undefined =>
    accepted[height - chain.tip.height - 1] ?? chain.headerAt(height);
  const times = lastTimes(chain);
  let tip = chain.tip;
  for (const [index, bytes] of headers.entries()) {
    const header = decodeBlockHeader(bytes);
    const hash = blockHash(bytes);
    const next = { ...header, hash, height: tip.height + 1, work: tip.work + blockProof(header.bits) };
    const reason =
      (hasRequiredWork(chain.network, bytes, options.scrypt) ? undefined : 'high-hash') ??
      (equalBytes(header.previous, tip.hash) ? undefined : 'prev-blk-not-found') ??
      contextFault(next, { params, tip, headerAt, times, now: options.now }) ??
      checkpointFault(next, options.checkpoint);
    if (reason) return { accepted, fault: { index, reason } };
    accepted.push(next);
    times.push(header.time);
    if (times.length > MEDIAN_SPAN) times.shift();
    tip = next;
  }
  return { accepted };
}

function lastTimes({ tip, headerAt }: HeaderChain): number[] {
  const times: number[] = [];
  for (let height = tip.height; height >= 0 && times.length < MEDIAN_SPAN; height -= 1) {
    const time = headerAt(height)?.time;
    if (time === undefined) break;
    times.unshift(time);
  }
  return times;
}

const ANY_TARGET = (1n << 256n) - 1n;

/** Checks a header's proof of work against its own target. @see Bitcoin Core `CheckProofOfWork` */
export function hasRequiredWork(network: Network, header: Uint8Array, scrypt = scryptHash): boolean {
  const params = headerRules(network);
  // A caller's own network with MWEB descends from Litecoin.
  const usesScrypt = params ? params.powHash === 'scrypt' : network.mweb;
  const powHash = usesScrypt ? scrypt(header) : blockHash(header);
  return hasProofOfWork(decodeBlockHeader(header).bits, powHash, params?.powLimit ?? ANY_TARGET);
}

export interface HeaderContext {
  readonly params: ConsensusParams | undefined;
  readonly tip: Pick<ChainHeader, 'height' | 'time' | 'bits'>;
  readonly headerAt: AncestorAt;
  /** Of the tip and its ten ancestors, as far as they are known. */
  readonly times: readonly number[];
  readonly now: number;
}

type Judged = Pick<ChainHeader, 'height' | 'version' | 'time' | 'bits'>;

/** Checks all but proof of work. @see Bitcoin Core `ContextualCheckBlockHeader` */
export function contextFault(header: Judged, context: HeaderContext): HeaderFault | undefined {
  const { params } = context;
  return (
    (params && difficultyFault(params, header, context)) ??
    timeFault(header, context) ??
    (params && versionFault(params, header))
  );
}

function difficultyFault(
  params: ConsensusParams,
  header: Judged,
  { tip, headerAt }: HeaderContext,
): HeaderFault | undefined {
  const required = requiredBits(params, header, headerAt);
  const isRight = required === undefined ? isPermittedTransition(params, header, tip.bits) : header.bits === required;
  return isRight ? undefined : 'bad-diffbits';
}

const MAX_FUTURE = 7200;

function timeFault({ height, time }: Judged, { params, tip, times, now }: HeaderContext): HeaderFault | undefined {
  // Otherwise the median is unknown.
  const isKnown = times.length === Math.min(height, MEDIAN_SPAN);
  if (isKnown && time <= medianOf(times)) return 'time-too-old';
  const isFirst = params?.enforcesBip94 && height % retargetInterval(params) === 0;
  if (isFirst && time < tip.time - MAX_TIMEWARP) return 'time-timewarp-attack';
  return time > now + MAX_FUTURE ? 'time-too-new' : undefined;
}

function versionFault({ versionHeights }: ConsensusParams, { height, version }: Judged): HeaderFault | undefined {
  const isOutdated = versionHeights.some((from, i) => height >= from && version < i + 2);
  return isOutdated ? `bad-version(0x${(version >>> 0).toString(16).padStart(8, '0')})` : undefined;
}

function checkpointFault(
  { height, hash }: ChainHeader,
  checkpoint: ConsensusParams['knownBlock'],
): HeaderFault | undefined {
  if (checkpoint?.height !== height) return undefined;
  return formatReversedHex(hash) === checkpoint.hash ? undefined : 'checkpoint-mismatch';
}
