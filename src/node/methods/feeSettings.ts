import { type ByDialect, byDialect } from '../../answers/dialect/dialect.ts';

/** The default fee settings of wallets. Rates are in satoshi per 1000 virtual bytes. */
export interface FeeSettings {
  /** @see Bitcoin Core `-mintxfee` */
  readonly minRate: bigint;
  /** The rate without an estimate, if allowed. @see Bitcoin Core `-fallbackfee` */
  readonly fallbackRate: bigint | undefined;
  /** @see Bitcoin Core `-discardfee` */
  readonly discardRate: bigint;
  /** @see Bitcoin Core `-consolidatefeerate` */
  readonly longTermRate: bigint;
  /** In satoshi. @see Bitcoin Core `-maxtxfee` */
  readonly maxFee: bigint;
}

export const feeSettings: ByDialect<FeeSettings> = byDialect<FeeSettings>({
  'core-0.21': {
    minRate: 1000n,
    fallbackRate: undefined,
    discardRate: 10_000n,
    longTermRate: 10_000n,
    maxFee: 10_000_000n,
  },
  'litecoin-0.21': {
    minRate: 10_000n,
    fallbackRate: 200_000n,
    discardRate: 30_000n,
    longTermRate: 200_000n,
  },
});
