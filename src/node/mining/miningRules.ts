import { type ByGeneration, byGeneration } from '../../core/generations.ts';

/** How a release makes blocks. Weights are in weight units. */
interface ReleaseRules {
  /** Chooses transactions by the chunks of their clusters, rather than with their ancestors. */
  readonly choosesChunks: boolean;
  /** What is left of a block that counts as full. */
  readonly fullEnough: number;
  /** What the coinbase pushes after the height: Core 32 only where the height alone would be too short. */
  readonly extraNonce: 'none' | 'zero' | 'one';
  /** A coinbase cannot be mined again at another height. */
  readonly locksCoinbase: boolean;
  /** The first block of a period is at most ten minutes older than the block before. @see BIP94 */
  readonly limitsTimewarp: boolean;
}

/** The release's rules and the choices of the node's options. Fee rates are in satoshi per 1000 virtual bytes. */
export interface MiningRules extends ReleaseRules {
  readonly maxWeight: number;
  /** For the header and the coinbase. */
  readonly reservedWeight: number;
  readonly minFee: number;
}

export const miningRules: ByGeneration<ReleaseRules> = byGeneration<ReleaseRules>({
  'core-0.21': {
    choosesChunks: false,
    fullEnough: 4000,
    extraNonce: 'one',
    locksCoinbase: false,
    limitsTimewarp: false,
  },
  'core-29': { fullEnough: 8000, extraNonce: 'zero', limitsTimewarp: true },
  'core-30': { fullEnough: 4000, locksCoinbase: true },
  'core-31': { choosesChunks: true },
  'core-32': { extraNonce: 'none' },
});
