import { type ByGeneration, byGeneration } from '../../core/generations.ts';

/** Limits on a transaction's relatives, itself included; sizes in virtual bytes. */
export interface FamilyLimits {
  readonly ancestors: number;
  readonly ancestorSize: number;
  readonly descendants: number;
  readonly descendantSize: number;
}

/** Rules by which the mempool of a release accepts transactions. */
interface ReleaseRules {
  /** Core 31 limits clusters; earlier ones limit ancestors and descendants. */
  readonly limitsClusters: boolean;
  /** `testmempoolaccept` of Core 29 takes several transactions. */
  readonly testsPackages: boolean;
  /** Core 29 rounds the fee of a rate up, 0.21 down, but not to 0. */
  readonly roundsFeesUp: boolean;
  readonly maxVersion: number;
  /** In bytes, without witnesses: a transaction of 64 could pass for an inner node of a merkle tree. */
  readonly minSize: number;
  /** Core 29 distinguishes a transaction from its copy with other witnesses. */
  readonly comparesWitnesses: boolean;
  /** Core 30 limits the OP_RETURN scripts of a transaction together; earlier ones allow one. */
  readonly sumsDataCarriers: boolean;
  readonly explainsInputs: boolean;
  /** Takes transactions of version 3, with limits of their own. @see BIP431 */
  readonly knowsTruc: boolean;
  /** Takes one dust output of a transaction without a fee, if a child spends it. */
  readonly knowsEphemeralDust: boolean;
  /** Replaces transactions that do not signal it. */
  readonly replacesAny: boolean;
  /** The transactions of a package whose relay fee the others may pay; what a full mempool asks for on top, they may for all. */
  readonly sharesFees: 'none' | 'truc' | 'all';
  /** A package must have all unconfirmed parents of its child. */
  readonly needsAllParents: boolean;
  /** The error of a transaction of a package that was refused as a whole. Default: such transactions are left out. */
  readonly unjudged: string | undefined;
  /** Transactions of disconnected blocks, too, have to keep BIP431's limits, spend dust, and give others few ancestors. */
  readonly limitsReturned: boolean;
  /** The transactions of the mempool that BIP431's limits look at. */
  readonly trucRelatives: 'ancestors' | 'parents';
  /** The unit of fee rates in texts, after the coin. */
  readonly rateUnit: 'kB' | 'kvB';
  /** Compares the fee rates of replacements exactly, rather than rounded. */
  readonly comparesExactRates: boolean;
  /** @see BIP54 */
  readonly limitsLegacySigOps: boolean;
}

/** The release's rules and the choices of the node's options. Fee rates are in satoshi per 1000 virtual bytes. */
export interface MempoolRules extends ReleaseRules {
  readonly minRelayFee: number;
  /** The rate that a replacement pays on top of the fees that it replaces. */
  readonly incrementalFee: number;
  /** `size` is in virtual bytes. */
  readonly cluster: { readonly count: number; readonly size: number } | undefined;
  /** The most bytes of OP_RETURN scripts: of all in Core 30, of each in 0.21. */
  readonly maxDataCarrier: number;
}

export const mempoolRules: ByGeneration<ReleaseRules> = byGeneration<ReleaseRules>({
  'core-0.21': {
    limitsClusters: false,
    testsPackages: false,
    roundsFeesUp: false,
    maxVersion: 2,
    minSize: 82,
    comparesWitnesses: false,
    sumsDataCarriers: false,
    explainsInputs: false,
    knowsTruc: false,
    knowsEphemeralDust: false,
    replacesAny: false,
    sharesFees: 'none',
    needsAllParents: false,
    unjudged: undefined,
    limitsReturned: false,
    trucRelatives: 'ancestors',
    rateUnit: 'kB',
    comparesExactRates: false,
    limitsLegacySigOps: false,
  },
  'core-29': {
    testsPackages: true,
    roundsFeesUp: true,
    maxVersion: 3,
    minSize: 65,
    comparesWitnesses: true,
    knowsTruc: true,
    knowsEphemeralDust: true,
    replacesAny: true,
    sharesFees: 'truc',
    needsAllParents: true,
    limitsReturned: true,
    rateUnit: 'kvB',
  },
  'core-30': {
    sumsDataCarriers: true,
    limitsLegacySigOps: true,
    comparesExactRates: true,
    needsAllParents: false,
  },
  'core-31': {
    limitsClusters: true,
    sharesFees: 'all',
    limitsReturned: false,
    trucRelatives: 'parents',
    unjudged: 'package-not-validated',
  },
  'core-32': { explainsInputs: true },
});
