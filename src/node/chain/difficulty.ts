import type { ConsensusParams } from '../../core/network/networks.ts';
import type { BlockHeader } from './blockHeader.ts';
import { decodeCompact, encodeCompact } from './proofOfWork.ts';

export type Ancestor = Pick<BlockHeader, 'time' | 'bits'>;

/** Returns `undefined` for a header that the caller does not keep. */
export type AncestorAt = (height: number) => Ancestor | undefined;

const LARGEST_STEP = 4;
/** Seconds by which a period's first block may be older than the block before. @see BIP94 */
export const MAX_TIMEWARP = 600;

export const retargetInterval = ({ targetTimespan, targetSpacing }: ConsensusParams): number =>
  targetTimespan / targetSpacing;

/**
 * Returns `undefined` if `ancestorAt` lacks a header on which the target depends.
 *
 * - `height`, `time`: of the header whose target it is
 *
 * @see Bitcoin Core `GetNextWorkRequired`; BIP94
 */
export function requiredBits(
  params: ConsensusParams,
  { height, time }: { readonly height: number; readonly time: number },
  ancestorAt: AncestorAt,
): number | undefined {
  const last = height - 1;
  const tip = ancestorAt(last);
  if (!tip) return undefined;
  const interval = retargetInterval(params);
  if (height % interval === 0) return retargeted(params, { last, tip, interval, ancestorAt });
  if (!params.allowsMinDifficulty) return tip.bits;
  const easiest = encodeCompact(params.powLimit);
  if (time > tip.time + 2 * params.targetSpacing) return easiest;
  // The last block whose target is not the exception.
  let from = last;
  let at: Ancestor | undefined = tip;
  while (at?.bits === easiest && from % interval !== 0) {
    from -= 1;
    at = ancestorAt(from);
  }
  return at?.bits;
}

interface Period {
  readonly last: number;
  readonly tip: Ancestor;
  readonly interval: number;
  readonly ancestorAt: AncestorAt;
}

/** @see Bitcoin Core `CalculateNextWorkRequired` */
function retargeted(params: ConsensusParams, { last, tip, interval, ancestorAt }: Period): number | undefined {
  if (params.hasNoRetargeting) return tip.bits;
  const first = last + 1 - interval;
  // Litecoin counts from the block before the period, except in the first one.
  const start = ancestorAt(params.countsWholePeriod && first > 0 ? first - 1 : first);
  const base = params.enforcesBip94 ? ancestorAt(first) : tip;
  return start && base && scaledBits(params, base.bits, tip.time - start.time);
}

function scaledBits({ powLimit, targetTimespan }: ConsensusParams, bits: number, timespan: number): number {
  const taken = Math.min(Math.max(timespan, targetTimespan / LARGEST_STEP), targetTimespan * LARGEST_STEP);
  const target = decodeCompact(bits) ?? 0n;
  // On Litecoin, the product could exceed 256 bits.
  const mayOverflow = powLimit * BigInt(targetTimespan * LARGEST_STEP) >= 1n << 256n;
  const shift = mayOverflow && target > powLimit >> 1n ? 1n : 0n;
  const scaled = (((target >> shift) * BigInt(taken)) / BigInt(targetTimespan)) << shift;
  return encodeCompact(scaled < powLimit ? scaled : powLimit);
}

/**
 * Checks the target of a header for a caller that lacks the headers to compute it. `previousBits`: of its parent.
 * @see Bitcoin Core `PermittedDifficultyTransition`
 */
export function isPermittedTransition(
  params: ConsensusParams,
  { height, bits }: { readonly height: number; readonly bits: number },
  previousBits: number,
): boolean {
  if (params.allowsMinDifficulty) return true;
  if (height % retargetInterval(params) !== 0) return bits === previousBits;
  const at = (timespan: number): bigint => decodeCompact(scaledBits(params, previousBits, timespan)) ?? 0n;
  const target = decodeCompact(bits) ?? 0n;
  return target >= at(0) && target <= at(Number.MAX_SAFE_INTEGER);
}
