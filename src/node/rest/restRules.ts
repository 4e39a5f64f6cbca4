import type { SafeFor } from '../../core/encoding/sanitizeString.ts';
import { type ByGeneration, byGeneration } from '../../core/generations.ts';

export interface RestRules {
  /**
   * How parameters behind a question mark are read. `strict`: as libevent does, which refuses what RFC 3986 does not
   * allow, and forgets all if one has no value; `none`: they are part of the path.
   */
  readonly query: 'none' | 'strict' | 'lenient';
  /** The number of headers stands in the path only. */
  readonly countsInPath: boolean;
  /** `verbosity` of `getblock` for blocks with their transactions. */
  readonly blockVerbosity: 2 | 3;
  /** The end of the error for a block of which only the header has come. */
  readonly awaitedBlock: string;
  /** A height may begin with a plus sign. */
  readonly takesPlusSign: boolean;
  /** The characters of a height that an error keeps. */
  readonly heightSafeFor: SafeFor;
  /** Reads the hex of outpoints as far as it goes, whatever its length; later ones must be whole. */
  readonly takesBrokenOutpoints: boolean;
  /** Says whether replies may be kept. */
  readonly saysCaching: boolean;
}

export const restRules: ByGeneration<RestRules> = byGeneration<RestRules>({
  'core-0.21': {
    query: 'none',
    countsInPath: true,
    blockVerbosity: 2,
    awaitedBlock: 'not found',
    takesPlusSign: true,
    heightSafeFor: 'default',
    takesBrokenOutpoints: true,
    saysCaching: false,
  },
  'core-29': {
    query: 'strict',
    countsInPath: false,
    blockVerbosity: 3,
    awaitedBlock: 'not available (not fully downloaded)',
    takesBrokenOutpoints: false,
  },
  'core-30': { takesPlusSign: false, heightSafeFor: 'uri' },
  'core-32': { query: 'lenient', saysCaching: true },
});
