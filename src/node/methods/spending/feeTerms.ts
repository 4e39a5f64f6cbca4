import { parseAmountArgument } from '../../../answers/arguments/amountArgument.ts';
import type { FeeRate } from '../../../answers/arguments/argumentTypes.ts';
import { isGiven, readValue } from '../../../answers/arguments/argumentValues.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { invalidParameter } from '../../../answers/method/errorCodes.ts';
import { json, of, optional } from '../../../answers/method/parameters.ts';
import type { RpcError } from '../../../core/errors.ts';
import type { WalletContext } from '../context.ts';
import { assertEstimateMode, parseConfTarget } from '../feeEstimates.ts';
import { spendingRules } from './spendingRules.ts';

export const FEE_PARAMS = [
  optional(
    json(
      'conf_target',
      of<number>(),
      { type: 'number' },
      'is checked; there are no estimates here, so give a fee rate',
    ),
  ),
  optional(json('estimate_mode', of<string>(), { type: 'string' }, 'is checked')),
  optional(json('fee_rate', of<FeeRate>(), { shownType: 'number or string' }, 'the fee rate in sat/vB')),
] as const;

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

interface FeeArguments {
  readonly target: JsonValue | undefined;
  readonly mode: JsonValue | undefined;
  readonly rate: JsonValue | undefined;
}

const CONFLICTING_TARGET =
  'Please provide either a confirmation target in blocks for automatic fee estimation, or an explicit fee rate.';

export const targetBesideRate = (name: 'fee_rate' | 'feeRate'): RpcError =>
  invalidParameter(`Cannot specify both conf_target and ${name}. ${CONFLICTING_TARGET}`);

/** Makes a payment with a rate in sat/vB replaceable. @see Bitcoin Core `SetFeeEstimateMode` */
export function parseFeeChoice(
  { target, mode, rate }: FeeArguments,
  { isForced = false, ...before }: FeeChoice,
  context: WalletContext,
): FeeChoice {
  const { dialect } = context;
  if (isGiven(rate)) {
    if (isGiven(target)) throw targetBesideRate('fee_rate');
    if (isGiven(mode) && readValue(mode, 'string', dialect).value !== 'unset') {
      throw invalidParameter('Cannot specify both estimate_mode and fee_rate');
    }
    return { isReplaceable: before.isReplaceable ?? true, feeRate: parseFeeRate(rate, context), isForced };
  }
  if (isGiven(mode)) assertEstimateMode(readValue(mode, 'string', dialect).value);
  if (isGiven(target)) parseConfTarget(readValue(target, 'number', dialect));
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
