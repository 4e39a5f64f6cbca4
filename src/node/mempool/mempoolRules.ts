import { type ByGeneration, byGeneration } from '../../core/generations.ts';

/** Rules by which the mempool of a node takes transactions. Fee rates are in satoshi per 1000 virtual bytes. */
export interface MempoolRules {
  readonly minRelayFee: number;
  /** The rate that a replacement must pay more than what it replaces. */
  readonly incrementalFee: number;
  /** The most transactions and virtual bytes of a cluster in Core 31; 0.21 limits ancestors and descendants. */
  readonly cluster: { readonly count: number; readonly size: number } | undefined;
  /** `testmempoolaccept` of Core 31 takes several transactions, that of 0.21 one. */
  readonly testsPackages: boolean;
  /** Core 31 rounds the fee of a rate up, 0.21 down, but not to nothing. */
  readonly roundsFeesUp: boolean;
  /** The highest standard version of a transaction. */
  readonly maxVersion: number;
  /** The fewest bytes of a transaction, without witnesses: one of 64 could pass for an inner node of a merkle tree. */
  readonly minSize: number;
  /** Core 31 tells a transaction from its copy with other witnesses; 0.21 does not. */
  readonly comparesWitnesses: boolean;
  /** Core 31 limits the OP_RETURN scripts of a transaction together, and allows one dust output; 0.21 neither. */
  readonly sumsDataCarriers: boolean;
  /** Core 31 says which input is not standard; 0.21 does not. */
  readonly explainsInputs: boolean;
  /** Core 31 limits signature checks outside witnesses; 0.21 does not. @see BIP54 */
  readonly limitsLegacySigOps: boolean;
  /** The most bytes of all OP_RETURN scripts of a transaction in Core 31, of each in 0.21. */
  readonly maxDataCarrier: number;
}

/** The rows of {@link MempoolRules}. */
export const mempoolRules: ByGeneration<MempoolRules> = byGeneration<MempoolRules>({
  'core-0.21': {
    minRelayFee: 1000,
    incrementalFee: 1000,
    cluster: undefined,
    testsPackages: false,
    roundsFeesUp: false,
    maxVersion: 2,
    minSize: 82,
    comparesWitnesses: false,
    sumsDataCarriers: false,
    explainsInputs: false,
    limitsLegacySigOps: false,
    maxDataCarrier: 83,
  },
  'core-31': {
    minRelayFee: 100,
    incrementalFee: 100,
    cluster: { count: 64, size: 101_000 },
    testsPackages: true,
    roundsFeesUp: true,
    maxVersion: 3,
    minSize: 65,
    comparesWitnesses: true,
    sumsDataCarriers: true,
    explainsInputs: true,
    limitsLegacySigOps: true,
    maxDataCarrier: 100_000,
  },
});
