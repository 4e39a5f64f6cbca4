import { type ByDialect, byDialect, type Dialect } from '../../answers/dialect/dialect.ts';
import type { MempoolOptions, WalletOptions } from '../bitcoindOptions.ts';
import type { OutputKind } from '../wallet/keys/activeDescriptors.ts';
import { walletWarnings } from './walletWarnings.ts';

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
