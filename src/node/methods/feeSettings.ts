import type { DialectName } from '../../answers/dialect/dialectNames.ts';

/** The fee settings of a node's wallets, as they are by default. Rates are in satoshi per 1000 virtual bytes. */
export interface FeeSettings {
  /** @see Bitcoin Core `-mintxfee` */
  readonly minRate: bigint;
  /** The rate without an estimate; `undefined` if there must be an estimate. @see Bitcoin Core `-fallbackfee` */
  readonly fallbackRate: bigint | undefined;
  /** @see Bitcoin Core `-discardfee` */
  readonly discardRate: bigint;
  /** @see Bitcoin Core `-consolidatefeerate` */
  readonly longTermRate: bigint;
  /** In satoshi. @see Bitcoin Core `-maxtxfee` */
  readonly maxFee: bigint;
}

const BITCOIN: FeeSettings = {
  minRate: 1000n,
  fallbackRate: undefined,
  discardRate: 10_000n,
  longTermRate: 10_000n,
  maxFee: 10_000_000n,
};

export const feeSettings: Readonly<Record<DialectName, FeeSettings>> = {
  documented: BITCOIN,
  'core-0.21': BITCOIN,
  'litecoin-0.21': {
    ...BITCOIN,
    minRate: 10_000n,
    fallbackRate: 200_000n,
    discardRate: 30_000n,
    longTermRate: 200_000n,
  },
  'core-31': BITCOIN,
};
