import { parseAmountArgument } from '../../../answers/arguments/amountArgument.ts';
import { isGiven, readValue } from '../../../answers/arguments/argumentValues.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidParameter } from '../../../answers/method/errorCodes.ts';
import type { ReadArguments } from '../../../answers/method/parameters.ts';
import { coinAmount, number, optional, string, unread } from '../../../answers/method/parameters.ts';
import type { RpcError } from '../../../core/errors.ts';
import type { WalletContext } from '../context.ts';
import { assertEstimateMode, parseConfTarget } from '../feeEstimates.ts';
import { spendingRules } from './spendingRules.ts';

export const CONF_TARGET = optional(
  unread(number('conf_target', 'is checked; there are no estimates here, so give a fee rate')),
);
export const ESTIMATE_MODE = optional(string('estimate_mode', 'is checked', { default: 'unset' }));
export const FEE_RATE = optional(unread(coinAmount('fee_rate', 'the fee rate in sat/vB')));

export const FEE_PARAMS = [CONF_TARGET, ESTIMATE_MODE, FEE_RATE] as const;

export interface FeeChoice {
  /** Satoshi per 1000 virtual bytes. Default: an estimate. */
  readonly feeRate?: bigint | undefined;
  /** A confirmation target overrides the rate of `settxfee`. */
  readonly hasTarget?: boolean;
  /** Allows a rate below the minimum. */
  readonly isForced?: boolean;
  /** Default: that of wallets. */
  readonly isReplaceable?: boolean | undefined;
}

/** The arguments, or options of the same names. */
type FeeArguments = ReadArguments<typeof FEE_PARAMS>;

const CONFLICTING_TARGET =
  'Please provide either a confirmation target in blocks for automatic fee estimation, or an explicit fee rate.';

export const targetBesideRate = (name: 'fee_rate' | 'feeRate'): RpcError =>
  invalidParameter(`Cannot specify both conf_target and ${name}. ${CONFLICTING_TARGET}`);

/** Makes a payment with a rate in sat/vB replaceable. @see Bitcoin Core `SetFeeEstimateMode` */
export function parseFeeChoice(
  given: FeeArguments,
  { isForced = false, ...before }: FeeChoice,
  context: WalletContext,
): FeeChoice {
  const { conf_target: target, fee_rate: rate } = given;
  if (isGiven(rate)) {
    if (isGiven(target)) throw targetBesideRate('fee_rate');
    if ((given.estimate_mode ?? 'unset') !== 'unset') {
      throw invalidParameter('Cannot specify both estimate_mode and fee_rate');
    }
    return { isReplaceable: before.isReplaceable ?? true, feeRate: parseFeeRate(rate, context), isForced };
  }
  const { estimate_mode: mode } = given;
  if (mode !== undefined) assertEstimateMode(mode);
  if (isGiven(target)) parseConfTarget(readValue(target, 'number', context.dialect));
  return { isForced, hasTarget: isGiven(target), ...before };
}

/** Converts satoshi per virtual byte to satoshi per 1000. */
function parseFeeRate(value: JsonValue, { network, dialect }: WalletContext): bigint {
  if (spendingRules[dialect.generation].limitsRateDecimals) return parseAmountArgument(value, network, 3);
  return parseAmountArgument(value, network) / 100_000n;
}

export function usualRate({ hasTarget }: FeeChoice, { wallet, settings }: WalletContext): bigint | undefined {
  const rate = wallet.row.payTxFee || settings.payRate;
  return hasTarget || rate === 0n ? undefined : rate;
}

export const formatFeeRate = (rate: bigint): string =>
  `${rate / 1000n}.${String(rate % 1000n).padStart(3, '0')} sat/vB`;
