import { type ByDialect, byDialect, type Dialect } from '../../answers/dialect/dialect.ts';
import type { MempoolOptions } from '../mempool/mempoolPolicy.ts';
import type { OutputKind } from '../wallet/keys/activeDescriptors.ts';
import { walletWarnings } from './walletWarnings.ts';

/** The wallets' options, by the names of bitcoind's. Rates are in satoshi per 1000 virtual bytes. */
export interface WalletOptions {
  /** The fee rate of a payment that states none, as there are no estimates; 0 for none. Default: none. */
  readonly fallbackfee?: number | undefined;
  /** The lowest fee rate. Default 1000. */
  readonly mintxfee?: number | undefined;
  /** The fee rate at which change may become a fee. Default 10 000. */
  readonly discardfee?: number | undefined;
  /** The fee rate below which coins are gathered. Default 10 000. */
  readonly consolidatefeerate?: number | undefined;
  /** The fee rate of payments, before Core 31; 0 for none. Default 0. */
  readonly paytxfee?: number | undefined;
  /** The highest fee of a payment, in satoshi. Default 10 000 000. */
  readonly maxtxfee?: number | undefined;
  /** What avoiding partial spends may cost, in satoshi; -1 for nothing. Default 0. */
  readonly maxapsfee?: number | undefined;
  /** Groups coins by address. Default false. */
  readonly avoidpartialspends?: boolean | undefined;
  /** Submits payments to the mempool. Default true. */
  readonly walletbroadcast?: boolean | undefined;
  /** Signals replaceability. Default true; before Core 23, false. */
  readonly walletrbf?: boolean | undefined;
  /** Spends unconfirmed change. Default true. */
  readonly spendzeroconfchange?: boolean | undefined;
  /** Refuses payments that the mempool would for their unconfirmed ancestors. Default true; before Core 23, false. */
  readonly walletrejectlongchains?: boolean | undefined;
  /** Default `bech32`. */
  readonly addresstype?: OutputKind | undefined;
  /** Default: one that does not stand out beside the recipients. */
  readonly changetype?: OutputKind | undefined;
  /** Keys ahead of the last used one. Default 1000. */
  readonly keypool?: number | undefined;
}

/** The settings of wallets. Rates are in satoshi per 1000 virtual bytes. */
export interface WalletSettings {
  /** @see Bitcoin Core `-mintxfee` */
  readonly minRate: bigint;
  /** The rate without an estimate, if allowed. @see Bitcoin Core `-fallbackfee` */
  readonly fallbackRate: bigint | undefined;
  /** @see Bitcoin Core `-discardfee` */
  readonly discardRate: bigint;
  /** @see Bitcoin Core `-consolidatefeerate` */
  readonly longTermRate: bigint;
  /** Of payments that name neither a rate nor a target. @see Bitcoin Core `-paytxfee` */
  readonly payRate: bigint;
  /** In satoshi. @see Bitcoin Core `-maxtxfee` */
  readonly maxFee: bigint;
  /** In satoshi; `undefined` for nothing. @see Bitcoin Core `-maxapsfee` */
  readonly maxGroupingFee: bigint | undefined;
  readonly avoidsPartialSpends: boolean;
  readonly broadcasts: boolean;
  /** Default: that of the release. */
  readonly isReplaceable: boolean | undefined;
  readonly spendsOwnUnconfirmed: boolean;
  /** Default: that of the release. */
  readonly refusesLongChains: boolean | undefined;
  readonly addressKind: OutputKind;
  readonly changeKind: OutputKind | undefined;
  /** About the options, in the answer of each call that loads a wallet. */
  readonly warnings: readonly string[];
}

type UsualSettings = Omit<WalletSettings, 'warnings'>;

const defaults: ByDialect<UsualSettings> = byDialect<UsualSettings>({
  'core-0.21': {
    minRate: 1000n,
    fallbackRate: undefined,
    discardRate: 10_000n,
    longTermRate: 10_000n,
    payRate: 0n,
    maxFee: 10_000_000n,
    maxGroupingFee: 0n,
    avoidsPartialSpends: false,
    broadcasts: true,
    isReplaceable: undefined,
    spendsOwnUnconfirmed: true,
    refusesLongChains: undefined,
    addressKind: 'bech32',
    changeKind: undefined,
  },
  'litecoin-0.21': {
    minRate: 10_000n,
    fallbackRate: 200_000n,
    discardRate: 30_000n,
    longTermRate: 200_000n,
  },
});

const sats = (value: number | undefined, fallback: bigint): bigint => (value === undefined ? fallback : BigInt(value));

/** Resolves the options of wallets for a release. */
export function walletSettings(
  { name, generation }: Pick<Dialect, 'name' | 'generation'>,
  options: WalletOptions & Pick<MempoolOptions, 'minrelaytxfee'>,
): WalletSettings {
  const usual = defaults[name];
  const { fallbackfee, maxapsfee } = options;
  return {
    minRate: sats(options.mintxfee, usual.minRate),
    fallbackRate: fallbackfee === undefined ? usual.fallbackRate : fallbackfee === 0 ? undefined : BigInt(fallbackfee),
    discardRate: sats(options.discardfee, usual.discardRate),
    longTermRate: sats(options.consolidatefeerate, usual.longTermRate),
    payRate: sats(options.paytxfee, usual.payRate),
    maxFee: sats(options.maxtxfee, usual.maxFee),
    maxGroupingFee: maxapsfee === -1 ? undefined : sats(maxapsfee, 0n),
    avoidsPartialSpends: options.avoidpartialspends ?? usual.avoidsPartialSpends,
    broadcasts: options.walletbroadcast ?? usual.broadcasts,
    isReplaceable: options.walletrbf,
    spendsOwnUnconfirmed: options.spendzeroconfchange ?? usual.spendsOwnUnconfirmed,
    refusesLongChains: options.walletrejectlongchains,
    addressKind: options.addresstype ?? usual.addressKind,
    changeKind: options.changetype ?? (options.addresstype === 'legacy' ? 'legacy' : undefined),
    warnings: walletWarnings(options, generation),
  };
}
