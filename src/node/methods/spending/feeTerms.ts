import { parseAmountArgument } from '../../../answers/arguments/amountArgument.ts';
import { isGiven, readValue } from '../../../answers/arguments/argumentValues.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidParameter } from '../../../answers/method/errorCodes.ts';
import type { ReadArguments } from '../../../answers/method/parameters.ts';
import { coinAmount, number, optional, string, unread } from '../../../answers/method/parameters.ts';
import type { RpcError } from '../../../core/errors.ts';
import { estimateFor } from '../../chain/feeEstimates.ts';
import type { WalletContext } from '../context.ts';
import { assertEstimateMode, parseConfTarget } from '../feeEstimates.ts';
import { spendingRules } from './spendingRules.ts';

export const CONF_TARGET = optional(
  unread(number('conf_target', 'within how many blocks to confirm; without fee estimates, give a fee rate instead')),
);
export const ESTIMATE_MODE = optional(string('estimate_mode', 'is checked', { default: 'unset' }));
export const FEE_RATE = optional(unread(coinAmount('fee_rate', 'the fee rate in sat/vB')));

export const FEE_PARAMS = [CONF_TARGET, ESTIMATE_MODE, FEE_RATE] as const;

export interface FeeChoice {
  /** Satoshi per 1000 virtual bytes. Default: an estimate. */
  readonly feeRate?: bigint | undefined;
  /** In blocks; overrides the rate of `settxfee`. */
  readonly target?: number | undefined;
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
  const blocks = isGiven(target) ? parseConfTarget(readValue(target, 'number', context.dialect)) : undefined;
  return { isForced, target: blocks, ...before };
}

/** Converts satoshi per virtual byte to satoshi per 1000. */
function parseFeeRate(value: JsonValue, { network, dialect }: WalletContext): bigint {
  if (spendingRules[dialect.generation].limitsRateDecimals) return parseAmountArgument(value, network, 3);
  return parseAmountArgument(value, network) / 100_000n;
}

export function usualRate({ target }: FeeChoice, { wallet, settings }: WalletContext): bigint | undefined {
  const rate = wallet.row.payTxFee || settings.payRate;
  return target !== undefined || rate === 0n ? undefined : rate;
}

/** @see Bitcoin Core `-txconfirmtarget` */
const USUAL_TARGET = 6;

/** Returns the estimate that a payment without a rate uses, if there is one. @see Bitcoin Core `GetMinimumFeeRate` */
export function estimatedRate({ target = USUAL_TARGET }: FeeChoice, { node }: WalletContext): bigint | undefined {
  const estimate = estimateFor(node.chain, target);
  return estimate && BigInt(estimate.rate);
}

export const formatFeeRate = (rate: bigint): string =>
  `${rate / 1000n}.${String(rate % 1000n).padStart(3, '0')} sat/vB`;
