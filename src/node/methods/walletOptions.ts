import type { GenerationName } from '../../core/generations.ts';
import type { BitcoindOptions, SettledOptions } from '../bitcoindOptions.ts';
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
  readonly isReplaceable: boolean;
  readonly spendsOwnUnconfirmed: boolean;
  readonly refusesLongChains: boolean;
  readonly addressKind: OutputKind;
  readonly changeKind: OutputKind | undefined;
  /** About the options, in the answer of each call that loads a wallet. */
  readonly warnings: readonly string[];
}

/** Resolves the options of wallets. `given`: without defaults. */
export function walletSettings(
  generation: GenerationName,
  given: BitcoindOptions,
  options: SettledOptions,
): WalletSettings {
  const { fallbackfee, maxapsfee, changetype, addresstype } = options;
  return {
    minRate: BigInt(options.mintxfee),
    fallbackRate: fallbackfee === 0 ? undefined : BigInt(fallbackfee),
    discardRate: BigInt(options.discardfee),
    longTermRate: BigInt(options.consolidatefeerate),
    payRate: BigInt(options.paytxfee),
    maxFee: BigInt(options.maxtxfee),
    maxGroupingFee: maxapsfee === -1 ? undefined : BigInt(maxapsfee),
    avoidsPartialSpends: options.avoidpartialspends,
    broadcasts: options.walletbroadcast,
    isReplaceable: options.walletrbf,
    spendsOwnUnconfirmed: options.spendzeroconfchange,
    refusesLongChains: options.walletrejectlongchains,
    addressKind: addresstype,
    changeKind: changetype ?? (addresstype === 'legacy' ? 'legacy' : undefined),
    warnings: walletWarnings(given, generation),
  };
}
