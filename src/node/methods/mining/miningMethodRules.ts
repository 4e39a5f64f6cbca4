import { type ByGeneration, byGeneration } from '../../../core/generations.ts';

export interface MiningMethodRules {
  /** The error of a template that would not be valid. */
  readonly templateFault: (fault: string) => string;
  /** Checks the content of a proposed block before its place. */
  readonly checksProposalsByContent: boolean;
  readonly readsUnsignedTries: boolean;
  readonly namesMultipath: boolean;
  readonly generateIsGone: string;
  /** Why a header is refused. */
  readonly headerReason: (reason: string) => string;
  /** Keeps what is added to a fee even if the sum is 0. */
  readonly keepsZeroDeltas: boolean;
  /** Refuses blocks and heights that are not there. */
  readonly checksHashSpans: boolean;
  /** A template needs peers on all chains, not only the main one. */
  readonly mustBeConnected: boolean;
  /** The soft forks on which blocks vote, in a template. */
  readonly sortsDeployments: boolean;
  /** Taproot is a rule without a vote, and stands before that of a signet. */
  readonly buriesTaproot: boolean;
  readonly namesSignet: boolean;
}

export const miningMethodRules: ByGeneration<MiningMethodRules> = byGeneration<MiningMethodRules>({
  'core-0.21': {
    templateFault: (fault) => `CreateNewBlock: TestBlockValidity failed: ${fault}`,
    checksProposalsByContent: false,
    readsUnsignedTries: false,
    namesMultipath: false,
    generateIsGone: 'generate\nhas been replaced by the -generate cli option. Refer to -help for more information.',
    headerReason: (reason) => (reason === 'duplicate-invalid' ? 'duplicate' : reason),
    keepsZeroDeltas: true,
    checksHashSpans: false,
    mustBeConnected: true,
    sortsDeployments: false,
    buriesTaproot: false,
    namesSignet: false,
  },
  'core-29': {
    readsUnsignedTries: true,
    namesMultipath: true,
    generateIsGone: 'generate\n\nhas been replaced by the -generate cli option. Refer to -help for more information.\n',
    headerReason: (reason) => reason,
    keepsZeroDeltas: false,
    checksHashSpans: true,
    mustBeConnected: false,
    namesSignet: true,
  },
  'core-30': {
    templateFault: (fault) => `TestBlockValidity failed: ${fault}`,
    checksProposalsByContent: true,
    sortsDeployments: true,
  },
  'core-32': { buriesTaproot: true },
});
